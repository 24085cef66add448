package dev.agentloop.orchestration;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.agentloop.control.Cancellation;
import dev.agentloop.control.Cause;
import dev.agentloop.testing.FakeTime;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** When a loop ends, and why. */
class CheckedLoopTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final FakeRuns runs = new FakeRuns();
    private final FakeTime time = FakeTime.manual();
    private final Cancellation all = new Cancellation();
    private int stamps;

    private CheckedLoop.Result loop(Runs which, int most, BigDecimal money, String... options) {
        CheckedLoop.Wishes wishes =
                new CheckedLoop.Wishes(
                        "go",
                        List.of(options),
                        Path.of("/"),
                        List.of("true"),
                        "COMPLETE",
                        most,
                        MINUTE);
        SharedBudget purse = new SharedBudget(money);
        return new CheckedLoop(which, wishes, purse, () -> "" + stamps++, _ -> {}).run(all);
    }

    @Test
    @Tag("row-85")
    @DisplayName("a loop whose money is spent says so, and begins no more runs")
    void moneyIsSpent() {
        runs.outcome = FakeRuns.ended("budget_exceeded", 2, 3, MINUTE);
        CheckedLoop.Result result = loop(runs, 9, BigDecimal.ONE);
        assertEquals(CheckedLoop.End.BUDGET_EXCEEDED, result.end());
        assertEquals(1, result.iterations().size());
    }

    @Test
    @Tag("row-85")
    @DisplayName("a cap on the tokens of a run is no cap on the loop, unless none can begin")
    void tokensOfOneRun() {
        runs.outcome = FakeRuns.ended("budget_exceeded", 2, 3, MINUTE);
        String option = "--max-tokens-total=9000";
        assertEquals(CheckedLoop.End.MAX_ITERATIONS, loop(runs, 4, BigDecimal.ONE, option).end());
        assertEquals(CheckedLoop.End.MAX_ITERATIONS, loop(runs, 4, null, option).end());
        runs.outcome = FakeRuns.ended("budget_exceeded", 2, 0, MINUTE);
        assertEquals(CheckedLoop.End.BUDGET_EXCEEDED, loop(runs, 4, BigDecimal.ONE, option).end());
    }

    @Test
    @Tag("row-85")
    @DisplayName("a signal ends it in the middle of its time; no check and no run follow")
    void signal() {
        runs.meanwhile = cancellation -> cancellation.cancel(new Cause.Interrupt("INT"));
        runs.outcome = FakeRuns.ended("user_interrupt", 130, 1, MINUTE);
        CheckedLoop.Result result =
                loop(new TimedRuns(runs, MINUTE.multipliedBy(9), time), 9, null);
        assertEquals(CheckedLoop.End.USER_INTERRUPT, result.end());
        assertEquals(1, result.iterations().size());
        assertEquals(List.of(), runs.checked);
    }

    @Test
    @Tag("row-85")
    @DisplayName("a loop that is at its end anyway is not said to be out of time")
    void overBeforeItsTime() {
        runs.meanwhile = _ -> time.advance(MINUTE.minusMillis(10));
        TimedRuns timed = new TimedRuns(runs, MINUTE, time);
        assertEquals(CheckedLoop.End.MAX_ITERATIONS, loop(timed, 1, null).end());
        TimedRuns again = new TimedRuns(runs, MINUTE, time);
        assertEquals(CheckedLoop.End.TIMEOUT, loop(again, 2, null).end());
    }

    @Test
    @Tag("row-85")
    @DisplayName("a tag without checks is no success: the time was over before they ran")
    void tagAtTheEnd() {
        runs.meanwhile = cancellation -> cancellation.cancel(new Cause.RunDeadline());
        RunOutcome done = FakeRuns.ended("llm_done", 0, 1, MINUTE);
        runs.outcome =
                new RunOutcome(
                        0,
                        done.status(),
                        done.stopReason(),
                        "COMPLETE",
                        "",
                        1,
                        null,
                        0,
                        MINUTE,
                        "",
                        List.of(),
                        WorkDiff.NONE);
        assertEquals(CheckedLoop.End.TIMEOUT, loop(runs, 3, null).end());
    }
}
