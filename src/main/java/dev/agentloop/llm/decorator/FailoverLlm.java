package dev.agentloop.llm.decorator;

import dev.agentloop.control.Cancellation;
import dev.agentloop.llm.LlmAdapter;
import dev.agentloop.llm.LlmException;
import dev.agentloop.llm.LlmListener;
import dev.agentloop.llm.LlmRequest;
import dev.agentloop.llm.LlmResponse;
import dev.agentloop.llm.ModelInfo;
import dev.agentloop.message.Message;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.Supplier;

/**
 * Hands a run over to the next model when the one before stays unavailable. What a person must mend
 * (a key, a refused request) is no reason: the next model would hide it. The run stays with the
 * model that took over, because each change costs the prompt cache.
 */
public final class FailoverLlm implements LlmAdapter {
    private final Deque<Supplier<LlmAdapter>> next;
    private final IdentityHashMap<Message, Message> ofOthers = new IdentityHashMap<>();
    private LlmAdapter current;

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
                return current.complete(forCurrent(request), watched, cancellation);
            } catch (LlmException.Unavailable | LlmException.BrokenReply e) {
                if (next.isEmpty() || cancellation.isCancelled() || !listener.mayRetry(e)) {
                    throw e;
                }
                keepReasoningFrom(request.messages());
                listener.retry(watched.takeAttempts() + 1, Duration.ZERO, e, watched.withdraw());
                handOver(listener);
            }
        }
    }

    /** Reasoning is for the model that thought it: another one may neither see nor can read it. */
    private void keepReasoningFrom(List<Message> history) {
        for (Message message : history) {
            if (message instanceof Message.Assistant reply) {
                ofOthers.put(message, reply.withoutReasoning());
            }
        }
    }

    /** Always the same objects for the same history, so that each request begins like the last. */
    private LlmRequest forCurrent(LlmRequest request) {
        if (ofOthers.isEmpty()) {
            return request;
        }
        List<Message> messages = new ArrayList<>();
        for (Message message : request.messages()) {
            Message readable = ofOthers.getOrDefault(message, message);
            if (!(readable instanceof Message.Assistant reply && reply.isEmpty())) {
                messages.add(readable);
            }
        }
        return new LlmRequest(
                messages,
                request.tools(),
                request.mayCallTools(),
                request.maxOutputTokens(),
                request.stream(),
                request.generation());
    }

    private void handOver(LlmListener listener) {
        String before = current.model().id();
        current.close();
        current = next.removeFirst().get();
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
