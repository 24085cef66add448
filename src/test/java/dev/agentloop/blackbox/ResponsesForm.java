package dev.agentloop.blackbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** The Responses API. */
final class ResponsesForm extends WireForm {
    @Override
    Answer stream(Reply reply, Supplier<String> ids) {
        ArrayNode output = JSON.createArrayNode();
        List<String> opening = new ArrayList<>();
        opening.add(event(around("response.created", response("in_progress"))));
        if (!reply.text().isEmpty()) {
            opening.add(added(0, message("")));
            for (String piece : halves(reply.text())) {
                ObjectNode delta = typed("response.output_text.delta").put("output_index", 0);
                opening.add(event(delta.put("content_index", 0).put("delta", piece)));
            }
            output.add(message(reply.text()));
            opening.add(done(0, output.get(0)));
        }
        for (Reply.Call call : reply.calls()) {
            int index = output.size();
            String id = ids.get();
            opening.add(added(index, call(id, call.tool(), "")));
            for (String piece : halves(call.arguments())) {
                ObjectNode delta = typed("response.function_call_arguments.delta");
                opening.add(event(delta.put("output_index", index).put("delta", piece)));
            }
            output.add(call(id, call.tool(), call.arguments()));
            opening.add(done(index, output.get(index)));
        }
        ObjectNode whole = finished(reply, output);
        String last = "response." + whole.path("status").asText();
        return new Answer(opening, List.of(event(around(last, whole))));
    }

    @Override
    String whole(Reply reply, Supplier<String> ids) {
        ArrayNode output = JSON.createArrayNode();
        if (!reply.text().isEmpty()) {
            output.add(message(reply.text()));
        }
        for (Reply.Call call : reply.calls()) {
            output.add(call(ids.get(), call.tool(), call.arguments()));
        }
        return finished(reply, output).toString();
    }

    @Override
    String overloaded(String message) {
        return event(typed("error").put("code", "server_error").put("message", message));
    }

    @Override
    boolean isAddress(String target) {
        return target.equals("/v1/responses");
    }

    @Override
    String system(JsonNode body) {
        return body.path("instructions").asText();
    }

    @Override
    JsonNode history(JsonNode body) {
        return body.path("input");
    }

    /** The items of one answer are one message of ours. */
    @Override
    List<Said> said(JsonNode body) {
        List<Said> all = new ArrayList<>();
        for (JsonNode item : history(body)) {
            Said said = said(item.path("type").asText(), item);
            boolean goesOn =
                    !all.isEmpty()
                            && said.who() == Said.Who.MODEL
                            && all.getLast().who() == Said.Who.MODEL;
            all.add(goesOn ? joined(all.removeLast(), said) : said);
        }
        return all;
    }

    private static Said said(String type, JsonNode item) {
        JsonNode content = item.path("content");
        return switch (type) {
            case "function_call" -> {
                String arguments = item.path("arguments").asText();
                Said.Call call = new Said.Call(item.path("call_id").asText(), arguments);
                yield new Said(Said.Who.MODEL, "", List.of(call), List.of(), List.of());
            }
            case "function_call_output" ->
                    Said.result(
                            item.path("call_id").asText(),
                            Asked.text(item.path("output")),
                            pictures(item.path("output")));
            case "compaction" -> Said.text(Said.Who.MODEL, "");
            case "message" -> {
                boolean user = item.path("role").asText().equals("user");
                Said.Who who = user ? Said.Who.USER : Said.Who.MODEL;
                yield new Said(who, Asked.text(content), List.of(), List.of(), pictures(content));
            }
            default -> throw new AssertionError("no such item: " + type);
        };
    }

    private static Said joined(Said first, Said second) {
        List<Said.Call> calls = new ArrayList<>(first.calls());
        calls.addAll(second.calls());
        return new Said(Said.Who.MODEL, first.text() + second.text(), calls, List.of(), List.of());
    }

    private static List<Said.Picture> pictures(JsonNode content) {
        return Asked.list(content).stream()
                .filter(part -> part.path("type").asText().equals("input_image"))
                .map(part -> Said.Picture.of(part.path("image_url").asText()))
                .toList();
    }

    @Override
    JsonNode answerSchema(JsonNode body) {
        return body.path("text").path("format").path("schema");
    }

    @Override
    void check(Asked asked, RequestRules rules) {
        rules.require(!asked.system().isBlank(), "no instructions");
        JsonNode store = asked.body().path("store");
        rules.require(store.isBoolean() && !store.asBoolean(), "stored at the provider");
    }

    private static ObjectNode finished(Reply reply, ArrayNode output) {
        String why =
                switch (reply.finish()) {
                    case STOP, TOOLS -> "";
                    case LENGTH -> "max_output_tokens";
                    case REFUSAL -> "content_filter";
                };
        ObjectNode response = response(why.isEmpty() ? "completed" : "incomplete");
        if (!why.isEmpty()) {
            response.putObject("incomplete_details").put("reason", why);
        }
        response.set("output", output);
        response.putObject("usage")
                .put("input_tokens", reply.input())
                .put("output_tokens", reply.output());
        return response;
    }

    private static ObjectNode response(String status) {
        ObjectNode response = JSON.createObjectNode().put("id", "resp_1").put("status", status);
        response.putNull("error").putArray("output");
        return response;
    }

    private static ObjectNode around(String type, ObjectNode response) {
        return typed(type).set("response", response);
    }

    private static String added(int index, JsonNode item) {
        return event(item("response.output_item.added", index, item));
    }

    private static String done(int index, JsonNode item) {
        return event(item("response.output_item.done", index, item));
    }

    private static ObjectNode item(String type, int index, JsonNode item) {
        return typed(type).put("output_index", index).set("item", item);
    }

    private static ObjectNode message(String text) {
        ObjectNode message = typed("message").put("id", "msg_1").put("role", "assistant");
        ArrayNode content = message.putArray("content");
        if (!text.isEmpty()) {
            content.add(typed("output_text").put("text", text));
        }
        return message;
    }

    private static ObjectNode call(String id, String tool, String arguments) {
        return typed("function_call")
                .put("id", "fc_" + id)
                .put("call_id", id)
                .put("name", tool)
                .put("arguments", arguments);
    }
}
