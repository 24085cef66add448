package dev.agentloop.control;

import java.time.Duration;
import java.time.Instant;

/** The clock of a run. Waits and deadlines go by {@link #nanos}, never by the wall clock. */
public interface Time {
    /** Wall clock, for time stamps only. */
    Instant now();

    /** Monotonic nanoseconds from an arbitrary origin. */
    long nanos();

    /** Waits; returns early, true, when {@code cancellation} falls. */
    boolean sleep(Duration howLong, Cancellation cancellation);

    /** Runs {@code action} once after {@code delay} unless the returned alarm is closed before. */
    Cancellation.Registration alarm(Duration delay, Runnable action);
}
