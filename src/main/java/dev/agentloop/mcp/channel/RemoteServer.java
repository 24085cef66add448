package dev.agentloop.mcp.channel;

import dev.agentloop.control.Cancellation;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import okhttp3.Call;
import okhttp3.HttpUrl;
import okhttp3.Request;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/**
 * A server of the web and how it is talked to: its address, what is sent with each request, who we
 * are. None of that goes to another server, whatever this one says.
 */
public final class RemoteServer {
    private static final Set<Integer> MOVED = Set.of(301, 302, 303, 307, 308);
    private static final Set<Integer> SAME_METHOD = Set.of(307, 308);
    private static final int MAX_HOPS = 5;

    private final ServerSpec.Remote spec;
    private final HttpUrl url;
    private final HttpNetwork network;
    private final Authorizer authorizer;

    public RemoteServer(
            ServerSpec.Remote spec, HttpUrl url, HttpNetwork network, Authorizer authorizer) {
        this.spec = spec;
        this.url = url;
        this.network = network;
        this.authorizer = authorizer;
    }

    HttpUrl url() {
        return url;
    }

    HttpNetwork network() {
        return network;
    }

    Call call(Request request, Duration timeout) throws IOException {
        return network.call(request, spec.anywhere(), timeout);
    }

    String why(IOException e) {
        boolean ours = e instanceof BoundedLines.TooLong || e instanceof HttpNetwork.OffLimits;
        return ours ? String.valueOf(e.getMessage()) : network.why(e, url);
    }

    /** Adds what the user wants to be sent, and the token. */
    void head(Request.Builder request) throws McpException {
        request.header("User-Agent", "agent");
        for (Map.Entry<String, String> header : spec.headers().entrySet()) {
            add(request, header.getKey(), header.getValue());
        }
        String token = authorizer.token().orElse("");
        if (!token.isEmpty()) {
            add(request, "Authorization", "Bearer " + token);
        }
    }

    /** Its value may be a secret, so nothing may ever tell of it. */
    private static void add(Request.Builder request, String name, String value)
            throws McpException {
        String whole = value.replaceAll("[\\r\\n]+$", ""); // as the end of a file leaves it
        boolean sound = whole.chars().allMatch(c -> c == '\t' || c >= ' ' && c < 0x7f);
        if (!name.matches("[!#$%&'*+.^_`|~0-9A-Za-z-]+") || !sound) {
            throw new McpException(
                    "the header %s cannot be sent: %s"
                            .formatted(
                                    CleanText.oneLine(name),
                                    sound ? "that is no name" : "its value is not plain ASCII"));
        }
        request.header(name, whole);
    }

    /** A header of an answer; empty if it is not there. */
    static String header(Response response, String name) {
        String value = response.header(name);
        return value == null ? "" : value;
    }

    /** After a refusal; throws if there is no way in. */
    void renew(Response response, Cancellation cancellation) throws McpException {
        String sent = response.request().header("Authorization");
        Authorizer.Challenge challenge =
                new Authorizer.Challenge(
                        response.code(),
                        header(response, "WWW-Authenticate"),
                        sent == null ? "" : sent.replaceFirst("^Bearer ", ""));
        if (!authorizer.renew(challenge, cancellation)) {
            throw new McpException("it refuses us (HTTP " + response.code() + ")");
        }
    }

    /** Where to send the same again; null if the answer is one. */
    @Nullable HttpUrl redirect(HttpUrl from, Response response, int hops) throws McpException {
        if (!MOVED.contains(response.code())) {
            return null;
        }
        String location = header(response, "Location");
        HttpUrl to = from.resolve(location);
        boolean same =
                to != null
                        && to.host().equals(from.host())
                        && to.port() == from.port()
                        && to.scheme().equals(from.scheme().toLowerCase(Locale.ROOT));
        if (to == null || !same || !SAME_METHOD.contains(response.code()) || hops >= MAX_HOPS) {
            throw new McpException(
                    "it redirects to %s, where nothing is sent to; if that is right, correct its url"
                            .formatted(CleanText.oneLine(location)));
        }
        return to;
    }
}
