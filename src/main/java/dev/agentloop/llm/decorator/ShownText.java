package dev.agentloop.llm.decorator;

import dev.agentloop.llm.LlmException;
import dev.agentloop.llm.LlmListener;

/** Passes everything on and remembers whether the attempt showed text. */
final class ShownText implements LlmListener {
    private final LlmListener next;
    private boolean shown;
    private int attempts;

    ShownText(LlmListener next) {
        this.next = next;
    }

    /** Whether text was shown since the last call of this method; it counts no longer. */
    boolean withdraw() {
        boolean had = shown;
        shown = false;
        return had;
    }

    /** Failed attempts since the last call of this method. */
    int takeAttempts() {
        int count = attempts;
        attempts = 0;
        return count;
    }

    @Override
    public void text(String delta) {
        shown = true;
        next.text(delta);
    }

    @Override
    public void thinking(String delta) {
        next.thinking(delta);
    }

    @Override
    public boolean mayRetry(LlmException failure) {
        return next.mayRetry(failure);
    }

    @Override
    public void retry(
            int attempt, java.time.Duration delay, LlmException failure, boolean textWithdrawn) {
        shown &= !textWithdrawn;
        attempts = attempt;
        next.retry(attempt, delay, failure, textWithdrawn);
    }

    @Override
    public void warning(String message) {
        next.warning(message);
    }
}
