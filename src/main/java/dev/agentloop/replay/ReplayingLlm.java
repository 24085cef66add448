package dev.agentloop.replay;

import dev.agentloop.control.Cancellation;
import dev.agentloop.control.Cause;
import dev.agentloop.event.AgentEvent;
import dev.agentloop.llm.LlmAdapter;
import dev.agentloop.llm.LlmException;
import dev.agentloop.llm.LlmListener;
import dev.agentloop.llm.LlmRequest;
import dev.agentloop.llm.LlmResponse;
import dev.agentloop.llm.ModelInfo;
import dev.agentloop.replay.cassette.Cassette;
import dev.agentloop.replay.cassette.CassetteLine;
import dev.agentloop.replay.cassette.Difference;
import dev.agentloop.replay.cassette.Failure;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A model whose answers come from a cassette: at once, without a server, without a key. A request
 * that is not the recorded one gets no answer.
 */
public final class ReplayingLlm implements LlmAdapter {
    /** Where its lines come from. */
    interface Source {
        /** The next line that concerns the model; never returns without one. */
        CassetteLine next(String asked);

        /** The failure that says that this run is not the recorded one. */
        LlmException.Unrecorded mismatch(String asked, Difference difference);
    }

    private final Source source;
    private final RequestCheck check;
    private final Map<String, ModelInfo> models;
    private final Consumer<Cause> stopped;
    private ModelInfo model;
    private @Nullable LlmException told;

    /**
     * @param models that answered, by id
     * @param first the one that is asked first
     * @param stopped hears what stopped the recorded run during a call
     */
    ReplayingLlm(
            Source source,
            RequestCheck check,
            Map<String, ModelInfo> models,
            ModelInfo first,
            Consumer<Cause> stopped) {
        this.source = source;
        this.check = check;
        this.models = Map.copyOf(models);
        this.model = first;
        this.stopped = stopped;
    }

    /**
     * A model that answers like the recorded one, for tests and programs of others. Requests may
     * differ in what {@link UnstableText} takes out of texts.
     *
     * @param model that it passes for
     * @param places folders of this machine, by the names of the header's places
     */
    public static LlmAdapter of(Cassette cassette, ModelInfo model, Map<String, String> places) {
        UnaryOperator<String> nothing = UnaryOperator.identity();
        return new ModelTape(cassette, model, nothing, places).model();
    }

    @Override
    public LlmResponse complete(
            LlmRequest request, LlmListener listener, Cancellation cancellation) {
        String asked = "a request to " + model.id();
        CassetteLine line = source.next(asked);
        if (!(line instanceof CassetteLine.Requested wanted)) {
            throw source.mismatch(asked, new Difference("type", line.name(), "requested"));
        }
        Optional<Difference> difference = check.check(wanted, request, model.id());
        if (difference.isPresent()) {
            throw source.mismatch(asked, difference.get());
        }
        told = null;
        while (true) {
            switch (source.next(asked)) {
                case CassetteLine.Event event -> hear(event.event(), listener);
                case CassetteLine.AttemptFailed(String id, Failure failure) -> {
                    answeredBy(id);
                    told = failure.asException();
                    listener.mayRetry(told);
                }
                case CassetteLine.Retried again -> retry(again, listener);
                case CassetteLine.Replied reply -> {
                    answeredBy(reply.model());
                    return new LlmResponse(
                            reply.message(),
                            reply.finish(),
                            reply.usage(),
                            reply.cutCalls(),
                            reply.requestId(),
                            reply.compacted());
                }
                case CassetteLine.Broke(String id, Failure failure) -> {
                    answeredBy(id);
                    throw broken(failure);
                }
                case CassetteLine other ->
                        throw source.mismatch(
                                asked, new Difference("type", other.name(), "replied"));
            }
        }
    }

    private static void hear(AgentEvent event, LlmListener listener) {
        switch (event) {
            case AgentEvent.TextDelta(String text) -> listener.text(text);
            case AgentEvent.ThinkingDelta(String text) -> listener.thinking(text);
            default -> {} // the source has told it
        }
    }

    private void retry(CassetteLine.Retried again, LlmListener listener) {
        answeredBy(again.model());
        LlmException failure = failure(again.failure());
        told = failure;
        listener.retry(again.attempt(), again.delay(), failure, again.textWithdrawn());
    }

    private LlmException broken(@Nullable Failure failure) {
        LlmException broken = failure(failure);
        if (broken instanceof LlmException.Cancelled cut) {
            stopped.accept(cut.why());
        }
        return broken;
    }

    private LlmException failure(@Nullable Failure failure) {
        if (failure != null) {
            return failure.asException();
        }
        return told != null ? told : new LlmException.BadRequest("a failure that was not kept");
    }

    private void answeredBy(String id) {
        ModelInfo known = models.get(id);
        if (known == null) {
            int slash = id.indexOf('/');
            known =
                    new ModelInfo(
                            id.substring(0, Math.max(0, slash)), id.substring(slash + 1), 0, 0);
        }
        model = known;
    }

    @Override
    public ModelInfo model() {
        return model;
    }
}
