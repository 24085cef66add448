package dev.agentloop.blackbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Anthropic's Messages. */
final class MessagesForm extends WireForm {
    @Override
    Answer stream(Reply reply, Supplier<String> ids) {
        List<String> opening = new ArrayList<>();
        ObjectNode start = typed("message_start");
        start.putObject("message")
                .put("role", "assistant")
                .putObject("usage")
                .put("input_tokens", reply.input());
        opening.add(event(start));
        if (!reply.text().isEmpty()) {
            ObjectNode open = typed("content_block_start").put("index", 0);
            open.putObject("content_block").put("type", "text").put("text", "");
            opening.add(event(open));
            for (String piece : halves(reply.text())) {
                opening.add(blockDelta(0, "text_delta", "text", piece));
            }
            opening.add(event(typed("content_block_stop").put("index", 0)));
        }
        int index = 1;
        for (Reply.Call call : reply.calls()) {
            ObjectNode open = typed("content_block_start").put("index", index);
            toolUse(open.putObject("content_block"), ids.get(), call.tool());
            opening.add(event(open));
            for (String half : halves(call.arguments())) {
                opening.add(blockDelta(index, "input_json_delta", "partial_json", half));
            }
            opening.add(event(typed("content_block_stop").put("index", index)));
            index++;
        }
        ObjectNode end = typed("message_delta");
        end.putObject("delta").put("stop_reason", reason(reply));
        end.putObject("usage").put("output_tokens", reply.output());
        return new Answer(opening, List.of(event(end), event(typed("message_stop"))));
    }

    @Override
    String whole(Reply reply, Supplier<String> ids) {
        ObjectNode answer = typed("message").put("role", "assistant");
        answer.put("stop_reason", reason(reply));
        ArrayNode content = answer.putArray("content");
        if (!reply.text().isEmpty()) {
            content.addObject().put("type", "text").put("text", reply.text());
        }
        for (Reply.Call call : reply.calls()) {
            ObjectNode block = content.addObject();
            toolUse(block, ids.get(), call.tool());
            block.set("input", parse(call.arguments()));
        }
        answer.putObject("usage")
                .put("input_tokens", reply.input())
                .put("output_tokens", reply.output());
        return answer.toString();
    }

    @Override
    String overloaded(String message) {
        ObjectNode event = typed("error");
        event.putObject("error").put("type", "overloaded_error").put("message", message);
        return event(event);
    }

    @Override
    boolean isAddress(String target) {
        return target.equals("/v1/messages");
    }

    @Override
    String system(JsonNode body) {
        return Asked.text(body.path("system"));
    }

    @Override
    List<Said> said(JsonNode body) {
        List<Said> all = new ArrayList<>();
        for (JsonNode message : history(body)) {
            Said said =
                    new Said(
                            message.path("role").asText().equals("user")
                                    ? Said.Who.USER
                                    : Said.Who.MODEL,
                            Asked.text(message.path("content")),
                            new ArrayList<>(),
                            new ArrayList<>(),
                            new ArrayList<>());
            for (JsonNode block : message.path("content")) {
                addTo(said, block);
            }
            all.add(said);
        }
        return all;
    }

    private static void addTo(Said said, JsonNode block) {
        switch (block.path("type").asText()) {
            case "tool_use" ->
                    said.calls()
                            .add(
                                    new Said.Call(
                                            block.path("id").asText(),
                                            block.path("input").toString()));
            case "tool_result" ->
                    said.results()
                            .add(
                                    new Said.Result(
                                            block.path("tool_use_id").asText(),
                                            Asked.text(block.path("content")),
                                            pictures(block.path("content"))));
            case "image" -> said.pictures().add(picture(block));
            default -> {} // its text is there already
        }
    }

    private static List<Said.Picture> pictures(JsonNode content) {
        return Asked.list(content).stream()
                .filter(block -> block.path("type").asText().equals("image"))
                .map(MessagesForm::picture)
                .toList();
    }

    private static Said.Picture picture(JsonNode block) {
        JsonNode source = block.path("source");
        return new Said.Picture(source.path("media_type").asText(), source.path("data").asText());
    }

    @Override
    JsonNode answerSchema(JsonNode body) {
        return body.path("output_config").path("format").path("schema");
    }

    @Override
    void check(Asked asked, RequestRules rules) {
        rules.require(!asked.system().isBlank(), "no system prompt");
        rules.require(asked.body().path("max_tokens").asInt() > 0, "no max_tokens");
        rules.requireTurns();
        boolean calls = asked.said().stream().anyMatch(said -> !said.calls().isEmpty());
        rules.require(!calls || !asked.tools().isEmpty(), "calls, but no tools declared");
        for (JsonNode message : asked.messages()) {
            JsonNode last = message.path("content").path(message.path("content").size() - 1);
            rules.require(!last.path("type").asText().endsWith("thinking"), "a thought at the end");
            boolean spoken = false;
            for (JsonNode block : message.path("content")) {
                String type = block.path("type").asText();
                rules.require(
                        !type.equals("tool_result") || !spoken, "text before a tool's result");
                rules.require(
                        !type.equals("text") || !block.path("text").asText().isBlank(),
                        "an empty text block");
                spoken |= !type.equals("tool_result");
            }
        }
    }

    private static String reason(Reply reply) {
        return switch (reply.finish()) {
            case STOP -> "end_turn";
            case TOOLS -> "tool_use";
            case LENGTH -> "max_tokens";
            case REFUSAL -> "refusal";
        };
    }

    private static void toolUse(ObjectNode into, String id, String tool) {
        into.put("type", "tool_use").put("id", id).put("name", tool).putObject("input");
    }

    private static String blockDelta(int index, String type, String name, String piece) {
        ObjectNode delta = typed("content_block_delta").put("index", index);
        delta.putObject("delta").put("type", type).put(name, piece);
        return event(delta);
    }
}
