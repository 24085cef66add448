package dev.agentloop.mcp.oauth;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import dev.agentloop.mcp.channel.CleanText;
import dev.agentloop.mcp.channel.HttpNetwork;
import dev.agentloop.mcp.channel.McpException;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import okhttp3.Call;
import okhttp3.FormBody;
import okhttp3.HttpUrl;
import okhttp3.MediaType;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;

/**
 * Talks to authorization servers, which other servers name: an address of this machine or its net
 * counts only where the server that the user named is there, too.
 */
public final class OAuthHttp {
    private static final MediaType JSON = MediaType.get("application/json");
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int MAX_BYTES = 1_000_000; // of a document; real ones have a few thousand
    private static final Set<String> THIS_MACHINE = Set.of("localhost", "127.0.0.1", "::1");

    private final HttpNetwork network;
    private final HttpUrl server;
    private final boolean anywhere;

    /**
     * @param server that wants the login
     * @param anywhere whether the user named it, so that it may be at a private address
     */
    public OAuthHttp(HttpNetwork network, HttpUrl server, boolean anywhere) {
        this.network = network;
        this.server = server;
        this.anywhere = anywhere;
    }

    /**
     * An answer.
     *
     * @param body missing if it was no JSON
     */
    record Answer(int status, JsonValue body) {
        boolean isGood() {
            return status / 100 == 2 && body.isObject();
        }

        /** What a refusal says, for people. */
        String trouble() {
            String error = CleanText.oneLine(body.at("error").text());
            String words = CleanText.oneLine(body.at("error_description").text());
            return "HTTP "
                    + status
                    + (error.isEmpty() ? "" : ": " + error)
                    + (words.isEmpty() ? "" : ", " + words);
        }
    }

    /** A document; empty if it is not there. */
    public Optional<JsonValue> document(HttpUrl url) throws McpException {
        Answer answer =
                send(new Request.Builder().url(url).header("Accept", "application/json").build());
        return answer.isGood() ? Optional.of(answer.body()) : Optional.empty();
    }

    Answer postJson(HttpUrl url, Map<String, Object> body) throws McpException {
        byte[] bytes = Json.bytes(new JsonValue(body)::writeTo);
        return send(new Request.Builder().url(url).post(RequestBody.create(bytes, JSON)).build());
    }

    /**
     * Sends a form.
     *
     * @param authorization header of that name; empty for none
     */
    public Answer postForm(HttpUrl url, Map<String, String> fields, String authorization)
            throws McpException {
        FormBody.Builder form = new FormBody.Builder();
        fields.forEach(form::add);
        Request.Builder request =
                new Request.Builder()
                        .url(url)
                        .header("Accept", "application/json")
                        .post(form.build());
        if (!authorization.isEmpty()) {
            request.header("Authorization", authorization);
        }
        return send(request.build());
    }

    private Answer send(Request request) throws McpException {
        HttpUrl url = request.url();
        try {
            Call call = network.call(request, isNamed(url), PATIENCE);
            boolean reads = request.method().equals("GET") && isSame(url, server);
            if (!reads) { // what the server itself says is as safe as the server is
                check(url);
            }
            return answer(call);
        } catch (HttpNetwork.OffLimits e) {
            throw new McpException(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw new McpException("its authorization server: " + network.why(e, url));
        }
    }

    private static Answer answer(Call call) throws IOException {
        try (Response response = call.execute()) {
            byte[] body = response.body().byteStream().readNBytes(MAX_BYTES);
            return new Answer(response.code(), parsed(body));
        }
    }

    /** Codes and tokens go over no wire in the clear. */
    static void check(HttpUrl url) throws McpException {
        if (!url.isHttps() && !isHere(url)) {
            throw new McpException("its authorization server is not at an https address: " + url);
        }
    }

    private static JsonValue parsed(byte[] body) {
        try {
            return Json.parse(body);
        } catch (JsonException e) {
            return new JsonValue(null);
        }
    }

    private boolean isNamed(HttpUrl url) {
        return anywhere && (isSame(url, server) || isHere(url) && isHere(server));
    }

    private static boolean isSame(HttpUrl url, HttpUrl other) {
        return url.scheme().equals(other.scheme())
                && url.host().equals(other.host())
                && url.port() == other.port();
    }

    private static boolean isHere(HttpUrl url) {
        return THIS_MACHINE.contains(url.host());
    }
}
