package dev.agentloop.context;

import dev.agentloop.message.Message;
import dev.agentloop.message.ToolResult;
import java.util.List;

/**
 * Keeps the history within what the model can take.
 *
 * <p><b>Contract.</b> Every history that comes out is legal: each tool call has its result. Never
 * throws.
 */
public interface ContextManager {
    /** What of this history is to be sent. */
    List<Message> fit(List<Message> history);

    /**
     * The model's server refused this history as too long: leaves more out of it from now on.
     *
     * @return whether {@link #fit} sends less than before; false when nothing more can be given up
     */
    boolean makeRoom(List<Message> history);

    /**
     * A tool result as it enters the history.
     *
     * @param notes what stands below it, e.g. the words of hooks; may be empty
     * @param calls how many share this step
     */
    ToolResult shorten(ToolResult result, String notes, int calls);

    /** Whether the history fills more than 95 % of the window. */
    boolean isCriticallyFull(List<Message> history);

    /** Estimated tokens of what is sent of the history. */
    long estimate(List<Message> history);
}
