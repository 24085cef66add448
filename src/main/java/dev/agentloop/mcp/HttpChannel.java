package dev.agentloop.mcp;

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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import okhttp3.Call;
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
final class HttpChannel implements Channel {
    private static final MediaType JSON = MediaType.get("application/json");
    private static final String EVENTS = "text/event-stream";
    private static final long RETRY_MILLIS = 1_000; // unless the server says something else
    private static final int MOST_RETRIES = 20; // of one stream that brings nothing
    private static final Duration SHORT = Duration.ofSeconds(10); // for what has no answer
    private static final Duration LAST = Duration.ofSeconds(1); // to say goodbye

    private final RemoteServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool(HttpChannel::daemon);
    private final Set<Call> calls = ConcurrentHashMap.newKeySet();
    private final Map<Long, Call> byId = new ConcurrentHashMap<>();
    private final Cancellation closing = new Cancellation();
    private final HttpSession session = new HttpSession();
    private @Nullable Receiver receiver;

    HttpChannel(RemoteServer server) {
        this.server = server;
    }

    @Override
    public void open(Receiver to) {
        receiver = to;
    }

    /** What has to be there before what follows is sent at once, everything else on its own. */
    @Override
    public void send(JsonValue message) throws McpException {
        if (message.at("method").text().equals("notifications/initialized")) {
            session.remember(message);
            exchange(message, SHORT);
            return;
        }
        if (message.at("method").text().equals("initialize")) {
            session.remember(message);
        }
        later(() -> {
            try {
                exchange(message, Duration.ZERO);
            } catch (McpException e) {
                receiver().failed(message, e.problem());
            }
        });
    }

    @Override
    public void agreed(String version) {
        session.agreed(version);
    }

    @Override
    public void givenUp(long id) {
        Call call = byId.remove(id);
        if (call != null) {
            call.cancel();
        }
    }

    /** What the server says by itself; one that has nothing to say refuses. */
    @Override
    public void listen() {
        later(() -> {
            try {
                follow(new EventStream(InputStream.nullInputStream(), "", 0), null);
            } catch (McpException e) {
                return; // it goes without: answers come with their own requests
            }
        });
    }

    @Override
    public void close() {
        closing.cancel(new Cause.Abort());
        if (!session.id().isEmpty()) {
            goodbye();
        }
        calls.forEach(Call::cancel);
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
    private void exchange(JsonValue message, Duration timeout) throws McpException {
        int renewals = 0;
        boolean anew = false;
        while (true) {
            try (Response response = post(message, timeout)) {
                int status = response.code();
                if ((status == 401 || status == 403) && renewals++ < 3) {
                    server.renew(response, closing);
                } else if (status == 404 && !session.id().isEmpty() && !anew) {
                    anew = true;
                    beginAnew();
                } else {
                    read(message, response);
                    return;
                }
            } catch (IOException e) {
                throw new McpException(server.why(e));
            } finally {
                byId.remove(message.at("id").asLong());
            }
        }
    }

    private Response post(JsonValue message, Duration timeout) throws McpException, IOException {
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
            Call call = begin(request.build(), timeout);
            if (message.has("method") && message.at("id").isNumber()) {
                byId.put(message.at("id").asLong(), call);
            }
            Response response = call.execute();
            HttpUrl next = server.redirect(url, response, hops);
            if (next == null) {
                return response;
            }
            response.close();
            url = next;
        }
    }

    private void read(JsonValue message, Response response) throws McpException, IOException {
        int status = response.code();
        if (status == 202 || status == 204) {
            return;
        }
        String type = RemoteServer.header(response, "Content-Type");
        if (status != 200) {
            throw new McpException("it answered with HTTP " + status + said(response));
        }
        session.began(RemoteServer.header(response, "Mcp-Session-Id"));
        if (type.startsWith(EVENTS)) {
            EventStream events = new EventStream(response.body().byteStream(), "", RETRY_MILLIS);
            boolean answered = take(events, message);
            if (!answered && message.has("method") && !message.at("id").isNull()) {
                response.close();
                follow(events, message);
            }
        } else if (type.startsWith("application/json")) {
            hand(bounded(response.body().byteStream()));
        } else if (message.has("method") && !message.at("id").isNull()) {
            throw new McpException("it answered with " + CleanText.oneLine(type) + ", not JSON");
        }
    }

    /** The JSON-RPC error of a refusal, or its first words. */
    private static String said(Response response) throws IOException {
        byte[] start = response.body().byteStream().readNBytes(2_000);
        String text = CleanText.oneLine(new String(start, StandardCharsets.UTF_8)).strip();
        try {
            String words = Json.parse(start).at("error").at("message").text();
            text = words.isEmpty() ? text : CleanText.oneLine(words);
        } catch (JsonException e) {
            return text.isEmpty() ? "" : ": " + text.substring(0, Math.min(text.length(), 200));
        }
        return text.isEmpty() ? "" : ": " + text.substring(0, Math.min(text.length(), 500));
    }

    /** Hands on what comes; true once the answer to {@code message} was among it. */
    private boolean take(EventStream events, @Nullable JsonValue message) throws IOException {
        boolean answered = false;
        for (String data = events.next(); data != null; data = events.next()) {
            if (data.isEmpty()) {
                continue;
            }
            JsonValue came = hand(data.getBytes(StandardCharsets.UTF_8));
            answered |=
                    message != null
                            && !came.has("method")
                            && came.at("id").asLong() == message.at("id").asLong();
        }
        return answered;
    }

    /**
     * Asks for the rest of a stream for as long as there is hope.
     *
     * @param message that waits for its answer; null for what the server says by itself
     */
    private void follow(EventStream from, @Nullable JsonValue message) throws McpException {
        EventStream events = from;
        boolean first = message == null;
        for (int tries = 0; tries < MOST_RETRIES; tries++) {
            if (message != null && events.lastId().isEmpty()) {
                throw new McpException("its answer ended early");
            }
            if (!first && isClosedAfter(events.retryMillis())) {
                return;
            }
            first = false;
            String seen = events.lastId();
            try (Response response = get(events.lastId())) {
                if (response.code() != 200) {
                    throw new McpException("its stream ended with HTTP " + response.code());
                }
                long retry = events.retryMillis() == 0 ? RETRY_MILLIS : events.retryMillis();
                events = new EventStream(response.body().byteStream(), seen, retry);
                if (take(events, message)) {
                    return;
                }
            } catch (IOException e) {
                if (closing.isCancelled()) {
                    return;
                }
            }
            tries = events.lastId().equals(seen) ? tries : -1; // news: hope begins anew
        }
        throw new McpException("its stream ended " + MOST_RETRIES + " times without an answer");
    }

    private Response get(String lastId) throws IOException, McpException {
        Request.Builder request = new Request.Builder().url(server.url()).header("Accept", EVENTS);
        if (!lastId.isEmpty()) {
            request.header("Last-Event-ID", lastId);
        }
        session.head(request);
        server.head(request);
        return begin(request.build(), Duration.ZERO).execute();
    }

    private boolean isClosedAfter(long millis) {
        try {
            return closing.await(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    /** The server does not know the session any more: begins another one by the same words. */
    private synchronized void beginAnew() throws McpException, IOException {
        session.forget();
        for (JsonValue message : session.greetings()) {
            try (Response response = post(message, SHORT)) {
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

    private static byte[] bounded(InputStream in) throws IOException {
        byte[] body = in.readNBytes(BoundedLines.MAX_BYTES + 1);
        if (body.length > BoundedLines.MAX_BYTES) {
            throw new BoundedLines.TooLong();
        }
        return body;
    }

    private Call begin(Request request, Duration timeout) throws IOException {
        Call call = server.call(request, timeout);
        calls.removeIf(old -> old.isCanceled() || old.isExecuted() && calls.size() > 100);
        calls.add(call);
        if (closing.isCancelled()) {
            call.cancel();
        }
        return call;
    }

    private Receiver receiver() {
        if (receiver == null) {
            throw new IllegalStateException("not open");
        }
        return receiver;
    }

    private void later(Runnable work) {
        try {
            threads.execute(work);
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
