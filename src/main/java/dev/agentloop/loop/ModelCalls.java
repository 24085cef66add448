package dev.agentloop.loop;

import dev.agentloop.context.ContextManager;
import dev.agentloop.control.Cancellation;
import dev.agentloop.control.Cause;
import dev.agentloop.control.Time;
import dev.agentloop.event.AgentEvent;
import dev.agentloop.event.EventSink;
import dev.agentloop.hook.HookEvent;
import dev.agentloop.llm.LlmAdapter;
import dev.agentloop.llm.LlmException;
import dev.agentloop.llm.LlmRequest;
import dev.agentloop.llm.LlmResponse;
import dev.agentloop.message.Block;
import dev.agentloop.message.Message;
import dev.agentloop.message.Usage;
import dev.agentloop.session.Journal;
import dev.agentloop.session.JournalRecord;
import dev.agentloop.tool.ToolSpec;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Calls the model: on record, timed, costed, and stopped when its time is over. */
public final class ModelCalls {
    private static final int CLOSING_TOKENS = 1024; // the closing answer is short

    private final LlmAdapter llm;
    private final ContextManager context;
    private final AgentLoop.LoopPorts ports;
    private final Journal journal;
    private final EventSink events;
    private final Time time;
    private final LoopSettings settings;

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
        ListenerEvents listener = listener(run, kind, tools);
        events.emit(new AgentEvent.StepStarted(kind.step()));
        try (Cancellation.Child limited = run.work().child();
                var _ = alarm(settings.stepTimeout(), limited, new Cause.StepDeadline())) {
            try {
                return call(
                        run,
                        request(run, tools),
                        kind,
                        new Hearing(listener, limited.cancellation()));
            } catch (LlmException.ContextOverflow e) {
                makeRoom(run, e);
                if (e.partial().owed() && run.costs().isSpent()) {
                    throw outOfBudget(e);
                }
                withdraw(listener, e);
                return call(
                        run,
                        request(run, tools),
                        kind,
                        new Hearing(listener, limited.cancellation()));
            }
        } catch (LlmException e) {
            throw listener.isOutOfBudget() ? outOfBudget(e) : e;
        }
    }

    private ListenerEvents listener(Run run, Kind kind, List<ToolSpec> tools) {
        return new ListenerEvents(
                ports,
                run.costs(),
                this::modelId,
                kind.source(),
                bytes -> Math.max(promptTokens(run, tools), PromptSize.ofRequest(run, bytes)));
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

    private LlmRequest request(Run run, List<ToolSpec> tools) {
        return new LlmRequest(
                context.fit(run.history()),
                tools,
                true,
                settings.maxOutputTokens(),
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
    LlmResponse closing(Run run, List<ToolSpec> tools, Duration limit) {
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
                    new Hearing(listener(run, kind, tools), limited.cancellation()));
        }
    }

    /** {@code provider/model} of the model that answers now. */
    String modelId() {
        return llm.model().id();
    }

    /** Upper estimate of what the closing call would use. */
    Usage closingEstimate(Run run, List<ToolSpec> tools) {
        return new Usage(promptTokens(run, tools), CLOSING_TOKENS, 0, 0, 0, true);
    }

    private record Kind(String source, int step, boolean closing) {}

    private Cancellation.Registration alarm(
            @Nullable Duration limit, Cancellation.Child child, Cause cause) {
        return limit == null
                ? () -> {}
                : time.alarm(limit, () -> child.cancellation().cancel(cause));
    }

    /** Who hears of a call, and what ends it. */
    private record Hearing(ListenerEvents listener, Cancellation cancellation) {}

    private LlmResponse call(Run run, LlmRequest request, Kind kind, Hearing hearing) {
        long tokens = context.estimate(run.history());
        journal.append(List.of(new JournalRecord.RequestSent(kind.step(), tokens)), false);
        events.emit(
                new AgentEvent.LlmRequested(
                        kind.step(), request.messages().size(), kind.closing()));
        long start = time.nanos();
        try {
            LlmResponse reply =
                    llm.complete(request, hearing.listener(), hearing.cancellation())
                            .withoutBlankText();
            BigDecimal usd = run.costs().record(kind.source(), reply.usage(), llm.model().id());
            report(reply, kind, usd, since(start));
            hearing.listener().reportCost(kind.source(), reply.usage(), usd);
            return reply;
        } catch (LlmException e) {
            hearing.listener().failed(e);
            events.emit(
                    new AgentEvent.LlmResponded(
                            kind.step(), e.partial().text(), 0, "error", since(start), e.code()));
            throw e;
        }
    }

    private void report(LlmResponse reply, Kind kind, @Nullable BigDecimal usd, Duration took) {
        journal.append(
                List.of(
                        new JournalRecord.Replied(
                                kind.closing() ? withoutCalls(reply) : reply.message(),
                                reply.finish().name(),
                                reply.usage(),
                                usd == null ? null : usd.toPlainString(),
                                kind.source(),
                                reply.requestId())),
                reply.toolCalls().isEmpty());
        events.emit(
                new AgentEvent.LlmResponded(
                        kind.step(),
                        reply.message().text(),
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
