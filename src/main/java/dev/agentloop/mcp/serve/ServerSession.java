package dev.agentloop.mcp.serve;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import dev.agentloop.mcp.ProtocolVersions;
import dev.agentloop.mcp.channel.RpcError;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the client says, and what it is answered. Used by one thread. */
final class ServerSession {
    private static final JsonValue NOBODY = new JsonValue(null); // its id could not be read
    private static final List<String> AGREED =
            ProtocolVersions.KNOWN.stream()
                    .filter(version -> !version.equals("2025-03-26")) // a server must take batches
                    .toList();
    private static final int MOST_SHOWN = 100; // characters of what was wrong

    private final StdioServer.Offer offer;
    private final Outgoing outgoing;
    private final Calls calls;
    private final Map<String, ServedTool> tools = new LinkedHashMap<>();
    private boolean initialized;

    ServerSession(StdioServer.Offer offer, Outgoing outgoing, Calls calls) {
        this.offer = offer;
        this.outgoing = outgoing;
        this.calls = calls;
        offer.tools().forEach(tool -> tools.put(tool.name(), tool));
    }

    /** Answers one line of the client, which is one message. */
    void take(byte[] line) {
        try {
            Optional<JsonValue> message = read(line);
            if (message.isPresent()) {
                take(message.get());
            }
        } catch (RpcError e) {
            outgoing.send(Answers.error(NOBODY, e));
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) { // ours, or too much
            outgoing.send(Answers.error(NOBODY, ours(e)));
        }
    }

    private static RpcError ours(Throwable error) {
        return new RpcError(RpcError.INTERNAL_ERROR, "internal error: " + error);
    }

    /** Empty for an empty line. */
    private Optional<JsonValue> read(byte[] line) throws RpcError {
        if (line == MessageLines.TOO_LONG) {
            throw new RpcError(
                    RpcError.PARSE_ERROR,
                    "a message of more than %d MB was left out"
                            .formatted(offer.limits().maxMessageBytes() >> 20));
        }
        if (new String(line, StandardCharsets.ISO_8859_1).isBlank()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Json.parse(line));
        } catch (JsonException e) {
            throw new RpcError(RpcError.PARSE_ERROR, "no JSON: " + shown(e.getMessage()));
        }
    }

    private void take(JsonValue message) throws RpcError {
        if (message.isArray()) {
            throw invalid("batches are not supported; send one message a line");
        }
        if (!message.isObject() || !message.at("jsonrpc").text().equals("2.0")) {
            throw invalid("not a message of JSON-RPC 2.0");
        }
        if (!message.has("method") && (message.has("result") || message.has("error"))) {
            return; // an answer, but we ask nothing
        }
        JsonValue id = message.at("id");
        if (message.has("id") && !id.isText() && !id.isNumber()) {
            throw invalid("the id of a request is a string or a number");
        }
        RpcError error;
        try {
            answer(message, id);
            return;
        } catch (RpcError e) {
            error = e;
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
            error = ours(e); // here its id is known: the client must not wait for an answer
        }
        if (message.has("id")) {
            outgoing.send(Answers.error(id, error));
        } // a notification is never answered, not even a bad one
    }

    private void answer(JsonValue message, JsonValue id) throws RpcError {
        String method = message.at("method").text();
        JsonValue params = message.at("params");
        if (method.isEmpty()) {
            throw invalid("a message needs a method");
        }
        if (!params.isNull() && !params.isObject()) {
            throw new RpcError(RpcError.INVALID_PARAMS, "params must be an object");
        }
        if (!message.has("id")) {
            notified(method, params);
            return;
        }
        switch (method) {
            case "initialize" -> outgoing.send(Answers.result(id, initialize(params)));
            case "ping" -> outgoing.send(Answers.result(id, Map.of()));
            case "tools/list" -> outgoing.send(Answers.result(id, list(params)));
            case "tools/call" -> calls.begin(call(id, params));
            default ->
                    throw new RpcError(
                            RpcError.METHOD_NOT_FOUND, "there is no method " + shown(method));
        }
    }

    private void notified(String method, JsonValue params) {
        if (method.equals("notifications/cancelled")) {
            calls.cancel(params.at("requestId"));
        } // whatever else it tells changes nothing here
    }

    private Map<String, @Nullable Object> initialize(JsonValue params) throws RpcError {
        if (initialized) {
            throw invalid("initialize was asked already");
        }
        if (!params.at("protocolVersion").isText()) {
            throw new RpcError(RpcError.INVALID_PARAMS, "protocolVersion must be a string");
        }
        initialized = true;
        String wanted = params.at("protocolVersion").text();
        Map<String, @Nullable Object> welcome = new LinkedHashMap<>();
        welcome.put("protocolVersion", AGREED.contains(wanted) ? wanted : ProtocolVersions.NEWEST);
        welcome.put("capabilities", Map.of("tools", Map.of()));
        welcome.put("serverInfo", Map.of("name", "agent", "version", offer.version()));
        welcome.put("instructions", offer.instructions());
        return welcome;
    }

    private Map<String, @Nullable Object> list(JsonValue params) throws RpcError {
        begun();
        if (!params.at("cursor").isNull()) {
            throw new RpcError(RpcError.INVALID_PARAMS, "unknown cursor; the list has one page");
        }
        List<Map<String, @Nullable Object>> all =
                tools.values().stream().map(ServedTool::declaration).toList();
        Map<String, @Nullable Object> result = new LinkedHashMap<>();
        result.put("tools", all);
        return result;
    }

    private Calls.Call call(JsonValue id, JsonValue params) throws RpcError {
        begun();
        JsonValue name = params.at("name");
        JsonValue arguments = params.at("arguments");
        if (!name.isText()) {
            throw new RpcError(RpcError.INVALID_PARAMS, "the name of a tool must be a string");
        }
        if (!arguments.isNull() && !arguments.isObject()) {
            throw new RpcError(RpcError.INVALID_PARAMS, "arguments must be an object");
        }
        ServedTool tool = tools.get(name.text());
        if (tool == null) {
            throw new RpcError(
                    RpcError.INVALID_PARAMS,
                    "Unknown tool: %s. There are: %s."
                            .formatted(shown(name.text()), String.join(", ", tools.keySet())));
        }
        JsonValue token = params.at("_meta").at("progressToken");
        return new Calls.Call(
                tool,
                id,
                arguments.isNull() ? new JsonValue(Map.of()) : arguments,
                token.isText() || token.isNumber() ? token : NOBODY);
    }

    private void begun() throws RpcError {
        if (!initialized) {
            throw invalid("initialize comes first");
        }
    }

    private static RpcError invalid(String why) {
        return new RpcError(RpcError.INVALID_REQUEST, why);
    }

    private static String shown(@Nullable String text) {
        String all = Json.wellFormed(String.valueOf(text)).replaceAll("\\p{Cntrl}+", " ");
        return all.length() <= MOST_SHOWN ? all : all.substring(0, MOST_SHOWN) + "…";
    }
}
