package dev.agentloop.control;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The machine's clock; its alarms share one daemon thread that starts with the first alarm. */
public final class SystemTime implements Time {
    private @Nullable ScheduledThreadPoolExecutor alarms;

    @Override
    public Instant now() {
        return Instant.now();
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public boolean sleep(Duration howLong, Cancellation cancellation) {
        try {
            return cancellation.await(howLong.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    @Override
    public Cancellation.Registration alarm(Duration delay, Runnable action) {
        ScheduledFuture<?> future =
                scheduler().schedule(action, delay.toNanos(), TimeUnit.NANOSECONDS);
        return () -> future.cancel(false);
    }

    private synchronized ScheduledThreadPoolExecutor scheduler() {
        if (alarms == null) {
            alarms = new ScheduledThreadPoolExecutor(1, SystemTime::daemon);
            alarms.setRemoveOnCancelPolicy(true); // idle alarms of long streams must not pile up
        }
        return alarms;
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "alarms");
        thread.setDaemon(true);
        return thread;
    }
}
