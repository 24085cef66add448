package dev.agentloop.llm.openai;

import dev.agentloop.json.Json;
import dev.agentloop.llm.Wire;
import dev.agentloop.message.Usage;
import java.util.ArrayList;
import java.util.List;

/** Answers of the Responses API; the last event repeats all items, as the real one does. */
final class ResponsesWire implements Wire {
    private final List<String> output = new ArrayList<>();

    @Override
    public String start() {
        output.clear();
        return event("response.created", response("in_progress", "", ""))
                + event("response.in_progress", response("in_progress", "", ""));
    }

    @Override
    public String text(String... deltas) {
        int index = output.size();
        String whole = String.join("", deltas);
        String part = "\"content_index\":0,";
        StringBuilder all = new StringBuilder(added(index, message(index, "", "in_progress")));
        for (String delta : deltas) {
            all.append(piece("output_text.delta", index, part + member("delta", delta)));
        }
        all.append(piece("output_text.done", index, part + member("text", whole)));
        return all + done(index, message(index, outputText(whole), "completed"));
    }

    @Override
    public String reasoning(String... deltas) {
        int index = output.size();
        String whole = String.join("", deltas);
        String part = "\"summary_index\":0,";
        StringBuilder all = new StringBuilder(added(index, reasoning(index, "", "")));
        for (String delta : deltas) {
            all.append(piece("reasoning_summary_text.delta", index, part + member("delta", delta)));
        }
        all.append(piece("reasoning_summary_text.done", index, part + member("text", whole)));
        return all + done(index, reasoning(index, summaryText(whole), "gAAA+/="));
    }

    @Override
    public String call(int number, String id, String name, String... pieces) {
        int index = output.size();
        StringBuilder all = new StringBuilder(added(index, call(index, id, name, "")));
        for (String piece : pieces) {
            all.append(callPiece(index, piece));
        }
        String arguments = String.join("", pieces);
        all.append(piece("function_call_arguments.done", index, member("arguments", arguments)));
        return all + done(index, call(index, id, name, arguments));
    }

    @Override
    public String twoCalls(String first, String second, int pieceLength) {
        int one = output.size();
        int two = one + 1;
        StringBuilder all = new StringBuilder();
        all.append(added(one, call(one, "id_a", "one", "")));
        all.append(added(two, call(two, "id_b", "two", "")));
        for (int at = 0; at < Math.max(first.length(), second.length()); at += pieceLength) {
            all.append(callPiece(one, cut(first, at, pieceLength)));
            all.append(callPiece(two, cut(second, at, pieceLength)));
        }
        all.append(done(one, call(one, "id_a", "one", first)));
        return all + done(two, call(two, "id_b", "two", second));
    }

    @Override
    public String finish(String reason, Usage usage) {
        String items = String.join(",", output);
        String numbers = ",\"usage\":" + usage(usage);
        return reason.equals(natural())
                ? event("response.completed", response("completed", items, numbers))
                : event(
                        "response.incomplete",
                        response(
                                "incomplete",
                                items,
                                numbers
                                        + ",\"incomplete_details\":{\"reason\":"
                                        + Json.quote(reason)
                                        + "}"));
    }

    @Override
    public String end() {
        return ""; // the stream simply ends
    }

    @Override
    public String error(String type, String message) {
        return event("error", member("code", type) + "," + member("message", message));
    }

    @Override
    public String oddities() {
        return event("response.queued", "\"response\":{\"status\":\"queued\"}")
                + event("response.news", "\"nested\":{\"a\":[1,null]}")
                + piece("output_text.delta", 70, "\"delta\":null")
                + piece("function_call_arguments.delta", 71, "\"delta\":\"\"")
                + piece("mcp_call_arguments.delta", 72, "\"delta\":\"{}\"")
                + "data: {\"keepalive\":true,\"response\":null}\n\n"
                + event(
                        "response.output_item.added",
                        "\"output_index\":73,\"item\":{\"type\":\"web_search_call\",\"id\":null}")
                + event("response.output_item.done", "\"item\":{\"type\":\"mcp_call\"}");
    }

    @Override
    public String whole(
            String text, String callId, String callName, String arguments, Usage usage) {
        String call = callName.isEmpty() ? "" : "," + call(1, callId, callName, arguments);
        return """
        {"id":"resp_1","object":"response","status":"completed","error":null,\
        "incomplete_details":null,"output":[%s%s],"usage":%s}\
        """
                .formatted(message(0, outputText(text), "completed"), call, usage(usage));
    }

    @Override
    public String errorBody(String type, String message) {
        return "{\"error\":{\"message\":%s,\"type\":\"%s\",\"code\":\"%s\"}}"
                .formatted(Json.quote(message), type, type);
    }

    @Override
    public String natural() {
        return "completed";
    }

    @Override
    public String toolUse() {
        return natural();
    }

    @Override
    public String length() {
        return "max_output_tokens";
    }

    @Override
    public String refusal() {
        return "content_filter";
    }

    @Override
    public String messagesStart() {
        return "\"input\":[";
    }

    static String event(String type, String members) {
        return "event: %s\ndata: {\"type\":\"%s\",%s}\n\n".formatted(type, type, members);
    }

    private String done(int index, String item) {
        output.add(item);
        return event(
                "response.output_item.done", "\"output_index\":" + index + ",\"item\":" + item);
    }

    private static String added(int index, String item) {
        return event(
                "response.output_item.added", "\"output_index\":" + index + ",\"item\":" + item);
    }

    private static String piece(String type, int index, String members) {
        return event(
                "response." + type,
                "\"item_id\":\"item_%d\",\"output_index\":%d,%s".formatted(index, index, members));
    }

    private static String callPiece(int index, String piece) {
        return piece("function_call_arguments.delta", index, member("delta", piece));
    }

    private static String response(String status, String items, String more) {
        return ("\"response\":{\"id\":\"resp_1\",\"object\":\"response\",\"status\":\"%s\","
                        + "\"error\":null,\"output\":[%s]%s}")
                .formatted(status, items, more);
    }

    private static String message(int index, String part, String status) {
        return """
        {"id":"item_%d","type":"message","status":"%s","role":"assistant","content":[%s]}\
        """
                .formatted(index, status, part);
    }

    private static String outputText(String text) {
        return "{\"type\":\"output_text\",\"annotations\":[]," + member("text", text) + "}";
    }

    private static String summaryText(String text) {
        return "{\"type\":\"summary_text\"," + member("text", text) + "}";
    }

    private static String reasoning(int index, String part, String encrypted) {
        return "{\"id\":\"item_%d\",\"type\":\"reasoning\",\"summary\":[%s],%s}"
                .formatted(index, part, member("encrypted_content", encrypted));
    }

    private static String call(int index, String id, String name, String arguments) {
        return "{\"id\":\"item_%d\",\"type\":\"function_call\",%s,%s,%s}"
                .formatted(
                        index,
                        member("call_id", id),
                        member("name", name),
                        member("arguments", arguments));
    }

    private static String member(String name, String value) {
        return "\"" + name + "\":" + Json.quote(value);
    }

    private static String cut(String text, int from, int length) {
        return from >= text.length()
                ? ""
                : text.substring(from, Math.min(text.length(), from + length));
    }

    private static String usage(Usage usage) {
        return """
        {"input_tokens":%d,"input_tokens_details":{"cached_tokens":%d},"output_tokens":%d,\
        "output_tokens_details":{"reasoning_tokens":%d},"total_tokens":%d}\
        """
                .formatted(
                        usage.input() + usage.cacheRead(),
                        usage.cacheRead(),
                        usage.output(),
                        usage.reasoning(),
                        usage.input() + usage.cacheRead() + usage.output());
    }
}
