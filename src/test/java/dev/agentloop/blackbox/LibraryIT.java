package dev.agentloop.blackbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The packaged jar as a dependency of another Maven project: the sample of the documentation.
 * Without a network: what Maven needs was needed for our own build, so it is in its repository.
 */
@Tag("side-by-side")
@Timeout(300)
class LibraryIT {
    private static final Path JAR = Path.of(System.getProperty("agent.jar", "target/agent.jar"));
    private static final String VERSION = "0.1.0";

    @Test
    @Tag("S2-1")
    @Tag("S2-7")
    @Tag("S2-8")
    @DisplayName("another project runs an agent with a typed tool, events, steps")
    void anotherProjectDependsOnTheJar(@TempDir Path folder) throws Exception {
        Path repository = repository(folder.resolve("repository"));
        Path project = copy(Path.of("docs/sample"), folder.resolve("sample"));

        String log = maven(project, repository, "test");
        unlink(repository);

        assertTrue(log.contains("Tests run: 4, Failures: 0, Errors: 0, Skipped: 0"), log);
        assertTrue(log.contains("BUILD SUCCESS"), log);
    }

    @Test
    @DisplayName("The testkit: @AgentTest with cassettes, scripts, assertions")
    void theTestkitIsBuiltAndTested(@TempDir Path folder) throws Exception {
        Path repository = repository(folder.resolve("repository"));
        Path project = copy(Path.of("src/testkit"), folder.resolve("testkit"));

        String log = maven(project, repository, "package");
        unlink(repository);

        assertTrue(log.contains("Tests run: 8, Failures: 0, Errors: 0, Skipped: 0"), log);
        assertTrue(Files.exists(project.resolve("target/agent-testkit-" + VERSION + ".jar")));
    }

    /** What the machine's repository has, and our jar; nothing is written to the machine's. */
    private static Path repository(Path folder) throws IOException {
        Files.createDirectories(folder.resolve("dev"));
        Path machine = machineRepository();
        link(machine, folder);
        link(machine.resolve("dev"), folder.resolve("dev"));
        Path home = Files.createDirectories(folder.resolve("dev/agentloop/agent/" + VERSION));
        Files.copy(JAR, home.resolve("agent-" + VERSION + ".jar"));
        Files.writeString(
                home.resolve("agent-" + VERSION + ".pom"),
                """
                <project xmlns="http://maven.apache.org/POM/4.0.0">
                  <modelVersion>4.0.0</modelVersion>
                  <groupId>dev.agentloop</groupId>
                  <artifactId>agent</artifactId>
                  <version>%s</version>
                </project>
                """
                        .formatted(VERSION));
        return folder;
    }

    /** Links to all folders in it, but for those that are in the other already or are ours. */
    private static void link(Path from, Path to) throws IOException {
        if (Files.notExists(from)) {
            return;
        }
        try (Stream<Path> entries = Files.list(from)) {
            for (Path entry : entries.toList()) {
                Path name = to.resolve(entry.getFileName());
                if (Files.notExists(name) && !entry.endsWith("dev/agentloop")) {
                    Files.createSymbolicLink(name, entry);
                }
            }
        }
    }

    /** The links go first: nobody who deletes the folder should come near what they lead to. */
    private static void unlink(Path folder) throws IOException {
        try (Stream<Path> entries =
                Stream.concat(Files.list(folder), Files.list(folder.resolve("dev")))) {
            for (Path entry : entries.filter(Files::isSymbolicLink).toList()) {
                Files.delete(entry);
            }
        }
    }

    /** Where the jar of JUnit lies, below groups, artifact and version. */
    private static Path machineRepository() throws IOException {
        try {
            Path junit =
                    Path.of(Test.class.getProtectionDomain().getCodeSource().getLocation().toURI());
            Path groups = junit.getParent().getParent().getParent();
            return groups.getParent().getParent().getParent();
        } catch (URISyntaxException e) {
            throw new IOException(e);
        }
    }

    private static Path copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path target = to.resolve(from.relativize(file).toString());
                if (!from.relativize(file).startsWith("target")) {
                    Files.createDirectories(target.getParent());
                    Files.copy(file, target);
                }
            }
        }
        return to;
    }

    private static String maven(Path project, Path repository, String... goals)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("mvn", "-o", "-B", "-ntp"));
        command.add("-Dmaven.repo.local=" + repository);
        command.addAll(List.of(goals));
        Path log = project.resolve("maven.log");
        ProcessBuilder maven =
                new ProcessBuilder(command)
                        .directory(project.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile());
        maven.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = maven.start();
        boolean ended = process.waitFor(250, TimeUnit.SECONDS);
        process.destroyForcibly();
        String printed = Files.readString(log, StandardCharsets.UTF_8);
        assertTrue(ended, printed);
        assertEquals(0, process.exitValue(), printed);
        return printed;
    }
}
