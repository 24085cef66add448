package dev.agentloop.control;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * The one way to stop what is running. Whatever blocks registers how it can be stopped; a signal
 * handler or an alarm calls {@link #cancel}. It can be cancelled once, the first cause stays.
 *
 * <p><b>Contract.</b> Safe from any thread. Stop actions must be quick and must not throw; they run
 * on the cancelling thread, or at once on the registering thread when it is already cancelled.
 */
public final class Cancellation {
    private final List<Runnable> stops = new ArrayList<>();
    private @Nullable Cause cause;

    /** Cancels with the first cause given; later calls change nothing. */
    public void cancel(Cause why) {
        List<Runnable> toStop;
        synchronized (stops) {
            if (cause != null) {
                return;
            }
            cause = why;
            toStop = List.copyOf(stops);
            stops.clear();
            stops.notifyAll();
        }
        RuntimeException first = null;
        for (Runnable stop : toStop) {
            try {
                stop.run();
            } catch (RuntimeException e) { // one bad action must not keep the others from running
                first = first == null ? e : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }

    /** Why it was cancelled; empty while it was not. */
    public Optional<Cause> cause() {
        synchronized (stops) {
            return Optional.ofNullable(cause);
        }
    }

    public boolean isCancelled() {
        return cause().isPresent();
    }

    /** Runs {@code stop} on cancellation until the returned registration is closed. */
    public Registration onCancel(Runnable stop) {
        synchronized (stops) {
            if (cause == null) {
                stops.add(stop);
                return () -> unregister(stop);
            }
        }
        stop.run();
        return () -> {};
    }

    /** Runs {@code work}; if cancelled meanwhile, {@code stop} is called from the other thread. */
    public <T> T whileRunning(Runnable stop, Callable<T> work) throws Exception {
        try (Registration _ = onCancel(stop)) {
            return work.call();
        }
    }

    /**
     * A cancellation that falls with this one but may also be cancelled alone (a step, a close).
     */
    public Child child() {
        Cancellation inner = new Cancellation();
        Registration link = onCancel(() -> inner.cancel(cause().orElseThrow()));
        return new Child(inner, link);
    }

    /** Waits at most {@code millis}; returns early, true, when cancelled. */
    public boolean await(long millis) throws InterruptedException {
        long end = System.nanoTime() + millis * 1_000_000L;
        synchronized (stops) {
            while (cause == null) {
                long left = (end - System.nanoTime()) / 1_000_000L;
                if (left <= 0) {
                    return false;
                }
                stops.wait(left);
            }
            return true;
        }
    }

    private void unregister(Runnable stop) {
        synchronized (stops) {
            stops.remove(stop);
        }
    }

    /** Ends a registration; closing twice is harmless. */
    @FunctionalInterface
    public interface Registration extends AutoCloseable {
        @Override
        void close();
    }

    /** A dependent cancellation and its link to the parent, to be closed when its work is over. */
    public record Child(Cancellation cancellation, Registration link) implements AutoCloseable {
        @Override
        public void close() {
            link.close();
        }
    }
}
