package dev.agentloop.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;

/** Makes repositories by lines of a shell, with no settings and names but its own. */
public final class GitShell {
    private GitShell() {}

    /** Runs a script in a folder; fails unless it succeeds. */
    public static void run(Path folder, String script) throws IOException, InterruptedException {
        read(folder, script);
    }

    /** The same; gives what it has printed. */
    public static String read(Path folder, String script) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", script).directory(folder.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("GIT_"));
        builder.environment().put("HOME", "/nonexistent");
        for (String who : new String[] {"AUTHOR", "COMMITTER"}) {
            builder.environment().put("GIT_" + who + "_NAME", "a");
            builder.environment().put("GIT_" + who + "_EMAIL", "a@b");
        }
        Process process = builder.redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes());
        assertEquals(0, process.waitFor(), said);
        return said;
    }
}
