package dev.agentloop.library.run;

import dev.agentloop.control.Cancellation;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Notices that the thread which leads a run is interrupted. A thread that waits for a model or a
 * tool does not notice it itself, so another one looks.
 */
public final class InterruptWatch {
    private static final long LOOK_MILLIS = 20;
    private static final ScheduledExecutorService LOOKING =
            Executors.newSingleThreadScheduledExecutor(InterruptWatch::daemon);

    private InterruptWatch() {}

    /**
     * Watches the calling thread until the registration is closed, which must be on this thread
     * again; if it was interrupted meanwhile it is so afterwards, whoever took note of it.
     *
     * @param stop called once, from any thread, when it is interrupted
     */
    public static Cancellation.Registration of(Runnable stop) {
        Thread leading = Thread.currentThread();
        AtomicBoolean seen = new AtomicBoolean();
        Runnable look =
                () -> {
                    if (leading.isInterrupted() && !seen.getAndSet(true)) {
                        stop.run();
                    }
                };
        look.run();
        ScheduledFuture<?> looks =
                LOOKING.scheduleWithFixedDelay(
                        look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
        return () -> {
            looks.cancel(false);
            if (seen.get()) {
                leading.interrupt();
            }
        };
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "agent-interrupts");
        thread.setDaemon(true);
        return thread;
    }
}
