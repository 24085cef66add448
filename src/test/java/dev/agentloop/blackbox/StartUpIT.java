package dev.agentloop.blackbox;

import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the program does of itself, seen by strace. */
@Timeout(120)
class StartUpIT {
    private static final Pattern EXEC = Pattern.compile("execve\\(\"([^\"]*)\".*\\) = 0");
    private static final Pattern OPEN =
            Pattern.compile("open(?:at)?\\([^\"]*\"([^\"]*)\".*\\) = \\d");
    private static final Pattern SOCKET = Pattern.compile("(socket|connect)\\(.*AF_INET");

    @TempDir Path folder;

    @Test
    @Tag("D52")
    @DisplayName("of an untrusted folder no program is started, and none by its name alone")
    void programsOfTheFolder() throws IOException {
        try (var model =
                        ScriptedServer.chat(
                                calls("list_files"),
                                calls("grep", "pattern", "x"),
                                calls("write_file", "file_path", "a", "content", "b"),
                                says("Done."));
                var world = World.with(model)) {
            Path bin = world.workspace();
            for (String name :
                    List.of("git", "rg", "node", "mvn", "bwrap", "sh", "stty", "setsid")) {
                Path trap = Files.writeString(bin.resolve(name), "#!/bin/sh\ntouch struck\n");
                Files.setPosixFilePermissions(trap, PosixFilePermissions.fromString("rwxr-xr-x"));
            }
            world.env("PATH", ".:" + bin + ":" + System.getenv("PATH"));
            Path trace = folder.resolve("trace");
            Ended ended = world.launch().under(strace(trace, "execve")).run("--json", "the task");
            assertEquals(0, ended.exitCode(), ended::toString);

            Set<String> programs = found(EXEC, trace);
            assertFalse(programs.isEmpty());
            for (String program : programs) {
                assertTrue(program.startsWith("/"), program);
                assertFalse(Path.of(program).startsWith(world.workspace()), program);
            }
            assertFalse(world.exists("struck"));
        }
    }

    @Test
    @Tag("D83")
    @DisplayName("--version opens no socket and few files besides its own and those of Java")
    void quietStart() throws IOException {
        try (var world = World.withoutModel()) {
            Path trace = folder.resolve("trace");
            world.launch()
                    .under(strace(trace, "openat,open,socket,connect"))
                    .start("--version")
                    .ended();

            assertEquals(Set.of(), found(SOCKET, trace));
            String java = Path.of(System.getProperty("java.home")).toRealPath().toString();
            String jar = Path.of(System.getProperty("agent.jar")).getParent().toString();
            Set<String> others = found(OPEN, trace);
            others.removeIf(file -> file.startsWith(java) || file.startsWith(jar));
            others.removeIf(file -> file.matches("/(proc|sys|dev|usr/lib|lib|lib64|etc/ld).*"));
            assertTrue(others.size() < 40, others::toString);
        }
    }

    @Test
    @Tag("D83")
    @DisplayName("the bill of materials is in the jar")
    void billOfMaterials() throws IOException {
        try (JarFile jar = new JarFile(System.getProperty("agent.jar"))) {
            var entry = jar.getEntry("META-INF/sbom/application.cdx.json");
            assertTrue(entry != null, "no bill of materials");
            assertTrue(entry.getSize() > 1000);
        }
    }

    private static List<String> strace(Path trace, String calls) {
        return List.of("strace", "-f", "-qq", "-o", trace.toString(), "-e", "trace=" + calls);
    }

    private static Set<String> found(Pattern pattern, Path trace) throws IOException {
        Set<String> found = new LinkedHashSet<>();
        for (String line : new ArrayList<>(Files.readAllLines(trace))) {
            Matcher matcher = pattern.matcher(line);
            if (matcher.find()) {
                found.add(matcher.group(1));
            }
        }
        return found;
    }
}
