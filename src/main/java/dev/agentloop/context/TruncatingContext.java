package dev.agentloop.context;

import dev.agentloop.message.Message;
import dev.agentloop.message.ToolResult;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cuts long tool results as they enter the history and otherwise sends everything: an append-only
 * history keeps the provider's prompt cache. Only when a server finds it too long are old results
 * left out. The estimate grows with the history instead of being taken anew, so that step 1,000
 * costs as little as step 1.
 */
public final class TruncatingContext implements ContextManager {
    private static final double CRITICAL = 0.95;

    private final Truncation truncation;
    private final long maxTokens;
    private final ClearedResults cleared = new ClearedResults();
    private @Nullable Message first;
    private @Nullable Message last;
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
        return cleared.in(history);
    }

    @Override
    public boolean makeRoom(List<Message> history) {
        counted = 0;
        characters = 0;
        return cleared.clearMore(history);
    }

    @Override
    public ToolResult shorten(ToolResult result, String notes, int calls) {
        return truncation.apply(result, notes, calls);
    }

    @Override
    public boolean isCriticallyFull(List<Message> history) {
        return maxTokens > 0 && estimate(history) > (long) (maxTokens * CRITICAL);
    }

    @Override
    public long estimate(List<Message> history) {
        List<Message> sent = fit(history);
        if (!continues(sent)) {
            counted = 0;
            characters = 0;
        }
        characters += TokenEstimate.characters(sent.subList(counted, sent.size()));
        counted = sent.size();
        first = sent.isEmpty() ? null : sent.getFirst();
        last = sent.isEmpty() ? null : sent.getLast();
        return TokenEstimate.ofCharacters(characters);
    }

    /** Whether what was counted still stands at the beginning. */
    private boolean continues(List<Message> sent) {
        return counted == 0
                || sent.size() >= counted
                        && sent.getFirst() == first
                        && sent.get(counted - 1) == last;
    }
}
