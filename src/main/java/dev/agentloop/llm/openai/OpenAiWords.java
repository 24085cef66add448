package dev.agentloop.llm.openai;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.agentloop.json.Json;
import dev.agentloop.llm.Capabilities;
import dev.agentloop.llm.Effort;
import dev.agentloop.llm.Generation;
import dev.agentloop.llm.LlmRequest;
import dev.agentloop.llm.provider.Dialect;
import dev.agentloop.llm.provider.ProviderEndpoint;
import dev.agentloop.message.Image;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolResult;
import dev.agentloop.tool.ToolSpec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What both protocols of OpenAI say in the same words. */
final class OpenAiWords {
    private static final String LEFT_OUT = "\n\n[images left out: this model takes none]";

    private OpenAiWords() {}

    /** Writes the members that describe one function. */
    interface Declaring {
        void write(Json.Writing function) throws IOException;
    }

    /** Writes a value in the member that the protocol has for it. */
    interface Member {
        void write(String value) throws IOException;
    }

    /**
     * The level of reasoning to ask for: the nearest that the model knows, the lower of two equally
     * near ones. Empty when nobody asked or the model has no such setting.
     */
    static Optional<String> effort(@Nullable Effort wanted, Capabilities model) {
        if (wanted == null) {
            return Optional.empty();
        }
        return model.efforts().stream()
                .min(
                        Comparator.comparingInt((Effort known) -> distance(known, wanted))
                                .thenComparing(Comparator.naturalOrder()))
                .map(OpenAiWords::word);
    }

    /** What a message says; in place of images that the model cannot take, it says so. */
    static String text(Message.User message, Capabilities model) {
        return message.images().isEmpty() || model.images()
                ? message.text()
                : message.text() + LEFT_OUT;
    }

    /** What a tool says, with the same words where images are left out. */
    static String text(ToolResult result, Capabilities model) {
        String text = Json.wellFormed(result.text());
        return result.images().isEmpty() || model.images() ? text : text + LEFT_OUT;
    }

    /** The headers that carry the key, if there is one. */
    static Map<String, String> headers(ProviderEndpoint endpoint) {
        String key = endpoint.key();
        return key == null ? Map.of() : Map.of("Authorization", "Bearer " + key);
    }

    /** The declared tools, for a model that calls any. */
    static List<ToolSpec> tools(LlmRequest request, Capabilities model) {
        return model.tools() ? request.tools() : List.of();
    }

    /** A message's images, for a model that takes any. */
    static List<Image> images(Message.User message, Capabilities model) {
        return model.images() ? message.images() : List.of();
    }

    /** What stands behind the list of messages. */
    static byte[] tail(LlmRequest request, Capabilities model) {
        boolean forbidden = !request.mayCallTools() && !tools(request, model).isEmpty();
        return (forbidden ? "],\"tool_choice\":\"none\"}" : "]}").getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Declares tools.
     *
     * @param how writes one function as the protocol packs it
     */
    static void writeTools(
            JsonGenerator json, LlmRequest request, Capabilities model, Declaring how)
            throws IOException {
        List<ToolSpec> tools = tools(request, model);
        if (tools.isEmpty()) {
            return;
        }
        if (!model.parallelTools()) {
            json.writeBooleanField("parallel_tool_calls", false);
        }
        json.writeArrayFieldStart("tools");
        for (ToolSpec tool : tools) {
            json.writeStartObject();
            json.writeStringField("type", "function");
            how.write(Dialect.declaration(tool, "parameters"));
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /**
     * How to answer, as far as somebody said so and the model can.
     *
     * @param effort writes the level of reasoning
     * @param schema writes the schema of the answer
     */
    static void writeGeneration(
            JsonGenerator json,
            Generation generation,
            Capabilities model,
            Member effort,
            Member schema)
            throws IOException {
        Optional<String> level = effort(generation.effort(), model);
        if (level.isPresent()) {
            effort.write(level.get());
        }
        Double temperature = generation.temperatureFor(model);
        if (temperature != null) {
            json.writeNumberField("temperature", temperature);
        }
        String wanted = generation.answerSchema();
        if (wanted != null && model.answerSchema()) {
            schema.write(wanted);
        }
    }

    /** Leads requests of one session to the same cache. */
    static void writeSessionKey(JsonGenerator json, Generation generation) throws IOException {
        if (!generation.sessionKey().isEmpty()) {
            json.writeStringField("prompt_cache_key", generation.sessionKey());
        }
    }

    /** The members that ask for an answer of a schema. */
    static void writeSchema(JsonGenerator json, String schema) throws IOException {
        json.writeStringField("name", "answer");
        json.writeFieldName("schema");
        json.writeRawValue(schema);
        json.writeBooleanField("strict", false);
    }

    static String dataUrl(Image image) {
        return "data:" + image.mediaType() + ";base64," + image.base64();
    }

    private static int distance(Effort one, Effort other) {
        return Math.abs(one.ordinal() - other.ordinal());
    }

    private static String word(Effort effort) {
        return switch (effort) {
            case OFF -> "none";
            case LOW -> "low";
            case MEDIUM -> "medium";
            case HIGH -> "high";
            case MAX -> "xhigh";
        };
    }
}
