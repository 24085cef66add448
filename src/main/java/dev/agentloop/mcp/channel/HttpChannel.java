package dev.agentloop.mcp.channel;

import dev.agentloop.control.Cancellation;
import dev.agentloop.control.Cause;
import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/**
 * A server of the web: each message is a POST, answered at once or by a stream of events. A stream
 * that ends early is asked for again; a session that the server has forgotten is begun anew.
 */
public final class HttpChannel implements Channel {
    private static final MediaType JSON = MediaType.get("application/json");
    private static final String EVENTS = "text/event-stream";
    private static final long RETRY_MILLIS = 1_000; // unless the server says something else
    private static final long LEAST_MILLIS = 500; // whatever it says: else it could make us run
    private static final int MOST_IDLE = 20; // streams, one after another, that bring no message
    private static final Duration SHORT = Duration.ofSeconds(10); // for what has no answer
    private static final Duration LAST = Duration.ofSeconds(1); // to say goodbye

    private final RemoteServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool(HttpChannel::daemon);
    private final ExecutorService writer = Executors.newSingleThreadExecutor(HttpChannel::daemon);
    private final Backlog backlog = new Backlog();
    private final Set<HttpTask> tasks = ConcurrentHashMap.newKeySet();
    private final Map<Long, HttpTask> byId = new ConcurrentHashMap<>();
    private final Cancellation closing = new Cancellation();
    private final HttpSession session = new HttpSession();
    private @Nullable Receiver receiver;

    public HttpChannel(RemoteServer server) {
        this.server = server;
    }

    @Override
    public void open(Receiver to) {
        receiver = to;
    }

    @Override
    public void sendFirst(JsonValue message, RequestDeadline deadline) throws McpException {
        session.remember(message);
        HttpTask task = new HttpTask();
        Future<McpException> sent = threads.submit(() -> trouble(message, task, SHORT));
        try {
            Duration patience = deadline.leftOf(SHORT);
            McpException trouble = sent.get(patience.toMillis(), TimeUnit.MILLISECONDS);
            if (trouble != null) {
                throw trouble;
            }
        } catch (TimeoutException e) {
            task.end();
            throw new McpException("it did not take " + message.at("method").text() + " in time");
        } catch (InterruptedException e) {
            task.end();
            Thread.currentThread().interrupt();
            throw new McpException("interrupted");
        } catch (ExecutionException e) {
            throw new McpException("internal error");
        }
    }

    /** Requests go out on their own; the rest one by one, as none of it is waited for. */
    @Override
    public void send(JsonValue message) throws McpException {
        HttpTask task = new HttpTask();
        if (!isRequest(message)) {
            int size = Json.text(message::writeTo).length();
            backlog.add(size);
            later(
                    writer,
                    () -> {
                        try {
                            deliver(message, task);
                        } finally {
                            backlog.remove(size);
                        }
                    });
            return;
        }
        if (message.at("method").text().equals("initialize")) {
            session.remember(message);
        }
        long id = message.at("id").asLong();
        byId.put(id, task);
        later(
                threads,
                () -> {
                    McpException trouble = trouble(message, task, Duration.ZERO);
                    byId.remove(id);
                    if (trouble != null) {
                        receiver().failed(message, trouble.problem());
                    }
                });
    }

    /**
     * A server that waits for an answer waits for ever if it is lost; it takes the first of two.
     * Nothing else is sent twice, and nothing that the server has said a word about.
     */
    private void deliver(JsonValue message, HttpTask task) {
        boolean lost = trouble(message, task, SHORT) != null && task.isUnheard();
        if (lost && isAnswer(message) && !task.isOver()) {
            server.network().evict(); // a server may close a connection while we write to it
            trouble(message, task, SHORT);
        }
    }

    private static boolean isAnswer(JsonValue message) {
        return message.has("id") && (message.has("result") || message.has("error"));
    }

    private static boolean isRequest(JsonValue message) {
        return message.has("method") && message.at("id").isNumber();
    }

    /** Sends it and hands on what comes of it; null unless that failed. */
    private @Nullable McpException trouble(JsonValue message, HttpTask task, Duration timeout) {
        return guarded(task, () -> exchange(message, task, timeout));
    }

    private interface Work {
        void work() throws McpException;
    }

    /** What a task comes to; it is on record for as long as it takes. */
    private @Nullable McpException guarded(HttpTask task, Work work) {
        tasks.add(task);
        try {
            if (closing.isCancelled()) {
                task.end();
            }
            work.work();
            return null;
        } catch (McpException e) {
            return e;
        } catch (RuntimeException e) { // its words may hold what must not be told
            return new McpException("internal error: " + e.getClass().getSimpleName());
        } finally {
            tasks.remove(task);
        }
    }

    @Override
    public void agreed(String version) {
        session.agreed(version);
    }

    @Override
    public void givenUp(long id) {
        HttpTask task = byId.remove(id);
        if (task != null) {
            task.end();
        }
    }

    /** What the server says by itself; one that has nothing to say refuses, and it goes without. */
    @Override
    public void listen() {
        HttpTask task = new HttpTask();
        ServerSentEvents nothing =
                new ServerSentEvents(InputStream.nullInputStream(), "", RETRY_MILLIS);
        later(threads, () -> guarded(task, () -> follow(nothing, null, task)));
    }

    @Override
    public void close() {
        closing.cancel(new Cause.Abort());
        writer.shutdownNow();
        tasks.forEach(HttpTask::end);
        if (!session.id().isEmpty()) {
            goodbye();
        }
        threads.shutdownNow();
        server.network().evict();
    }

    private void goodbye() {
        Request.Builder request = new Request.Builder().url(server.url()).delete();
        try {
            session.head(request);
            server.head(request);
            server.call(request.build(), LAST).execute().close();
        } catch (IOException | McpException e) {
            return; // it forgets the session in its own time
        }
    }

    /** Sends one message and reads all that is its answer. */
    private void exchange(JsonValue message, HttpTask task, Duration timeout) throws McpException {
        int renewals = 0;
        boolean anew = false;
        while (true) {
            try (Response response = post(message, task, timeout)) {
                int status = response.code();
                if ((status == 401 || status == 403) && renewals++ < 3) {
                    server.renew(response, closing);
                } else if (status == 404 && !session.id().isEmpty() && !anew) {
                    anew = true;
                    beginAnew(task);
                } else {
                    read(message, response, task);
                    return;
                }
            } catch (IOException e) {
                throw new McpException(server.why(e));
            }
        }
    }

    private Response post(JsonValue message, HttpTask task, Duration timeout)
            throws McpException, IOException {
        byte[] body = Json.text(message::writeTo).getBytes(StandardCharsets.UTF_8);
        HttpUrl url = server.url();
        for (int hops = 0; ; hops++) {
            Request.Builder request =
                    new Request.Builder()
                            .url(url)
                            .post(RequestBody.create(body, JSON))
                            .header("Accept", "application/json, " + EVENTS);
            session.head(request);
            server.head(request);
            Response response = task.execute(server.call(request.build(), timeout));
            HttpUrl next = server.redirect(url, response, hops);
            if (next == null) {
                return response;
            }
            response.close();
            url = next;
        }
    }

    private void read(JsonValue message, Response response, HttpTask task)
            throws McpException, IOException {
        int status = response.code();
        if (status == 202 || status == 204) {
            return;
        }
        String type = RemoteServer.header(response, "Content-Type");
        if (status != 200) {
            throw new McpException("it answered with HTTP " + status + HttpBody.said(response));
        }
        session.began(RemoteServer.header(response, "Mcp-Session-Id"));
        if (type.startsWith(EVENTS)) {
            ServerSentEvents events =
                    new ServerSentEvents(response.body().byteStream(), "", RETRY_MILLIS);
            Taken taken = take(events, message);
            if (!taken.answer() && isRequest(message)) {
                response.close();
                follow(events, message, task);
            }
        } else if (type.startsWith("application/json")) {
            hand(HttpBody.bounded(response.body().byteStream()));
        } else if (isRequest(message)) {
            throw new McpException("it answered with " + CleanText.oneLine(type) + ", not JSON");
        }
    }

    /** What a stream has brought: the answer that was waited for, or at least some message. */
    private record Taken(boolean answer, boolean news) {}

    /** Hands on what comes, to the answer or the end of the stream. */
    private Taken take(ServerSentEvents events, @Nullable JsonValue message) throws IOException {
        boolean news = false;
        for (String data = events.next(); data != null; data = events.next()) {
            if (data.isEmpty()) {
                continue; // a server may send one only for its id
            }
            JsonValue came = hand(data.getBytes(StandardCharsets.UTF_8));
            news |= came.has("method") || came.has("id");
            if (message != null
                    && !came.has("method")
                    && came.has("id")
                    && came.at("id").asLong() == message.at("id").asLong()) {
                return new Taken(true, true); // what a stream says after that is not waited for
            }
        }
        return new Taken(false, news);
    }

    /**
     * Asks for the rest of a stream for as long as there is hope, and somebody waits for it.
     *
     * @param message that waits for its answer; null for what the server says by itself
     */
    private void follow(ServerSentEvents from, @Nullable JsonValue message, HttpTask task)
            throws McpException {
        ServerSentEvents events = from;
        boolean first = message == null;
        for (int idle = 0; idle < MOST_IDLE; idle++) {
            if (message != null && events.lastId().isEmpty()) {
                throw new McpException("its answer ended early");
            }
            if (!first && task.isOverAfter(Math.max(LEAST_MILLIS, events.retryMillis()))) {
                return;
            }
            first = false;
            try (Response response = get(events.lastId(), task)) {
                String type = RemoteServer.header(response, "Content-Type");
                if (response.code() != 200 || !type.startsWith(EVENTS)) {
                    throw new McpException("its stream ended with HTTP " + response.code());
                }
                InputStream body = response.body().byteStream();
                events = new ServerSentEvents(body, events.lastId(), events.retryMillis());
                Taken taken = take(events, message);
                if (taken.answer()) {
                    return;
                }
                idle = taken.news() ? -1 : idle; // hope begins anew
            } catch (IOException e) {
                if (task.isOver()) {
                    return;
                }
            }
        }
        throw new McpException("its stream ended " + MOST_IDLE + " times without an answer");
    }

    private Response get(String lastId, HttpTask task) throws IOException, McpException {
        Request.Builder request = new Request.Builder().url(server.url()).header("Accept", EVENTS);
        if (!lastId.isEmpty()) {
            request.header("Last-Event-ID", lastId);
        }
        session.head(request);
        server.head(request);
        return task.making(server.call(request.build(), Duration.ZERO)).execute();
    }

    /** The server does not know the session any more: begins another one by the same words. */
    private synchronized void beginAnew(HttpTask task) throws McpException, IOException {
        session.forget();
        for (JsonValue message : session.greetings()) {
            try (Response response = post(message, task, SHORT)) {
                if (response.code() / 100 != 2) {
                    throw new McpException(
                            "its session is over, and it begins no other: HTTP " + response.code());
                }
                session.began(RemoteServer.header(response, "Mcp-Session-Id"));
            }
        }
    }

    private JsonValue hand(byte[] json) {
        try {
            JsonValue message = Json.parse(json);
            if (message.isArray()) {
                message.items().forEach(receiver()::message);
            } else if (message.isObject()) {
                receiver().message(message);
            }
            return message;
        } catch (JsonException e) {
            return new JsonValue(null);
        }
    }

    private Receiver receiver() {
        if (receiver == null) {
            throw new IllegalStateException("not open");
        }
        return receiver;
    }

    private void later(ExecutorService on, Runnable work) {
        try {
            on.execute(work);
        } catch (RejectedExecutionException e) {
            receiver().ended("it was closed");
        }
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "mcp http");
        thread.setDaemon(true);
        return thread;
    }
}
