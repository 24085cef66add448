package dev.agentloop.loop;

import dev.agentloop.context.ContextManager;
import dev.agentloop.control.Cancellation;
import dev.agentloop.control.Cause;
import dev.agentloop.control.Time;
import dev.agentloop.event.AgentEvent;
import dev.agentloop.event.EventSink;
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
        this.journal = ports.journal();
        this.events = ports.events();
        this.time = ports.time();
        this.settings = settings;
    }

    /** One step's call; a history that the server finds too long is made shorter once. */
    LlmResponse step(Run run, List<ToolSpec> tools) {
        Kind kind = new Kind("agent", run.steps() + 1, false);
        ListenerEvents listener = new ListenerEvents(events, journal);
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
                withdraw(listener, e);
                return call(
                        run,
                        request(run, tools),
                        kind,
                        new Hearing(listener, limited.cancellation()));
            }
        }
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
        long before = context.estimate(run.history());
        if (!context.makeRoom(run.history())) {
            throw refused;
        }
        long after = context.estimate(run.history());
        events.emit(new AgentEvent.ContextCompacted(before, after));
    }

    /**
     * The closing call: tools stay declared, so that the prompt cache and strict providers accept
     * the history, but may not be called.
     */
    LlmResponse closing(Run run, List<ToolSpec> tools, Duration limit) {
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
            ListenerEvents listener = new ListenerEvents(events, journal);
            return call(
                    run,
                    request,
                    new Kind("close", run.steps(), true),
                    new Hearing(listener, limited.cancellation()));
        }
    }

    /** {@code provider/model} of the model that answers now. */
    String modelId() {
        return llm.model().id();
    }

    /** Upper estimate of what the closing call would use. */
    Usage closingEstimate(Run run) {
        return new Usage(context.estimate(run.history()), CLOSING_TOKENS, 0, 0, 0, true);
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
            report(run, reply, kind, since(start));
            return reply;
        } catch (LlmException e) {
            failed(e, kind, since(start));
            throw e;
        }
    }

    private void report(Run run, LlmResponse reply, Kind kind, Duration took) {
        Usage usage = reply.usage();
        BigDecimal usd = run.costs().record(kind.source(), usage, llm.model().id());
        journal.append(
                List.of(
                        new JournalRecord.Replied(
                                kind.closing() ? withoutCalls(reply) : reply.message(),
                                reply.finish().name(),
                                usage,
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
        events.emit(new AgentEvent.UsageReported(kind.source(), usage, usd));
        if (run.costs().capUsd() != null) {
            events.emit(new AgentEvent.BudgetUpdated(run.costs().usd(), run.costs().capUsd()));
        }
    }

    /** Calls of a model that ignores the ban are neither run nor remembered. */
    private static Message.Assistant withoutCalls(LlmResponse reply) {
        String text = reply.message().text();
        return new Message.Assistant(text.isBlank() ? List.of() : List.of(new Block.Text(text)));
    }

    private void failed(LlmException e, Kind kind, Duration took) {
        String message = String.valueOf(e.getMessage());
        String partial = e.partialText();
        journal.append(
                List.of(
                        new JournalRecord.RequestFailed(
                                e.code(), message, false, ListenerEvents.lostTokens(e))),
                false);
        events.emit(new AgentEvent.LlmResponded(kind.step(), partial, 0, "error", took, e.code()));
    }

    private Duration since(long start) {
        return Duration.ofNanos(time.nanos() - start);
    }
}
