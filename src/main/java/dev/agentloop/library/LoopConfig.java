package dev.agentloop.library;

import org.jspecify.annotations.Nullable;

/**
 * What shapes every run of a loop.
 *
 * @param systemPrompt standing instructions; empty for none
 * @param maxTurns replies of the model in one run; null for no limit
 * @param parallelToolExecution whether calls of one reply that cannot disturb each other run side
 *     by side
 */
public record LoopConfig(
        String systemPrompt, @Nullable Integer maxTurns, boolean parallelToolExecution) {
    /** No instructions, no limit, one call after the other. */
    public static final LoopConfig DEFAULT = new LoopConfig("", null, false);

    public LoopConfig {
        if (maxTurns != null && maxTurns < 0) {
            throw new IllegalArgumentException("maxTurns must not be negative: " + maxTurns);
        }
    }

    int mostSteps() {
        return maxTurns == null ? Integer.MAX_VALUE : maxTurns;
    }
}
