package dev.agentloop.replay;

import dev.agentloop.control.Cancellation;
import dev.agentloop.control.Cause;
import dev.agentloop.event.AgentEvent;
import dev.agentloop.event.EventSink;
import dev.agentloop.hook.HookAnswer;
import dev.agentloop.hook.HookEvent;
import dev.agentloop.hook.HookOutcome;
import dev.agentloop.llm.LlmAdapter;
import dev.agentloop.llm.LlmException;
import dev.agentloop.llm.ModelInfo;
import dev.agentloop.loop.call.ToolAnswers;
import dev.agentloop.loop.run.FinalChecks;
import dev.agentloop.loop.run.RunResult;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.replay.cassette.Cassette;
import dev.agentloop.replay.cassette.CassetteLine;
import dev.agentloop.replay.cassette.Difference;
import dev.agentloop.replay.cassette.RecordWriter;
import dev.agentloop.tool.ToolSpec;
import dev.agentloop.verification.CheckedWork;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Answers for all ports of a run from a cassette. The loop is the real one: what it asks and tells
 * is compared with what was recorded, and listeners are told the recorded events, when they are
 * due. Nothing real is ever asked.
 */
public final class ReplayingTape implements Tape, EventSink, ReplayingLlm.Source {
    /** Measured, or estimates of texts in which secrets are masked now. */
    private static final Set<String> NOT_COMPARED = Set.of("took", "old_tokens", "new_tokens");

    private final Cassette cassette;
    private final Map<String, ModelInfo> models;
    private final Cancellation interrupts;
    private final EventSink listeners;
    private final RequestCheck check;
    private final Mismatch mismatch;
    private final RecordWriter form;
    private final RecordWriter plain = new RecordWriter(UnaryOperator.identity());
    private int next;
    private int step;
    private volatile Instant now;
    private Cancellation work = new Cancellation();

    /**
     * @param models that can answer, by id
     * @param interrupts of the run
     * @param listeners are told what was recorded
     * @param mask of this machine's secrets
     */
    public ReplayingTape(
            Cassette cassette,
            Map<String, ModelInfo> models,
            Cancellation interrupts,
            EventSink listeners,
            UnaryOperator<String> mask) {
        this.cassette = cassette;
        this.models = Map.copyOf(models);
        this.interrupts = interrupts;
        this.listeners = listeners;
        this.form = new RecordWriter(mask);
        this.check = new RequestCheck(mask, UnaryOperator.identity(), UnaryOperator.identity());
        this.mismatch = new Mismatch(cassette.name());
        this.now = cassette.header().recorded();
    }

    /** The work of the run that is replayed, which falls where the recorded one's fell. */
    public void drives(Cancellation ofRun) {
        work = ofRun;
    }

    /** When the last event was recorded. */
    public Instant now() {
        return now;
    }

    @Override
    public boolean replays() {
        return true;
    }

    /** What the loop tells: the recorded event takes its place. */
    @Override
    public void emit(AgentEvent event) {
        if (mismatch.isFound()) {
            listeners.emit(event);
            return;
        }
        if (isPlayed(event)) {
            return; // what was recorded of these comes when it is due
        }
        String told = RecordWriter.name(event.getClass().getSimpleName());
        if (!(peek() instanceof CassetteLine.Event(Instant at, AgentEvent recorded))) {
            throw mismatch("an event", new Difference("type", peekName(), told));
        }
        Optional<Difference> difference =
                Difference.first(
                        plain.tree(AgentEvent.class, recorded),
                        form.tree(AgentEvent.class, event),
                        "",
                        NOT_COMPARED);
        if (difference.isPresent()) {
            throw mismatch("the event " + told, difference.get());
        }
        next++;
        play(at, recorded);
    }

    /** Of what is told at times that no port decides, or in pieces that masking makes. */
    private static boolean isPlayed(AgentEvent event) {
        return event instanceof AgentEvent.TextDelta
                || event instanceof AgentEvent.ThinkingDelta
                || event instanceof AgentEvent.Warning
                || event instanceof AgentEvent.HookFinished
                || event instanceof AgentEvent.ToolProgress
                || event instanceof AgentEvent.SessionStarted;
    }

    private void play(Instant at, AgentEvent event) {
        now = at;
        if (event instanceof AgentEvent.StepStarted(int number)) {
            step = number;
        }
        listeners.emit(event);
    }

    /** The next line that somebody has to ask for; null at the end. */
    private CassetteLine peek() {
        while (next < cassette.lines().size()
                && cassette.lines().get(next) instanceof CassetteLine.Event(Instant at, var event)
                && isPlayed(event)) {
            next++;
            play(at, event);
        }
        return next < cassette.lines().size()
                ? cassette.lines().get(next)
                : new CassetteLine.Prompted(""); // never there: whole cassettes end with Ended
    }

    private String peekName() {
        return switch (peek()) {
            case CassetteLine.Event(_, AgentEvent event) ->
                    RecordWriter.name(event.getClass().getSimpleName());
            case CassetteLine.Ended _ -> "the end of the run";
            case CassetteLine line -> line.name();
        };
    }

    private <T extends CassetteLine> T take(Class<T> type, String asked) {
        mismatch.check();
        CassetteLine line = peek();
        if (!type.isInstance(line)) {
            String wanted = RecordWriter.name(type.getSimpleName());
            throw mismatch(asked, new Difference("type", peekName(), wanted));
        }
        next++;
        return type.cast(line);
    }

    @Override
    public LlmException.Unrecorded mismatch(String asked, Difference difference) {
        return mismatch.of(step, Cassette.number(next), asked, difference);
    }

    @Override
    public LlmAdapter llm(Supplier<LlmAdapter> real) {
        String id = cassette.header().model();
        ModelInfo first = models.get(id);
        if (first == null) {
            throw new IllegalArgumentException("nothing is known of " + id);
        }
        return new ReplayingLlm(this, check, models, first, this::stop);
    }

    private void stop(Cause why) {
        if (why instanceof Cause.Interrupt
                || why instanceof Cause.Abort
                || why instanceof Cause.OutputLost) {
            interrupts.cancel(why);
        } else if (why instanceof Cause.RunDeadline || why instanceof Cause.HookStop) {
            work.cancel(why);
        }
    }

    /** During a call pieces of text are handed out, so that who listens to the model hears them. */
    @Override
    public CassetteLine next(String asked) {
        mismatch.check();
        int last = cassette.lines().size() - 1;
        CassetteLine line = cassette.lines().get(Math.min(next, last));
        if (line instanceof CassetteLine.Event(Instant at, var event) && isPlayed(event)) {
            next++;
            play(at, event);
            return line;
        }
        if (line instanceof CassetteLine.Event || line instanceof CassetteLine.Ended) {
            throw mismatch(asked, new Difference("type", peekName(), "requested"));
        }
        next++;
        return line;
    }

    @Override
    public List<Message> history(Supplier<List<Message>> real) {
        return take(CassetteLine.Opened.class, "the history").history();
    }

    @Override
    public String systemPrompt(Supplier<String> real) {
        return take(CassetteLine.Prompted.class, "a system prompt").systemPrompt();
    }

    @Override
    public List<ToolSpec> specs(List<ToolSpec> real) {
        List<ToolSpec> tools = take(CassetteLine.Offered.class, "the tools").tools();
        check.offered(tools);
        return tools;
    }

    @Override
    public ToolAnswers answer(List<ToolCall> calls, Supplier<ToolAnswers> real) {
        CassetteLine.ToolsAsked recorded = take(CassetteLine.ToolsAsked.class, "tool calls");
        Optional<Difference> difference =
                Difference.first(
                        plain.tree(CassetteLine.class, recorded),
                        form.tree(CassetteLine.class, new CassetteLine.ToolsAsked(calls)),
                        "",
                        Set.of());
        if (difference.isPresent()) {
            next--;
            throw mismatch("tool calls", difference.get());
        }
        while (peek() instanceof CassetteLine.Event(Instant at, var event)) {
            next++;
            play(at, event);
        }
        return take(CassetteLine.ToolsAnswered.class, "results of tool calls").answers();
    }

    @Override
    public CheckedWork.Found found(Supplier<CheckedWork.Found> real) {
        return !mismatch.isFound() && peek() instanceof CassetteLine.Settled
                ? take(CassetteLine.Settled.class, "what had changed").found()
                : CheckedWork.Found.NOTHING;
    }

    @Override
    public String diff(Supplier<String> real) {
        return take(CassetteLine.Diffed.class, "the changes of files").diff();
    }

    @Override
    public HookAnswer ask(String hook, HookEvent event, Supplier<HookAnswer> real) {
        if (mismatch.isFound()) {
            return new HookAnswer(hook, HookOutcome.goOn(), "", null);
        }
        String asked = "the hook " + hook;
        CassetteLine.HookAnswered line = take(CassetteLine.HookAnswered.class, asked);
        String point = event.point().wireName();
        if (!line.point().equals(point) || !line.answer().hook().equals(hook)) {
            next--;
            String recorded = line.answer().hook() + " (" + line.point() + ")";
            throw mismatch(asked, new Difference("hook", recorded, hook + " (" + point + ")"));
        }
        return line.answer();
    }

    /** They decide nothing, and what was told of them comes when it is due. */
    @Override
    public List<HookAnswer> observe(Supplier<List<HookAnswer>> real) {
        return List.of();
    }

    @Override
    public FinalChecks checks(FinalChecks real) {
        return new TapedChecks(
                real, _ -> take(CassetteLine.Checked.class, "the checks of the end").checks());
    }

    @Override
    public Optional<String> mismatch() {
        return mismatch.message();
    }

    @Override
    public RunResult end(RunResult result) {
        if (!mismatch.isFound() && !(peek() instanceof CassetteLine.Ended)) {
            mismatch(
                    "the end of the run", new Difference("type", peekName(), "the end of the run"));
        }
        if (!mismatch.isFound()
                && cassette.end().isPresent()
                && !cassette.end().get().stopReason().equals(result.stopReason().wireName())) {
            String recorded = cassette.end().get().stopReason();
            Difference difference =
                    new Difference("stop_reason", recorded, result.stopReason().wireName());
            mismatch("the end of the run", difference);
        }
        return mismatch.result(result);
    }
}
