package dev.agentloop.context;

import dev.agentloop.message.Compaction;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolResult;
import java.util.List;

/**
 * Keeps the history within what the model can take.
 *
 * <p><b>Contract.</b> Every history that comes out is legal if the one that went in was, and not
 * longer. Throws only what the summarizer throws.
 */
public interface ContextManager {
    /**
     * The same for one conversation, with nothing counted yet. What is counted belongs to a
     * history, so conversations that go on side by side must not share it; one without a state is
     * itself.
     */
    default ContextManager forSession() {
        return this;
    }

    /** The history, made shorter if it is time to. */
    Fitted fit(Prompt prompt, Summarizer model);

    /** The model's server has refused it as too long: made shorter in any case, if possible. */
    Fitted makeRoom(Prompt prompt, Summarizer model);

    /** The history with its old steps summed up, because somebody wants it so. */
    Fitted compact(Prompt prompt, Summarizer model);

    /**
     * A tool result as it enters the history.
     *
     * @param notes what stands below it, e.g. the words of hooks; may be empty
     * @param calls how many share this step
     */
    ToolResult shorten(ToolResult result, String notes, int calls);

    /**
     * Characters that a tool may fill so that {@link #shorten} leaves its result as it is.
     *
     * @param calls how many share this step
     */
    default int resultChars(int calls) {
        return ResultPace.MOST;
    }

    /** Whether it fills more than 95 % of the window. */
    boolean isCriticallyFull(Prompt prompt);

    /** Its tokens, as the model counts them as far as it has told. */
    long tokens(Prompt prompt);

    /** Its tokens by the rule of thumb alone. */
    long estimate(Prompt prompt);

    /** The model has told that a prompt of this estimate has so many tokens. */
    void learn(String model, long estimate, long tokens);

    /**
     * A history and what made it so.
     *
     * @param done empty if it is the same
     */
    record Fitted(List<Message> history, List<Done> done) {}

    /** One compaction and what it brought, in tokens. */
    record Done(Compaction compaction, long before, long after) {}
}
