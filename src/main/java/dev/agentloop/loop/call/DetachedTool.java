package dev.agentloop.loop.call;

import dev.agentloop.control.Cancellation;
import dev.agentloop.control.Cause;
import dev.agentloop.control.Interrupts;
import dev.agentloop.control.Time;
import dev.agentloop.message.ToolResult;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Runs a tool on a thread of its own, so that one that obeys nothing, such as a read from a file
 * system that does not answer, cannot hold up the end of the run: it is left behind.
 */
final class DetachedTool {
    private static final int GRACE_SECONDS = 8; // commands need up to 5 to be stopped
    private static final ExecutorService THREADS =
            Executors.newCachedThreadPool(DetachedTool::daemon);

    private DetachedTool() {}

    /** What the tool says; when the work was cut and it does not end either, that it was left. */
    static ToolResult run(Supplier<ToolResult> tool, Cancellation work) {
        return run(tool, work, Duration.ofSeconds(GRACE_SECONDS));
    }

    static ToolResult run(Supplier<ToolResult> tool, Cancellation work, Duration grace) {
        CompletableFuture<ToolResult> result = CompletableFuture.supplyAsync(tool, THREADS);
        CompletableFuture<ToolResult> left = new CompletableFuture<>();
        try (var _ =
                work.onCancel(() ->
                        left.completeOnTimeout(
                                abandoned(grace), grace.toMillis(), TimeUnit.MILLISECONDS))) {
            CompletableFuture<Object> first = CompletableFuture.anyOf(result, left);
            return (ToolResult)
                    Interrupts.join(first, () -> work.cancel(new Cause.Interrupt("interrupt")));
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException bug ? bug : e;
        }
    }

    private static ToolResult abandoned(Duration grace) {
        return ToolResult.cancelled(
                "Interrupted: the tool did not stop within "
                        + Time.inSeconds(grace)
                        + " and was left behind; it may have done its work partly.");
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "tool");
        thread.setDaemon(true);
        return thread;
    }
}
