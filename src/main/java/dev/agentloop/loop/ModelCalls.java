package dev.agentloop.loop;

import dev.agentloop.context.ContextManager;
import dev.agentloop.control.Cancellation;
import dev.agentloop.control.Cause;
import dev.agentloop.control.Time;
import dev.agentloop.cost.CostTracker;
import dev.agentloop.cost.Demand;
import dev.agentloop.cost.Reservation;
import dev.agentloop.event.AgentEvent;
import dev.agentloop.event.EventSink;
import dev.agentloop.hook.HookEvent;
import dev.agentloop.llm.Generation;
import dev.agentloop.llm.LlmAdapter;
import dev.agentloop.llm.LlmException;
import dev.agentloop.llm.LlmRequest;
import dev.agentloop.llm.LlmResponse;
import dev.agentloop.message.Block;
import dev.agentloop.message.Message;
import dev.agentloop.session.Journal;
import dev.agentloop.session.JournalRecord;
import dev.agentloop.tool.ToolSpec;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Calls the model: on record, timed, costed, and stopped when its time is over. */
public final class ModelCalls {
    private static final int CLOSING_TOKENS = 1024; // the closing answer is short
    private static final String JUDGE = "eval";
    private static final int LEAST_OUTPUT = 1024; // a reply that is cut earlier seldom helps
    private static final int TOLD_FROM_STEPS = 10; // of a shorter run it is no news
    private static final int USUAL_OUTPUT = 8192; // of a model that nobody described

    private final LlmAdapter llm;
    private final ContextManager context;
    private final AgentLoop.LoopPorts ports;
    private final Journal journal;
    private final EventSink events;
    private final Time time;
    private final LoopSettings settings;
    private final PromptBound bound = new PromptBound();

    public ModelCalls(
            LlmAdapter llm,
            ContextManager context,
            AgentLoop.LoopPorts ports,
            LoopSettings settings) {
        this.llm = llm;
        this.context = context;
        this.ports = ports;
        this.journal = ports.journal();
        this.events = ports.events();
        this.time = ports.time();
        this.settings = settings;
    }

    /** One step's call; a history that the server finds too long is made shorter once. */
    LlmResponse step(Run run, List<ToolSpec> tools) {
        ports.hooks().beforeRequest(run, () -> context.fit(run.history()), run.work());
        Kind kind = new Kind("agent", run.steps() + 1, false);
        ListenerEvents listener = listener(run, kind, tools, reserve(run, tools));
        tellSteps(run);
        events.emit(new AgentEvent.StepStarted(kind.step()));
        try (Cancellation.Child limited = run.work().child();
                var _ = alarm(settings.stepTimeout(), limited, new Cause.StepDeadline())) {
            Hearing hearing = new Hearing(listener, limited.cancellation());
            try {
                return call(run, request(run, tools, listener.reservation()), kind, hearing);
            } catch (LlmException.ContextOverflow e) {
                makeRoom(run, e);
                if (e.partial().owed() && run.costs().isSpent()) {
                    throw outOfBudget(e);
                }
                withdraw(listener, e);
                listener.reserved(reserve(run, tools));
                return call(run, request(run, tools, listener.reservation()), kind, hearing);
            }
        } catch (LlmException e) {
            throw listener.isOutOfBudget() ? outOfBudget(e) : e;
        }
    }

    private void tellSteps(Run run) {
        int most = settings.maxSteps();
        if (most >= TOLD_FROM_STEPS && run.steps() == most - most / 5) {
            events.emit(
                    new AgentEvent.Warning(
                            "80 %% of the steps are used: %d of %d".formatted(run.steps(), most)));
        }
    }

    /** What the next step can use at most is set aside before it begins. */
    private Reservation reserve(Run run, List<ToolSpec> tools) {
        return reserve(run, promptBound(run, tools));
    }

    private long promptBound(Run run, List<ToolSpec> tools) {
        String schema = settings.generation().answerSchema();
        return bound.of(context.fit(run.history()), tools)
                + (schema == null ? 0 : PromptBound.ofText(schema));
    }

    private Reservation reserve(Run run, long prompt) {
        return run.costs()
                .reserve(new Demand(prompt, mostOutput(run), LEAST_OUTPUT, false))
                .orElseThrow(() -> new LlmException.Cancelled(new Cause.BudgetSpent()));
    }

    /** Where a cap must hold, no reply may be as long as it likes. */
    private int mostOutput(Run run) {
        int most = settings.maxOutputTokens();
        if (most > 0 || !run.costs().ledger().isCapped()) {
            return most;
        }
        return llm.model().maxOutputTokens() > 0 ? llm.model().maxOutputTokens() : USUAL_OUTPUT;
    }

    /** Sets aside what the closing call can use; empty when that is not left. */
    Optional<Reservation> reserveClosing(Run run, List<ToolSpec> tools, String instruction) {
        long prompt = promptBound(run, tools) + PromptBound.ofText(instruction);
        return run.costs().reserve(new Demand(prompt, CLOSING_TOKENS, CLOSING_TOKENS, true));
    }

    private ListenerEvents listener(
            Run run, Kind kind, List<ToolSpec> tools, Reservation reservation) {
        return new ListenerEvents(
                ports,
                run.costs(),
                this::modelId,
                new ListenerEvents.Of(kind.source(), kind.step(), kind.isOfRun()),
                bytes -> Math.max(promptTokens(run, tools), PromptSize.ofRequest(run, bytes)),
                reservation);
    }

    /** Estimate of the next prompt; not less than the last one was found to be. */
    private long promptTokens(Run run, List<ToolSpec> tools) {
        long estimate = context.estimate(run.history()) + PromptSize.ofTools(tools);
        return Math.max(estimate, run.costs().lastSize());
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
                context.fit(run.history()),
                tools,
                true,
                reservation.maxOutput(),
                settings.stream(),
                settings.generation());
    }

    private void makeRoom(Run run, LlmException.ContextOverflow refused) {
        if (!compact(run)) {
            throw refused;
        }
    }

    /** Makes the history shorter; false when nothing more can be given up. */
    boolean compact(Run run) {
        long before = context.estimate(run.history());
        if (!context.makeRoom(run.history())) {
            return false;
        }
        long after = context.estimate(run.history());
        events.emit(new AgentEvent.ContextCompacted(before, after));
        return true;
    }

    /** How far the run has come, for hooks. */
    HookEvent.Progress progress(Run run) {
        return new HookEvent.Progress(
                run.steps(), context.estimate(run.history()), run.costs().usd());
    }

    /**
     * The closing call: tools stay declared, so that the prompt cache and strict providers accept
     * the history, but may not be called.
     */
    LlmResponse closing(Run run, List<ToolSpec> tools, Reservation reservation, Duration limit) {
        ports.hooks().beforeRequest(run, () -> context.fit(run.history()), run.interrupts());
        LlmRequest request =
                new LlmRequest(
                        context.fit(run.history()),
                        tools,
                        false,
                        CLOSING_TOKENS,
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
        Reservation reservation = reserve(run, new PromptBound().of(messages, List.of()));
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
                var _ = alarm(settings.stepTimeout(), limited, new Cause.StepDeadline())) {
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
        /** Whether it goes on with the run's own history. */
        boolean isOfRun() {
            return !source.equals(JUDGE);
        }
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
        hearing.listener()
                .onRepetition(() -> hearing.cancellation().cancel(new Cause.Repetition()));
        hearing.listener().sends(kind.isOfRun() ? context.estimate(run.history()) : 0);
        events.emit(
                new AgentEvent.LlmRequested(
                        kind.step(), request.messages().size(), kind.closing()));
        long start = time.nanos();
        try {
            LlmResponse reply =
                    llm.complete(request, hearing.listener(), hearing.cancellation())
                            .withoutBlankText();
            CostTracker.Charge charge = hearing.listener().charge(reply.usage());
            if (kind.isOfRun() && !reply.usage().estimated() && !run.costs().mayChangeModel()) {
                bound.learn(reply.usage().prompt());
            }
            report(reply, kind, charge, since(start));
            hearing.listener().reportCost(kind.source(), charge.usage(), charge.usd());
            return reply;
        } catch (LlmException e) {
            hearing.listener().failed(e);
            events.emit(
                    new AgentEvent.LlmResponded(
                            kind.step(),
                            kind.isOfRun() ? e.partial().text() : "",
                            0,
                            "error",
                            since(start),
                            e.code()));
            throw e;
        }
    }

    private void report(LlmResponse reply, Kind kind, CostTracker.Charge charge, Duration took) {
        BigDecimal usd = charge.usd();
        journal.append(
                List.of(
                        new JournalRecord.Replied(
                                kind.closing() ? withoutCalls(reply) : reply.message(),
                                reply.finish().name(),
                                charge.usage(),
                                usd == null ? null : usd.toPlainString(),
                                kind.source(),
                                reply.requestId())),
                reply.toolCalls().isEmpty());
        events.emit(
                new AgentEvent.LlmResponded(
                        kind.step(),
                        kind.isOfRun() ? reply.message().text() : "",
                        reply.toolCalls().size(),
                        reply.finish().name().toLowerCase(java.util.Locale.ROOT),
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
