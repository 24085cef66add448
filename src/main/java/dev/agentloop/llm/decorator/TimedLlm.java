package dev.agentloop.llm.decorator;

import dev.agentloop.control.Cancellation;
import dev.agentloop.control.Cause;
import dev.agentloop.control.Time;
import dev.agentloop.llm.LlmAdapter;
import dev.agentloop.llm.LlmException;
import dev.agentloop.llm.LlmListener;
import dev.agentloop.llm.LlmRequest;
import dev.agentloop.llm.LlmResponse;
import dev.agentloop.llm.ModelInfo;
import java.time.Duration;

/**
 * Gives up an attempt whose reply is not whole in time, however lively it is: a stream that never
 * pauses passes every limit of silence. Another attempt may be quicker.
 */
public final class TimedLlm implements LlmAdapter {
    private final LlmAdapter llm;
    private final Time time;
    private final Duration limit;

    /**
     * @param limit of one attempt, from connect to the last byte
     */
    public TimedLlm(LlmAdapter llm, Time time, Duration limit) {
        this.llm = llm;
        this.time = time;
        this.limit = limit;
    }

    @Override
    public LlmResponse complete(
            LlmRequest request, LlmListener listener, Cancellation cancellation) {
        try (Cancellation.Child attempt = cancellation.child();
                Cancellation.Registration _ = alarm(attempt.cancellation())) {
            return llm.complete(request, listener, attempt.cancellation());
        } catch (LlmException.Cancelled e) {
            throw e.why() instanceof Cause.AttemptDeadline ? tooSlow(e) : e;
        }
    }

    private Cancellation.Registration alarm(Cancellation attempt) {
        return time.alarm(limit, () -> attempt.cancel(new Cause.AttemptDeadline()));
    }

    private LlmException tooSlow(LlmException.Cancelled e) {
        String message =
                "%s: no whole reply in %s (llm.request_timeout)"
                        .formatted(model().id(), Time.inSeconds(limit));
        LlmException failure =
                e.partial().text().isEmpty()
                        ? new LlmException.Unavailable(message, null, e)
                        : new LlmException.BrokenReply(message, e);
        return failure.after(e.partial());
    }

    @Override
    public ModelInfo model() {
        return llm.model();
    }

    @Override
    public void close() {
        llm.close();
    }
}
