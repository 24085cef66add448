package dev.agentloop.loop.run;

import dev.agentloop.control.Cancellation;
import dev.agentloop.control.Cause;
import dev.agentloop.control.Time;
import dev.agentloop.event.AgentEvent;
import dev.agentloop.event.EventSink;
import dev.agentloop.hook.HookAnswer;
import dev.agentloop.hook.HookBus;
import dev.agentloop.hook.HookEvent;
import dev.agentloop.hook.HookOutcome;
import dev.agentloop.hook.HookPoint;
import dev.agentloop.hook.HookReport;
import dev.agentloop.llm.LlmException;
import dev.agentloop.message.Message;
import dev.agentloop.session.Journal;
import dev.agentloop.session.JournalRecord;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;

/**
 * The hooks of one run: asks them at their moments, keeps on record what they did, and does what
 * they say, as far as it concerns the run as a whole.
 */
public final class RunHooks implements RunListener {
    private static final Duration LAST_WORDS = Duration.ofSeconds(2); // after a signal
    private static final BigDecimal MOST = new BigDecimal("0.8"); // of a budget
    private static final int MOST_RESUMED = 3; // a model that cannot please a hook then, will not
    private static final String ORIGIN = "hook";

    private final HookBus bus;
    private final Journal journal;
    private final EventSink events;
    private final Time time;
    private final UnaryOperator<String> hide;
    private final Queue<HookEvent> pending = new ConcurrentLinkedQueue<>();
    private final List<Runnable> early = new ArrayList<>(); // reports of before the run
    private final AtomicBoolean budgetTold = new AtomicBoolean();
    private boolean begun;
    private int resumed;

    /** What hooks want of a run. */
    public record Wishes(boolean spoken, boolean compact) {
        static final Wishes NONE = new Wishes(false, false);
    }

    /**
     * @param hide leaves out of a text what the model must not see
     */
    public RunHooks(
            HookBus bus, Journal journal, EventSink events, Time time, UnaryOperator<String> hide) {
        this.bus = bus;
        this.journal = journal;
        this.events = events;
        this.time = time;
        this.hide = hide;
    }

    /**
     * The sink of the loop: what it emits and hooks want to hear is kept for them. They are asked
     * later, because no sink may block.
     */
    public EventSink listening(EventSink sink) {
        boolean nobody =
                !bus.hears(HookPoint.COMPACTION)
                        && !bus.hears(HookPoint.ERROR)
                        && !bus.hears(HookPoint.BUDGET_WARNING);
        return nobody
                ? sink
                : event -> {
                    sink.emit(event);
                    heardOf(event);
                };
    }

    private void heardOf(AgentEvent event) {
        switch (event) {
            case AgentEvent.ContextCompacted(long before, long after, _) ->
                    pending.add(new HookEvent.Compacted(before, after));
            case AgentEvent.Failed failed when failed.terminal() ->
                    pending.add(new HookEvent.Broken(failed.code(), hide.apply(failed.message())));
            case AgentEvent.BudgetUpdated(BigDecimal usd, BigDecimal cap)
                    when usd != null
                            && cap != null
                            && usd.compareTo(cap.multiply(MOST)) >= 0
                            && !budgetTold.getAndSet(true) ->
                    pending.add(new HookEvent.BudgetLow(usd, cap));
            default -> {} // hooks have their own words for the rest, or none
        }
    }

    /**
     * For a run that no hook hears the beginning or the end of, because it is a part of another or
     * only shortens the history: hooks hear what happens in it.
     */
    public RunListener asPartOfAnotherRun() {
        return new RunListener() {
            @Override
            public void begins(Run run) {
                warnOfWhatCameBefore();
            }

            @Override
            public void ended(Run run, RunResult result) {
                flush(run, run.interrupts());
            }
        };
    }

    private void warnOfWhatCameBefore() {
        begun = true;
        early.forEach(Runnable::run);
    }

    /** The first hooks of a run. */
    @Override
    public void begins(Run run) {
        warnOfWhatCameBefore();
        if (bus.hears(HookPoint.SESSION_START)) {
            Message last = run.history().getLast();
            String prompt = last instanceof Message.User user ? user.text() : "";
            fire(new HookEvent.SessionStarted(hide.apply(prompt)), run);
        }
    }

    /** The last hooks of a run are told how it ended. */
    @Override
    public void ended(Run run, RunResult result) {
        if (pending.isEmpty() && !bus.hears(HookPoint.SESSION_END)) {
            return;
        }
        Cancellation last = new Cancellation();
        Cause late = new Cause.CloseDeadline();
        Runnable hurry = () -> time.alarm(LAST_WORDS, () -> last.cancel(late));
        try (var _ = run.interrupts().onCancel(hurry)) {
            flush(run, last);
            HookEvent ended =
                    new HookEvent.SessionEnded(
                            result.stopReason().wireName(), hide.apply(result.text()), run.steps());
            tell(ended, run, last);
        }
    }

    /** Something that people should know, told when the run has begun; may be empty. */
    public void warnAtStart(String message) {
        if (!message.isEmpty()) {
            early.add(() -> events.emit(new AgentEvent.Warning(message)));
        }
    }

    /** The system prompt as hooks leave it. */
    public String prompt(String system, Cancellation cancellation) {
        if (!bus.hears(HookPoint.PROMPT_BUILD)) {
            return system;
        }
        String prompt = system;
        for (HookBus.Listener hook : bus.deciders(new HookEvent.PromptBuilt(prompt))) {
            HookEvent event = new HookEvent.PromptBuilt(prompt);
            HookOutcome said = ask(hook, event, "", cancellation).outcome();
            prompt =
                    switch (said) {
                        case HookOutcome.Amend(String other) -> hide.apply(other);
                        case HookOutcome.Continue(String note) when !note.isEmpty() ->
                                prompt + "\n\n" + hide.apply(note);
                        default -> prompt;
                    };
        }
        observe(new HookEvent.PromptBuilt(prompt), "", cancellation);
        return prompt;
    }

    public boolean hears(HookPoint point) {
        return bus.hears(point);
    }

    public List<HookBus.Listener> deciders(HookEvent event) {
        return bus.deciders(event);
    }

    /**
     * Before a request is made of the run's history.
     *
     * @throws LlmException.Cancelled when a hook ends the run, or it has ended meanwhile
     */
    public void beforeRequest(Run run, Cancellation cancellation) {
        Optional<Cause> stopped = Optional.empty();
        if (bus.hears(HookPoint.PRE_LLM) || bus.hears(HookPoint.COMPACTION)) {
            stopped = askBeforeRequest(run, cancellation);
        }
        stopped = stopped.or(cancellation::cause); // not every model looks before it begins
        if (stopped.isPresent()) {
            throw new LlmException.Cancelled(stopped.get());
        }
    }

    private Optional<Cause> askBeforeRequest(Run run, Cancellation cancellation) {
        flush(run, run.work());
        Optional<Cause> stopped = run.work().cause().filter(Cause.HookStop.class::isInstance);
        if (stopped.isPresent() || !bus.hears(HookPoint.PRE_LLM)) {
            return stopped;
        }
        return tell(new HookEvent.RequestReady(run.history()), run, cancellation).stopped();
    }

    /** Tells all hooks of an event and does what they say, unless the run is ending. */
    public Wishes fire(HookEvent event, Run run) {
        flush(run, run.work());
        return bus.hears(event.point()) && !run.work().isCancelled()
                ? tell(event, run, run.work()).wishes()
                : Wishes.NONE;
    }

    /** True so many times: a hook may send the model back to work. */
    public boolean mayResume() {
        resumed++;
        return resumed <= MOST_RESUMED;
    }

    private void flush(Run run, Cancellation cancellation) {
        for (HookEvent event = pending.poll(); event != null; event = pending.poll()) {
            tell(event, run, cancellation);
        }
    }

    private record Told(Wishes wishes, Optional<Cause> stopped) {}

    private Told tell(HookEvent event, Run run, Cancellation cancellation) {
        observe(event, "", cancellation);
        boolean spoken = false;
        boolean compact = false;
        for (HookBus.Listener hook : bus.deciders(event)) {
            HookAnswer answer = ask(hook, event, "", cancellation);
            switch (answer.outcome()) {
                case HookOutcome.Terminate(String reason) -> {
                    Cause stop = stop(run, answer.hook(), reason);
                    return new Told(new Wishes(spoken, compact), Optional.of(stop));
                }
                case HookOutcome.Inject(String message) -> spoken |= say(run, answer, message);
                case HookOutcome.Continue(String note) -> spoken |= say(run, answer, note);
                case HookOutcome.Compact _ -> compact = true;
                case HookOutcome.Skip _,
                        HookOutcome.Deny _,
                        HookOutcome.Ask _,
                        HookOutcome.Rewrite _,
                        HookOutcome.Amend _ -> {} // not of this moment: ask() made them Continue
            }
        }
        return new Told(new Wishes(spoken, compact), Optional.empty());
    }

    /** Ends the run: whatever it is doing is stopped, and nothing new is begun. */
    public Cause stop(Run run, String hook, String why) {
        String reason = why.isBlank() ? "it gave no reason" : hide.apply(why);
        Cause.HookStop stop = new Cause.HookStop(hook, reason);
        run.work().cancel(stop);
        return run.work().cause().orElse(stop); // an interrupt may have come first
    }

    /** Which hook ended the run and why, in one line. */
    public static String whyStopped(Run run) {
        return run.work()
                .cause()
                .map(cause ->
                        cause instanceof Cause.HookStop(String hook, String reason)
                                ? "Stopped by the hook " + hook + ": " + reason
                                : "")
                .orElse("");
    }

    private boolean say(Run run, HookAnswer answer, String words) {
        if (words.isBlank()) {
            return false;
        }
        String text = "[Hook " + answer.hook() + "] " + hide.apply(words);
        run.add(new Message.User(text));
        journal.append(List.of(new JournalRecord.UserSaid(text, ORIGIN)), false);
        events.emit(new AgentEvent.UserMessage(text, ORIGIN));
        return true;
    }

    /** Tells those who decide nothing. */
    public void observe(HookEvent event, String callId, Cancellation cancellation) {
        long start = time.nanos();
        for (HookAnswer answer : bus.observe(event, cancellation)) {
            Duration took = Duration.ofNanos(time.nanos() - start);
            report(answer, event.point(), callId, took);
        }
    }

    /** One hook's answer, on record; what means nothing at this moment is not followed. */
    public HookAnswer ask(
            HookBus.Listener hook, HookEvent event, String callId, Cancellation cancellation) {
        long start = time.nanos();
        HookAnswer answer = hook.ask(event, cancellation);
        HookPoint point = event.point();
        if (!point.understands(answer.outcome())) {
            String why = "it said " + answer.outcome().name() + ", which means nothing here";
            answer =
                    new HookAnswer(
                            answer.hook(),
                            point.onFailure(answer.hook(), why),
                            why,
                            answer.report());
        }
        report(answer, point, callId, Duration.ofNanos(time.nanos() - start));
        return answer;
    }

    private void report(HookAnswer answer, HookPoint point, String callId, Duration took) {
        Runnable telling = () -> emit(answer, point, callId, took);
        if (begun || point != HookPoint.PROMPT_BUILD) {
            telling.run();
        } else {
            early.add(telling); // nothing is emitted before the session has started
        }
    }

    private void emit(HookAnswer answer, HookPoint point, String callId, Duration took) {
        boolean goesOn = answer.outcome() instanceof HookOutcome.Continue;
        if (answer.report() != null || !answer.trouble().isEmpty() || !goesOn) {
            record(answer.reportOr(took), point.wireName(), callId);
        }
        if (!answer.trouble().isEmpty() && goesOn) {
            String what = "the hook " + answer.hook() + " (" + point.wireName() + ") failed: ";
            events.emit(new AgentEvent.Warning(what + answer.trouble()));
        }
    }

    /** Puts one run of a hook on record. */
    public void record(HookReport report, String event, String callId) {
        JournalRecord ran =
                new JournalRecord.HookRan(
                        report.name(), event, report.exitCode(), report.took().toMillis());
        journal.append(List.of(ran), false);
        events.emit(
                new AgentEvent.HookFinished(
                        callId,
                        report.name(),
                        event,
                        report.file(),
                        report.exitCode(),
                        report.took(),
                        report.output()));
    }
}
