package dev.agentloop.context;

import dev.agentloop.message.Compaction;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolResult;
import java.util.List;

/**
 * Keeps the newest messages and the first of the user's, and never asks the model for anything.
 * Steps go whole, so that no result loses its call; the newest always stays.
 */
public final class SlidingWindow implements ContextManager {
    private static final int ASKED = 1; // of the user's messages: what the oldest step answers

    private final int messages;
    private final long maxTokens;
    private final ContextManager rest;

    /**
     * @param messages at most, the system message not counted
     * @param maxTokens at most; 0 for no limit
     */
    public SlidingWindow(Truncation truncation, int messages, long maxTokens) {
        if (messages < 2) {
            throw new IllegalArgumentException("a window has at least 2 messages: " + messages);
        }
        this.messages = messages;
        this.maxTokens = maxTokens;
        this.rest = new CompactingContext(truncation, maxTokens, List.of(new DropOldSteps()));
    }

    private SlidingWindow(int messages, long maxTokens, ContextManager rest) {
        this.messages = messages;
        this.maxTokens = maxTokens;
        this.rest = rest;
    }

    @Override
    public ContextManager forSession() {
        return new SlidingWindow(messages, maxTokens, rest.forSession());
    }

    @Override
    public Fitted fit(Prompt prompt, Summarizer model) {
        return fits(prompt) ? new Fitted(prompt.history(), List.of()) : slide(prompt);
    }

    private boolean fits(Prompt prompt) {
        long counted =
                prompt.history().stream().filter(it -> !(it instanceof Message.System)).count();
        return counted <= messages && (maxTokens == 0 || tokens(prompt) <= maxTokens);
    }

    /** As few steps as needed go; all but the newest if it is never enough. */
    private Fitted slide(Prompt prompt) {
        Steps steps = Steps.of(prompt.history());
        for (int kept = steps.count() - 1; kept > 0; kept--) {
            Compaction sliding =
                    new Compaction(Compaction.By.WINDOW, steps.nameOfLast(kept), ASKED, "");
            List<Message> shorter = sliding.applyTo(prompt.history());
            Prompt after = new Prompt(shorter, prompt.besides(), prompt.model());
            boolean gains = shorter.size() < prompt.history().size();
            if (gains && (kept == 1 || fits(after))) {
                return new Fitted(
                        shorter, List.of(new Done(sliding, tokens(prompt), tokens(after))));
            }
        }
        return new Fitted(prompt.history(), List.of());
    }

    @Override
    public Fitted makeRoom(Prompt prompt, Summarizer model) {
        return rest.makeRoom(prompt, model);
    }

    /** Half of the window stays. */
    @Override
    public Fitted compact(Prompt prompt, Summarizer model) {
        return new SlidingWindow(Math.max(2, messages / 2), maxTokens / 2, rest).slide(prompt);
    }

    @Override
    public ToolResult shorten(ToolResult result, String notes, int calls) {
        return rest.shorten(result, notes, calls);
    }

    @Override
    public int resultChars(int calls) {
        return rest.resultChars(calls);
    }

    @Override
    public boolean isCriticallyFull(Prompt prompt) {
        return rest.isCriticallyFull(prompt);
    }

    @Override
    public long tokens(Prompt prompt) {
        return rest.tokens(prompt);
    }

    @Override
    public long estimate(Prompt prompt) {
        return rest.estimate(prompt);
    }

    @Override
    public void learn(String model, long estimate, long tokens) {
        rest.learn(model, estimate, tokens);
    }
}
