package dev.agentloop.cli.command;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How this program is started once more. */
public final class ThisProgram {
    private static final String MAIN = "dev.agentloop.Main";
    private static final Path SETSID = Path.of("/usr/bin/setsid");

    private ThisProgram() {}

    /**
     * The words up to its command, in a session of its own, so that a Ctrl-C meant for this process
     * reaches the other one only through it.
     */
    public static List<String> words() {
        List<String> words = new ArrayList<>();
        if (Files.isExecutable(SETSID)) {
            words.add(SETSID.toString());
        }
        words.addAll(plain());
        return words;
    }

    /** The same for who makes a session of its own for each process. */
    public static List<String> plain() {
        List<String> words = new ArrayList<>();
        words.add(java());
        words.addAll(flags());
        return words;
    }

    private static String java() {
        return ProcessHandle.current()
                .info()
                .command()
                .orElseGet(() -> System.getProperty("java.home") + "/bin/java");
    }

    /** Those of the JVM that this process was started with, its start-up archive among them. */
    private static List<String> flags() {
        List<String> own = commandLine();
        int main = own.indexOf(MAIN);
        if (main > 0) {
            return own.subList(1, main + 1);
        }
        return List.of(
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                MAIN);
    }

    /** From the system: ProcessHandle knows no more than the first 4 kB. */
    private static List<String> commandLine() {
        try {
            String all =
                    Files.readString(Path.of("/proc/self/cmdline"), StandardCharsets.ISO_8859_1);
            return List.of(
                    new String(all.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8)
                            .split("\0"));
        } catch (IOException e) {
            return List.of();
        }
    }
}
