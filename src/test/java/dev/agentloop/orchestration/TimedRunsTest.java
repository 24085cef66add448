package dev.agentloop.orchestration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.control.Cancellation;
import dev.agentloop.control.Cause;
import dev.agentloop.testing.FakeTime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Runs and checks that share a time. */
class TimedRunsTest {
    private final FakeTime time = FakeTime.manual();
    private final Cancellation all = new Cancellation();
    private final List<@Nullable Duration> told = new ArrayList<>();
    private int exitCode;

    private final Runs runs =
            new Runs() {
                @Override
                public RunOutcome run(RunOrder order, Cancellation cancellation) {
                    told.add(order.timeout());
                    String out = "{\"stop_reason\":\"user_interrupt\",\"result\":\"Interrupted.\"}";
                    return RunOutcome.of(exitCode, out, "", Duration.ZERO);
                }

                @Override
                public CheckOutcome check(
                        String command,
                        List<String> options,
                        Path workspace,
                        Duration timeout,
                        Cancellation cancellation) {
                    told.add(timeout);
                    return new CheckOutcome(command, 0, "");
                }
            };

    private final TimedRuns timed = new TimedRuns(runs, Duration.ofSeconds(60), time);

    private RunOutcome run(@Nullable Duration own) {
        return timed.run(new RunOrder(List.of(), "go", Path.of("/"), null, own), all);
    }

    @Test
    @DisplayName("85: each is told what is left, less what a run needs to close")
    void eachIsToldWhatIsLeft() {
        run(null);
        run(Duration.ofSeconds(10));
        time.advance(Duration.ofSeconds(40));
        run(null);
        timed.check("true", List.of(), Path.of("/"), Duration.ofMinutes(1), all);
        time.advance(Duration.ofSeconds(30));
        run(null);

        List<Duration> seconds =
                List.of(58, 10, 18, 20, 1).stream().map(Duration::ofSeconds).toList();
        assertEquals(seconds, told);
    }

    @Test
    @DisplayName("85: where no run is worth a request any more, its end is waited for")
    void noTimeForAnother() throws Exception {
        assertTrue(timed.hasTime(all));
        time.advance(Duration.ofSeconds(58));
        Thread alarm = new Thread(() -> all.cancel(new Cause.RunDeadline()));
        alarm.start();
        assertFalse(timed.hasTime(all));
        assertTrue(all.isCancelled());
        alarm.join();
    }

    @Test
    @DisplayName("85: a run that was cut when the time was over is not said to be interrupted")
    void whoCutIt() {
        exitCode = 130;
        assertEquals("user_interrupt", run(null).stopReason());
        all.cancel(new Cause.RunDeadline());
        RunOutcome late = run(null);
        assertEquals("timeout", late.stopReason());
        assertEquals(5, late.exitCode());
        assertEquals("Stopped: the time for all runs was over.", late.text());
        exitCode = 0;
        assertEquals("Interrupted.", run(null).text(), "it has ended by itself");
    }
}
