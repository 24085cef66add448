package dev.agentloop.control;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Work that another thread does meanwhile: to look at thousands of files takes milliseconds for
 * which every command would wait, and most machines have more than one processor.
 *
 * @param <T> what comes of it
 */
public final class ParallelTask<T> {
    private final FutureTask<T> task;

    private ParallelTask(FutureTask<T> task) {
        this.task = task;
    }

    /** Starts the work on a thread of its own, at once. */
    public static <T> ParallelTask<T> start(Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        Thread.ofPlatform().daemon().name("parallel look").start(task);
        return new ParallelTask<>(task);
    }

    /** Waits for it, also when the waiting thread is interrupted: the look has to be whole. */
    public T result() {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    throw new IllegalStateException(e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
