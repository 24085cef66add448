package dev.agentloop.llm;

/** Why one reply ended. */
public enum FinishReason {
    /** The model had no more to say. Also used for reasons that we do not know. */
    END_TURN,
    /** The model waits for tool results. */
    TOOL_USE,
    /** The output limit cut the reply. */
    MAX_TOKENS,
    /** The model or a filter of its provider refused. */
    REFUSAL
}
