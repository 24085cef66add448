package dev.agentloop.session.jsonl;

import dev.agentloop.control.Cancellation;
import dev.agentloop.control.Time;
import java.time.Duration;
import java.time.Instant;

/** A clock that stands still until a test moves it. */
public final class FakeTime implements Time {
    private Instant now = Instant.parse("2026-03-01T12:00:00Z");
    private long nanos;

    public void jump(Duration wallClockOnly) {
        now = now.plus(wallClockOnly);
    }

    public void pass(Duration time) {
        jump(time);
        nanos += time.toNanos();
    }

    @Override
    public Instant now() {
        return now;
    }

    @Override
    public long nanos() {
        return nanos;
    }

    @Override
    public boolean sleep(Duration howLong, Cancellation cancellation) {
        pass(howLong);
        return cancellation.isCancelled();
    }

    @Override
    public Cancellation.Registration alarm(Duration delay, Runnable action) {
        throw new UnsupportedOperationException("journals set no alarms");
    }
}
