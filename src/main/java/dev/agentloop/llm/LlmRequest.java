package dev.agentloop.llm;

import dev.agentloop.message.Message;
import dev.agentloop.tool.ToolSpec;
import java.util.List;

/**
 * One request to a model.
 *
 * @param messages the whole history, system message first; a later request of the run repeats the
 *     same objects, so that an adapter may keep what it has serialised
 * @param tools what is declared, in a stable order (prompt caches depend on it)
 * @param mayCallTools false declares the tools but forbids calling them (the closing call)
 * @param maxOutputTokens cap of the reply; 0 leaves it to the model's own limit
 * @param stream whether to ask for a stream; a single JSON answer is accepted in any case
 */
public record LlmRequest(
        List<Message> messages,
        List<ToolSpec> tools,
        boolean mayCallTools,
        int maxOutputTokens,
        boolean stream,
        Generation generation) {
    /** A request that leaves all else to the model. */
    public LlmRequest(
            List<Message> messages,
            List<ToolSpec> tools,
            boolean mayCallTools,
            int maxOutputTokens,
            boolean stream) {
        this(messages, tools, mayCallTools, maxOutputTokens, stream, Generation.DEFAULT);
    }

    /** The standing instructions; empty if there are none. */
    public String systemText() {
        return !messages.isEmpty() && messages.getFirst() instanceof Message.System(String text)
                ? text
                : "";
    }
}
