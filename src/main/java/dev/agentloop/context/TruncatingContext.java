package dev.agentloop.context;

import dev.agentloop.message.Message;
import dev.agentloop.message.ToolResult;
import java.util.List;

/**
 * Cuts long tool results as they enter the history and otherwise sends everything: an append-only
 * history keeps the provider's prompt cache. The estimate grows with the history instead of being
 * taken anew, so that step 1,000 costs as little as step 1.
 */
public final class TruncatingContext implements ContextManager {
    private static final double CRITICAL = 0.95;

    private final Truncation truncation;
    private final long maxTokens;
    private int counted;
    private long characters;

    /**
     * @param maxTokens the model's window; 0 for no limit
     */
    public TruncatingContext(Truncation truncation, long maxTokens) {
        this.truncation = truncation;
        this.maxTokens = maxTokens;
    }

    @Override
    public List<Message> fit(List<Message> history) {
        return history;
    }

    @Override
    public ToolResult shorten(ToolResult result, int calls) {
        return truncation.apply(result, calls);
    }

    @Override
    public boolean isCriticallyFull(List<Message> history) {
        return maxTokens > 0 && estimate(history) > (long) (maxTokens * CRITICAL);
    }

    @Override
    public long estimate(List<Message> history) {
        if (history.size() < counted) {
            counted = 0;
            characters = 0;
        }
        characters += TokenEstimate.characters(history.subList(counted, history.size()));
        counted = history.size();
        return TokenEstimate.ofCharacters(characters);
    }
}
