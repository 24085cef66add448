package dev.agentloop.llm.anthropic;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import dev.agentloop.llm.Effort;
import dev.agentloop.llm.Generation;
import dev.agentloop.llm.ModelInfo;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How the model is asked to answer, in the words of the Messages API. */
final class AnthropicSettings {
    private static final double MOST_TEMPERATURE = 1; // other vendors go up to 2
    private static final long LEAST_PROMPT = 50_000; // tokens; earlier the API refuses to sum up

    private AnthropicSettings() {}

    static void write(JsonGenerator json, ModelInfo model, Generation generation)
            throws IOException {
        Optional<Effort> effort =
                Optional.ofNullable(generation.effort())
                        .filter(wanted -> wanted != Effort.OFF) // nobody thinks who is not asked to
                        .flatMap(model.capabilities()::nearest);
        if (generation.compactAt() > 0) {
            writeCompaction(json, Math.max(LEAST_PROMPT, generation.compactAt()));
        }
        Double temperature = generation.temperatureFor(model.capabilities());
        if (effort.isPresent()) {
            json.writeObjectFieldStart("thinking");
            json.writeStringField("type", "adaptive");
            json.writeEndObject();
        } else if (temperature != null) { // refused beside thinking
            json.writeNumberField("temperature", Math.min(temperature, MOST_TEMPERATURE));
        }
        String schema = generation.answerSchema();
        if (!model.capabilities().answerSchema() || !isClosed(schema)) {
            schema = null;
        }
        if (effort.isEmpty() && schema == null) {
            return;
        }
        json.writeObjectFieldStart("output_config");
        if (effort.isPresent()) {
            json.writeStringField("effort", effort.get().name().toLowerCase(Locale.ROOT));
        }
        if (schema != null) {
            json.writeObjectFieldStart("format");
            json.writeStringField("type", "json_schema");
            json.writeFieldName("schema");
            json.writeRawValue(schema);
            json.writeEndObject();
        }
        json.writeEndObject();
    }

    private static void writeCompaction(JsonGenerator json, long tokens) throws IOException {
        json.writeObjectFieldStart("context_management");
        json.writeArrayFieldStart("edits");
        json.writeStartObject();
        json.writeStringField("type", "compact_20260112");
        json.writeObjectFieldStart("trigger");
        json.writeStringField("type", "input_tokens");
        json.writeNumberField("value", tokens);
        json.writeEndObject();
        json.writeEndObject();
        json.writeEndArray();
        json.writeEndObject();
    }

    /**
     * Whether all objects of the schema rule out members that it does not name: the API refuses any
     * other. Such a schema stands in the prompt alone, and the answer is checked here.
     */
    private static boolean isClosed(@Nullable String schema) {
        try {
            return schema == null || isClosed(Json.parse(schema));
        } catch (JsonException e) {
            return false; // who wrote it decides what becomes of it
        }
    }

    private static boolean isClosed(JsonValue part) {
        boolean object =
                part.at("type").text().equals("object")
                        || part.at("type").items().stream().anyMatch(t -> t.text().equals("object"))
                        || part.has("properties");
        if (object && !Boolean.FALSE.equals(part.at("additionalProperties").raw())) {
            return false;
        }
        return part.keys().stream().map(part::at).allMatch(AnthropicSettings::isClosed)
                && part.items().stream().allMatch(AnthropicSettings::isClosed);
    }
}
