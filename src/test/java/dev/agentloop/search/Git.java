package dev.agentloop.search;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** The git of this machine, asked as an oracle, with no settings but its own. */
final class Git {
    private Git() {}

    /** What git needs to see in a folder to call it a repository. */
    static void init(Path top) throws IOException {
        Files.createDirectories(top.resolve(".git/objects"));
        Files.createDirectories(top.resolve(".git/refs"));
        Files.createDirectories(top.resolve(".git/info"));
        Files.writeString(top.resolve(".git/HEAD"), "ref: refs/heads/main\n");
    }

    /** Files that are not ignored, as seen from {@code folder}. */
    static TreeSet<String> files(Path folder) throws IOException, InterruptedException {
        return run(folder, "ls-files", "-z", "-c", "-o", "--exclude-standard");
    }

    static TreeSet<String> run(Path folder, String... words)
            throws IOException, InterruptedException {
        List<String> argv = new ArrayList<>();
        argv.addAll(List.of("git", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"));
        argv.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(argv).directory(folder.toFile());
        Map<String, String> variables = builder.environment();
        variables.keySet().removeIf(name -> name.startsWith("GIT_"));
        variables.put("GIT_CONFIG_NOSYSTEM", "1");
        variables.put("GIT_CONFIG_GLOBAL", "/dev/null");
        variables.put("XDG_CONFIG_HOME", "/nonexistent");
        builder.redirectError(ProcessBuilder.Redirect.INHERIT);
        Process process = builder.start();
        byte[] out = process.getInputStream().readAllBytes();
        assertEquals(0, process.waitFor(), argv.toString());
        String text = new String(out, StandardCharsets.UTF_8);
        return new TreeSet<>(Arrays.stream(text.split("\0")).filter(n -> !n.isEmpty()).toList());
    }
}
