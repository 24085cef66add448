package dev.agentloop.message;

/** One piece of an assistant message, in the order in which the model sent it. */
public sealed interface Block {
    /** Text for the person. */
    record Text(String text) implements Block {}

    /**
     * The model's reasoning, or something else that only its provider understands. {@code
     * provenance} is JSON of the adapter that made the block, or empty; what the provider signed
     * goes back to it verbatim.
     */
    record Reasoning(String text, String provenance) implements Block {}

    /** A tool that the model asks for. */
    record Call(ToolCall call) implements Block {}
}
