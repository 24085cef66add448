package dev.agentloop.loop.call;

import dev.agentloop.control.Interrupts;
import dev.agentloop.message.Message;
import dev.agentloop.tool.CaseFold;
import dev.agentloop.tool.Effect;
import dev.agentloop.tool.call.PreparedCall;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs the calls of one reply side by side. Calls that could see each other's work keep their
 * order: two on one path when either writes, and a command beside anything but another command.
 */
final class SideBySide {
    private static final long IDLE_SECONDS = 5;

    private final int maxParallel;
    private @Nullable ExecutorService pool;

    SideBySide(int maxParallel) {
        this.maxParallel = maxParallel;
    }

    /**
     * Results in the order of the tasks. A task waits only for earlier ones, so none waits for
     * ever.
     *
     * @param interrupted makes them end when the waiting thread is interrupted
     */
    List<Message.Tool> run(
            List<PreparedCall> calls, List<Supplier<Message.Tool>> tasks, Runnable interrupted) {
        List<CompletableFuture<Message.Tool>> results = new ArrayList<>();
        for (int i = 0; i < tasks.size(); i++) {
            CompletableFuture<?>[] before = conflicting(calls, i, results);
            Supplier<Message.Tool> task = tasks.get(i);
            results.add(
                    CompletableFuture.supplyAsync(
                            () -> {
                                CompletableFuture.allOf(before).join();
                                return task.get();
                            },
                            pool()));
        }
        try {
            return results.stream().map(one -> Interrupts.join(one, interrupted)).toList();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException bug
                    ? bug
                    : e; // the bug, not its wrapping
        }
    }

    private static CompletableFuture<?>[] conflicting(
            List<PreparedCall> calls, int index, List<CompletableFuture<Message.Tool>> earlier) {
        List<CompletableFuture<?>> before = new ArrayList<>();
        for (int i = 0; i < index; i++) {
            if (conflict(calls.get(i), calls.get(index))) {
                before.add(earlier.get(i));
            }
        }
        return before.toArray(CompletableFuture<?>[]::new);
    }

    static boolean conflict(PreparedCall one, PreparedCall other) {
        if (!(one instanceof PreparedCall.Ready<?> a)
                || !(other instanceof PreparedCall.Ready<?> b)) {
            return false;
        }
        boolean aOpaque = a.spec().effect() == Effect.OPAQUE;
        boolean bOpaque = b.spec().effect() == Effect.OPAQUE;
        if (aOpaque || bOpaque) {
            return !(aOpaque && bOpaque);
        }
        boolean writes = a.spec().effect() != Effect.PURE || b.spec().effect() != Effect.PURE;
        return writes && overlap(a.paths(), b.paths());
    }

    /**
     * Same path in any spelling, since it may be one file; one inside the other (a search below a
     * folder); or unknown reach.
     */
    private static boolean overlap(List<String> some, List<String> others) {
        if (some.isEmpty() || others.isEmpty()) {
            return true;
        }
        List<String> folded = others.stream().map(CaseFold::of).toList();
        return some.stream()
                .map(CaseFold::of)
                .anyMatch(a -> folded.stream().anyMatch(b -> within(a, b)));
    }

    private static boolean within(String a, String b) {
        return a.equals(b) || a.startsWith(b + "/") || b.startsWith(a + "/");
    }

    private synchronized ExecutorService pool() {
        if (pool == null) {
            ThreadPoolExecutor threads =
                    new ThreadPoolExecutor(
                            maxParallel,
                            maxParallel,
                            IDLE_SECONDS,
                            TimeUnit.SECONDS,
                            new LinkedBlockingQueue<>(),
                            SideBySide::daemon);
            threads.allowCoreThreadTimeOut(true);
            pool = threads;
        }
        return pool;
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "tool");
        thread.setDaemon(true);
        return thread;
    }
}
