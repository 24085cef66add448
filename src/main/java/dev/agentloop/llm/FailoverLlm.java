package dev.agentloop.llm;

import dev.agentloop.control.Cancellation;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;

/**
 * Hands a run over to the next model when the one before stays unavailable. What a person must mend
 * (a key, a refused request) is no reason: the next model would hide it. The run stays with the
 * model that took over, because each change costs the prompt cache.
 */
public final class FailoverLlm implements LlmAdapter {
    private final Deque<Supplier<LlmAdapter>> next;
    private LlmAdapter current;
    private int failed;

    /**
     * @param first answers until it fails for good, retries included
     * @param next opened only when its turn comes, in this order
     */
    public FailoverLlm(LlmAdapter first, List<Supplier<LlmAdapter>> next) {
        this.current = first;
        this.next = new ArrayDeque<>(next);
    }

    @Override
    public LlmResponse complete(
            LlmRequest request, LlmListener listener, Cancellation cancellation) {
        ShownText watched = new ShownText(listener);
        while (true) {
            try {
                return current.complete(request, watched, cancellation);
            } catch (LlmException.Unavailable | LlmException.BrokenReply e) {
                if (next.isEmpty() || cancellation.isCancelled()) {
                    throw e;
                }
                handOver(e, watched.withdraw(), listener);
            }
        }
    }

    private void handOver(LlmException failure, boolean textWithdrawn, LlmListener listener) {
        String before = current.model().id();
        current.close();
        current = next.removeFirst().get();
        failed++;
        listener.retry(failed, Duration.ZERO, failure, textWithdrawn);
        listener.warning(before + " stays unavailable, " + current.model().id() + " takes over");
    }

    /** The model that answers now. */
    @Override
    public ModelInfo model() {
        return current.model();
    }

    @Override
    public void close() {
        current.close();
    }
}
