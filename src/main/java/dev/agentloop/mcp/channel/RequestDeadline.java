package dev.agentloop.mcp.channel;

import java.time.Duration;

/**
 * When patience is over, for one request or for several that belong together.
 *
 * @param end by {@link System#nanoTime}
 * @param whole how long it was at first, for people
 */
public record RequestDeadline(long end, Duration whole) {
    public static RequestDeadline in(Duration whole) {
        return new RequestDeadline(System.nanoTime() + whole.toNanos(), whole);
    }

    /** Nanoseconds; 0 or less once it is over. */
    public long left() {
        return end - System.nanoTime();
    }

    /** What is left of it, at most {@code most}, at least a millisecond. */
    Duration leftOf(Duration most) {
        Duration left = Duration.ofNanos(Math.max(1_000_000, left()));
        return left.compareTo(most) < 0 ? left : most;
    }
}
