package dev.agentloop.orchestration;

import dev.agentloop.control.Cancellation;
import dev.agentloop.control.Cause;
import dev.agentloop.control.Time;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Runs that share a time: each is told what is left where that is long enough for a summary before
 * the end. One that has used up its share ends the time for all; whoever uses this cancels what
 * runs when the time is over.
 */
public final class TimedRuns implements Runs {
    private static final Duration LEAST = Duration.ofMillis(500); // what is worth a request

    /** A run keeps back time for its summary if it is given half a minute or more. */
    private static final Duration LONG = Duration.ofSeconds(30);

    private static final Duration MARGIN = Duration.ofSeconds(2); // for its start and its end
    private static final Duration MOST_KEPT = Duration.ofSeconds(20); // by a run, for its summary
    private static final int PART_KEPT = 10; // one in so many, if that is less

    private static final Duration SECOND = Duration.ofSeconds(1); // the least that a check takes

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
        Duration share = left().minus(MARGIN);
        boolean own = order.timeout() != null && order.timeout().compareTo(share) < 0;
        boolean shared = !own && share.compareTo(LONG) >= 0;
        RunOutcome outcome = runs.run(shared ? order.within(share) : order, cancellation);
        if (shared && hasUsedUp(outcome, share)) {
            cancellation.cancel(new Cause.RunDeadline());
        }
        boolean late = cancellation.cause().filter(Cause.RunDeadline.class::isInstance).isPresent();
        return late ? outcome.outOfTime() : outcome;
    }

    /** A limit of one model call ends a run with the same words, but sooner. */
    private static boolean hasUsedUp(RunOutcome outcome, Duration share) {
        Duration part = share.dividedBy(PART_KEPT);
        Duration kept = part.compareTo(MOST_KEPT) < 0 ? part : MOST_KEPT;
        return outcome.stopReason().equals("timeout")
                && outcome.took().compareTo(share.minus(kept).minus(MARGIN)) >= 0;
    }

    /** What is too short to be worth a request counts as over. */
    @Override
    public boolean hasTime(Cancellation cancellation) {
        if (left().compareTo(LEAST) < 0) {
            cancellation.cancel(new Cause.RunDeadline()); // no-op if it has fallen
        }
        return !cancellation.isCancelled();
    }

    @Override
    public CheckOutcome check(
            String command,
            List<String> options,
            Path workspace,
            Duration timeout,
            Cancellation cancellation) {
        Duration left = left().compareTo(SECOND) < 0 ? SECOND : left();
        Duration most = timeout.compareTo(left) < 0 ? timeout : left;
        return runs.check(command, options, workspace, most, cancellation);
    }

    private Duration left() {
        return Duration.ofNanos(Math.max(0, end - time.nanos()));
    }
}
