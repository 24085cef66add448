package dev.agentloop.replay;

import dev.agentloop.control.Cancellation;
import dev.agentloop.llm.LlmAdapter;
import dev.agentloop.llm.LlmException;
import dev.agentloop.llm.LlmListener;
import dev.agentloop.llm.LlmRequest;
import dev.agentloop.llm.LlmResponse;
import dev.agentloop.llm.ModelInfo;
import dev.agentloop.message.Message;
import dev.agentloop.replay.cassette.CassetteLine;
import dev.agentloop.replay.cassette.Failure;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what a model is asked and answers, retries and changes of the model included. It stands
 * outermost, so that a replay waits for nothing. Pieces of a streamed text are not kept here: they
 * can only be masked as a stream, so they are kept as events.
 */
public final class RecordingLlm implements LlmAdapter {
    private final LlmAdapter llm;
    private final Consumer<CassetteLine> cassette;
    private final IntSupplier step;
    private List<Message> last = List.of();

    public RecordingLlm(LlmAdapter llm, Consumer<CassetteLine> cassette, IntSupplier step) {
        this.llm = llm;
        this.cassette = cassette;
        this.step = step;
    }

    @Override
    public LlmResponse complete(
            LlmRequest request, LlmListener listener, Cancellation cancellation) {
        cassette.accept(Requests.line(step.getAsInt(), model().id(), request, last));
        last = List.copyOf(request.messages());
        Kept heard = new Kept(listener);
        try {
            LlmResponse reply = llm.complete(request, heard, cancellation);
            cassette.accept(
                    new CassetteLine.Replied(
                            model().id(),
                            reply.message(),
                            reply.finish(),
                            reply.usage(),
                            reply.cutCalls(),
                            reply.requestId(),
                            reply.compacted()));
            return reply;
        } catch (LlmException failure) {
            cassette.accept(new CassetteLine.Broke(model().id(), heard.unless(failure)));
            throw failure;
        }
    }

    @Override
    public ModelInfo model() {
        return llm.model();
    }

    @Override
    public void close() {
        llm.close();
    }

    /** Keeps what decides, and passes all on. */
    private final class Kept implements LlmListener {
        private final LlmListener listener;
        private @Nullable LlmException told;

        Kept(LlmListener listener) {
            this.listener = listener;
        }

        /** The same object means to whoever counts costs that it is counted already. */
        @Nullable Failure unless(LlmException failure) {
            return failure == told ? null : Failure.of(failure);
        }

        @Override
        public void text(String delta) {
            listener.text(delta);
        }

        @Override
        public void thinking(String delta) {
            listener.thinking(delta);
        }

        @Override
        public boolean mayRetry(LlmException failure) {
            if (failure != told) {
                cassette.accept(new CassetteLine.AttemptFailed(model().id(), Failure.of(failure)));
            }
            told = failure;
            return listener.mayRetry(failure);
        }

        @Override
        public void retry(
                int attempt, Duration delay, LlmException failure, boolean textWithdrawn) {
            cassette.accept(
                    new CassetteLine.Retried(
                            model().id(), attempt, delay, unless(failure), textWithdrawn));
            told = failure;
            listener.retry(attempt, delay, failure, textWithdrawn);
        }

        @Override
        public void warning(String message) {
            listener.warning(message);
        }
    }
}
