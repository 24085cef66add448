package dev.agentloop.llm;

import java.time.Duration;

/** Hears what a model call does while it runs. Tool call fragments are never reported. */
public interface LlmListener {
    /** A listener that ignores everything. */
    LlmListener NONE = new LlmListener() {};

    /** A piece of the answer's text. */
    default void text(String delta) {}

    /** A piece of the model's reasoning. */
    default void thinking(String delta) {}

    /**
     * Whether another attempt may follow a failed one, which may have cost something. Asked before
     * each, also before that of another model.
     */
    default boolean mayRetry(LlmException failure) {
        return true;
    }

    /**
     * An attempt failed, or the server itself replaced its answer, and another follows after {@code
     * delay}.
     *
     * @param attempt number of the attempt that failed, from 1
     * @param textWithdrawn whether text of the failed attempt had been reported and no longer
     *     counts
     */
    default void retry(int attempt, Duration delay, LlmException failure, boolean textWithdrawn) {}

    /** Something a person should know, e.g. a malformed character in the stream. */
    default void warning(String message) {}
}
