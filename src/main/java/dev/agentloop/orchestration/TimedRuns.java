package dev.agentloop.orchestration;

import dev.agentloop.control.Cancellation;
import dev.agentloop.control.Cause;
import dev.agentloop.control.Time;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs that share a time: each is told what is left, so that it closes with a summary instead of
 * being cut. Whoever uses it cancels all of them when the time is over.
 */
public final class TimedRuns implements Runs {
    private static final Duration CLOSING = Duration.ofSeconds(2); // a run may take behind its own
    private static final Duration LEAST = Duration.ofSeconds(1); // for a run or a check

    private final Runs runs;
    private final Time time;
    private final long end; // in nanoseconds of the clock

    /**
     * @param all for all runs and checks together, from now on
     */
    public TimedRuns(Runs runs, Duration all, Time time) {
        this.runs = runs;
        this.time = time;
        this.end = time.nanos() + all.toNanos();
    }

    @Override
    public RunOutcome run(RunOrder order, Cancellation cancellation) {
        Duration own = shorter(left().minus(CLOSING), order.timeout());
        RunOutcome outcome = runs.run(order.within(own), cancellation);
        boolean late = cancellation.cause().filter(Cause.RunDeadline.class::isInstance).isPresent();
        return late ? outcome.outOfTime() : outcome;
    }

    /** What is too short to be worth a request is waited for, so that its end is the reason. */
    @Override
    public boolean hasTime(Cancellation cancellation) {
        if (left().minus(CLOSING).compareTo(LEAST) >= 0) {
            return true;
        }
        try {
            cancellation.await(left().plus(LEAST).toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return false;
    }

    @Override
    public CheckOutcome check(
            String command,
            List<String> options,
            Path workspace,
            Duration timeout,
            Cancellation cancellation) {
        return runs.check(command, options, workspace, shorter(left(), timeout), cancellation);
    }

    private Duration left() {
        return Duration.ofNanos(Math.max(0, end - time.nanos()));
    }

    private static Duration shorter(Duration left, @Nullable Duration own) {
        Duration most = left.compareTo(LEAST) < 0 ? LEAST : left;
        return own != null && own.compareTo(most) < 0 ? own : most;
    }
}
