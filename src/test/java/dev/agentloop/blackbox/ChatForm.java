package dev.agentloop.blackbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Chat Completions. */
final class ChatForm extends WireForm {
    @Override
    Answer stream(Reply reply, Supplier<String> ids) {
        List<String> opening = new ArrayList<>();
        for (String piece : halves(reply.text())) {
            ObjectNode chunk = chunk();
            delta(chunk).put("content", piece);
            opening.add(data(chunk));
        }
        int index = 0;
        for (Reply.Call call : reply.calls()) {
            ObjectNode first = chunk();
            ObjectNode piece = delta(first).putArray("tool_calls").addObject();
            call(piece.put("index", index), ids.get(), call.tool(), "");
            opening.add(data(first));
            for (String half : halves(call.arguments())) {
                ObjectNode chunk = chunk();
                ObjectNode more = delta(chunk).putArray("tool_calls").addObject();
                more.put("index", index).putObject("function").put("arguments", half);
                opening.add(data(chunk));
            }
            index++;
        }
        ObjectNode end = chunk();
        ((ObjectNode) end.get("choices").get(0)).put("finish_reason", reason(reply));
        ObjectNode usage = chunk();
        usage.putArray("choices");
        usage(usage, reply);
        return new Answer(opening, List.of(data(end), data(usage), "data: [DONE]\n\n"));
    }

    @Override
    String whole(Reply reply, Supplier<String> ids) {
        ObjectNode answer = JSON.createObjectNode().put("id", "chatcmpl-1");
        ObjectNode choice = answer.putArray("choices").addObject().put("index", 0);
        choice.put("finish_reason", reason(reply));
        ObjectNode message = choice.putObject("message").put("role", "assistant");
        message.put("content", reply.text());
        if (!reply.calls().isEmpty()) {
            ArrayNode calls = message.putArray("tool_calls");
            for (Reply.Call call : reply.calls()) {
                call(calls.addObject(), ids.get(), call.tool(), call.arguments());
            }
        }
        usage(answer, reply);
        return answer.toString();
    }

    @Override
    String overloaded(String message) {
        ObjectNode event = JSON.createObjectNode();
        event.putObject("error").put("type", "server_error").put("message", message);
        return data(event);
    }

    @Override
    boolean isAddress(String target) {
        return target.equals("/v1/chat/completions");
    }

    @Override
    String system(JsonNode body) {
        return body.path("messages").path(0).path("content").asText();
    }

    @Override
    List<Said> said(JsonNode body) {
        List<Said> all = new ArrayList<>();
        for (JsonNode message : history(body)) {
            JsonNode content = message.path("content");
            String text = Asked.text(content);
            String role = message.path("role").asText();
            all.add(
                    switch (role) {
                        case "tool" -> Said.result(message.path("tool_call_id").asText(), text);
                        case "system" -> Said.text(Said.Who.SYSTEM, text);
                        case "user" ->
                                new Said(
                                        Said.Who.USER,
                                        text,
                                        List.of(),
                                        List.of(),
                                        pictures(content));
                        case "assistant" ->
                                new Said(
                                        Said.Who.MODEL, text, calls(message), List.of(), List.of());
                        default -> throw new AssertionError("no such role: " + role);
                    });
        }
        return all;
    }

    @Override
    List<String> tools(JsonNode body) {
        return Asked.list(body.path("tools")).stream()
                .map(tool -> tool.path("function").path("name").asText())
                .toList();
    }

    @Override
    JsonNode answerSchema(JsonNode body) {
        return body.path("response_format").path("json_schema").path("schema");
    }

    @Override
    void check(Asked asked, RequestRules rules) {
        rules.require(
                asked.said().getFirst().who() == Said.Who.SYSTEM,
                "the first message is not system");
    }

    private static List<Said.Call> calls(JsonNode message) {
        List<Said.Call> calls = new ArrayList<>();
        for (JsonNode call : message.path("tool_calls")) {
            String arguments = call.path("function").path("arguments").asText();
            calls.add(new Said.Call(call.path("id").asText(), arguments));
        }
        return calls;
    }

    private static List<Said.Picture> pictures(JsonNode content) {
        return Asked.list(content).stream()
                .filter(part -> part.path("type").asText().equals("image_url"))
                .map(part -> Said.Picture.of(part.path("image_url").path("url").asText()))
                .toList();
    }

    private static String reason(Reply reply) {
        return switch (reply.finish()) {
            case STOP -> "stop";
            case TOOLS -> "tool_calls";
            case LENGTH -> "length";
            case REFUSAL -> "content_filter";
        };
    }

    private static ObjectNode chunk() {
        ObjectNode chunk = JSON.createObjectNode().put("id", "chatcmpl-1");
        chunk.putArray("choices").addObject().put("index", 0).putObject("delta");
        return chunk;
    }

    private static ObjectNode delta(JsonNode chunk) {
        return (ObjectNode) chunk.get("choices").get(0).get("delta");
    }

    private static void call(ObjectNode into, String id, String tool, String arguments) {
        into.put("id", id).put("type", "function");
        into.putObject("function").put("name", tool).put("arguments", arguments);
    }

    private static void usage(ObjectNode into, Reply reply) {
        into.putObject("usage")
                .put("prompt_tokens", reply.input())
                .put("completion_tokens", reply.output());
    }
}
