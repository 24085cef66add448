package dev.agentloop.blackbox;

import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Cassettes of the packaged program, where processes, signals and networks matter. */
@Tag("side-by-side")
class ReplayIT {
    private static final String[] RECORD = {
        "--output-format=stream-json",
        "--yolo",
        "--sandbox=off",
        "--record",
        "../run.cassette",
        "the task"
    };
    private static final String[] REPLAY = {
        "--output-format=stream-json", "--replay", "../run.cassette"
    };

    private static List<String> stream(Ended ended) {
        return ended.out()
                .lines()
                .map(line -> line.replaceAll("\"ts\":\"[^\"]*\"", ""))
                .map(line -> line.replaceAll(",\"journal\":\"[^\"]*\"", ""))
                .map(line -> line.replaceAll(",\"cassette\":\"[^\"]*\"(,\"replay\":\"run\")?", ""))
                .toList();
    }

    private static boolean canUnshare() {
        try {
            Process process = new ProcessBuilder("unshare", "-rn", "true").start();
            return process.waitFor() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Test
    @DisplayName("A replay needs no network at all")
    void withoutNetwork() {
        assumeTrue(canUnshare());
        try (var model =
                        ScriptedServer.chat(
                                calls("run_command", "command", "echo ran >>ran"), says("done"));
                var world = World.with(model)) {
            Ended first = world.run(RECORD);
            Ended second = world.launch().under(List.of("unshare", "-rn")).run(REPLAY);

            assertEquals(0, first.exitCode(), first::toString);
            assertEquals(0, second.exitCode(), second::toString);
            assertEquals(stream(first), stream(second));
            assertEquals("ran\n", world.read("ran"));
        }
    }

    @Test
    @Tag("row-17")
    @Tag("row-20")
    @DisplayName("an interrupted run replays as interrupted, without a signal")
    void interrupted() {
        try (var model = Phase.COMMAND.model();
                var world = World.with(model)) {
            AgentProcess process = world.launch().startRun(RECORD);
            Phase.COMMAND.await(process, model);
            Ended first = process.signal("INT").ended();
            Ended second = world.run(REPLAY);

            assertEquals(130, first.exitCode(), first::toString);
            assertEquals(130, second.exitCode(), second::toString);
            assertEquals("INT", second.result("signal"));
            assertEquals(stream(first), stream(second));
        }
    }

    @Test
    @Tag("row-63")
    @Tag("row-64")
    @DisplayName("a killed run leaves a cassette that says it is not whole")
    void killed() {
        try (var model = Phase.COMMAND.model();
                var world = World.with(model)) {
            AgentProcess process = world.launch().startRun(RECORD);
            Phase.COMMAND.await(process, model);
            process.killed();
            Ended replay = world.run(REPLAY);
            Ended shown = world.agent("replay", "../run.cassette");

            assertEquals(3, replay.exitCode(), replay::toString);
            assertTrue(replay.errorMessage().contains("is not whole"), replay::errorMessage);
            assertEquals(0, shown.exitCode(), shown::toString);
            assertTrue(shown.out().contains("Step 1"), shown::out);
            assertFalse(shown.out().contains("success"), shown::out);
        }
    }
}
