package dev.agentloop.blackbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentloop.sandbox.Tier;
import dev.agentloop.sandbox.attack.Attack;
import dev.agentloop.sandbox.attack.AttackBook;
import dev.agentloop.sandbox.attack.AttackClass;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The jar attacks its own sandbox, as the user of the tests and as one without rights; AttacksIT
 * tries single attacks.
 */
@Timeout(600)
@Tag("side-by-side")
class SandboxIT {
    private static final String PATH = "/usr/bin:/bin:/usr/sbin:/sbin"; // setcap is in /usr/sbin

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

    @Test
    @Tag("D71")
    @Tag("D72")
    @DisplayName("doctor --sandbox: bubblewrap holds against each attack of an ordinary user")
    void bubblewrapHolds() throws Exception {
        assertBubblewrapHolds(ordinary());
    }

    private void assertBubblewrapHolds(Place place) throws Exception {
        String report = doctor(place, PATH);

        assertTrue(report.contains("ok      sandbox: bwrap"), report);
        assertFalse(report.contains("broken"), report);
        assertFalse(report.contains("not tried"), report);
        assertEndsAsExpected(report, Tier.BWRAP, place);
    }

    @Test
    @Tag("D71")
    @Tag("D72")
    @DisplayName("doctor --sandbox: Landlock holds where there is no bubblewrap")
    void landlockHolds() throws Exception {
        Path programs = Files.createDirectory(folder.resolve("bin"));
        try (var all = Files.newDirectoryStream(Path.of("/usr/bin"))) {
            for (Path program : all) {
                if (!program.endsWith("bwrap")) {
                    Files.createSymbolicLink(programs.resolve(program.getFileName()), program);
                }
            }
        }
        Place place = ordinary();
        String report = doctor(place, programs + ":/usr/sbin");

        assertTrue(report.contains("sandbox: landlock"), report);
        assertFalse(report.contains("broken"), report);
        assertEndsAsExpected(report, Tier.LANDLOCK, place);
    }

    private static void assertEndsAsExpected(String report, Tier tier, Place place)
            throws IOException {
        boolean root = place != Place.NOBODY && "root".equals(System.getProperty("user.name"));
        for (AttackClass kind : AttackBook.all()) {
            for (Attack attack : kind.attacks()) {
                Attack.Outcome outcome = attack.expected(tier, root).orElseThrow();
                String said =
                        switch (outcome) {
                            case STOPPED -> ": stopped";
                            case UNTESTED -> ": not tried";
                            case REPORTED -> ": possible; the result";
                            case OPEN -> ": possible from within";
                        };
                assertTrue(report.contains(attack.name() + said), attack.name() + "\n" + report);
            }
        }
    }

    @Test
    @Tag("D70")
    @Tag("D72")
    @DisplayName("in a container, with what was found out outside of it, Landlock holds")
    void container() throws Exception {
        assertBubblewrapHolds(Place.PLAIN);

        String report = doctor(Place.CONTAINER, PATH);

        assertTrue(report.contains("sandbox: landlock"), report);
        assertTrue(report.contains("bwrap does not work here"), report);
        assertFalse(report.contains("broken"), report);
        assertEndsAsExpected(report, Tier.LANDLOCK, Place.CONTAINER);
    }

    /** Where the program runs. */
    private enum Place {
        PLAIN,
        NOBODY("/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"),
        /** Parts of its /proc are hidden, as is usual: no other one can be mounted in it then. */
        CONTAINER(
                ("/usr/bin/bwrap --dev-bind / / --unshare-user --unshare-pid --proc /proc"
                                + " --ro-bind /proc/sys /proc/sys --")
                        .split(" "));

        private final List<String> prefix;

        Place(String... prefix) {
            this.prefix = List.of(prefix);
        }
    }

    /** A user without rights: the one of the tests, or another one if that is root. */
    private static Place ordinary() {
        boolean root = "root".equals(System.getProperty("user.name"));
        assumeTrue(!root || Files.isExecutable(Path.of("/usr/bin/setpriv")), "needs setpriv");
        return root ? Place.NOBODY : Place.PLAIN;
    }

    private static boolean isOfAttack(Path path) {
        return path.getFileName().toString().startsWith("attack-");
    }

    private String doctor(Place place, String path) throws Exception {
        List<String> argv = new ArrayList<>(place.prefix);
        argv.add(Path.of(System.getProperty("java.home"), "bin/java").toString());
        argv.addAll(List.of("-jar", folder.resolve("agent.jar").toString()));
        argv.addAll(List.of("doctor", "--sandbox"));
        ProcessBuilder builder = new ProcessBuilder(argv).directory(folder.toFile());
        builder.environment().clear();
        builder.environment().put("PATH", path);
        builder.environment().put("LC_ALL", "C.UTF-8");
        builder.environment().put("HOME", folder.resolve("home").toString());
        builder.redirectErrorStream(true);
        // No pipe: whoever got away would keep it open, and this test would wait and tell nothing.
        Path report = folder.resolve("report");
        Process process = builder.redirectOutput(report.toFile()).start();
        boolean ended = process.waitFor(240, TimeUnit.SECONDS);
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        String text = new String(Files.readAllBytes(report), StandardCharsets.UTF_8);
        assertTrue(ended, text);
        assertEquals(0, process.exitValue(), text);
        try (var left = Files.list(folder.resolve("home/.cache/agent"))) {
            assertEquals(List.of(), left.filter(SandboxIT::isOfAttack).toList());
        }
        return text;
    }
}
