package dev.agentloop.blackbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** How replies look on the wire. */
public enum Protocol {
    CHAT("openai-chat", "/v1", "/v1/chat/completions") {
        @Override
        List<String> begin(Reply reply) {
            List<String> events = new ArrayList<>();
            for (String piece : halves(reply.text())) {
                ObjectNode chunk = chatChunk();
                delta(chunk).put("content", piece);
                events.add(data(chunk));
            }
            return events;
        }

        @Override
        List<String> calls(Reply reply, Supplier<String> ids) {
            List<String> events = new ArrayList<>();
            int index = 0;
            for (Reply.Call call : reply.calls()) {
                ObjectNode first = chatChunk();
                ObjectNode piece = delta(first).putArray("tool_calls").addObject();
                chatCall(piece.put("index", index), ids.get(), call.tool(), "");
                events.add(data(first));
                for (String half : halves(call.arguments())) {
                    ObjectNode chunk = chatChunk();
                    ObjectNode more = delta(chunk).putArray("tool_calls").addObject();
                    more.put("index", index).putObject("function").put("arguments", half);
                    events.add(data(chunk));
                }
                index++;
            }
            return events;
        }

        @Override
        List<String> finish(Reply reply) {
            ObjectNode end = chatChunk();
            ((ObjectNode) end.get("choices").get(0)).put("finish_reason", reply.finish().chat);
            ObjectNode usage = chatChunk();
            usage.putArray("choices");
            chatUsage(usage, reply);
            return List.of(data(end), data(usage), "data: [DONE]\n\n");
        }

        @Override
        String whole(Reply reply, Supplier<String> ids) {
            ObjectNode answer = JSON.createObjectNode().put("id", "chatcmpl-1");
            ObjectNode choice = answer.putArray("choices").addObject().put("index", 0);
            choice.put("finish_reason", reply.finish().chat);
            ObjectNode message = choice.putObject("message").put("role", "assistant");
            message.put("content", reply.text());
            if (!reply.calls().isEmpty()) {
                ArrayNode calls = message.putArray("tool_calls");
                for (Reply.Call call : reply.calls()) {
                    chatCall(calls.addObject(), ids.get(), call.tool(), call.arguments());
                }
            }
            chatUsage(answer, reply);
            return answer.toString();
        }
    },

    MESSAGES("anthropic", "", "/v1/messages") {
        @Override
        List<String> begin(Reply reply) {
            List<String> events = new ArrayList<>();
            ObjectNode start = typed("message_start");
            start.putObject("message")
                    .put("role", "assistant")
                    .putObject("usage")
                    .put("input_tokens", reply.input());
            events.add(event(start));
            if (!reply.text().isEmpty()) {
                ObjectNode open = typed("content_block_start").put("index", 0);
                open.putObject("content_block").put("type", "text").put("text", "");
                events.add(event(open));
                for (String piece : halves(reply.text())) {
                    events.add(blockDelta(0, "text_delta", "text", piece));
                }
                events.add(event(typed("content_block_stop").put("index", 0)));
            }
            return events;
        }

        @Override
        List<String> calls(Reply reply, Supplier<String> ids) {
            List<String> events = new ArrayList<>();
            int index = 1;
            for (Reply.Call call : reply.calls()) {
                ObjectNode open = typed("content_block_start").put("index", index);
                toolUse(open.putObject("content_block"), ids.get(), call.tool());
                events.add(event(open));
                for (String half : halves(call.arguments())) {
                    events.add(blockDelta(index, "input_json_delta", "partial_json", half));
                }
                events.add(event(typed("content_block_stop").put("index", index)));
                index++;
            }
            return events;
        }

        @Override
        List<String> finish(Reply reply) {
            ObjectNode end = typed("message_delta");
            end.putObject("delta").put("stop_reason", reply.finish().messages);
            end.putObject("usage").put("output_tokens", reply.output());
            return List.of(event(end), event(typed("message_stop")));
        }

        @Override
        String whole(Reply reply, Supplier<String> ids) {
            ObjectNode answer = typed("message").put("role", "assistant");
            answer.put("stop_reason", reply.finish().messages);
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
    };

    private static final ObjectMapper JSON = new ObjectMapper();

    final String configName;
    final String basePath;
    final String requestPath;

    Protocol(String configName, String basePath, String requestPath) {
        this.configName = configName;
        this.basePath = basePath;
        this.requestPath = requestPath;
    }

    /** Events of the text, in two pieces so that streams are streams. */
    abstract List<String> begin(Reply reply);

    abstract List<String> calls(Reply reply, Supplier<String> ids);

    abstract List<String> finish(Reply reply);

    /** The answer in a piece. */
    abstract String whole(Reply reply, Supplier<String> ids);

    private static List<String> halves(String text) {
        if (text.length() < 2) {
            return text.isEmpty() ? List.of() : List.of(text);
        }
        int middle = text.offsetByCodePoints(0, text.codePointCount(0, text.length()) / 2);
        return List.of(text.substring(0, middle), text.substring(middle));
    }

    private static ObjectNode chatChunk() {
        ObjectNode chunk = JSON.createObjectNode().put("id", "chatcmpl-1");
        chunk.putArray("choices").addObject().put("index", 0).putObject("delta");
        return chunk;
    }

    private static ObjectNode delta(JsonNode chunk) {
        return (ObjectNode) chunk.get("choices").get(0).get("delta");
    }

    private static void chatCall(ObjectNode into, String id, String tool, String arguments) {
        into.put("id", id).put("type", "function");
        into.putObject("function").put("name", tool).put("arguments", arguments);
    }

    private static void chatUsage(ObjectNode into, Reply reply) {
        into.putObject("usage")
                .put("prompt_tokens", reply.input())
                .put("completion_tokens", reply.output());
    }

    private static ObjectNode typed(String type) {
        return JSON.createObjectNode().put("type", type);
    }

    private static void toolUse(ObjectNode into, String id, String tool) {
        into.put("type", "tool_use").put("id", id).put("name", tool).putObject("input");
    }

    private static String blockDelta(int index, String type, String name, String piece) {
        ObjectNode delta = typed("content_block_delta").put("index", index);
        delta.putObject("delta").put("type", type).put(name, piece);
        return event(delta);
    }

    private static String event(ObjectNode data) {
        return "event: " + data.get("type").asText() + "\ndata: " + data + "\n\n";
    }

    private static String data(ObjectNode chunk) {
        return "data: " + chunk + "\n\n";
    }

    private static JsonNode parse(String json) {
        try {
            return JSON.readTree(json);
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
