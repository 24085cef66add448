package dev.agentloop.sandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.process.CommandOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A command that cannot write the settings of the repository says why, and what to do. */
@Timeout(120)
class GitRefusalTest {
    @TempDir(factory = OutsideTmp.class)
    Path root;

    private static boolean isExplained(String printed, int exitCode) {
        return GitRefusal.in(printed).isPresent();
    }

    @Test
    @DisplayName("only what has failed is explained, and only for the repository's own settings")
    void whatIsExplained() {
        String busy = "error: could not write config file %s: Device or resource busy\n";
        assertTrue(isExplained(busy.formatted(".git/config"), 4));
        assertTrue(isExplained(busy.formatted("/a b/ws/.git/config"), 4));
        assertTrue(
                isExplained("could not lock config file .git/config: Read-only file system", 255));
        assertTrue(
                isExplained(
                        busy.formatted(".git/config")
                                + "error: unable to write upstream branch configuration",
                        0));
        assertTrue(
                isExplained(
                        busy.formatted(".git/config")
                                + "branch 'tr' set up to track 'origin/main'.\n",
                        0));
        String deleted = busy.formatted(".git/config") + "warning: Update of config-file failed\n";
        assertTrue(!isExplained(deleted + "Deleted branch tr.\n", 0));
        assertTrue(isExplained(deleted + busy.formatted(".git/config"), 0), "git branch -D, then");
        assertTrue(!isExplained(busy.formatted("/ws/.git/modules/a/config"), 128));
        assertTrue(!isExplained("could not lock config file .git/config: File exists", 255));
    }

    @Test
    @DisplayName("git config in bwrap: the result says that the user can run it")
    void gitConfig() throws IOException {
        try (var world = SandboxWorld.withBubblewrap(root)) {
            assertEquals(0, world.run("git init -q .").exitCode());
            CommandOutcome outcome = world.run("git config foo.bar x 2>&1");

            assertEquals(4, outcome.exitCode());
            assertEquals(1, outcome.notes().size(), "" + outcome.notes());
            assertTrue(outcome.notes().getFirst().contains("outside of the sandbox"));
            assertEquals(
                    List.of(),
                    world.run("git -c foo.bar=x status --short").notes(),
                    "what works is not remarked on");
            assertTrue(Files.exists(world.workspace.resolve(".git/config")));
            world.run(
                    "git -c user.name=n -c user.email=n@x commit -q --allow-empty -m 1;"
                            + " git update-ref refs/remotes/origin/main HEAD");
            CommandOutcome follows =
                    world.run(
                            "git -c remote.origin.url=x -c"
                                    + " remote.origin.fetch=+refs/heads/*:refs/remotes/origin/* checkout -b tr"
                                    + " origin/main");
            assertEquals(0, follows.exitCode());
            assertEquals(1, follows.notes().size(), follows.toString());
            assertEquals(1, world.run("git branch -m tr new; git branch").notes().size());
            assertEquals(List.of(), world.run("git checkout -q -; git branch -D new").notes());
        }
    }
}
