package dev.agentloop.library;

import dev.agentloop.context.CompactingContext;
import dev.agentloop.context.ContextManager;
import dev.agentloop.context.SlidingWindow;
import dev.agentloop.context.Truncation;

/**
 * Ways to keep a conversation within what the model can take. One may be given to any number of
 * loops: each conversation counts for itself.
 */
public final class Contexts {
    private static final Truncation RESULTS = Truncation.byWindow(80_000); // as the command
    private static final int SUMMARIZE_AFTER = 8; // steps
    private static final int KEEP_RECENT = 4; // steps

    private Contexts() {}

    /**
     * Old results are left out when three quarters are used, then old steps are summed up by the
     * model, and dropped at last. The first message of the person always stays.
     *
     * @param maxTokens of history, instructions and tools; 0 for no limit
     */
    public static ContextManager compacting(long maxTokens) {
        return new CompactingContext(
                RESULTS, new CompactingContext.Limits(maxTokens, SUMMARIZE_AFTER, KEEP_RECENT));
    }

    /**
     * The newest messages, in whole steps, behind the first message of the person.
     *
     * @param messages at most, the system message not counted
     * @param maxTokens at most, by the estimate; 0 for no limit
     */
    public static ContextManager slidingWindow(int messages, long maxTokens) {
        return new SlidingWindow(RESULTS, messages, maxTokens);
    }
}
