package dev.agentloop.llm.anthropic;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonValue;
import dev.agentloop.llm.ReplyBuilder;
import org.jspecify.annotations.Nullable;

/** One content block that is being received. */
abstract sealed class AnthropicBlock {
    /**
     * The block that {@code start} opens; null for kinds that we neither show nor send back, such
     * as those of the provider's own tools, whose inputs must not be taken for calls of ours.
     */
    static @Nullable AnthropicBlock of(JsonValue start, ReplyBuilder reply) {
        return switch (start.at("type").text()) {
            case "text" -> new Text(start, reply);
            case "tool_use" -> new Call(start, reply);
            case "thinking" -> new Thinking(start, reply);
            case "redacted_thinking" -> new Redacted(start, reply);
            default -> null;
        };
    }

    /** Whether {@code json} is the form in which such a block goes back. */
    static boolean isThinking(String json) {
        return json.startsWith("{\"type\":\"thinking\"")
                || json.startsWith("{\"type\":\"redacted_thinking\"");
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
}
