package dev.agentloop.process;

import dev.agentloop.control.HeldStarts;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;

/**
 * Starts all processes on one thread that lives as long as the program: whatever asks the kernel to
 * be killed with its parent would otherwise die with the thread that happened to start it.
 */
final class Spawner {
    private static final ExecutorService THREAD =
            Executors.newSingleThreadExecutor(Spawner::daemon);

    private Spawner() {}

    /**
     * A new process.
     *
     * @param pipes where its outputs lead, looked up at once: a quick command is soon gone
     * @param since as of {@link ProcessTable#now}, not after its start
     */
    record Started(Process process, String pipes, long since) {}

    /** Not to be interrupted: a process that was started and forgotten would live on. */
    static Started start(ProcessBuilder builder) throws IOException {
        return start(builder, THREAD);
    }

    /** As {@link #start}, on another thread that lives as long: one that a sandbox has confined. */
    static Started start(ProcessBuilder builder, ExecutorService thread) throws IOException {
        Future<Started> start =
                thread.submit(() -> {
                    long since = ProcessTable.now();
                    Process process = startHere(builder);
                    String pipes = ProcessTable.outputPipes(process.pid());
                    return new Started(process, pipes, since);
                });
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return HeldStarts.await(start);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException trouble) {
                throw trouble;
            }
            throw new IllegalStateException(e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static Process startHere(ProcessBuilder builder) throws IOException {
        synchronized (Spawner.class) {
            return builder.start();
        }
    }

    /**
     * Looks at the processes while none is being started: for a moment a new one holds all our
     * descriptors, which makes it look like a child that keeps another command's output open.
     */
    static <T> T betweenStarts(Supplier<T> look) {
        synchronized (Spawner.class) {
            return look.get();
        }
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "spawner");
        thread.setDaemon(true);
        return thread;
    }
}
