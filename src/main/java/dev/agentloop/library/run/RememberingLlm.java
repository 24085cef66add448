package dev.agentloop.library.run;

import dev.agentloop.control.Cancellation;
import dev.agentloop.control.Cause;
import dev.agentloop.llm.LlmAdapter;
import dev.agentloop.llm.LlmException;
import dev.agentloop.llm.LlmListener;
import dev.agentloop.llm.LlmRequest;
import dev.agentloop.llm.LlmResponse;
import dev.agentloop.llm.ModelInfo;
import org.jspecify.annotations.Nullable;

/**
 * A model whose last failure is kept: a result tells of it in words only. Whatever it throws is one
 * that the loop knows.
 */
public final class RememberingLlm implements LlmAdapter {
    private final LlmAdapter llm;
    private volatile @Nullable LlmException failure;

    public RememberingLlm(LlmAdapter llm) {
        this.llm = llm;
    }

    @Override
    public LlmResponse complete(
            LlmRequest request, LlmListener listener, Cancellation cancellation) {
        try {
            return llm.complete(request, listener, cancellation);
        } catch (LlmException e) {
            failure = e;
            throw e;
        } catch (RuntimeException e) { // an adapter of somebody else's may know no other way
            if (Thread.currentThread().isInterrupted()) { // nobody else may have seen it yet
                cancellation.cancel(new Cause.Interrupt("interrupt"));
            }
            LlmException broken =
                    cancellation
                            .cause()
                            .<LlmException>map(LlmException.Cancelled::new)
                            .orElseGet(() ->
                                    new LlmException.BrokenReply("the model failed: " + e, e));
            failure = broken;
            throw broken;
        }
    }

    @Nullable
    public LlmException failure() {
        return failure;
    }

    @Override
    public ModelInfo model() {
        return llm.model();
    }
}
