package dev.agentloop.llm.anthropic;

import dev.agentloop.json.Json;
import dev.agentloop.llm.Wire;
import dev.agentloop.message.Usage;

/** Answers of the Messages API. */
final class AnthropicWire implements Wire {
    private int index;

    @Override
    public String start() {
        index = 0;
        return event(
                "message_start",
                "\"message\":{\"id\":\"msg_1\",\"type\":\"message\",\"role\":\"assistan"
                        + "t\",\"content\":[],\"stop_reason\":null,\"usage\":{\"output_tokens\":1"
                        + "}}");
    }

    @Override
    public String text(String... deltas) {
        StringBuilder all = new StringBuilder(open("{\"type\":\"text\",\"text\":\"\"}"));
        for (String delta : deltas) {
            all.append(
                    delta(index, "{\"type\":\"text_delta\",\"text\":" + Json.quote(delta) + "}"));
        }
        return all + stop();
    }

    @Override
    public String reasoning(String... deltas) {
        StringBuilder all =
                new StringBuilder(
                        open("{\"type\":\"thinking\",\"thinking\":\"\",\"signature\":\"\"}"));
        for (String delta : deltas) {
            all.append(
                    delta(
                            index,
                            "{\"type\":\"thinking_delta\",\"thinking\":"
                                    + Json.quote(delta)
                                    + "}"));
        }
        all.append(delta(index, "{\"type\":\"signature_delta\",\"signature\":\"sig+/=\"}"));
        return all + stop();
    }

    @Override
    public String call(int number, String id, String name, String... pieces) {
        StringBuilder all = new StringBuilder(open(toolUse(id, name)));
        for (String piece : pieces) {
            all.append(delta(index, json(piece)));
        }
        return all + stop();
    }

    @Override
    public String twoCalls(String first, String second, int pieceLength) {
        StringBuilder all = new StringBuilder();
        all.append(start(0, toolUse("id_a", "one"))).append(start(1, toolUse("id_b", "two")));
        for (int at = 0; at < Math.max(first.length(), second.length()); at += pieceLength) {
            all.append(delta(0, json(piece(first, at, pieceLength))));
            all.append(delta(1, json(piece(second, at, pieceLength))));
        }
        index = 2;
        return all.append(event("content_block_stop", "\"index\":0"))
                .append(event("content_block_stop", "\"index\":1"))
                .toString();
    }

    @Override
    public String finish(String reason, Usage usage) {
        return event(
                "message_delta",
                "\"delta\":{\"stop_reason\":\"%s\",\"stop_sequence\":null},\"usage\":%s"
                        .formatted(reason, usage(usage)));
    }

    @Override
    public String end() {
        return "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n";
    }

    @Override
    public String error(String type, String message) {
        return "event: error\ndata: " + errorBody(type, message) + "\n\n";
    }

    @Override
    public String oddities() {
        return "event: ping\ndata: {\"type\": \"ping\"}\n\n"
                + event("content_block_news", "\"index\":0,\"x\":{\"a\":[null]}")
                + event("content_block_delta", "\"index\":77,\"delta\":{\"type\":\"text_delta\"}")
                + start(70, "{\"kind\":\"without a type\"}")
                + delta(70, json("{\"query\":1}"))
                + event("content_block_stop", "\"index\":70");
    }

    @Override
    public String whole(
            String text, String callId, String callName, String arguments, Usage usage) {
        String call =
                callName.isEmpty()
                        ? ""
                        : ",{\"type\":\"tool_use\",\"id\":%s,\"name\":%s,\"input\":%s}"
                                .formatted(Json.quote(callId), Json.quote(callName), arguments);
        return """
        {"id":"m","type":"message","role":"assistant","content":[{"type":"text","text":%s}%s],\
        "stop_reason":"%s","usage":%s}\
        """
                .formatted(
                        Json.quote(text),
                        call,
                        callName.isEmpty() ? "end_turn" : "tool_use",
                        usage(usage));
    }

    @Override
    public String errorBody(String type, String message) {
        return "{\"type\":\"error\",\"error\":{\"type\":\"%s\",\"message\":%s}}"
                .formatted(type, Json.quote(message));
    }

    @Override
    public String natural() {
        return "end_turn";
    }

    @Override
    public String toolUse() {
        return "tool_use";
    }

    @Override
    public String length() {
        return "max_tokens";
    }

    @Override
    public String refusal() {
        return "refusal";
    }

    @Override
    public String messagesStart() {
        return "\"messages\":[";
    }

    @Override
    public String withoutMarks(String request) {
        return request.replace(",\"cache_control\":{\"type\":\"ephemeral\"}", "");
    }

    static String event(String type, String fields) {
        return "event: %s\ndata: {\"type\":\"%s\",%s}\n\n".formatted(type, type, fields);
    }

    static String start(int index, String block) {
        return event("content_block_start", "\"index\":" + index + ",\"content_block\":" + block);
    }

    private String open(String block) {
        return start(index, block);
    }

    private String stop() {
        String event = event("content_block_stop", "\"index\":" + index);
        index++;
        return event;
    }

    static String delta(int index, String delta) {
        return event("content_block_delta", "\"index\":" + index + ",\"delta\":" + delta);
    }

    private static String toolUse(String id, String name) {
        return "{\"type\":\"tool_use\",\"id\":%s,\"name\":%s,\"input\":{}}"
                .formatted(Json.quote(id), Json.quote(name));
    }

    static String json(String piece) {
        return "{\"type\":\"input_json_delta\",\"partial_json\":" + Json.quote(piece) + "}";
    }

    private static String piece(String text, int from, int length) {
        return from >= text.length()
                ? ""
                : text.substring(from, Math.min(text.length(), from + length));
    }

    private static String usage(Usage usage) {
        return """
        {"input_tokens":%d,"output_tokens":%d,"cache_read_input_tokens":%d,\
        "cache_creation_input_tokens":%d,"output_tokens_details":{"thinking_tokens":%d}}\
        """
                .formatted(
                        usage.input(),
                        usage.output(),
                        usage.cacheRead(),
                        usage.cacheWrite(),
                        usage.reasoning());
    }
}
