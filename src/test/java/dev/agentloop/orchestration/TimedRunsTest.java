package dev.agentloop.orchestration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.control.Cancellation;
import dev.agentloop.control.Cause;
import dev.agentloop.testing.FakeTime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs and checks that share a time: here a minute. */
class TimedRunsTest {
    private final FakeTime time = FakeTime.manual();
    private final Cancellation all = new Cancellation();
    private final FakeRuns runs = new FakeRuns();
    private final TimedRuns timed = new TimedRuns(runs, Duration.ofSeconds(60), time);

    private RunOutcome run(@Nullable Duration own) {
        return timed.run(new RunOrder(List.of(), "go", Path.of("/"), null, own), all);
    }

    private static Duration seconds(int count) {
        return Duration.ofSeconds(count);
    }

    @Test
    @Tag("row-85")
    @DisplayName("a run is told what is left where that is enough for a summary")
    void eachIsToldWhatIsLeft() {
        run(null);
        run(seconds(10));
        time.advance(seconds(20));
        run(null);
        timed.check("true", List.of(), Path.of("/"), seconds(100), all);
        timed.check("true", List.of(), Path.of("/"), seconds(9), all);
        time.advance(seconds(50));
        timed.check("true", List.of(), Path.of("/"), seconds(9), all);

        List<Duration> expected =
                Arrays.asList(
                        seconds(58), seconds(10), seconds(38), seconds(40), seconds(9), seconds(1));
        assertEquals(expected, runs.given);
        run(null);
        assertEquals(Arrays.asList((Duration) null), runs.given.subList(6, 7), "it is cut instead");
    }

    @Test
    @Tag("row-85")
    @DisplayName("a run that has used up what was left ends the time for all, with code 5")
    void usedUp() {
        runs.outcome = FakeRuns.ended("timeout", 5, 3, seconds(20));
        run(null);
        assertFalse(all.isCancelled(), "that was a limit of one model call");
        run(seconds(20));
        assertFalse(all.isCancelled(), "that was its own limit");
        runs.outcome = FakeRuns.ended("timeout", 5, 3, seconds(54));
        assertEquals("Its words.", run(null).text());
        assertEquals(5, PipelineRun.exitCode(List.of(), all));
    }

    @Test
    @Tag("row-85")
    @DisplayName("where no run is worth a request any more, the time is over")
    void noTimeForAnother() {
        assertTrue(timed.hasTime(all));
        time.advance(seconds(59));
        assertTrue(timed.hasTime(all));
        time.advance(Duration.ofMillis(600));
        assertFalse(timed.hasTime(all));
        assertEquals(5, PipelineRun.exitCode(List.of(), all));
    }

    @Test
    @Tag("row-85")
    @DisplayName("after a signal there is no time for another, however much is left")
    void signal() {
        all.cancel(new Cause.Interrupt("INT"));
        assertFalse(timed.hasTime(all));
        assertEquals(130, PipelineRun.exitCode(List.of(), all));
    }

    @Test
    @Tag("row-85")
    @DisplayName("a run that was cut when the time was over is not said to be interrupted")
    void whoCutIt() {
        runs.outcome = FakeRuns.ended("user_interrupt", 130, 1, seconds(1));
        assertEquals("user_interrupt", run(null).stopReason());
        all.cancel(new Cause.RunDeadline());
        RunOutcome late = run(null);
        assertEquals("timeout", late.stopReason());
        assertEquals(5, late.exitCode());
        assertEquals("Stopped: the time for all runs was over.", late.text());
        runs.outcome = FakeRuns.ended("llm_done", 0, 1, seconds(1));
        assertEquals("Its words.", run(null).text(), "it has ended by itself");
    }
}
