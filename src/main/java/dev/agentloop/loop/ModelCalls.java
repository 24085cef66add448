package dev.agentloop.loop;

import dev.agentloop.context.ContextManager;
import dev.agentloop.control.Cancellation;
import dev.agentloop.control.Cause;
import dev.agentloop.control.Time;
import dev.agentloop.cost.CostTracker;
import dev.agentloop.cost.Reservation;
import dev.agentloop.event.AgentEvent;
import dev.agentloop.event.EventSink;
import dev.agentloop.hook.HookEvent;
import dev.agentloop.llm.Generation;
import dev.agentloop.llm.LlmAdapter;
import dev.agentloop.llm.LlmException;
import dev.agentloop.llm.LlmRequest;
import dev.agentloop.llm.LlmResponse;
import dev.agentloop.loop.run.LoopSettings;
import dev.agentloop.loop.run.LoopTexts;
import dev.agentloop.loop.run.Run;
import dev.agentloop.loop.run.RunPorts;
import dev.agentloop.message.Block;
import dev.agentloop.message.Message;
import dev.agentloop.session.Journal;
import dev.agentloop.session.JournalRecord;
import dev.agentloop.tool.ToolSpec;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Calls the model: on record, timed, costed, and stopped when its time is over. */
public final class ModelCalls {
    private static final String COMPACTION = "compaction";
    private static final String JUDGE = "eval";
    private static final int TOLD_FROM_STEPS = 10; // of a shorter run it is no news

    private final LlmAdapter llm;
    private final ContextManager context;
    private final RunPorts ports;
    private final Journal journal;
    private final EventSink events;
    private final Time time;
    private final LoopSettings settings;
    private final SummaryQuestion question;
    private final Compacting compacting;
    private final Reservations reservations;

    public ModelCalls(
            LlmAdapter llm,
            ContextManager context,
            RunPorts ports,
            LoopTexts texts,
            LoopSettings settings) {
        this.llm = llm;
        this.context = context;
        this.ports = ports;
        this.journal = ports.journal();
        this.events = ports.events();
        this.time = ports.time();
        this.settings = settings;
        this.question = new SummaryQuestion(texts, settings, events);
        this.compacting =
                new Compacting(context, ports, this::modelId, question, this::askForSummary);
        this.reservations = new Reservations(llm, settings);
    }

    /**
     * Makes the history shorter if it is time to.
     *
     * @return whether it fills the model's window all the same
     */
    public boolean isFull(Run run, List<ToolSpec> tools) {
        compacting.fit(run, tools);
        return context.isCriticallyFull(compacting.prompt(run, tools));
    }

    /**
     * Sums up old steps because a person wants it so; fails if the model does.
     *
     * @return what was done, for a person
     */
    String compact(Run run, List<ToolSpec> tools) {
        return compacting.compact(run, tools);
    }

    /** Makes the history shorter because a hook wants it so. */
    void shorten(Run run, List<ToolSpec> tools) {
        compacting.shorten(run, tools);
    }

    /** What the provider has summed up need not be sent again, if its reply is to be kept. */
    void settle(Run run, LlmResponse reply, List<ToolSpec> tools) {
        compacting.settle(run, reply, tools);
    }

    /** How far the run has come, for hooks. */
    HookEvent.Progress progress(Run run, List<ToolSpec> tools) {
        return new HookEvent.Progress(
                run.steps(), context.tokens(compacting.prompt(run, tools)), run.costs().usd());
    }

    /** One step's call; a history that the server finds too long is made shorter once. */
    LlmResponse step(Run run, List<ToolSpec> tools) {
        ports.hooks().beforeRequest(run, run.work());
        Kind kind = new Kind("agent", run.steps() + 1, false);
        ListenerEvents listener = listener(run, kind, tools, reservations.forStep(run, tools));
        tellSteps(run);
        events.emit(new AgentEvent.StepStarted(kind.step()));
        try (Cancellation.Child limited = run.work().child();
                var _ = stepAlarm(limited)) {
            Hearing hearing = new Hearing(listener, limited.cancellation());
            try {
                return call(run, request(run, tools, listener.reservation()), kind, hearing);
            } catch (LlmException.ContextOverflow e) {
                makeRoom(run, tools, e);
                withdraw(listener, e);
                ports.hooks().beforeRequest(run, run.work());
                listener.reserved(reservations.forStep(run, tools));
                return call(run, request(run, tools, listener.reservation()), kind, hearing);
            }
        } catch (LlmException e) {
            if (listener.isOutOfBudget()) {
                throw outOfBudget(e);
            }
            if (e instanceof LlmException.Cancelled cut && isLate(cut.why())) {
                listener.retried().ifPresent(this::reportBehind);
            }
            throw e;
        }
    }

    private static boolean isLate(Cause why) {
        return why instanceof Cause.StepDeadline || why instanceof Cause.RunDeadline;
    }

    /** It is the time that ends the run, but this is what the time was spent on. */
    private void reportBehind(LlmException failure) {
        String message = "the time was over while this was tried again: " + failure.getMessage();
        events.emit(new AgentEvent.Failed(failure.code(), message, false, failure.isRetryable()));
    }

    private void makeRoom(Run run, List<ToolSpec> tools, LlmException.ContextOverflow refused) {
        if (refused.partial().owed() && run.costs().isSpent()) {
            throw outOfBudget(refused);
        }
        if (!compacting.makeRoom(run, tools)) {
            throw refused;
        }
    }

    private void tellSteps(Run run) {
        int most = settings.limits().maxSteps();
        if (most >= TOLD_FROM_STEPS && run.steps() == most - most / 5) {
            events.emit(
                    new AgentEvent.Warning(
                            "80 %% of the steps are used: %d of %d".formatted(run.steps(), most)));
        }
    }

    /** Sets aside what the closing call can use; empty when that is not left. */
    Optional<Reservation> reserveClosing(Run run, List<ToolSpec> tools, String instruction) {
        return reservations.forClosing(run, tools, instruction);
    }

    private ListenerEvents listener(
            Run run, Kind kind, List<ToolSpec> tools, Reservation reservation) {
        return new ListenerEvents(
                ports,
                run.costs(),
                this::modelId,
                new ListenerEvents.Of(kind.source(), kind.step(), kind.isSpoken()),
                bytes -> Math.max(promptTokens(run, tools), PromptSize.ofRequest(run, bytes)),
                reservation);
    }

    /** Estimate of the next prompt; not less than the last one was found to be. */
    private long promptTokens(Run run, List<ToolSpec> tools) {
        return Math.max(context.tokens(compacting.prompt(run, tools)), run.lastSize());
    }

    /** Not the model ends the run, but whoever reads the result should know of its failure. */
    private LlmException outOfBudget(LlmException e) {
        String message = "no further attempt, the budget is spent: " + e.getMessage();
        events.emit(new AgentEvent.Failed(e.code(), message, false, e.isRetryable()));
        return new LlmException.Cancelled(new Cause.BudgetSpent());
    }

    /** Text may have been shown before the provider found, in the middle, that it is too long. */
    private void withdraw(ListenerEvents listener, LlmException.ContextOverflow refused) {
        if (listener.withdraw()) {
            events.emit(
                    new AgentEvent.LlmRetried(
                            1,
                            Duration.ZERO,
                            refused.code(),
                            String.valueOf(refused.getMessage()),
                            true));
        }
    }

    private LlmRequest request(Run run, List<ToolSpec> tools, Reservation reservation) {
        return new LlmRequest(
                run.history(),
                tools,
                true,
                reservation.maxOutput(),
                settings.stream(),
                settings.generation());
    }

    private Optional<String> askForSummary(Run run, List<ToolSpec> tools, List<Message> history) {
        Reservation reservation = reservations.forSummary(run, tools, history, question);
        Kind kind = new Kind(COMPACTION, run.steps() + 1, false);
        ListenerEvents listener = listener(run, kind, tools, reservation);
        try (Cancellation.Child limited = run.work().child();
                var _ = stepAlarm(limited)) {
            LlmRequest request = question.after(history, tools, reservation.maxOutput());
            Hearing hearing = new Hearing(listener, limited.cancellation());
            return question.answer(call(run, request, kind, hearing));
        }
    }

    /**
     * The closing call: tools stay declared, so that the prompt cache and strict providers accept
     * the history, but may not be called.
     */
    LlmResponse closing(Run run, List<ToolSpec> tools, Reservation reservation, Duration limit) {
        ports.hooks().beforeRequest(run, run.interrupts());
        LlmRequest request =
                new LlmRequest(
                        run.history(),
                        tools,
                        false,
                        reservation.maxOutput(),
                        settings.stream(),
                        settings.generation());
        try (Cancellation.Child limited = run.interrupts().child();
                var _ = alarm(limit, limited, new Cause.CloseDeadline())) {
            Kind kind = new Kind("close", run.steps(), true);
            return call(
                    run,
                    request,
                    kind,
                    new Hearing(listener(run, kind, tools, reservation), limited.cancellation()));
        }
    }

    /** A conversation of its own, without tools; nothing of it is shown or remembered. */
    LlmResponse judge(Run run, List<Message> messages) {
        Kind kind = new Kind(JUDGE, 0, false);
        Reservation reservation = reservations.forJudge(run, messages);
        Generation asked = settings.generation();
        LlmRequest request =
                new LlmRequest(
                        messages,
                        List.of(),
                        true,
                        reservation.maxOutput(),
                        settings.stream(),
                        new Generation(asked.effort(), asked.temperature(), null, ""));
        try (Cancellation.Child limited = run.work().child();
                var _ = stepAlarm(limited)) {
            Hearing hearing =
                    new Hearing(
                            listener(run, kind, List.of(), reservation), limited.cancellation());
            return call(run, request, kind, hearing);
        }
    }

    /** {@code provider/model} of the model that answers now. */
    String modelId() {
        return llm.model().id();
    }

    /**
     * Which call it is.
     *
     * @param source on whose behalf the model is called
     */
    private record Kind(String source, int step, boolean closing) {
        /** Whether it is asked about the run's own history. */
        boolean isOfRun() {
            return !source.equals(JUDGE);
        }

        boolean isForSummary() {
            return source.equals(COMPACTION);
        }

        /** Whether it is a part of the conversation: of others nobody sees the words. */
        boolean isSpoken() {
            return isOfRun() && !isForSummary();
        }

        boolean mayCall() {
            return !closing && !isForSummary();
        }
    }

    private Cancellation.Registration stepAlarm(Cancellation.Child child) {
        return alarm(settings.limits().stepTimeout().orElse(null), child, new Cause.StepDeadline());
    }

    private Cancellation.Registration alarm(
            @Nullable Duration limit, Cancellation.Child child, Cause cause) {
        return limit == null
                ? () -> {}
                : time.alarm(limit, () -> child.cancellation().cancel(cause));
    }

    /** Who hears of a call, and what ends it. */
    private record Hearing(ListenerEvents listener, Cancellation cancellation) {}

    private LlmResponse call(Run run, LlmRequest request, Kind kind, Hearing hearing) {
        ListenerEvents listener = hearing.listener();
        listener.onRepetition(() -> hearing.cancellation().cancel(new Cause.Repetition()));
        long estimate =
                kind.isOfRun() ? context.estimate(compacting.prompt(run, request.tools())) : 0;
        listener.sends(estimate);
        if (!kind.isForSummary()) {
            events.emit(
                    new AgentEvent.LlmRequested(
                            kind.step(), request.messages().size(), kind.closing()));
        }
        long start = time.nanos();
        try {
            LlmResponse reply =
                    llm.complete(request, listener, hearing.cancellation()).withoutBlankText();
            CostTracker.Charge charge = listener.charge(reply.usage());
            if (kind.isSpoken()) {
                learn(run, estimate, reply, charge);
            }
            report(reply, kind, charge, since(start));
            listener.reportCost(kind.source(), charge.usage(), charge.usd());
            return reply;
        } catch (LlmException e) {
            listener.failed(e);
            if (!kind.isForSummary()) {
                String text = kind.isSpoken() ? e.partial().text() : "";
                Duration took = since(start);
                events.emit(
                        new AgentEvent.LlmResponded(kind.step(), text, 0, "error", took, e.code()));
            }
            throw e;
        }
    }

    /** Only from calls whose prompt was counted as a whole, by figures of the provider. */
    private void learn(Run run, long estimate, LlmResponse reply, CostTracker.Charge charge) {
        run.measured(charge.usage().total());
        reservations.learn(run, reply);
        if (!reply.usage().estimated() && !reply.compacted()) {
            context.learn(modelId(), estimate, reply.usage().prompt());
        }
    }

    private void report(LlmResponse reply, Kind kind, CostTracker.Charge charge, Duration took) {
        BigDecimal usd = charge.usd();
        journal.append(
                List.of(
                        new JournalRecord.Replied(
                                kind.mayCall() ? reply.message() : withoutCalls(reply),
                                reply.finish().name(),
                                charge.usage(),
                                usd == null ? null : usd.toPlainString(),
                                kind.source(),
                                reply.requestId())),
                reply.toolCalls().isEmpty());
        if (kind.isForSummary()) {
            return;
        }
        events.emit(
                new AgentEvent.LlmResponded(
                        kind.step(),
                        kind.isSpoken() ? reply.message().text() : "",
                        reply.toolCalls().size(),
                        reply.finish().name().toLowerCase(Locale.ROOT),
                        took,
                        null));
    }

    /** Calls of a model that ignores the ban are neither run nor remembered. */
    private static Message.Assistant withoutCalls(LlmResponse reply) {
        String text = reply.message().text();
        return new Message.Assistant(text.isBlank() ? List.of() : List.of(new Block.Text(text)));
    }

    private Duration since(long start) {
        return Duration.ofNanos(time.nanos() - start);
    }
}
