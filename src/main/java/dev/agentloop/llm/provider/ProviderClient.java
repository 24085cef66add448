package dev.agentloop.llm.provider;

import dev.agentloop.control.Cancellation;
import dev.agentloop.control.Cause;
import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import dev.agentloop.llm.LlmException;
import dev.agentloop.llm.LlmResponse;
import dev.agentloop.llm.PartialReply;
import dev.agentloop.llm.http.ErrorText;
import dev.agentloop.llm.http.GatheringSocket;
import dev.agentloop.llm.http.HttpAnswer;
import dev.agentloop.llm.http.HttpTransport;
import dev.agentloop.llm.http.KeyHeaders;
import dev.agentloop.llm.http.NetworkFailures;
import dev.agentloop.llm.http.RetryAfter;
import dev.agentloop.llm.http.SseReader;
import dev.agentloop.llm.provider.ReplyReader.Progress;
import dev.agentloop.secret.Secrets;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import okhttp3.Headers;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.RequestBody;
import okio.BufferedSink;
import org.jspecify.annotations.Nullable;

/**
 * One operation of one provider, e.g. Chat Completions at a base URL: what all adapters share
 * between the bytes of a request and the pieces of its answer.
 */
public final class ProviderClient {
    private static final Duration TAIL = Duration.ofMillis(250);
    private static final Duration FACTS = Duration.ofSeconds(5);
    private static final int MAX_ERROR_BYTES = 64 << 10;
    private static final int MAX_DOCUMENT_BYTES =
            16 << 20; // a list of all models of a router: 1 MB
    private static final MediaType JSON = MediaType.get("application/json");

    private final ProviderEndpoint endpoint;
    private final HttpTransport transport;
    private @Nullable HttpUrl parsed;
    private final String address;
    private final Map<String, String> secrets;
    private final Secrets hidden;

    /**
     * @param address of the operation, usually from {@link ProviderEndpoint#url}
     * @param keyHeaders headers that carry the key; sent to this address's server only
     */
    public ProviderClient(
            ProviderEndpoint endpoint,
            HttpTransport transport,
            String address,
            Map<String, String> keyHeaders) {
        this.endpoint = endpoint;
        this.transport = transport;
        this.address = address;
        this.secrets = endpoint.headers(keyHeaders);
        hidden = endpoint.hidden();
    }

    /** Sends one request and lets {@code reader} understand the answer. */
    public LlmResponse exchange(RequestBytes body, ReplyReader reader, Cancellation cancellation) {
        HttpUrl url = url();
        ProviderErrors errors = new ProviderErrors(endpoint, url, hidden);
        try (HttpAnswer answer =
                transport.send(new Body(body, !url.isHttps()), secrets(url), cancellation)) {
            if (answer.status() / 100 != 2) {
                throw failure(answer, errors);
            }
            try {
                read(answer, reader, errors);
            } catch (IOException e) { // the provider has said that it answers
                throw stopped(answer, NetworkFailures.inAnswer(e, HttpTransport.peer(url)))
                        .after(PartialReply.UNHEARD);
            }
            return end(reader, answer, body);
        } catch (LlmException e) {
            throw e.after(reader.partial().to(body.length()));
        }
    }

    /** What is no whole answer was one that had begun. */
    private static LlmResponse end(ReplyReader reader, HttpAnswer answer, RequestBytes body) {
        try {
            return reader.end(requestId(answer.headers()), body.length());
        } catch (LlmException e) {
            throw e.after(PartialReply.UNHEARD);
        }
    }

    /** The JSON document at the address: one GET, no body. */
    public JsonValue document(Cancellation cancellation) {
        HttpUrl url = url();
        ProviderErrors errors = new ProviderErrors(endpoint, url, hidden);
        try (HttpAnswer answer = transport.send(null, secrets(url), cancellation)) {
            if (answer.status() / 100 != 2) {
                throw failure(answer, errors);
            }
            if (answer.contentType().equals("text/html")) {
                throw changed(answer);
            }
            byte[] body;
            try {
                body = answer.readAll(MAX_DOCUMENT_BYTES);
            } catch (IOException e) {
                throw stopped(answer, NetworkFailures.inAnswer(e, HttpTransport.peer(url)));
            }
            JsonValue json = parsed(new String(body, StandardCharsets.UTF_8), errors);
            failOn(json, errors);
            return json;
        }
    }

    /** The provider's id of a request; empty if it names none. */
    static String requestId(Headers headers) {
        for (String name : new String[] {"x-request-id", "request-id", "x-amzn-requestid"}) {
            String id = headers.get(name);
            if (id != null) {
                return ErrorText.printable(id);
            }
        }
        return "";
    }

    private HttpUrl url() {
        if (parsed != null) {
            return parsed;
        }
        HttpUrl url = HttpUrl.parse(address);
        if (url == null) {
            throw new LlmException.BadRequest(
                    hidden.mask("the base URL of " + endpoint.provider() + " is no http address: ")
                            + hidden.mask(ErrorText.printable(endpoint.baseUrl())));
        }
        parsed = url;
        return url;
    }

    private KeyHeaders secrets(HttpUrl url) {
        for (String value : secrets.values()) {
            if (!isSendable(value)) {
                throw new LlmException.Unauthorized(
                        "the key from %s has a character that no HTTP header can carry"
                                .formatted(endpoint.keySource()));
            }
        }
        return new KeyHeaders(url, secrets);
    }

    private static boolean isSendable(String value) {
        for (int i = 0; i < value.length(); i++) {
            if (value.charAt(i) < ' ' || value.charAt(i) >= 127) {
                return false;
            }
        }
        return true;
    }

    private LlmException failure(HttpAnswer answer, ProviderErrors errors) {
        byte[] body = {};
        try {
            body = answer.readAll(MAX_ERROR_BYTES);
        } catch (IOException e) {
            LlmException why = answer.stopped();
            if (why instanceof LlmException.Cancelled) {
                return why;
            } // otherwise the status alone must do
        }
        Duration wait = RetryAfter.of(answer.headers(), transport.time().now());
        return errors.ofStatus(answer, body, wait, transport.proxyFor(url()));
    }

    private void read(HttpAnswer answer, ReplyReader reader, ProviderErrors errors)
            throws IOException {
        String type = answer.contentType();
        if (type.equals("text/html") || answer.status() == 204) {
            throw changed(answer);
        }
        String start = type.equals("text/event-stream") ? "data" : startOf(answer);
        if (start.startsWith("{") || start.startsWith("[")) {
            readWhole(answer, reader, errors);
        } else if (isEventStart(start)) {
            readEvents(answer, reader, errors);
        } else {
            throw changed(answer);
        }
    }

    /** Plain comparisons: a regular expression is compiled anew at each answer. */
    private static boolean isEventStart(String start) {
        for (String field : new String[] {"data", "event", "id", "retry", ":"}) {
            if (start.startsWith(field)) {
                return true;
            }
        }
        return false;
    }

    private void readWhole(HttpAnswer answer, ReplyReader reader, ProviderErrors errors)
            throws IOException {
        byte[] body = answer.readAll(Integer.MAX_VALUE - 16);
        JsonValue json = parsed(new String(body, StandardCharsets.UTF_8), errors);
        failOn(reader.placeOfError(json), errors);
        reader.document(json);
    }

    private void readEvents(HttpAnswer answer, ReplyReader reader, ProviderErrors errors)
            throws IOException {
        SseReader events = new SseReader(answer::read, transport.limits().maxEventBytes());
        Progress progress = Progress.MORE;
        boolean any = false;
        try {
            SseReader.Event event;
            while ((event = events.next()) != null) {
                answer.sawData();
                if (progress == Progress.OVER) {
                    reader.afterEnd(event.data()); // read on: the connection serves the next call
                    continue;
                }
                if (event.data().isBlank()) {
                    continue;
                }
                any = true;
                Progress next = take(event, reader, errors);
                if (next.compareTo(progress) > 0) {
                    answer.ending(next == Progress.OVER ? TAIL : FACTS);
                    progress = next;
                }
            }
        } catch (IOException e) {
            if (progress == Progress.MORE || isWithdrawn(answer)) {
                throw e;
            } // the answer is whole, only its end is not tidy
        }
        if (!any) {
            throw changed(answer);
        }
        if (events.sawMalformed()) {
            reader.warning("the answer had bytes that are not UTF-8; they were replaced");
        }
    }

    /** Whether nobody wants the answer any more; the end of an attempt only wants it now. */
    private static boolean isWithdrawn(HttpAnswer answer) {
        return answer.stopped() instanceof LlmException.Cancelled stop
                && !(stop.why() instanceof Cause.AttemptDeadline);
    }

    private Progress take(SseReader.Event event, ReplyReader reader, ProviderErrors errors) {
        if (event.data().equals("[DONE]")) {
            reader.done();
            return Progress.OVER;
        }
        JsonValue json;
        try {
            json = parsed(event.data(), errors);
        } catch (LlmException.BrokenReply e) {
            if (event.cut()) {
                return Progress.MORE; // the reader's end() tells whether what came is enough
            }
            throw e;
        }
        failOn(reader.placeOfError(json), errors);
        return reader.event(json);
    }

    private static void failOn(JsonValue json, ProviderErrors errors) {
        boolean bare = json.at("object").text().equals("error"); // vLLM
        if (!json.at("error").isNull() || bare) {
            throw errors.inAnswer(json);
        }
    }

    /** What is no JSON is part of an answer that had begun. */
    private static JsonValue parsed(String text, ProviderErrors errors) {
        try {
            return Json.parse(text);
        } catch (JsonException e) {
            String shown = text.length() > 120 ? text.substring(0, 120) + "…" : text;
            throw new LlmException.BrokenReply(
                            errors.clean(
                                    "malformed JSON in the answer: "
                                            + e.getMessage()
                                            + ": "
                                            + shown),
                            null)
                    .after(PartialReply.UNHEARD);
        }
    }

    private static String startOf(HttpAnswer answer) throws IOException {
        String start = new String(answer.peek(64), StandardCharsets.UTF_8).stripLeading();
        return start.startsWith("\uFEFF") ? start.substring(1).stripLeading() : start;
    }

    private LlmException changed(HttpAnswer answer) {
        String type = answer.contentType();
        return LlmException.BrokenReply.onceMore(
                "gateway changed the response (content-type %s, HTTP %d); is the base URL right?"
                        .formatted(type.isEmpty() ? "none" : type, answer.status()),
                null);
    }

    private static LlmException stopped(HttpAnswer answer, LlmException otherwise) {
        LlmException why = answer.stopped();
        return why == null ? otherwise : why;
    }

    /** The request's bytes as OkHttp wants them. */
    private static final class Body extends RequestBody {
        private final RequestBytes bytes;
        private final boolean gathered;

        /**
         * @param gathered whether they wait in a {@link GatheringSocket} until a flush; then none
         *     count as sent before it
         */
        Body(RequestBytes bytes, boolean gathered) {
            this.bytes = bytes;
            this.gathered = gathered;
        }

        @Override
        public @Nullable MediaType contentType() {
            return JSON;
        }

        @Override
        public long contentLength() {
            return bytes.length();
        }

        @Override
        public boolean isOneShot() {
            return true; // a request is sent once; another attempt is our decision
        }

        @Override
        public void writeTo(BufferedSink sink) throws IOException {
            bytes.writeTo(sink.outputStream());
            if (gathered) {
                sink.flush();
            }
        }
    }
}
