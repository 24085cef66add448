package dev.agentloop.mcp;

import dev.agentloop.control.Cancellation;
import dev.agentloop.json.JsonValue;
import dev.agentloop.mcp.channel.Channel;
import dev.agentloop.mcp.channel.CleanText;
import dev.agentloop.mcp.channel.McpException;
import dev.agentloop.mcp.channel.RequestDeadline;
import dev.agentloop.mcp.channel.RpcConnection;
import dev.agentloop.mcp.channel.RpcError;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An open session with a server: the methods of the protocol that we use. */
final class McpSession implements AutoCloseable {
    private static final int MOST_PAGES = 100;
    private static final int MOST_ITEMS = 1_000; // of one list; no model could choose among more

    private final RpcConnection connection;
    private final ServerRequests requests;
    private final JsonValue welcome;

    private McpSession(RpcConnection connection, ServerRequests requests, JsonValue welcome) {
        this.connection = connection;
        this.requests = requests;
        this.welcome = welcome;
    }

    /**
     * Opens the channel and agrees on a version.
     *
     * @param version of this program
     * @throws McpException also when {@code deadline} is over; then nothing is left open
     */
    static McpSession open(
            Channel channel,
            ServerRequests requests,
            String version,
            RequestDeadline deadline,
            Cancellation cancellation)
            throws McpException {
        RpcConnection connection = new RpcConnection(channel, requests);
        try {
            channel.open(connection);
            JsonValue welcome = ask(connection, hello(requests, version, deadline), cancellation);
            String agreed = welcome.at("protocolVersion").text();
            if (!ProtocolVersions.KNOWN.contains(agreed)) {
                throw new McpException(
                        "it speaks version \"%s\" of the protocol, known are %s"
                                .formatted(CleanText.oneLine(agreed), ProtocolVersions.KNOWN));
            }
            channel.agreed(agreed);
            connection.greet("notifications/initialized", deadline);
            channel.listen();
            return new McpSession(connection, requests, welcome);
        } catch (McpException e) {
            connection.close();
            throw withLastWords(e, channel);
        }
    }

    private static McpException withLastWords(McpException e, Channel channel) {
        String words = channel.lastWords();
        return words.isEmpty() || e.problem().contains(words)
                ? e
                : new McpException(e.problem() + "; its last words: " + words);
    }

    private static RpcConnection.Question hello(
            ServerRequests requests, String version, RequestDeadline deadline) {
        Map<String, Object> params = new LinkedHashMap<>();
        params.put("protocolVersion", ProtocolVersions.NEWEST);
        params.put("capabilities", requests.capabilities());
        params.put("clientInfo", Map.of("name", "agent", "version", version));
        return new RpcConnection.Question("initialize", params, deadline);
    }

    /** What the server says about itself. */
    JsonValue welcome() {
        return welcome;
    }

    boolean offers(String capability) {
        return welcome.at("capabilities").at(capability).isObject();
    }

    boolean takeToolsChanged() {
        return requests.takeToolsChanged();
    }

    void toolsMayHaveChanged() {
        requests.toolsMayHaveChanged();
    }

    /** Why nothing more can be asked; empty while it can. */
    String endedBecause() {
        return connection.endedBecause();
    }

    /** All pages of a list, as far as anybody could use them, within one deadline. */
    List<JsonValue> list(
            String method, String key, RequestDeadline deadline, Cancellation cancellation)
            throws McpException {
        List<JsonValue> all = new ArrayList<>();
        Set<String> cursors = new HashSet<>();
        Map<String, Object> params = Map.of();
        for (int page = 0; page < MOST_PAGES; page++) {
            JsonValue answer =
                    ask(
                            connection,
                            new RpcConnection.Question(method, params, deadline),
                            cancellation);
            for (JsonValue item : answer.at(key).items()) {
                if (all.size() < MOST_ITEMS) {
                    all.add(item);
                }
            }
            String cursor = answer.at("nextCursor").text();
            if (cursor.isEmpty() || !cursors.add(cursor) || all.size() >= MOST_ITEMS) {
                break;
            }
            params = Map.of("cursor", cursor);
        }
        return all;
    }

    /** One request; an error of the server is one of its kind. */
    JsonValue ask(RpcConnection.Question question, Cancellation cancellation)
            throws McpException, RpcError {
        return connection.ask(question, cancellation);
    }

    private static JsonValue ask(
            RpcConnection connection, RpcConnection.Question question, Cancellation cancellation)
            throws McpException {
        try {
            return connection.ask(question, cancellation);
        } catch (RpcError e) {
            throw new McpException("it answered " + question.method() + " with: " + e.text());
        }
    }

    static Map<String, @Nullable Object> named(String name, @Nullable Object arguments) {
        Map<String, @Nullable Object> params = new LinkedHashMap<>();
        params.put("name", name);
        params.put("arguments", arguments == null ? Map.of() : arguments);
        return params;
    }

    @Override
    public void close() {
        connection.close();
    }
}
