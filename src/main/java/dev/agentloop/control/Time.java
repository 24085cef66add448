package dev.agentloop.control;

import java.math.BigDecimal;
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

    /** For people: {@code 20 s}, {@code 1.5 s}. */
    static String inSeconds(Duration time) {
        BigDecimal seconds = BigDecimal.valueOf(time.toMillis(), 3).stripTrailingZeros();
        return seconds.toPlainString() + " s";
    }
}
