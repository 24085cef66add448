package dev.agentloop.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.control.Cancellation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What this program starts by name comes neither from a relative folder nor from the workspace. */
class ProgramsTest {
    @TempDir private Path workspace;
    private Path trace;

    @BeforeEach
    void hostileWorkspace() throws IOException {
        workspace = workspace.toRealPath();
        trace = workspace.resolve("trace");
        for (String name :
                List.of("cat", "grep", "sleep", "rm", "rmdir", "find", "readlink", "java")) {
            program("bin/" + name);
        }
        Files.writeString(workspace.resolve("release"), "JAVA_VERSION=\"25\"\n");
    }

    private void program(String name) throws IOException {
        Path file = workspace.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\necho $0 >>" + trace + "\n");
        assertTrue(file.toFile().setExecutable(true));
    }

    private ProcessRunner runner(String path) {
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.put("PATH", path);
        return new ProcessRunner(environment, List.of());
    }

    private List<String> paths() {
        String usual = "/usr/bin:/bin";
        return List.of(
                "bin:" + usual,
                "./bin:" + usual,
                workspace + "/bin:" + usual,
                workspace + "/x/../bin:" + usual);
    }

    @Test
    void aServerByNameIsOneOfTheMachine() throws IOException {
        for (String path : paths()) {
            ProcessRunner runner = runner(path);
            try {
                Dialogue cat = runner.talk(List.of("cat", "/dev/null"), workspace, Map.of());
                assertEquals("", new String(cat.out().readAllBytes(), StandardCharsets.UTF_8));
                assertFalse(Files.exists(trace), path);
                IOException none =
                        assertThrows(
                                IOException.class,
                                () -> runner.talk(List.of("java-x"), workspace, Map.of()));
                assertTrue(none.getMessage().contains("no program java-x on PATH"));
            } finally {
                runner.killAll();
            }
        }
    }

    @Test
    void aServerDoesNotInheritRelativeFolders() throws IOException {
        ProcessRunner runner = runner("bin::/usr/bin:.:/bin");
        try {
            Dialogue shell =
                    runner.talk(List.of("/bin/sh", "-c", "echo $PATH"), workspace, Map.of());
            String path = new String(shell.out().readAllBytes(), StandardCharsets.UTF_8);
            assertEquals("/usr/bin:/bin\n", path);
        } finally {
            runner.killAll();
        }
    }

    @Test
    void whatCleansUpAtTheEndRunsNoProgramOfTheWorkspace() throws IOException {
        for (String path : paths()) {
            ProcessRunner runner = runner(path);
            runner.run(
                    CommandRequest.shell(":", workspace, Duration.ofSeconds(60)),
                    new Cancellation());
            runner.killAll();
            assertFalse(Files.exists(trace), path);
        }
    }

    @Test
    void theLauncherTakesNoJavaAndNoOtherProgramOfTheProject() throws Exception {
        Path launcher = Path.of("scripts/agent").toAbsolutePath();
        for (String path : paths()) {
            ProcessBuilder builder = new ProcessBuilder("/bin/sh", launcher.toString());
            builder.directory(workspace.toFile());
            builder.environment().put("PATH", path);
            builder.environment().put("JAVA_HOME", ".");
            builder.environment().put("AGENT_LAUNCHER", "jdk");
            builder.environment().remove("AGENT_JAVA");
            Process process = builder.start();
            String jdk =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertEquals(0, process.waitFor(), jdk);
            assertTrue(jdk.startsWith("/") && !jdk.startsWith(workspace.toString()), jdk);
            assertFalse(Files.exists(trace), path);
        }
    }
}
