package dev.agentloop.sandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentloop.process.CommandOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A checkout of another user, as root often has it in a container. */
class ForeignWorkspaceTest {
    @TempDir Path root;

    @ParameterizedTest
    @EnumSource(names = {"BWRAP", "LANDLOCK"})
    @DisplayName("commands run where they may write nothing, and the first result says why")
    void commandsRun(Tier tier) throws IOException {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root can give it away");
        try (var world =
                tier == Tier.BWRAP
                        ? SandboxWorld.withBubblewrap(root)
                        : new SandboxWorld(root, "ws", LandlockSandbox::new)) {
            world.run("git init -q .; echo a > a.txt");
            try (var files = Files.walk(world.workspace)) {
                for (Path file : (Iterable<Path>) files::iterator) {
                    Files.setAttribute(file, "unix:uid", 4711);
                    Files.setAttribute(file, "unix:gid", 4711);
                }
            }

            CommandOutcome reads = world.run("cat a.txt; git -c safe.directory=* status --short");
            CommandOutcome writes = world.run("echo b > b.txt");

            assertEquals(0, reads.exitCode(), reads.toString());
            assertEquals("a\n?? a.txt\n", reads.stdout().text());
            assertTrue(reads.notes().toString().contains("cannot make files in the workspace"));
            assertFalse(writes.exitCode() == 0);
            assertFalse(writes.notes().toString().contains("cannot make files"), "said once");
            assertFalse(Files.exists(world.workspace.resolve(".agent")));
        }
    }
}
