package dev.agentloop.llm;

import dev.agentloop.message.Block;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.Usage;
import java.util.List;
import java.util.Set;

/**
 * One whole reply.
 *
 * @param message what the model said; may have no blocks at all when it said nothing
 * @param usage tokens of this call; {@code Usage.NONE} with {@code estimated} when not reported
 * @param cutCalls ids of calls whose arguments were cut off; they must not be run
 * @param requestId the provider's id of the request, for complaints; may be empty
 * @param compacted whether the provider has summed up all that was said before: the summary is in
 *     the message, and what is older need not be sent again
 */
public record LlmResponse(
        Message.Assistant message,
        FinishReason finish,
        Usage usage,
        Set<String> cutCalls,
        String requestId,
        boolean compacted) {

    public LlmResponse {
        cutCalls = Set.copyOf(cutCalls);
    }

    /** A reply to a prompt that the provider has read as it was. */
    public LlmResponse(
            Message.Assistant message,
            FinishReason finish,
            Usage usage,
            Set<String> cutCalls,
            String requestId) {
        this(message, finish, usage, cutCalls, requestId, false);
    }

    /** The same in other words. */
    public LlmResponse withMessage(Message.Assistant other) {
        return new LlmResponse(other, finish, usage, cutCalls, requestId, compacted);
    }

    /** This reply; if it says nothing, without its blanks, which strict providers refuse later. */
    public LlmResponse withoutBlankText() {
        if (!message.text().isBlank() || finish == FinishReason.MAX_TOKENS) {
            return this;
        }
        List<Block> said =
                message.blocks().stream().filter(block -> !(block instanceof Block.Text)).toList();
        return withMessage(new Message.Assistant(said));
    }

    public List<ToolCall> toolCalls() {
        return message.toolCalls();
    }
}
