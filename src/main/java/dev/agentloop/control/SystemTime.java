package dev.agentloop.control;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The machine's clock; its alarms share one daemon thread, from the first to the last of them. */
public final class SystemTime implements Time {
    private static final int MANY_ALARMS = 1_000; // some 100 kB
    private static final long IDLE_SECONDS = 5; // then the thread ends; the next alarm starts one
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

    /**
     * A closed alarm stays in the queue until its time. Most alarms are closed early and followed
     * by one of the same length, which then is not the next to ring, so its thread need not be
     * woken: four switches of threads fewer on each step.
     */
    private synchronized ScheduledThreadPoolExecutor scheduler() {
        if (alarms == null) {
            alarms = new ScheduledThreadPoolExecutor(1, SystemTime::daemon);
            alarms.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
            alarms.allowCoreThreadTimeOut(true); // once the queue is empty, not before
        }
        if (alarms.getQueue().size() >= MANY_ALARMS) {
            alarms.purge();
        }
        return alarms;
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "alarms");
        thread.setDaemon(true);
        return thread;
    }
}
