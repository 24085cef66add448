package dev.agentloop.sandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentloop.controlfile.FolderListings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The next start cleans up after a run that was killed together with all that watched over it. */
@Timeout(120)
class LeftoversTest {
    private static final Path BWRAP = Path.of("/usr/bin/bwrap");

    @TempDir(factory = OutsideTmp.class)
    Path temp;

    private Path workspace;
    private Path records;
    private Path tmp;

    @BeforeEach
    void folders() throws IOException {
        Path root = temp.toRealPath();
        workspace = Files.createDirectory(root.resolve("work space"));
        records = root.resolve("records");
        tmp = Files.createDirectory(root.resolve("tmp"));
        Files.createSymbolicLink(workspace.resolve("mvnw"), Path.of("build/mvnw"));
        Files.createDirectory(workspace.resolve(".vscode"));
        Files.writeString(workspace.resolve(".vscode/tasks.json"), "{}");
    }

    private Process start(Tier tier, String command) throws IOException {
        assumeTrue(tier != Tier.BWRAP || Files.isExecutable(BWRAP), "no bubblewrap");
        assumeTrue(tier != Tier.LANDLOCK || LandlockSandbox.trouble().isEmpty(), "no Landlock");
        List<String> argv =
                List.of(
                        Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        KilledRun.class.getName(),
                        tier.name(),
                        BWRAP.toString(),
                        records.toString(),
                        workspace.toString(),
                        tmp.toString(),
                        command);
        return new ProcessBuilder(argv).inheritIO().start();
    }

    private void kill(Process run) throws IOException, InterruptedException {
        while (!Files.exists(workspace.resolve("ready"))) {
            assertTrue(run.isAlive(), "the run ended before its command was there");
            run.waitFor(20, TimeUnit.MILLISECONDS);
        }
        List<ProcessHandle> all = run.descendants().toList();
        for (ProcessHandle one : all) { // nobody cleans up between the first and the last
            new ProcessBuilder("kill", "-STOP", "" + one.pid()).start().waitFor();
        }
        run.destroyForcibly().waitFor();
        all.forEach(ProcessHandle::destroyForcibly);
        for (ProcessHandle one : all) {
            one.onExit().join();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"BWRAP", "LANDLOCK"})
    @DisplayName("D48: what a killed command has made is put away by the next start")
    void controlFilesArePutAway(Tier tier) throws IOException, InterruptedException {
        kill(
                start(
                        tier,
                        "mkdir build; echo evil > build/mvnw; echo evil > .envrc; echo x > .vscode/x;"
                                + " touch ready; sleep 100"));
        assertTrue(Files.exists(workspace.resolve(".envrc")), "nothing to clean up");

        String notes = String.join("\n", Leftovers.sweep(records, workspace));

        assertFalse(Files.exists(workspace.resolve(".envrc")), notes);
        assertFalse(Files.exists(workspace.resolve("mvnw")), notes);
        assertEquals("evil\n", Files.readString(workspace.resolve(".envrc.quarantined")));
        assertTrue(notes.contains(".envrc.quarantined") && notes.contains("build/mvnw"), notes);
        assertEquals(tier == Tier.LANDLOCK, notes.contains(".vscode is not as it was"), notes);
        assertFalse(Files.exists(workspace.resolve(".agent")), notes);
        assertEquals(List.of(), names(tmp), notes);
        assertEquals(List.of(), names(records), notes);
        assertEquals(List.of(), Leftovers.sweep(records, workspace));
    }

    @Test
    @DisplayName("D48: empty files that the sandbox had made are removed, and it is said")
    void placeholdersAreRemoved() throws IOException, InterruptedException {
        new ProcessBuilder("git", "init", "-q", workspace.toString()).start().waitFor();
        kill(start(Tier.BWRAP, "touch ready; sleep 100"));
        assertTrue(Files.exists(workspace.resolve(".agent")), "nothing to clean up");
        assertTrue(Files.exists(workspace.resolve(".git/config.worktree")), "nothing to clean up");
        Files.writeString(workspace.resolve(".git/config.worktree"), "[core]\n"); // somebody's

        String notes = String.join("\n", Leftovers.sweep(records, workspace));

        assertFalse(Files.exists(workspace.resolve(".agent")), notes);
        assertFalse(Files.exists(workspace.resolve(".git/info/attributes")), notes);
        assertEquals("[core]\n", Files.readString(workspace.resolve(".git/config.worktree")));
        assertTrue(notes.contains(".agent") && !notes.contains("config.worktree"), notes);
    }

    @ParameterizedTest
    @EnumSource(names = {"BWRAP", "LANDLOCK"})
    @DisplayName("D48: after a run that ended by itself nobody's files are touched")
    void nothingAfterAnOrdinaryEnd(Tier tier) throws IOException, InterruptedException {
        assertEquals(0, start(tier, "touch ready").waitFor());
        Files.writeString(workspace.resolve(".envrc"), "mine");

        assertEquals(List.of(), Leftovers.sweep(records, workspace));
        assertEquals("mine", Files.readString(workspace.resolve(".envrc")));
        assertEquals(List.of(), names(records));
    }

    @Test
    @DisplayName("D48: the records of a run that lives, and of other workspaces, stay")
    void livingRunsKeepTheirRecords() throws IOException {
        RunRecord record = RunRecord.of(records, workspace);
        record.begin("command", ControlLook.all(workspace, FolderListings.of(workspace)).looks());
        Path other = Files.createDirectory(temp.toRealPath().resolve("other"));
        Files.writeString(workspace.resolve(".envrc"), "mine");

        assertEquals(List.of(), Leftovers.sweep(records, workspace));
        assertEquals(List.of(), Leftovers.sweep(records, other));
        assertEquals(1, names(records).size());
        record.end("command");
        assertEquals(List.of(), names(records));
    }

    private static List<String> names(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }
}
