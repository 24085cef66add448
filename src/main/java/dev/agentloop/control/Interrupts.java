package dev.agentloop.control;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Waits that an interrupt of the waiting thread does not end, but that tell of it at once. */
public final class Interrupts {
    private Interrupts() {}

    /**
     * Waits for the end of {@code work}; the thread is interrupted afterwards if it was meanwhile.
     *
     * @param told is run at the first interrupt, to make the work end
     * @throws CompletionException with what the work has thrown
     */
    public static <T> T join(CompletableFuture<T> work, Runnable told) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return work.get();
                } catch (InterruptedException e) {
                    if (!interrupted) {
                        interrupted = true;
                        told.run();
                    }
                } catch (ExecutionException e) {
                    throw new CompletionException(e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
