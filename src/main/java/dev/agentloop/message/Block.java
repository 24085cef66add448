package dev.agentloop.message;

/** One piece of an assistant message, in the order in which the model sent it. */
public sealed interface Block {
    /** Text for the person. */
    record Text(String text) implements Block {}

    /**
     * The model's reasoning. {@code provenance} is the provider's own JSON of the block, or empty;
     * it goes back verbatim to the provider that made it, because its signature covers it.
     */
    record Reasoning(String text, String provenance) implements Block {}

    /** A tool that the model asks for. */
    record Call(ToolCall call) implements Block {}
}
