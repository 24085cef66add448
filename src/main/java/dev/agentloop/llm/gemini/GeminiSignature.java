package dev.agentloop.llm.gemini;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A thought signature. It must go back on the very part that it came with, but a text or a call has
 * no room for it in our messages: so it stands in a reasoning block of its own before that part.
 *
 * @param part the kind of part that it came with
 * @param value as the provider sent it
 */
record GeminiSignature(Part part, String value) {
    /**
     * In place of the signature of a call that another model made. Gemini 3 refuses steps whose
     * first call has none, and Google documents this word for them
     * (ai.google.dev/gemini-api/docs/thought-signatures).
     */
    static final String FOREIGN = "skip_thought_signature_validator";

    private static final String BEGIN = "{\"thoughtSignature\":";

    /** Where a signature was. */
    enum Part {
        /** On a summary of thoughts, which is the text of the same block. */
        THOUGHT,
        /** On the text that follows. */
        TEXT,
        /** On the call that follows. */
        CALL,
        /** On a part without content. */
        EMPTY
    }

    /** Whether a model refuses calls without signature; generations before 3 do not ask. */
    static boolean isDemandedBy(String model) {
        String name = model.startsWith("models/") ? model.substring("models/".length()) : model;
        return name.startsWith("gemini-")
                && !name.startsWith("gemini-1")
                && !name.startsWith("gemini-2");
    }

    /** The form that survives in a history. */
    String provenance() {
        return BEGIN
                + Json.quote(Json.wellFormed(value))
                + ",\"part\":\""
                + part.name().toLowerCase(Locale.ROOT)
                + "\"}";
    }

    /** Reads {@link #provenance}; null for what another protocol wrote. */
    static @Nullable GeminiSignature read(String provenance) {
        if (!provenance.startsWith(BEGIN)) {
            return null;
        }
        try {
            JsonValue json = Json.parse(provenance);
            String name = json.at("part").text();
            for (Part part : Part.values()) {
                if (part.name().equalsIgnoreCase(name)) {
                    return new GeminiSignature(part, json.at("thoughtSignature").text());
                }
            }
        } catch (JsonException e) {
            // a journal that somebody edited: without the signature the history is still a history
        }
        return null;
    }
}
