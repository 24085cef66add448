package dev.agentloop.sandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentloop.control.ParallelTask;
import dev.agentloop.sandbox.watch.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two runs in one repository that has no hooks and few settings. */
@Timeout(120)
class MountedPlaceholdersTest {
    private static final Path BWRAP = Path.of("/usr/bin/bwrap");

    @TempDir(factory = OutsideTmp.class)
    Path temp;

    private Path records;
    private Path slow;
    private SandboxWorld first;
    private SandboxWorld second;

    @BeforeEach
    void open() throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(BWRAP), "bubblewrap is not installed");
        Path root = temp.toRealPath();
        records = root.resolve("records");
        slow = root.resolve("slow-bwrap");
        Files.writeString(
                slow,
                """
                #!/bin/sh
                case " $* " in *' --block-fd '*)
                  touch ROOT/planned; while [ ! -e ROOT/go ]; do sleep 0.02; done ;; esac
                exec BWRAP "$@"
                """
                        .replace("ROOT", root.toString())
                        .replace("BWRAP", BWRAP.toString()));
        assertTrue(slow.toFile().setExecutable(true));
        first = run(BWRAP);
        second = run(slow);
        String init = "git init -q . && rm -rf .git/hooks .git/info/attributes";
        Process git =
                new ProcessBuilder("sh", "-c", init).directory(first.workspace.toFile()).start();
        assertEquals(0, git.waitFor());
    }

    private SandboxWorld run(Path bubblewrap) throws IOException {
        return new SandboxWorld(
                temp.toRealPath(),
                "ws",
                all -> new BwrapSandbox(bubblewrap, all, RunRecord.of(records, all)));
    }

    @AfterEach
    void close() {
        if (first != null) {
            first.close();
            second.close();
        }
    }

    @Test
    @Tag("D48")
    @DisplayName("a command starts although the run ends that had made what it mounts something on")
    void startsWhileAnotherRunEnds() throws Exception {
        assertEquals("made\n", first.all("echo made"));
        ParallelTask<String> command = ParallelTask.start(() -> second.all("echo started"));
        await(temp.resolve("planned"));
        first.close();
        Files.createFile(temp.resolve("go"));

        assertEquals("started\n", command.result());
    }

    @Test
    @Tag("D48")
    @DisplayName("the end of a run takes no protection away from a command of another one")
    void staysProtected() throws Exception {
        Files.createFile(temp.resolve("go"));
        assertEquals("made\n", first.all("echo made"));
        ParallelTask<String> command =
                ParallelTask.start(() ->
                        second.all(
                                "touch running; while [ ! -e alone ]; do sleep 0.02; done;"
                                        + " for f in .git/config.worktree .git/info/attributes"
                                        + " .git/hooks/pre-commit .agent/config.yaml; do"
                                        + " { mkdir -p ${f%/*}; echo evil >$f; } 2>/dev/null"
                                        + " && echo wrote $f; done; echo over"));
        await(first.workspace.resolve("running"));
        first.close();
        Files.createFile(first.workspace.resolve("alone"));

        assertEquals("over\n", command.result());
    }

    @Test
    @Tag("D48")
    @DisplayName("the last of two runs removes what the first had made, whichever that is")
    void theLastOneRemoves() throws IOException {
        Files.createFile(temp.resolve("go"));
        assertEquals("made\n", first.all("echo made"));
        assertEquals("used\n", second.all("echo used"));
        first.close();
        for (Path path : made()) {
            assertTrue(Files.exists(path), path::toString);
        }
        second.close();

        for (Path path : made()) {
            assertFalse(Files.exists(path), path::toString);
        }
        try (var left = Files.list(records)) {
            assertEquals(List.of(), left.toList());
        }
    }

    private List<Path> made() {
        Path git = first.workspace.resolve(".git");
        return List.of(
                git.resolve("config.worktree"),
                git.resolve("info/attributes"),
                git.resolve("hooks"),
                first.workspace.resolve(".agent"));
    }

    /** The time limit ends a failure. */
    private static void await(Path file) throws InterruptedException {
        while (!Files.exists(file)) {
            Thread.sleep(20);
        }
    }
}
