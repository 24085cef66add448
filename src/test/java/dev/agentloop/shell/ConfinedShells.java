package dev.agentloop.shell;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Runs command lines for real, by dash and by bash, where they can do no harm: everything but one
 * folder is read-only, there is no network, and strace notes each program that is started.
 */
final class ConfinedShells {
    /** Started once for a batch; reads lines from files with builtins only. */
    private static final String DRIVER =
            """
            cd "$1/ws" || exit 9
            for line in "$1"/lines/*; do
                IFS= read -r -d '' text <"$line"
                case $text in
                *$'\\n'* | *exit*) # of others the first error ends the run
                    "$1/mark/bash" -n -c "$text" "mark-${line##*/}: syntax:" 2>>"$1/errors"
                esac
                for shell in dash bash; do
                    PATH=$2 HOME=$1/home x='a[$(rm x)]' \\
                        "$1/mark/$shell" -c "$text" "mark-${line##*/}" \\
                        </dev/null >/dev/null 2>>"$1/errors"
                done
            done
            exit 0
            """;

    private final Path folder;
    private final String path;

    /**
     * @param stubs whether programs are stand-ins that do nothing, but for those that start others
     */
    ConfinedShells(Path folder, boolean stubs) throws IOException {
        this.folder = folder.toRealPath();
        Files.createDirectories(workspace());
        Path marks = Files.createDirectories(this.folder.resolve("mark"));
        for (String shell : List.of("dash", "bash")) {
            Files.copy(Path.of("/bin/" + shell), marks.resolve(shell));
        }
        Files.writeString(this.folder.resolve("driver"), DRIVER);
        path = stubs ? stubs().toString() : "/usr/bin:/bin";
    }

    Path home() {
        return folder.resolve("home");
    }

    Path workspace() {
        return folder.resolve("ws");
    }

    private Path stubs() throws IOException {
        Path bin = Files.createDirectories(folder.resolve("bin"));
        for (String real :
                List.of(
                        "env", "nice", "nohup", "setsid", "timeout", "stdbuf", "xargs", "find",
                        "sh", "bash")) {
            Files.copy(Path.of("/usr/bin/" + real), bin.resolve(real));
        }
        for (String good : List.of("ls", "cat", "git", "echo", "tee", "a", "x", "if")) {
            Files.copy(Path.of("/bin/true"), bin.resolve(good));
        }
        for (String bad : List.of("rm", "npm", "printf", "b", "src")) {
            Files.copy(Path.of("/bin/false"), bin.resolve(bad));
        }
        return bin;
    }

    /** A folder full of names that look like options, as it was made. */
    void freshWorkspace() throws IOException {
        clear(workspace());
        Files.createDirectories(workspace().resolve("src"));
        for (String name : ShellLines.FILES) {
            Files.writeString(workspace().resolve(name), "1\n2\n$(rm x)\n");
        }
        Files.copy(Path.of("/bin/true"), workspace().resolve("ls"));
    }

    private static void clear(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted((x, y) -> y.compareTo(x)).toList()) {
                if (!file.equals(directory)) {
                    Files.delete(file);
                }
            }
        }
    }

    /** Names, sizes, times and contents below the workspace. */
    Map<String, String> snapshot() throws IOException {
        Map<String, String> entries = new TreeMap<>();
        try (Stream<Path> files = Files.walk(workspace())) {
            for (Path file : files.toList()) {
                boolean regular = Files.isRegularFile(file);
                String content = regular && Files.size(file) < 100 ? Files.readString(file) : "";
                entries.put(
                        workspace().relativize(file).toString(),
                        Files.getLastModifiedTime(file) + " " + content);
            }
        }
        return entries;
    }

    /** For each line the arguments, program first, of all programs that it tried to start. */
    List<List<List<String>>> run(List<String> lines) throws IOException {
        Path inputs = Files.createDirectories(folder.resolve("lines"));
        clear(inputs);
        for (int i = 0; i < lines.size(); i++) {
            Files.writeString(inputs.resolve("%05d".formatted(i)), lines.get(i) + "\0");
        }
        Files.writeString(folder.resolve("errors"), "");
        Path trace = folder.resolve("trace");
        execute(
                confined(
                        "strace",
                        "-f",
                        "--seccomp-bpf",
                        "-qq",
                        "-xx",
                        "-s",
                        "20000",
                        "-e",
                        "trace=execve,clone,clone3,fork,vfork",
                        "-e",
                        "signal=none",
                        "-o",
                        trace.toString(),
                        "bash",
                        folder.resolve("driver").toString(),
                        folder.toString(),
                        path));
        return Trace.started(Files.readAllLines(trace, StandardCharsets.ISO_8859_1), lines.size());
    }

    /** What the shells of the last run said of lines that are not well formed. */
    List<String> syntaxErrors() throws IOException {
        return Files.readAllLines(folder.resolve("errors"), StandardCharsets.ISO_8859_1).stream()
                .filter(line -> line.contains("yntax error") || line.contains("nexpected"))
                .toList();
    }

    private List<String> confined(String... command) {
        List<String> words =
                new ArrayList<>(
                        List.of(
                                "bwrap",
                                "--cap-drop",
                                "ALL",
                                "--ro-bind",
                                "/",
                                "/",
                                "--dev",
                                "/dev",
                                "--proc",
                                "/proc",
                                "--unshare-all",
                                "--die-with-parent",
                                "--bind",
                                folder.toString(),
                                folder.toString(),
                                "--ro-bind",
                                folder.resolve("mark").toString(),
                                folder.resolve("mark").toString(),
                                "--clearenv",
                                "--setenv",
                                "PATH",
                                "/usr/bin:/bin"));
        words.addAll(List.of(command));
        return words;
    }

    private void execute(List<String> command) throws IOException {
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("log").toFile())
                        .start();
        try {
            process.getOutputStream().close();
            if (!process.waitFor(5, TimeUnit.MINUTES)) {
                process.destroyForcibly();
                throw new IOException("still running: " + command);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        String log = Files.readString(folder.resolve("log"), StandardCharsets.ISO_8859_1);
        assertEquals(0, process.exitValue(), () -> "needs bwrap, strace, dash, bash: " + log);
    }
}
