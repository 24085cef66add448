package dev.agentloop.llm;

import org.jspecify.annotations.Nullable;

/**
 * How a model is asked to answer; the same object for all requests of a run.
 *
 * @param effort null leaves it to the model
 * @param temperature 0 to 2; null leaves it to the model
 * @param answerSchema JSON schema, as text, that the final answer must satisfy; adapters pass it on
 *     where the model takes one, all others leave it to the check of the answer; null for none
 * @param sessionKey the same for all requests that share a prefix, for providers that route by it;
 *     may be empty
 */
public record Generation(
        @Nullable Effort effort,
        @Nullable Double temperature,
        @Nullable String answerSchema,
        String sessionKey) {
    /** All as the model likes. */
    public static final Generation DEFAULT = new Generation(null, null, null, "");

    /** The same for a reply that is not the final answer. */
    public Generation withoutAnswerSchema() {
        return answerSchema == null ? this : new Generation(effort, temperature, null, sessionKey);
    }

    /** What this model may be sent; null for one that takes no temperature. */
    public @Nullable Double temperatureFor(Capabilities can) {
        return can.temperature() ? temperature : null;
    }
}
