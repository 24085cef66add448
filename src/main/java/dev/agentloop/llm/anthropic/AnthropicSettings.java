package dev.agentloop.llm.anthropic;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.agentloop.llm.Effort;
import dev.agentloop.llm.Generation;
import dev.agentloop.llm.ModelInfo;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;

/** How the model is asked to answer, in the words of the Messages API. */
final class AnthropicSettings {
    private static final double MOST_TEMPERATURE = 1; // other vendors go up to 2

    private AnthropicSettings() {}

    static void write(JsonGenerator json, ModelInfo model, Generation generation)
            throws IOException {
        Optional<Effort> effort =
                Optional.ofNullable(generation.effort())
                        .filter(wanted -> wanted != Effort.OFF) // nobody thinks who is not asked to
                        .flatMap(model.capabilities()::nearest);
        Double temperature = generation.temperature();
        if (effort.isPresent()) {
            json.writeObjectFieldStart("thinking");
            json.writeStringField("type", "adaptive");
            json.writeEndObject();
        } else if (temperature != null) { // refused beside thinking
            json.writeNumberField("temperature", Math.min(temperature, MOST_TEMPERATURE));
        }
        String schema = model.capabilities().answerSchema() ? generation.answerSchema() : null;
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
}
