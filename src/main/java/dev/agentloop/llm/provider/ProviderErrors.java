package dev.agentloop.llm.provider;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import dev.agentloop.llm.LlmException;
import dev.agentloop.llm.http.ErrorText;
import dev.agentloop.llm.http.HttpAnswer;
import dev.agentloop.llm.http.HttpTransport;
import dev.agentloop.llm.http.RetryAfter;
import dev.agentloop.secret.Secrets;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import okhttp3.HttpUrl;
import org.jspecify.annotations.Nullable;

/**
 * What an error of a provider means for us, whether it came as an HTTP status or as an object
 * inside a stream that had begun well. Texts name the server and the request, never a key.
 */
final class ProviderErrors {
    private static final int MAX_MESSAGE = 2048;
    private static final int MAX_HTML = 200;

    private final ProviderEndpoint endpoint;
    private final HttpUrl url;
    private final Secrets secrets;

    ProviderErrors(ProviderEndpoint endpoint, HttpUrl url, Secrets secrets) {
        this.endpoint = endpoint;
        this.url = url;
        this.secrets = secrets;
    }

    /** The meaning of an answer whose status is not 2xx. */
    LlmException ofStatus(
            HttpAnswer answer, byte[] body, @Nullable Duration retryAfter, @Nullable String proxy) {
        int status = answer.status();
        String text = new String(body, StandardCharsets.UTF_8);
        if (status / 100 == 3) {
            return new LlmException.BadRequest(clean(redirect(answer)));
        }
        JsonValue json = parsed(text);
        String said = json.isNull() ? plain(text, answer.contentType()) : ErrorText.of(json);
        String where = status == 407 && proxy != null ? "proxy " + proxy : server();
        String message = "HTTP " + status + " from " + where + (said.isEmpty() ? "" : ": " + said);
        String full = clean(message + requestId(answer, json));
        Duration wait = retryAfter == null ? RetryAfter.of(json) : retryAfter;
        return classify(status, ErrorText.kindOf(json), said, full, wait);
    }

    /** The meaning of an error object inside an answer with status 200. */
    LlmException inAnswer(JsonValue event) {
        String kind = ErrorText.kindOf(event);
        String said = ErrorText.of(event);
        String full = clean(server() + " reports an error in its answer: " + said);
        return classify(ErrorText.statusOf(event, kind), kind, said, full, RetryAfter.of(event));
    }

    String clean(String text) {
        String clean = secrets.mask(ErrorText.printable(text));
        return clean.length() > MAX_MESSAGE + 300 ? clean.substring(0, MAX_MESSAGE) + "…" : clean;
    }

    private LlmException classify(
            int status, String kind, String said, String full, @Nullable Duration retryAfter) {
        String words = (kind + " " + said).toLowerCase(Locale.ROOT);
        if (ErrorText.isContextOverflow(status, words, retryAfter != null)) {
            return new LlmException.ContextOverflow(full);
        }
        if (words.contains("tool_use_failed")) { // the model called a tool wrongly, e.g. at Groq
            return new LlmException.BrokenReply(full, null);
        }
        if (ErrorText.isSpent(status, words)) {
            return new LlmException.BadRequest(full);
        }
        if (ErrorText.isWrongKey(words)) {
            return new LlmException.Unauthorized(full + keyHint(status));
        }
        return switch (status) {
            case 401, 403, 407 -> new LlmException.Unauthorized(full + keyHint(status));
            case 408, 409, 425, 429 -> new LlmException.Unavailable(full, retryAfter, null);
            case 404 -> new LlmException.BadRequest(full + " (tried " + clean(tried()) + ")");
            case 0 -> new LlmException.BrokenReply(full, null);
            default ->
                    status >= 500
                            ? new LlmException.Unavailable(full, retryAfter, null)
                            : new LlmException.BadRequest(full);
        };
    }

    /** With its port, unless that goes without saying: many a machine has several servers. */
    private String server() {
        boolean usual = url.port() == HttpUrl.defaultPort(url.scheme());
        return usual ? url.host() : HttpTransport.peer(url);
    }

    private String keyHint(int status) {
        if (status == 407) {
            return "";
        }
        String source = endpoint.keySource();
        if (endpoint.key() == null) {
            return source.isEmpty() ? ". No key was sent" : ". No key was sent: set " + source;
        }
        return source.isEmpty() ? "" : ". The key came from " + source;
    }

    private String tried() {
        boolean bare = url.pathSize() <= 2 && !url.encodedPath().startsWith("/v1");
        String shown = url.newBuilder().username("").password("").query(null).build().toString();
        return shown + (bare ? "; should the base URL end in /v1?" : "");
    }

    private String redirect(HttpAnswer answer) {
        String target = answer.headers().get("Location");
        return "%s redirects to %s (HTTP %d). Redirects are not followed; correct the base URL."
                .formatted(server(), target == null ? "nowhere" : target, answer.status());
    }

    private static String plain(String text, String contentType) {
        String start = text.stripLeading();
        if (contentType.equals("text/html") || start.startsWith("<")) {
            String bare =
                    start.replaceAll("(?is)<(script|style|head)\\b.*?</\\1>", " ")
                            .replaceAll("<[^>]*>", " ")
                            .replaceAll("\\s+", " ")
                            .strip();
            return "an HTML page, from a proxy? " + cut(bare, MAX_HTML);
        }
        return cut(text.strip(), MAX_MESSAGE);
    }

    private static String requestId(HttpAnswer answer, JsonValue json) {
        String id = ProviderClient.requestId(answer.headers());
        if (id.isEmpty()) {
            id = json.at("request_id").text();
        }
        return id.isEmpty() ? "" : " (request " + cut(id, 200) + ")";
    }

    private static String cut(String text, int max) {
        return text.length() <= max ? text : text.substring(0, max) + "…";
    }

    private static JsonValue parsed(String text) {
        try {
            JsonValue json = Json.parse(text);
            return json.isArray() ? json.at(0) : json; // Google, when no stream was asked for
        } catch (JsonException e) {
            return new JsonValue(null);
        }
    }
}
