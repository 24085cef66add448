package dev.agentloop.cli.terminal;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import sun.misc.Signal;

/** The terminal's screen, as far as {@code stty} tells and obeys. */
public class Screen {
    /** Of usual size; nothing can be done to it. */
    public static final Screen UNKNOWN = new Screen();

    private static final int LINES = 24;
    private static final int COLUMNS = 80;
    private static final long LIMIT_MILLIS = 1_000;

    /** The terminal that this process is attached to; its size is asked for anew. */
    public static Screen ofProcess() {
        Attached.ONE.listen();
        return Attached.ONE;
    }

    int lines() {
        return LINES;
    }

    public int columns() {
        return COLUMNS;
    }

    /**
     * A terminal hands out whole lines: what was typed without Enter would be put in front of the
     * answer. This makes it readable, so that it can be thrown away.
     */
    void releaseTypedLine() {}

    private static final class Attached extends Screen {
        /** The signal has one listener in a process. */
        private static final Attached ONE = new Attached();

        private volatile boolean resized = true; // until asked, which costs a process
        private String[] size = {};

        /** Anew, since whoever reads a line has the signal meanwhile. */
        private void listen() {
            resized = true;
            try {
                Signal.handle(new Signal("WINCH"), _ -> resized = true);
            } catch (IllegalArgumentException e) {
                // a system without this signal: the size is that of the start
            }
        }

        @Override
        int lines() {
            return size(0, LINES);
        }

        @Override
        public int columns() {
            return size(1, COLUMNS);
        }

        @Override
        void releaseTypedLine() {
            if (stty("-icanon", "min", "0").isPresent()) {
                stty("icanon", "min", "1"); // min shares its place with the end-of-file character
                stty("eof", "^D");
            }
        }

        private synchronized int size(int field, int otherwise) {
            if (resized) {
                resized = false;
                size = stty("size").orElse("").strip().split(" ");
            }
            try {
                int value = size.length == 2 ? Integer.parseInt(size[field]) : 0;
                return value > 0 ? value : otherwise;
            } catch (NumberFormatException e) {
                return otherwise;
            }
        }

        /** What it prints; empty if it is not there or fails. */
        private static Optional<String> stty(String... words) {
            String[] argv = new String[words.length + 1];
            argv[0] = "/usr/bin/stty";
            System.arraycopy(words, 0, argv, 1, words.length);
            ProcessBuilder builder = new ProcessBuilder(argv);
            builder.redirectInput(new File("/dev/tty"));
            builder.redirectError(ProcessBuilder.Redirect.DISCARD);
            builder.environment().clear();
            try {
                Process process = builder.start();
                String text =
                        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                boolean ended = process.waitFor(LIMIT_MILLIS, TimeUnit.MILLISECONDS);
                return ended && process.exitValue() == 0 ? Optional.of(text) : Optional.empty();
            } catch (IOException e) {
                return Optional.empty();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return Optional.empty();
            }
        }
    }
}
