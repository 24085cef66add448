package dev.agentloop.blackbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The jar attacks its own sandbox, as the user of the tests and as one without rights. */
@Timeout(180)
class SandboxIT {
    private static final String NOBODY = "65534";

    private Path folder;

    @BeforeEach
    void open() throws IOException {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/bwrap")), "bubblewrap is not installed");
        folder = Files.createTempDirectory(Path.of("/var/tmp"), "agent-sandbox-it-");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        Files.copy(Path.of(System.getProperty("agent.jar")), folder.resolve("agent.jar"));
    }

    @AfterEach
    void close() throws IOException {
        if (folder != null) {
            try (var files = Files.walk(folder)) {
                files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
            }
        }
    }

    @ParameterizedTest
    @DisplayName("D71 D72: doctor --sandbox: bubblewrap holds against each attack")
    @ValueSource(strings = {"as we are", "as nobody"})
    void bubblewrapHolds(String user) throws Exception {
        String report = doctor(user.equals("as nobody"), "/usr/bin:/bin");

        assertTrue(report.contains("ok      sandbox: bwrap"), report);
        assertFalse(report.contains("broken"), report);
        assertFalse(report.contains("not tried"), report);
        assertEquals(21, report.lines().filter(line -> line.startsWith("ok")).count(), report);
    }

    @ParameterizedTest
    @DisplayName("D71 D72: doctor --sandbox: Landlock holds where there is no bubblewrap")
    @ValueSource(strings = {"as we are", "as nobody"})
    void landlockHolds(String user) throws Exception {
        Path programs = Files.createDirectory(folder.resolve("bin"));
        try (var all = Files.newDirectoryStream(Path.of("/usr/bin"))) {
            for (Path program : all) {
                if (!program.endsWith("bwrap")) {
                    Files.createSymbolicLink(programs.resolve(program.getFileName()), program);
                }
            }
        }
        String report = doctor(user.equals("as nobody"), programs.toString());

        assertTrue(report.contains("sandbox: landlock"), report);
        assertFalse(report.contains("broken"), report);
    }

    private String doctor(boolean asNobody, String path) throws Exception {
        List<String> argv = new ArrayList<>();
        if (asNobody) {
            assumeTrue(
                    Files.isExecutable(Path.of("/usr/bin/setpriv"))
                            && "root".equals(System.getProperty("user.name")),
                    "needs root and setpriv");
            argv.addAll(List.of("/usr/bin/setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY));
            argv.add("--clear-groups");
        }
        argv.add(Path.of(System.getProperty("java.home"), "bin/java").toString());
        argv.addAll(List.of("-jar", folder.resolve("agent.jar").toString()));
        argv.addAll(List.of("doctor", "--sandbox"));
        ProcessBuilder builder = new ProcessBuilder(argv).directory(folder.toFile());
        builder.environment().clear();
        builder.environment().put("PATH", path);
        builder.environment().put("LC_ALL", "C.UTF-8");
        builder.environment().put("HOME", folder.resolve("home").toString());
        builder.redirectErrorStream(true);
        Process process = builder.start();
        String report = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(60, TimeUnit.SECONDS));
        assertEquals(0, process.exitValue(), report);
        return report;
    }
}
