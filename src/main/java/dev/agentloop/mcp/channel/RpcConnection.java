package dev.agentloop.mcp.channel;

import dev.agentloop.control.Cancellation;
import dev.agentloop.control.Time;
import dev.agentloop.json.JsonValue;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * JSON-RPC over a channel: each request waits for its own answer, in whatever order they come.
 *
 * <p><b>Contract.</b> Safe from several threads. Once the server has ended, or said too much that
 * nobody asked for, every request fails with the reason.
 */
public final class RpcConnection implements Channel.Receiver, AutoCloseable {
    private static final int MOST_UNASKED = 100_000; // messages between two answers: a flood
    private static final Duration LONGEST = Duration.ofMinutes(10); // however much progress is told
    private static final Duration SHOWN_EVERY = Duration.ofMillis(100); // a person reads no faster
    private static final int MAX_ID = 1_000; // characters; it goes back with the answer

    private final Channel channel;
    private final Listener listener;
    private final Map<Long, Pending> pending = new ConcurrentHashMap<>();
    private final AtomicLong ids = new AtomicLong();
    private final AtomicInteger unasked = new AtomicInteger();
    private volatile @Nullable String end;

    public RpcConnection(Channel channel, Listener listener) {
        this.channel = channel;
        this.listener = listener;
    }

    /** What the server wants of us. */
    public interface Listener {
        Map<String, @Nullable Object> answer(String method, JsonValue params) throws RpcError;

        void notified(String method, JsonValue params);
    }

    /**
     * What is asked, and how long that may take.
     *
     * @param call a call of a tool: its progress starts the time anew, within limits
     * @param progress told lines for the person
     */
    public record Question(
            String method,
            Map<String, ? extends @Nullable Object> params,
            RequestDeadline deadline,
            boolean call,
            Consumer<String> progress) {
        public Question(
                String method,
                Map<String, ? extends @Nullable Object> params,
                RequestDeadline deadline) {
            this(method, params, deadline, false, _ -> {});
        }
    }

    private static final class Pending {
        private final CompletableFuture<JsonValue> answer = new CompletableFuture<>();
        private final Consumer<String> progress;
        private final long begin = System.nanoTime();
        private volatile long heard = begin;
        private volatile long shown = begin - SHOWN_EVERY.toNanos();

        Pending(Consumer<String> progress) {
            this.progress = progress;
        }

        /** When its time is over, as things stand. */
        long end(RequestDeadline deadline) {
            long whole = deadline.whole().toNanos();
            long most = Math.max(LONGEST.toNanos(), whole);
            return begin + Math.min(heard - begin + whole, most);
        }

        /** Called from one thread: that of the channel. */
        void progress(JsonValue params) {
            heard = System.nanoTime();
            if (heard - shown >= SHOWN_EVERY.toNanos()) {
                shown = heard;
                progress.accept(ProgressLine.of(params));
            }
        }
    }

    /** Asks and waits; a request that is given up is taken back. */
    public JsonValue ask(Question question, Cancellation cancellation)
            throws McpException, RpcError {
        long id = ids.incrementAndGet();
        Pending call = new Pending(question.progress());
        pending.put(id, call);
        try (var _ = cancellation.onCancel(() -> call.answer.cancel(false))) {
            failIfEnded();
            channel.send(request(id, question));
            return await(call, question);
        } catch (TimeoutException e) {
            takeBack(id, question, "timeout");
            throw new McpException(
                    "it did not answer %s within %s"
                            .formatted(
                                    question.method(),
                                    Time.inSeconds(question.deadline().whole())));
        } catch (CancellationException e) {
            takeBack(id, question, "cancelled");
            throw new McpException("the run is ending");
        } finally {
            pending.remove(id);
        }
    }

    private static JsonValue await(Pending call, Question question)
            throws McpException, RpcError, TimeoutException {
        RequestDeadline deadline = question.deadline();
        while (true) {
            long end = question.call() ? call.end(deadline) : deadline.end();
            long left = end - System.nanoTime();
            if (left <= 0) {
                throw new TimeoutException();
            }
            Optional<JsonValue> answer = answer(call, left);
            if (answer.isPresent()) {
                return answer.get();
            }
        }
    }

    /** Empty when it did not come in time. */
    private static Optional<JsonValue> answer(Pending call, long nanos)
            throws McpException, RpcError {
        try {
            return Optional.of(call.answer.get(nanos, TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new McpException("interrupted");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RpcError error) {
                throw error;
            }
            throw e.getCause() instanceof McpException failure
                    ? failure
                    : new McpException("internal error: " + e.getCause());
        }
    }

    /** Tells that we are ready; what follows is sent after that. */
    public void greet(String method, RequestDeadline deadline) throws McpException {
        channel.sendFirst(message(null, method, Map.of()), deadline);
    }

    /** Tells something that has no answer. */
    void tell(String method, Map<String, ? extends @Nullable Object> params) throws McpException {
        channel.send(message(null, method, params));
    }

    /** Why nothing more can be asked; empty while it can. */
    public String endedBecause() {
        String why = end;
        return why == null ? "" : why;
    }

    @Override
    public void message(JsonValue message) {
        if (message.has("method")) {
            unaskedFor();
            called(message);
            return;
        }
        Pending call = message.at("id").isNumber() ? pending.get(message.at("id").asLong()) : null;
        if (call == null) {
            unaskedFor(); // wrong or late, or a second answer
            return;
        }
        unasked.set(0);
        if (message.at("error").isObject()) {
            call.answer.completeExceptionally(RpcError.of(message.at("error")));
        } else {
            call.answer.complete(message.at("result"));
        }
    }

    @Override
    public void failed(JsonValue message, String why) {
        Pending call = pending.get(message.at("id").asLong());
        if (call != null && message.has("method")) {
            call.answer.completeExceptionally(new McpException(why));
        }
    }

    @Override
    public void ended(String why) {
        if (end == null) {
            String words = channel.lastWords();
            end = words.isEmpty() ? why : why + "; its last words: " + words;
        }
        McpException failure = new McpException(endedBecause());
        pending.values().forEach(call -> call.answer.completeExceptionally(failure));
    }

    @Override
    public void close() {
        channel.close();
        ended("it was closed");
    }

    private void unaskedFor() {
        if (unasked.incrementAndGet() == MOST_UNASKED) {
            fail("it sent " + MOST_UNASKED + " messages that nobody had asked for");
        }
    }

    private void fail(String why) {
        ended(why);
        Thread closer = new Thread(channel::close, "mcp close"); // we are on its own thread
        closer.setDaemon(true);
        closer.start();
    }

    private void called(JsonValue message) {
        String method = message.at("method").text();
        JsonValue params = message.at("params");
        if (message.at("id").isNull()) {
            if (method.equals("notifications/progress")) {
                progress(params);
            } else {
                listener.notified(method, params);
            }
            return;
        }
        if (!isId(message.at("id"))) {
            return; // there is no way to answer it
        }
        Map<String, @Nullable Object> answer = new LinkedHashMap<>();
        answer.put("jsonrpc", "2.0");
        answer.put("id", message.at("id").raw());
        try {
            answer.put("result", listener.answer(method, params));
        } catch (RpcError e) {
            answer.put("error", Map.of("code", e.code(), "message", e.text()));
        }
        try {
            channel.send(new JsonValue(answer));
        } catch (McpException e) {
            fail(e.problem());
        }
    }

    private static boolean isId(JsonValue id) {
        boolean kind = id.isNumber() || id.isText();
        return kind && String.valueOf(id.raw()).length() <= MAX_ID;
    }

    private void progress(JsonValue params) {
        Pending call = pending.get(params.at("progressToken").asLong());
        if (call != null) {
            call.progress(params);
        }
    }

    private void failIfEnded() throws McpException {
        if (end != null) {
            throw new McpException(endedBecause());
        }
    }

    /** The protocol forbids to take back the first request. */
    private void takeBack(long id, Question question, String reason) {
        channel.givenUp(id);
        if (end != null || question.method().equals("initialize")) {
            return;
        }
        try {
            tell("notifications/cancelled", Map.of("requestId", id, "reason", reason));
        } catch (McpException e) {
            ended(e.problem());
        }
    }

    private static JsonValue request(long id, Question question) {
        Map<String, @Nullable Object> params = new LinkedHashMap<>(question.params());
        params.put("_meta", Map.of("progressToken", id));
        return message(id, question.method(), params);
    }

    private static JsonValue message(
            @Nullable Long id, String method, Map<String, ? extends @Nullable Object> params) {
        Map<String, @Nullable Object> message = new LinkedHashMap<>();
        message.put("jsonrpc", "2.0");
        if (id != null) {
            message.put("id", id);
        }
        message.put("method", method);
        if (!params.isEmpty()) {
            message.put("params", params);
        }
        return new JsonValue(message);
    }
}
