package dev.agentloop.llm.openai;

import dev.agentloop.json.Json;
import dev.agentloop.llm.Wire;
import dev.agentloop.message.Usage;

/** Answers of Chat Completions. */
final class ChatWire implements Wire {
    @Override
    public String start() {
        return chunk("{\"role\":\"assistant\",\"content\":\"\"}", "null");
    }

    @Override
    public String text(String... deltas) {
        return deltas("content", deltas);
    }

    @Override
    public String reasoning(String... deltas) {
        return deltas("reasoning_content", deltas);
    }

    @Override
    public String call(int index, String id, String name, String... pieces) {
        StringBuilder all = new StringBuilder(callStart(index, id, name));
        for (String piece : pieces) {
            all.append(callPiece(index, piece));
        }
        return all.toString();
    }

    @Override
    public String twoCalls(String first, String second, int pieceLength) {
        StringBuilder all = new StringBuilder();
        all.append(callStart(0, "id_a", "one")).append(callStart(1, "id_b", "two"));
        for (int at = 0; at < Math.max(first.length(), second.length()); at += pieceLength) {
            all.append(callPiece(0, piece(first, at, pieceLength)));
            all.append(callPiece(1, piece(second, at, pieceLength)));
        }
        return all.toString();
    }

    @Override
    public String finish(String reason, Usage usage) {
        return chunk("{}", "\"" + reason + "\"")
                + event("{\"id\":\"c\",\"choices\":[],\"usage\":" + usage(usage) + "}");
    }

    @Override
    public String end() {
        return "data: [DONE]\n\n";
    }

    @Override
    public String error(String type, String message) {
        return event(errorBody(type, message));
    }

    @Override
    public String oddities() {
        return event("{\"choices\":[],\"prompt_filter_results\":[{}]}")
                + event("{\"type\":\"news\",\"nested\":{\"a\":[1,null]}}")
                + chunk("null", "null")
                + chunk("{\"content\":null,\"tool_calls\":null,\"refusal\":\"\"}", "null")
                + event("{\"choices\":[{\"index\":1,\"delta\":{\"content\":\"other\"}}]}");
    }

    @Override
    public String whole(
            String text, String callId, String callName, String arguments, Usage usage) {
        String calls =
                callName.isEmpty()
                        ? ""
                        : (",\"tool_calls\":[{\"id\":%s,\"type\":\"function\","
                                        + "\"function\":{\"name\":%s,\"arguments\":%s}}]")
                                .formatted(
                                        Json.quote(callId),
                                        Json.quote(callName),
                                        Json.quote(arguments));
        return """
        {"id":"c","choices":[{"index":0,"message":{"role":"assistant","content":%s%s},\
        "finish_reason":"%s"}],"usage":%s}\
        """
                .formatted(
                        Json.quote(text),
                        calls,
                        callName.isEmpty() ? "stop" : "tool_calls",
                        usage(usage));
    }

    @Override
    public String errorBody(String type, String message) {
        return "{\"error\":{\"message\":%s,\"type\":\"%s\",\"code\":\"%s\"}}"
                .formatted(Json.quote(message), type, type);
    }

    @Override
    public String natural() {
        return "stop";
    }

    @Override
    public String toolUse() {
        return "tool_calls";
    }

    @Override
    public String length() {
        return "length";
    }

    @Override
    public String refusal() {
        return "content_filter";
    }

    @Override
    public String messagesStart() {
        return "\"messages\":[";
    }

    static String chunk(String delta, String finish) {
        return event(
                "{\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"choices\":[{\"ind"
                        + "ex\":0,\"delta\":"
                        + delta
                        + ",\"finish_reason\":"
                        + finish
                        + "}]}");
    }

    static String event(String json) {
        return "data: " + json + "\n\n";
    }

    private static String deltas(String field, String... deltas) {
        StringBuilder all = new StringBuilder();
        for (String delta : deltas) {
            all.append(chunk("{\"" + field + "\":" + Json.quote(delta) + "}", "null"));
        }
        return all.toString();
    }

    private static String callStart(int index, String id, String name) {
        return chunk(
                ("{\"tool_calls\":[{\"index\":%d,\"id\":%s,\"type\":\"function\","
                                + "\"function\":{\"name\":%s,\"arguments\":\"\"}}]}")
                        .formatted(index, Json.quote(id), Json.quote(name)),
                "null");
    }

    private static String callPiece(int index, String piece) {
        return chunk(
                "{\"tool_calls\":[{\"index\":%d,\"function\":{\"arguments\":%s}}]}"
                        .formatted(index, Json.quote(piece)),
                "null");
    }

    private static String piece(String text, int from, int length) {
        return from >= text.length()
                ? ""
                : text.substring(from, Math.min(text.length(), from + length));
    }

    private static String usage(Usage usage) {
        return """
        {"prompt_tokens":%d,"completion_tokens":%d,"total_tokens":%d,\
        "prompt_tokens_details":{"cached_tokens":%d},\
        "completion_tokens_details":{"reasoning_tokens":%d}}\
        """
                .formatted(
                        usage.input() + usage.cacheRead(),
                        usage.output(),
                        usage.input() + usage.cacheRead() + usage.output(),
                        usage.cacheRead(),
                        usage.reasoning());
    }
}
