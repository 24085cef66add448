package dev.agentloop.blackbox;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** The program in a terminal emulator (tmux): what a person sees of it. */
final class TmuxScreen implements AutoCloseable {
    private static final long LONGEST_SECONDS = 20; // for one word to tmux

    private final World world;
    private final Path socket;

    private TmuxScreen(World world) {
        this.world = world;
        this.socket = world.root().resolve("tmux");
    }

    /** A chat in a terminal of this size, whose workspace is not trusted. */
    static TmuxScreen chat(World world, int columns, int rows, String... words) {
        TmuxScreen screen = open(world, columns, rows, words);
        return screen.await(ChatIT.TRUST.strip()).type("n").keys("Enter");
    }

    /** The same, started by a person in a shell, to which {@link #stopAndContinue} returns. */
    static TmuxScreen chatInShell(World world, int columns, int rows, String... words) {
        String command =
                world.launch().words(ChatIT.chatWords(words)).stream()
                        .map(word -> "'" + word + "'")
                        .collect(Collectors.joining(" "));
        world.file("../chat.sh", "exec " + command + "\n");
        TmuxScreen screen = start(world, columns, rows, List.of("bash", "--norc", "-i"));
        screen.await("bash").type("sh ../chat.sh").keys("Enter");
        return screen.await(ChatIT.TRUST.strip()).type("n").keys("Enter");
    }

    /** Any chat in a terminal of this size. */
    static TmuxScreen open(World world, int columns, int rows, String... words) {
        return start(world, columns, rows, world.launch().words(ChatIT.chatWords(words)));
    }

    private static TmuxScreen start(World world, int columns, int rows, List<String> command) {
        TmuxScreen screen = new TmuxScreen(world);
        world.env("TERM", "xterm-256color");
        List<String> start = new ArrayList<>(List.of("-f", "/dev/null", "new-session", "-d"));
        start.addAll(List.of("-x", "" + columns, "-y", "" + rows));
        start.addAll(command);
        screen.tmux(start);
        return screen;
    }

    TmuxScreen type(String text) {
        tmux(List.of("send-keys", "-l", text));
        return this;
    }

    /** By their names in tmux: Enter, Escape, Up, C-c. */
    TmuxScreen keys(String... names) {
        List<String> words = new ArrayList<>(List.of("send-keys"));
        words.addAll(List.of(names));
        tmux(words);
        return this;
    }

    /** Ctrl-Z and, in the shell, {@code fg}. */
    TmuxScreen stopAndContinue() {
        keys("C-z");
        List<String> running = List.of("display-message", "-p", "#{pane_current_command}");
        Await.until("a stop", () -> tmux(running).equals("bash\n"), this::history);
        return keys("f", "g", "Enter");
    }

    /** As the terminal hands on what was copied elsewhere. */
    TmuxScreen paste(String text) {
        tmux(List.of("set-buffer", text));
        tmux(List.of("paste-buffer", "-p"));
        return this;
    }

    TmuxScreen columns(int columns) {
        tmux(List.of("resize-window", "-x", "" + columns));
        return this;
    }

    /** What is on the screen, without blank lines. */
    String text() {
        return tmux(List.of("capture-pane", "-p")).replaceAll("(?m)^\\s*\\n", "");
    }

    /** The same with all that has left it at the top. */
    String history() {
        return tmux(List.of("capture-pane", "-p", "-S", "-")).replaceAll("(?m)^\\s*\\n", "");
    }

    /** Line by line as it is, without blanks at the ends of lines and blank lines at the end. */
    String whole() {
        return tmux(List.of("capture-pane", "-p", "-S", "-")).stripTrailing() + "\n";
    }

    /** A screen with what is typed alone, and nothing above it. */
    TmuxScreen clear(String typed) {
        keys("C-l");
        Await.until("a clear screen", () -> text().startsWith(typed + "\n"), this::text);
        tmux(List.of("clear-history"));
        return this;
    }

    /** Waits for a line that begins so. */
    TmuxScreen awaitLine(String start) {
        Await.until(start, () -> ("\n" + text()).contains("\n" + start), this::text);
        return this;
    }

    TmuxScreen await(String part) {
        Await.until(part, () -> text().contains(part), this::text);
        return this;
    }

    private String tmux(List<String> words) {
        List<String> all = new ArrayList<>(List.of("tmux", "-S", socket.toString()));
        all.addAll(words);
        ProcessBuilder builder = new ProcessBuilder(all).redirectErrorStream(true);
        builder.directory(world.workspace().toFile());
        builder.environment().clear();
        builder.environment().putAll(world.environment());
        builder.redirectInput(new File("/dev/null"));
        try {
            Process process = builder.start();
            String said =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new AssertionError("tmux " + words + ": " + said);
            }
            return said;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        tmux(List.of("kill-server"));
    }
}
