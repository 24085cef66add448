package dev.agentloop.testing;

import dev.agentloop.control.Cancellation;
import dev.agentloop.control.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A clock that tests own. {@link #auto} time passes by itself while somebody sleeps; {@link
 * #manual} time passes only by {@link #advance}, which wakes sleepers and rings alarms on its
 * thread.
 */
public final class FakeTime implements Time {
    private record Alarm(long due, Runnable action) {}

    private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

    private final boolean auto;
    private final List<Alarm> alarms = new ArrayList<>();
    private final List<Duration> sleeps = new ArrayList<>();
    private long nanos;

    private FakeTime(boolean auto) {
        this.auto = auto;
    }

    public static FakeTime auto() {
        return new FakeTime(true);
    }

    public static FakeTime manual() {
        return new FakeTime(false);
    }

    @Override
    public Instant now() {
        return START.plusNanos(nanos());
    }

    @Override
    public synchronized long nanos() {
        return nanos;
    }

    /** Lets time pass; alarms ring in their order, each at its own moment. */
    public void advance(Duration by) {
        long end = nanos() + by.toNanos();
        Alarm next;
        while ((next = takeDue(end)) != null) {
            next.action().run();
        }
        synchronized (this) {
            nanos = Math.max(nanos, end);
            notifyAll();
        }
    }

    @Override
    public boolean sleep(Duration howLong, Cancellation cancellation) {
        long end;
        synchronized (this) {
            sleeps.add(howLong);
            end = nanos + howLong.toNanos();
        }
        if (auto && !cancellation.isCancelled()) {
            advance(howLong);
        }
        try (Cancellation.Registration _ = cancellation.onCancel(this::wake)) {
            synchronized (this) {
                while (nanos < end && !cancellation.isCancelled()) {
                    wait();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return cancellation.isCancelled();
    }

    @Override
    public synchronized Cancellation.Registration alarm(Duration delay, Runnable action) {
        Alarm alarm = new Alarm(nanos + delay.toNanos(), action);
        alarms.add(alarm);
        return () -> drop(alarm);
    }

    /** Every wait that was asked for, in order. */
    public synchronized List<Duration> sleeps() {
        return List.copyOf(sleeps);
    }

    /** Alarms that are set and have not rung. */
    public synchronized int alarms() {
        return alarms.size();
    }

    private synchronized @Nullable Alarm takeDue(long end) {
        Alarm first = alarms.stream().min(Comparator.comparingLong(Alarm::due)).orElse(null);
        if (first == null || first.due() > end) {
            return null;
        }
        alarms.remove(first);
        nanos = Math.max(nanos, first.due());
        notifyAll();
        return first;
    }

    private synchronized void drop(Alarm alarm) {
        alarms.removeIf(set -> set == alarm);
    }

    private synchronized void wake() {
        notifyAll();
    }
}
