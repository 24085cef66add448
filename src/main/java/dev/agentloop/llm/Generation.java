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
 * @param compactAt tokens of a prompt from which the provider is to sum up its old part itself,
 *     where it can; 0 for never
 */
public record Generation(
        @Nullable Effort effort,
        @Nullable Double temperature,
        @Nullable String answerSchema,
        String sessionKey,
        long compactAt) {
    /** All as the model likes. */
    public static final Generation DEFAULT = new Generation(null, null, null, "");

    /** Without a summary by the provider. */
    public Generation(
            @Nullable Effort effort,
            @Nullable Double temperature,
            @Nullable String answerSchema,
            String sessionKey) {
        this(effort, temperature, answerSchema, sessionKey, 0);
    }

    /** The same for a summary: no final answer, and nothing that is to be summed up before. */
    public Generation forSummary() {
        return answerSchema == null && compactAt == 0
                ? this
                : new Generation(effort, temperature, null, sessionKey);
    }

    /** What this model may be sent; null for one that takes no temperature. */
    public @Nullable Double temperatureFor(Capabilities can) {
        return can.temperature() ? temperature : null;
    }
}
