package dev.agentloop.replay;

import dev.agentloop.event.AgentEvent;
import dev.agentloop.llm.LlmAdapter;
import dev.agentloop.llm.LlmException;
import dev.agentloop.llm.ModelInfo;
import dev.agentloop.loop.run.RunResult;
import dev.agentloop.loop.run.Status;
import dev.agentloop.loop.run.StopReason;
import dev.agentloop.replay.cassette.Cassette;
import dev.agentloop.replay.cassette.CassetteLine;
import dev.agentloop.replay.cassette.Difference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Answers for the model alone: tools, hooks and the policy are those of the machine. What they say
 * goes into the next request, which must be the recorded one but for what {@link UnstableText}
 * takes out.
 */
public final class ModelTape implements Tape, ReplayingLlm.Source {
    private record Place(int number, CassetteLine line) {}

    private final Cassette cassette;
    private final List<Place> places = new ArrayList<>();
    private final RequestCheck check;
    private final Masks masks = new Masks();
    private final ModelInfo first;
    private final Mismatch mismatch;
    private int next;
    private int step;

    /**
     * @param first the model that this run would ask
     * @param mask of this run's secrets
     * @param now the folders of this machine, by the names of the header's places
     */
    public ModelTape(
            Cassette cassette,
            ModelInfo first,
            UnaryOperator<String> mask,
            Map<String, String> now) {
        this.cassette = cassette;
        this.first = first;
        this.mismatch = new Mismatch(cassette.name());
        masks.add(mask);
        this.check =
                new RequestCheck(
                        masks, new UnstableText(cassette.header().places()), new UnstableText(now));
        collect();
    }

    @Override
    public void hide(UnaryOperator<String> mask) {
        masks.add(mask);
    }

    /** Pieces of text that came behind their reply, held back by the masking, go before it. */
    private void collect() {
        boolean inCall = false;
        int end = -1;
        for (int i = 0; i < cassette.lines().size(); i++) {
            CassetteLine line = cassette.lines().get(i);
            Place place = new Place(Cassette.number(i), line);
            boolean piece =
                    line instanceof CassetteLine.Event(_, AgentEvent event)
                            && (event instanceof AgentEvent.TextDelta
                                    || event instanceof AgentEvent.ThinkingDelta);
            if (line instanceof CassetteLine.Offered(var tools)) {
                check.offered(tools);
            } else if (piece && end >= 0) {
                places.add(end++, place);
            } else if (isOfModel(line) || piece && inCall) {
                inCall = !isEnd(line);
                end = inCall ? -1 : places.size();
                places.add(place);
            } else if (!(line instanceof CassetteLine.Event)) {
                end = -1;
            }
        }
    }

    private static boolean isOfModel(CassetteLine line) {
        return line instanceof CassetteLine.Requested
                || line instanceof CassetteLine.AttemptFailed
                || line instanceof CassetteLine.Retried
                || isEnd(line);
    }

    private static boolean isEnd(CassetteLine line) {
        return line instanceof CassetteLine.Replied || line instanceof CassetteLine.Broke;
    }

    @Override
    public LlmAdapter llm(Supplier<LlmAdapter> real) {
        return model();
    }

    LlmAdapter model() {
        return new ReplayingLlm(this, check, Map.of(first.id(), first), first, why -> {});
    }

    @Override
    public CassetteLine next(String asked) {
        mismatch.check();
        if (next >= places.size()) {
            throw mismatch(asked, new Difference("requests", "no further one", "one more"));
        }
        CassetteLine line = places.get(next++).line();
        if (line instanceof CassetteLine.Requested requested) {
            step = requested.step();
        }
        return line;
    }

    @Override
    public LlmException.Unrecorded mismatch(String asked, Difference difference) {
        int at = Math.max(0, Math.min(next, places.size()) - 1);
        int number = places.isEmpty() ? 1 : places.get(at).number();
        return mismatch.of(step, number, asked, difference);
    }

    @Override
    public Optional<String> mismatch() {
        return mismatch.message();
    }

    @Override
    public RunResult end(RunResult result) {
        boolean more = next < places.size();
        boolean failed = result.stopReason().status() == Status.FAILED;
        if (isCut(result.stopReason()) || more && !mismatch.isFound() && failed) {
            return result; // it has ended for another reason, which is to be read
        }
        if (more && !mismatch.isFound()) {
            next++;
            mismatch(
                    "the end of the run", new Difference("requests", "one more", "no further one"));
        }
        return mismatch.result(result);
    }

    /** What a run sums up when it is cut was never recorded. */
    private static boolean isCut(StopReason reason) {
        return reason == StopReason.USER_INTERRUPT || reason == StopReason.TIMEOUT;
    }
}
