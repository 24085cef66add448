package dev.agentloop.blackbox;

import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code --timeout}, wherever the run is; G10 looks at how long each took. */
class TimeoutIT {
    @ParameterizedTest
    @EnumSource
    @Tag("row-9")
    @Tag("E09")
    @DisplayName("the run's time is over: a summary, exit code 5, nothing left alive")
    void timeIsOver(Phase phase) {
        try (var model = phase.model(says("Out of time."));
                var world = phase.world(model)) {
            Ended ended =
                    world.run(
                            "--json",
                            "--yolo",
                            "--sandbox=off",
                            "--timeout=3",
                            "--exit-code-on-partial=0",
                            "go");
            assertEquals(5, ended.exitCode(), ended::toString);
            assertEquals("timeout", ended.result("stop_reason"));
            assertEquals("partial", ended.result("status"));
            assertEquals("Out of time.", ended.result("result"), ended::toString);
        }
    }

    @Test
    @Tag("row-9")
    @Tag("E09")
    @DisplayName("when the summary does not come either, a line stands in")
    void noSummary() {
        try (var model = Phase.HEADERS.model(Faults.silence());
                var world = World.with(model)) {
            Ended ended = world.run("--json", "--timeout=2", "go");
            assertEquals(5, ended.exitCode(), ended::toString);
            assertEquals("The agent stopped (timeout).", ended.result("result"));
        }
    }

    @Test
    @Tag("E09")
    @DisplayName("the time is over while a retry is waited for")
    void inRetrySleep() {
        Script later = Faults.status(429, "Retry-After: 50", Faults.error("slow down"));
        try (var model = ScriptedServer.chat(later, says("Out of time."));
                var world = World.with(model)) {
            Ended ended = world.run("--json", "--timeout=2", "go");
            assertEquals(5, ended.exitCode(), ended::toString);
        }
    }
}
