package dev.agentloop.sandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.agentloop.process.CommandOutcome;
import dev.agentloop.process.CommandRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Commands in the sandbox that are ended before they end. */
@Timeout(120)
class EndedCommandTest {
    @TempDir(factory = OutsideTmp.class)
    Path root;

    private SandboxWorld world;

    @BeforeEach
    void open() throws IOException {
        world = SandboxWorld.withBubblewrap(root);
    }

    @AfterEach
    void close() {
        if (world != null) {
            world.close();
        }
    }

    @Test
    void aCommandThatIsEndedHasTimeToCleanUp() throws IOException {
        CommandOutcome outcome =
                world.run(
                        CommandRequest.shell(
                                "trap 'echo bye > bye; exit 3' TERM; sleep 50 & wait",
                                world.workspace,
                                Duration.ofMillis(700)));

        assertEquals(CommandOutcome.Ending.TIMED_OUT, outcome.ending());
        assertEquals("bye\n", Files.readString(world.workspace.resolve("bye")));
        assertEquals(3, outcome.exitCode());
    }

    @Test
    void aProgramOfACommandThatIsEndedHasTimeToCleanUpAfterItsShell() throws IOException {
        Files.writeString(
                world.workspace.resolve("program"),
                "trap 'sleep 0.5; echo bye > bye; exit' TERM; sleep 50 & wait");
        CommandOutcome outcome =
                world.run(
                        CommandRequest.shell(
                                "sh program; echo after > after",
                                world.workspace,
                                Duration.ofMillis(1500)));

        assertEquals(CommandOutcome.Ending.TIMED_OUT, outcome.ending());
        assertEquals("bye\n", Files.readString(world.workspace.resolve("bye")));
        assertFalse(Files.exists(world.workspace.resolve("after")));
        assertEquals(List.of(), outcome.killed());
    }

    @Test
    void whoeverStaysAfterACommandIsEndedIsNamedAndKilled() throws IOException {
        CommandOutcome outcome =
                world.run(
                        CommandRequest.shell(
                                "sh -c 'trap \"\" TERM; sleep 51 & wait; sleep 52' & wait",
                                world.workspace,
                                Duration.ofMillis(1500)));

        assertEquals(CommandOutcome.Ending.TIMED_OUT, outcome.ending());
        assertFalse(outcome.killed().isEmpty(), outcome.toString());
        assertEquals(143, outcome.exitCode());
    }
}
