package dev.agentloop.llm.anthropic;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.agentloop.json.Json;
import dev.agentloop.json.JsonValue;
import dev.agentloop.llm.ReplyBuilder;
import dev.agentloop.llm.SafeCall;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One content block that is being received. */
abstract sealed class AnthropicBlock {
    /** What marks a block of a kind that we do not know among other protocols' provenance. */
    private static final String KEPT = "{\"anthropic\":";

    /**
     * The block that {@code start} opens; null for one without a kind. Kinds that we do not know,
     * such as those of the provider's own tools, whose inputs must not be taken for calls of ours,
     * are not shown but go back as they came.
     */
    static @Nullable AnthropicBlock of(JsonValue start, ReplyBuilder reply) {
        return switch (start.at("type").text()) {
            case "text" -> new Text(start, reply);
            case "tool_use" -> new Call(start, reply);
            case "thinking" -> new Thinking(start, reply);
            case "redacted_thinking" -> new Redacted(start, reply);
            case "" -> null;
            default -> new Kept(start, reply);
        };
    }

    /** The block that goes back for a reasoning block; null if another protocol made it. */
    static @Nullable String goesBack(String provenance) {
        if (isKept(provenance)) {
            return provenance.substring(KEPT.length(), provenance.length() - 1);
        }
        boolean ours =
                provenance.startsWith("{\"type\":\"thinking\"")
                        || provenance.startsWith("{\"type\":\"redacted_thinking\"");
        return ours ? provenance : null;
    }

    /** Whether it stands for a block of a kind that we do not know, which is no thought. */
    static boolean isKept(String provenance) {
        return provenance.startsWith(KEPT);
    }

    /** Whether it is the provider's summary of what was said before. */
    static boolean isSummary(String provenance) {
        return isKept(provenance) && provenance.contains("\"type\":\"compaction\"");
    }

    abstract void delta(JsonValue delta);

    abstract void close();

    /** The answer is over and did not end within this block. */
    void complete() {}

    private static final class Text extends AnthropicBlock {
        private final ReplyBuilder reply;

        Text(JsonValue start, ReplyBuilder reply) {
            this.reply = reply;
            reply.endBlock();
            reply.text(start.at("text").text());
        }

        @Override
        void delta(JsonValue delta) {
            reply.text(delta.at("text").text());
        }

        @Override
        void close() {
            reply.endBlock();
        }
    }

    private static final class Call extends AnthropicBlock {
        private final ReplyBuilder.Call call;
        private final JsonValue input;

        Call(JsonValue start, ReplyBuilder reply) {
            call = reply.call();
            call.id(start.at("id").text());
            call.name(start.at("name").text());
            input = start.at("input");
        }

        @Override
        void delta(JsonValue delta) {
            call.arguments(delta.at("partial_json").text());
        }

        /** Arguments of whole answers stand in the start. */
        @Override
        void close() {
            if (!call.hasArguments() && !input.keys().isEmpty()) {
                call.arguments(Json.text(input::writeTo));
            }
        }

        /** Nothing at all came for a tool without parameters. */
        @Override
        void complete() {
            if (!call.hasArguments()) {
                call.arguments("{}");
            }
        }
    }

    private static final class Thinking extends AnthropicBlock {
        private final ReplyBuilder reply;
        private final StringBuilder thought = new StringBuilder();
        private String signature;

        Thinking(JsonValue start, ReplyBuilder reply) {
            this.reply = reply;
            signature = start.at("signature").text();
            reply.endBlock();
            think(start.at("thinking").text());
        }

        @Override
        void delta(JsonValue delta) {
            think(delta.at("thinking").text());
            signature += delta.at("signature").text();
        }

        /** Without a signature the provider would refuse the block, so it does not go back. */
        @Override
        void close() {
            reply.endReasoning(
                    signature.isEmpty()
                            ? ""
                            : "{\"type\":\"thinking\",\"thinking\":%s,\"signature\":%s}"
                                    .formatted(
                                            Json.quote(Json.wellFormed(thought.toString())),
                                            Json.quote(signature)));
        }

        private void think(String delta) {
            thought.append(delta);
            reply.reasoning(delta);
        }
    }

    private static final class Redacted extends AnthropicBlock {
        private final ReplyBuilder reply;
        private final String data;

        Redacted(JsonValue start, ReplyBuilder reply) {
            this.reply = reply;
            data = start.at("data").text();
        }

        @Override
        void delta(JsonValue delta) {}

        @Override
        void close() {
            reply.endBlock();
            reply.endReasoning(
                    "{\"type\":\"redacted_thinking\",\"data\":%s}".formatted(Json.quote(data)));
        }
    }

    /**
     * Of a kind that we do not know: a summary of the provider's, or a tool that it runs itself.
     */
    private static final class Kept extends AnthropicBlock {
        private static final String INPUT = "partial_json";

        private final ReplyBuilder reply;
        private final JsonValue start;
        private final Map<String, StringBuilder> texts = new LinkedHashMap<>();

        Kept(JsonValue start, ReplyBuilder reply) {
            this.start = start;
            this.reply = reply;
        }

        private boolean isSummary() {
            boolean given = start.at("content").isText() || texts.containsKey("content");
            return given && start.at("type").text().equals("compaction");
        }

        /** Each text of a delta continues the member of the same name. */
        @Override
        void delta(JsonValue delta) {
            for (String name : delta.keys()) {
                if (!name.equals("type") && delta.at(name).isText()) {
                    texts.computeIfAbsent(name, _ -> new StringBuilder())
                            .append(delta.at(name).text());
                }
            }
        }

        @Override
        void close() {
            reply.endBlock();
            reply.endReasoning(KEPT + Json.text(this::write) + "}");
            if (isSummary()) { // a failed one has no text
                reply.compacted();
            }
        }

        private void write(JsonGenerator json) throws IOException {
            String input = texts.getOrDefault(INPUT, new StringBuilder()).toString();
            boolean hasInput = !input.isEmpty() && SafeCall.isWhole(input);
            json.writeStartObject();
            for (String name : start.keys()) {
                if (!texts.containsKey(name) && !(hasInput && name.equals("input"))) {
                    json.writeFieldName(name);
                    start.at(name).writeTo(json);
                }
            }
            if (hasInput) {
                json.writeFieldName("input");
                json.writeRawValue(Json.wellFormed(input));
            }
            for (Map.Entry<String, StringBuilder> text : texts.entrySet()) {
                if (!text.getKey().equals(INPUT)) {
                    String whole = start.at(text.getKey()).text() + text.getValue();
                    json.writeStringField(text.getKey(), Json.wellFormed(whole));
                }
            }
            json.writeEndObject();
        }
    }
}
