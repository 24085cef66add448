package dev.agentloop.mcp.serve;

import dev.agentloop.control.Cancellation;
import dev.agentloop.control.Cause;
import dev.agentloop.json.Json;
import dev.agentloop.json.JsonValue;
import dev.agentloop.mcp.channel.RpcError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The calls under way, each on a thread of its own, so that answers come in the order in which the
 * work is done. One that is cancelled has no answer.
 */
final class Calls {
    private static final long PROGRESS_GAP =
            100_000_000L; // nanoseconds between two lines of a call

    private final Outgoing outgoing;
    private final int most;
    private final Map<String, Cancellation> underWay = new HashMap<>(); // by the JSON of their ids
    private final List<Thread> threads = new ArrayList<>(); // also of those that say their answers
    private boolean ended;

    /**
     * @param most calls at a time
     */
    Calls(Outgoing outgoing, int most) {
        this.outgoing = outgoing;
        this.most = most;
    }

    /**
     * What is called.
     *
     * @param id a string or a number
     * @param arguments an object
     * @param token what progress is told with; null without progress
     */
    record Call(ServedTool tool, JsonValue id, JsonValue arguments, JsonValue token) {
        private String key() {
            return keyOf(id);
        }
    }

    private static String keyOf(JsonValue id) {
        return Json.text(id::writeTo);
    }

    /**
     * Begins a call; its answer is sent when there is one.
     *
     * @throws RpcError if there are too many, or one has the same id
     */
    void begin(Call call) throws RpcError {
        Cancellation cancellation = new Cancellation();
        Thread thread = new Thread(() -> run(call, cancellation), "mcp call");
        thread.setDaemon(true);
        synchronized (underWay) {
            Cancellation other = underWay.get(call.key());
            if (other != null) {
                throw new RpcError(
                        RpcError.INVALID_REQUEST,
                        "a call with the id %s is %s"
                                .formatted(
                                        call.key(),
                                        other.isCancelled()
                                                ? "cancelled, and has not ended yet"
                                                : "under way"));
            }
            if (ended || underWay.size() >= most || outgoing.waiting() > most) {
                throw new RpcError(
                        RpcError.BUSY, most + " calls are under way; wait for one of them to end");
            }
            threads.removeIf(one -> one.getState() == Thread.State.TERMINATED);
            thread.start(); // first, as it may fail; without our lock it does not come to its end
            threads.add(thread);
            underWay.put(call.key(), cancellation);
        }
    }

    /**
     * Stops a call; one that nobody knows, or that is over, is no trouble. Until its processes are
     * gone it counts as under way.
     */
    void cancel(JsonValue id) {
        Cancellation cancellation;
        synchronized (underWay) {
            cancellation = underWay.get(keyOf(id));
        }
        if (cancellation != null) {
            cancellation.cancel(new Cause.Abort());
        }
    }

    /** Stops them all, begins no more, and waits for their ends. */
    void endAll(Duration atMost) {
        List<Cancellation> cancellations;
        List<Thread> working;
        synchronized (underWay) {
            ended = true;
            cancellations = List.copyOf(underWay.values());
            working = List.copyOf(threads);
        }
        cancellations.forEach(each -> each.cancel(new Cause.Abort()));
        long end = System.nanoTime() + atMost.toNanos();
        try {
            for (Thread thread : working) {
                thread.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run(Call call, Cancellation cancellation) {
        AtomicBoolean over = new AtomicBoolean();
        Map<String, @Nullable Object> answer;
        try {
            answer =
                    Answers.result(
                            call.id(),
                            call.tool().call(call.arguments(), cancellation, progress(call, over)));
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) { // ours, or too much
            answer =
                    Answers.error(
                            call.id(),
                            new RpcError(RpcError.INTERNAL_ERROR, "internal error: " + e));
        }
        over.set(true);
        boolean wanted;
        synchronized (underWay) {
            underWay.remove(call.key());
            wanted = !cancellation.isCancelled();
        }
        if (wanted) {
            outgoing.send(answer);
        }
    }

    private Consumer<String> progress(Call call, AtomicBoolean over) {
        if (call.token().isNull()) {
            return _ -> {};
        }
        AtomicLong last = new AtomicLong(System.nanoTime() - PROGRESS_GAP);
        AtomicLong count = new AtomicLong();
        return line -> {
            long now = System.nanoTime();
            long before = last.get();
            if (now - before < PROGRESS_GAP || !last.compareAndSet(before, now)) {
                return;
            }
            Map<String, @Nullable Object> params = new LinkedHashMap<>();
            params.put("progressToken", call.token().raw());
            params.put("progress", count.incrementAndGet());
            params.put("message", line);
            outgoing.offer(
                    Answers.notification("notifications/progress", params), () -> !over.get());
        };
    }
}
