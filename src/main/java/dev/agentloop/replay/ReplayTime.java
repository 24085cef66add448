package dev.agentloop.replay;

import dev.agentloop.control.Cancellation;
import dev.agentloop.control.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;

/** The clock of a replay: it stands where the recorded run was, nothing rings and nobody waits. */
public record ReplayTime(Supplier<Instant> clock) implements Time {
    @Override
    public Instant now() {
        return clock.get();
    }

    @Override
    public long nanos() {
        return 0;
    }

    @Override
    public boolean sleep(Duration howLong, Cancellation cancellation) {
        return cancellation.isCancelled();
    }

    @Override
    public Cancellation.Registration alarm(Duration delay, Runnable action) {
        return () -> {};
    }
}
