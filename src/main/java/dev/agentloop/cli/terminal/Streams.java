package dev.agentloop.cli.terminal;

import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Standard input, output and error of one invocation, and which of them are terminals. Writes are
 * not buffered: whoever writes hands over whole pieces, and a reader that went away is noticed at
 * the first of them (java's PrintStream hides it).
 */
public record Streams(
        InputStream in,
        OutputStream out,
        OutputStream err,
        boolean inIsTerminal,
        boolean outIsTerminal,
        boolean errIsTerminal) {

    /** The streams of this process. */
    public static Streams ofProcess() {
        return new Streams(
                isClosed(0)
                        ? InputStream.nullInputStream()
                        : new FileInputStream(FileDescriptor.in),
                new FileOutputStream(FileDescriptor.out),
                new FileOutputStream(FileDescriptor.err),
                isTerminal(0),
                isTerminal(1),
                isTerminal(2));
    }

    /** The same two outputs, by way of these. */
    public Streams through(OutputStream toOut, OutputStream toErr) {
        return new Streams(in, toOut, toErr, inIsTerminal, outIsTerminal, errIsTerminal);
    }

    /** Writes text to standard output; a failure means that nobody can read the result. */
    public void print(String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    /** Writes text to standard error; a closed one is nobody's loss. */
    public void printError(String text) {
        try {
            err.write(text.getBytes(StandardCharsets.UTF_8));
            err.flush();
        } catch (IOException e) {
            return; // there is no place left to say so
        }
    }

    /** Whether a person can be asked: both ends of the conversation are a terminal. */
    public boolean isInteractive() {
        return inIsTerminal && errIsTerminal;
    }

    /**
     * A descriptor that was closed at the start is taken by the first file that the JVM opens, and
     * reading from it would read the JVM.
     */
    private static boolean isClosed(int descriptor) {
        try {
            String target =
                    Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor)).toString();
            return target.startsWith(System.getProperty("java.home"))
                    || target.equals(System.getProperty("java.class.path"))
                    || target.endsWith("/lib/modules") // of the JDK that started ours
                    || target.endsWith(".aot");
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    /** java.io.Console tells about stdin and stdout together only; the link tells each. */
    private static boolean isTerminal(int descriptor) {
        try {
            String target =
                    Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor)).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
        } catch (IOException | UnsupportedOperationException e) {
            return Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false);
        }
    }
}
