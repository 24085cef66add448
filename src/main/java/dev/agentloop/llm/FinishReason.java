package dev.agentloop.llm;

/** Why one reply ended. */
public enum FinishReason {
    /** The model had no more to say. Also used for reasons that we do not know. */
    END_TURN,
    /** The model waits for tool results. */
    TOOL_USE,
    /** The output limit cut the reply. */
    MAX_TOKENS,
    /**
     * The provider interrupted the model, which has more to do: the history with this reply goes
     * back as it is, and the model continues.
     */
    PAUSED,
    /** The model or a filter of its provider refused. */
    REFUSAL
}
