package dev.agentloop.llm.gemini;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.agentloop.llm.Effort;
import dev.agentloop.llm.ModelInfo;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How much a model may think, in the words of its generation: Gemini 2.5 has a budget of tokens,
 * all later ones a level. Both at once, and either at models that cannot think, are refused.
 */
final class GeminiThinking {
    private GeminiThinking() {}

    /**
     * Writes {@code thinkingConfig} if the model takes one.
     *
     * @param maxOutput tokens of the whole reply, thoughts included; 0 for no limit
     */
    static void write(JsonGenerator json, ModelInfo model, @Nullable Effort wanted, int maxOutput)
            throws IOException {
        if (model.capabilities().efforts().isEmpty() || isOlderThanThinking(model.name())) {
            return;
        }
        Optional<Effort> effort =
                Optional.ofNullable(wanted).flatMap(model.capabilities()::nearest);
        if (effort.isEmpty() && !model.name().startsWith("gemini-")) {
            return; // nobody asked, and not every model behind this protocol thinks
        }
        json.writeObjectFieldStart("thinkingConfig");
        boolean off = effort.isPresent() && effort.get() == Effort.OFF;
        json.writeBooleanField("includeThoughts", !off);
        if (effort.isPresent()) {
            if (model.name().startsWith("gemini-2.5")) {
                json.writeNumberField("thinkingBudget", budget(effort.get(), maxOutput));
            } else {
                json.writeStringField("thinkingLevel", level(effort.get()));
            }
        }
        json.writeEndObject();
    }

    private static boolean isOlderThanThinking(String name) {
        return name.startsWith("gemini-1") || name.startsWith("gemini-2.0");
    }

    /** Gemini 3 cannot be told not to think at all. */
    private static String level(Effort effort) {
        return switch (effort) {
            case OFF -> "minimal";
            case LOW -> "low";
            case MEDIUM -> "medium";
            case HIGH, MAX -> "high";
        };
    }

    /** Where the reply is limited, some of it is left for the answer. */
    private static int budget(Effort effort, int maxOutput) {
        int budget = budget(effort);
        return maxOutput > 0 ? Math.min(budget, maxOutput - maxOutput / 4) : budget;
    }

    /** 24,576 is the most that every 2.5 model takes; Pro alone would take 32,768. */
    private static int budget(Effort effort) {
        return switch (effort) {
            case OFF -> 0;
            case LOW -> 1024;
            case MEDIUM -> 8192;
            case HIGH -> 16_384;
            case MAX -> 24_576;
        };
    }
}
