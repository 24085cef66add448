package dev.agentloop.wiring.run;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import dev.agentloop.json.schema.JsonSchema;
import dev.agentloop.loop.run.AnswerCheck;
import java.util.Optional;

/** The final answer as JSON of the user's schema. */
public record StructuredAnswer(JsonSchema schema) implements AnswerCheck {
    private static final String FENCE = "```";

    @Override
    public Optional<String> problem(String answer) {
        try {
            return schema.problem(Json.parse(bare(answer)));
        } catch (JsonException e) {
            String what = e.isBeyondLimits() ? "it cannot be read: " : "it is not JSON: ";
            return Optional.of(what + e.getMessage());
        }
    }

    /** The JSON of an answer without trouble, as compact text; empty for any other. */
    public Optional<String> json(String answer) {
        try {
            JsonValue value = Json.parse(bare(answer));
            return schema.problem(value).isPresent()
                    ? Optional.empty()
                    : Optional.of(Json.text(value::writeTo));
        } catch (JsonException e) {
            return Optional.empty();
        }
    }

    /** Models like to put JSON into a fence, whatever they are told. */
    private static String bare(String answer) {
        String text = answer.strip();
        if (!text.startsWith(FENCE) || !text.endsWith(FENCE) || text.length() < 7) {
            return text;
        }
        int firstLine = text.indexOf('\n');
        return firstLine < 0 ? text : text.substring(firstLine, text.length() - 3).strip();
    }
}
