package dev.agentloop.mcp.serve;

import dev.agentloop.json.JsonValue;
import dev.agentloop.mcp.channel.RpcError;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The forms of JSON-RPC messages. */
final class Answers {
    private Answers() {}

    static Map<String, @Nullable Object> result(
            JsonValue id, Map<String, ? extends @Nullable Object> result) {
        Map<String, @Nullable Object> message = begun();
        message.put("id", id.raw());
        message.put("result", result);
        return message;
    }

    static Map<String, @Nullable Object> error(JsonValue id, RpcError error) {
        Map<String, @Nullable Object> message = begun();
        message.put("id", id.raw());
        message.put("error", Map.of("code", error.code(), "message", error.text()));
        return message;
    }

    static Map<String, @Nullable Object> notification(
            String method, Map<String, ? extends @Nullable Object> params) {
        Map<String, @Nullable Object> message = begun();
        message.put("method", method);
        message.put("params", params);
        return message;
    }

    private static Map<String, @Nullable Object> begun() {
        Map<String, @Nullable Object> message = new LinkedHashMap<>();
        message.put("jsonrpc", "2.0");
        return message;
    }
}
