package dev.agentloop.cli.terminal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What standard input is connected to, as far as the system tells without reading from it. */
public final class StdinKind {
    private static final Path STDIN = Path.of("/proc/self/fd/0");

    private StdinKind() {}

    /** Whether it is closed, /dev/null, or a file (of which nothing was available). */
    public static boolean isAtEnd() {
        try {
            String target = Files.readSymbolicLink(STDIN).toString();
            return target.equals("/dev/null") || (target.startsWith("/") && isFile());
        } catch (IOException | UnsupportedOperationException e) {
            return Files.isDirectory(Path.of("/proc/self/fd")) && !Files.exists(STDIN);
        }
    }

    private static boolean isFile() {
        return Files.isRegularFile(STDIN);
    }
}
