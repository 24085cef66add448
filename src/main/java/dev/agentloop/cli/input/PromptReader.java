package dev.agentloop.cli.input;

import dev.agentloop.cli.command.RunOption;
import dev.agentloop.cli.command.Specs;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.cli.terminal.StdinKind;
import dev.agentloop.cli.terminal.Streams;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.ParseResult;

/**
 * Finds the task: words, {@code -p}, a file, standard input, or a prompt with standard input below
 * it. An idle open pipe never hangs a run: after a second without a byte it is left alone.
 */
public final class PromptReader {
    private static final int MAX_BYTES = 10_000_000; // contract 2
    private static final long FIRST_BYTE_MILLIS = 1_000; // contract 2
    private static final long POLL_MILLIS = 10;

    private final Streams streams;
    private final Path directory;
    private final Commands commands;

    /** Gives the task that a text stands for which begins with a slash. */
    @FunctionalInterface
    public interface Commands {
        String meant(String given) throws UsageException, IOException;
    }

    /**
     * @param commands for words and {@code -p}; files and standard input are taken as they are
     */
    public PromptReader(Streams streams, Path directory, Commands commands) {
        this.streams = streams;
        this.directory = directory;
        this.commands = commands;
    }

    /**
     * The prompt; blank when none was given anywhere.
     *
     * @param skipFirst whether the first word is something else (the id of a session)
     * @param optional whether a run needs no prompt, so that silence on standard input is fine
     */
    public String read(ParseResult arguments, boolean skipFirst, boolean optional)
            throws UsageException, IOException {
        List<String> all = Specs.positional(arguments);
        List<String> words = skipFirst ? all.subList(1, all.size()) : all;
        boolean dash = words.equals(List.of("-")) || RunOption.PROMPT.text(arguments).equals("-");
        String given = dash ? "" : given(arguments, words);
        if (streams.inIsTerminal() && !dash) {
            return given;
        }
        boolean toTheEnd =
                dash || (given.isEmpty() && !optional) || RunOption.STDIN.isGiven(arguments);
        String piped = piped(toTheEnd);
        if (given.isEmpty() || piped.isBlank()) {
            return given.isEmpty() ? piped : given;
        }
        return given + "\n\n<stdin>\n" + piped.stripTrailing() + "\n</stdin>";
    }

    private String given(ParseResult arguments, List<String> words)
            throws UsageException, IOException {
        int sources =
                (words.isEmpty() ? 0 : 1)
                        + (RunOption.PROMPT.isGiven(arguments) ? 1 : 0)
                        + (RunOption.PROMPT_FILE.isGiven(arguments) ? 1 : 0);
        if (sources > 1) {
            throw new UsageException(
                    "The task is given twice. Use words, -p or --prompt-file, not several of them.");
        }
        if (RunOption.PROMPT_FILE.isGiven(arguments)) {
            return file(RunOption.PROMPT_FILE.text(arguments));
        }
        String said =
                RunOption.PROMPT.isGiven(arguments)
                        ? RunOption.PROMPT.text(arguments)
                        : String.join(" ", words);
        return said.startsWith("/") ? commands.meant(said) : said;
    }

    private String file(String name) throws UsageException {
        Path file = directory.resolve(name);
        if (Files.isDirectory(file)) {
            throw new UsageException("--prompt-file " + name + " is a folder, not a file.");
        }
        if (!Files.isRegularFile(file)) {
            throw new UsageException("--prompt-file " + name + ": no such regular file.");
        }
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw tooLong("--prompt-file " + name);
            }
            return decode(Files.readAllBytes(file), "--prompt-file " + name);
        } catch (IOException e) {
            throw new UsageException(
                    "--prompt-file " + name + " cannot be read: " + e.getMessage());
        }
    }

    private String piped(boolean toTheEnd) throws UsageException {
        try {
            if (!toTheEnd && !firstByteArrives()) {
                return "";
            }
            return decode(readAll(streams.in()), "standard input");
        } catch (IOException e) {
            return ""; // a closed standard input is an empty one
        }
    }

    /**
     * Looks without reading: a thread blocked in a read would hold the exit for 300 ms. At the end
     * of a file nothing is available either, so a finished empty pipe costs the second as well,
     * except for files and /dev/null, which are known by their kind.
     */
    private boolean firstByteArrives() throws IOException {
        long deadline = System.nanoTime() + FIRST_BYTE_MILLIS * 1_000_000L;
        while (streams.in().available() == 0) {
            if (StdinKind.isAtEnd()) {
                return false;
            }
            if (System.nanoTime() > deadline) {
                streams.printError(
                        "note: standard input is open but silent; going on without it (--stdin"
                                + " waits for its end)\n");
                return false;
            }
            pause();
        }
        return true;
    }

    private static void pause() throws IOException {
        try {
            Thread.sleep(POLL_MILLIS);
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private static byte[] readAll(InputStream in) throws IOException, UsageException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[] buffer = new byte[64 * 1024];
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
            all.write(buffer, 0, read);
            if (all.size() > MAX_BYTES) {
                throw tooLong("standard input");
            }
        }
        return all.toByteArray();
    }

    private static String decode(byte[] bytes, String source) throws UsageException {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            throw new UsageException(source + " is not UTF-8 text. Convert it first.");
        }
    }

    private static UsageException tooLong(String source) {
        return new UsageException(
                source + " is longer than 10 MB. Put the data in a file and name it in the task.");
    }
}
