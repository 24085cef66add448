package dev.agentloop.loop;

import dev.agentloop.context.ContextManager;
import dev.agentloop.context.Prompt;
import dev.agentloop.control.Cancellation;
import dev.agentloop.control.Cause;
import dev.agentloop.control.Time;
import dev.agentloop.event.AgentEvent;
import dev.agentloop.event.EventSink;
import dev.agentloop.llm.FinishReason;
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
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Calls the model: on record, timed, costed, and stopped when its time is over. */
public final class ModelCalls {
    /** Source of what summaries of old steps cost. */
    static final String COMPACTION = "compaction";

    private static final int CLOSING_TOKENS = 1024; // the closing answer is short

    private final LlmAdapter llm;
    private final ContextManager context;
    private final AgentLoop.LoopPorts ports;
    private final Journal journal;
    private final EventSink events;
    private final Time time;
    private final LoopSettings settings;
    private final Compacting compacting;
    private final SummaryQuestion question;

    public ModelCalls(
            LlmAdapter llm,
            ContextManager context,
            AgentLoop.LoopPorts ports,
            LoopTexts texts,
            LoopSettings settings) {
        this.llm = llm;
        this.context = context;
        this.ports = ports;
        this.journal = ports.journal();
        this.events = ports.events();
        this.time = ports.time();
        this.settings = settings;
        this.compacting = new Compacting(context, ports);
        this.question = new SummaryQuestion(texts, settings, events);
    }

    /**
     * Makes the history shorter if it is time to.
     *
     * @return whether it fills the model's window all the same
     */
    public boolean isFull(Run run, List<ToolSpec> tools) {
        if (!(run.history().getLast() instanceof Message.Assistant)) { // else a turn goes on
            compacting.fit(run, prompt(run, tools), history -> summary(run, tools, history));
            stopIfSpent(run);
        }
        return context.isCriticallyFull(prompt(run, tools));
    }

    /**
     * Sums up old steps because somebody wants it so; fails if the model does.
     *
     * @return what was done, for a person
     */
    String compact(Run run, List<ToolSpec> tools) {
        Prompt before = prompt(run, tools);
        long tokens = context.tokens(before);
        boolean done =
                compacting.compact(run, before, history -> askForSummary(run, tools, history));
        return done
                ? "Old steps are summed up: about %d tokens are left of %d."
                        .formatted(context.tokens(prompt(run, tools)), tokens)
                : "There are no old steps to sum up.";
    }

    /** What the provider has summed up need not be sent again, if its reply is to be kept. */
    void settle(Run run, LlmResponse reply, List<ToolSpec> tools) {
        boolean kept =
                !reply.toolCalls().isEmpty()
                        || !reply.message().text().isBlank()
                        || reply.finish() == FinishReason.PAUSED;
        if (reply.compacted() && kept) {
            compacting.byServer(run, prompt(run, tools));
        }
    }

    private Prompt prompt(Run run, List<ToolSpec> tools) {
        return new Prompt(run.history(), PromptSize.ofTools(tools), modelId());
    }

    /** A summary may have used up what was left for the step that it was made for. */
    private static void stopIfSpent(Run run) {
        if (run.costs().isSpent()) {
            throw new LlmException.Cancelled(new Cause.BudgetSpent());
        }
    }

    /** One step's call; a history that the server finds too long is made shorter once. */
    LlmResponse step(Run run, List<ToolSpec> tools) {
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
                makeRoom(run, tools, e);
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
        return Math.max(context.tokens(prompt(run, tools)), run.costs().lastSize());
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
                run.history(),
                tools,
                true,
                settings.maxOutputTokens(),
                settings.stream(),
                settings.generation());
    }

    private void makeRoom(Run run, List<ToolSpec> tools, LlmException.ContextOverflow refused) {
        Prompt prompt = prompt(run, tools);
        if (!compacting.makeRoom(run, prompt, history -> summary(run, tools, history))) {
            throw refused;
        }
        stopIfSpent(run);
    }

    /** The model's summary; empty when it gave none of use. */
    private Optional<String> summary(Run run, List<ToolSpec> tools, List<Message> history) {
        try {
            return askForSummary(run, tools, history);
        } catch (LlmException e) {
            if (e instanceof LlmException.Cancelled cut
                    && !(cut.why() instanceof Cause.StepDeadline)) {
                throw e;
            }
            return question.answer(e);
        }
    }

    private Optional<String> askForSummary(Run run, List<ToolSpec> tools, List<Message> history) {
        Kind kind = new Kind(COMPACTION, run.steps() + 1, false);
        ListenerEvents listener = listener(run, kind, tools);
        try (Cancellation.Child limited = run.work().child();
                var _ = alarm(settings.stepTimeout(), limited, new Cause.StepDeadline())) {
            LlmRequest request = question.after(history, tools, llm.model());
            Hearing hearing = new Hearing(listener, limited.cancellation());
            return question.answer(call(run, request, kind, hearing));
        } catch (LlmException e) {
            throw listener.isOutOfBudget() ? outOfBudget(e) : e;
        }
    }

    /**
     * The closing call: tools stay declared, so that the prompt cache and strict providers accept
     * the history, but may not be called.
     */
    LlmResponse closing(Run run, List<ToolSpec> tools, Duration limit) {
        LlmRequest request =
                new LlmRequest(
                        run.history(),
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

    private record Kind(String source, int step, boolean closing) {
        /** Whether it is no part of the conversation: its words are for nobody to see. */
        boolean isAside() {
            return source.equals(COMPACTION);
        }

        boolean mayCall() {
            return !closing && !isAside();
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
        Prompt prompt = new Prompt(run.history(), PromptSize.ofTools(request.tools()), modelId());
        long estimate = context.estimate(prompt);
        journal.append(List.of(new JournalRecord.RequestSent(kind.step(), estimate)), false);
        if (!kind.isAside()) {
            events.emit(
                    new AgentEvent.LlmRequested(
                            kind.step(), request.messages().size(), kind.closing()));
        }
        long start = time.nanos();
        try {
            LlmResponse reply =
                    llm.complete(request, hearing.listener(), hearing.cancellation())
                            .withoutBlankText();
            BigDecimal usd = run.costs().record(kind.source(), reply.usage(), llm.model().id());
            learn(kind, estimate, reply);
            report(reply, kind, usd, since(start));
            hearing.listener().reportCost(kind.source(), reply.usage(), usd);
            return reply;
        } catch (LlmException e) {
            hearing.listener().failed(e);
            if (!kind.isAside()) {
                events.emit(
                        new AgentEvent.LlmResponded(
                                kind.step(),
                                e.partial().text(),
                                0,
                                "error",
                                since(start),
                                e.code()));
            }
            throw e;
        }
    }

    /** Only from calls whose prompt was estimated as a whole, by figures of the provider. */
    private void learn(Kind kind, long estimate, LlmResponse reply) {
        if (!kind.isAside() && !reply.usage().estimated() && !reply.compacted()) {
            context.learn(modelId(), estimate, reply.usage().prompt());
        }
    }

    private void report(LlmResponse reply, Kind kind, @Nullable BigDecimal usd, Duration took) {
        journal.append(
                List.of(
                        new JournalRecord.Replied(
                                kind.mayCall() ? reply.message() : withoutCalls(reply),
                                reply.finish().name(),
                                reply.usage(),
                                usd == null ? null : usd.toPlainString(),
                                kind.source(),
                                reply.requestId())),
                reply.toolCalls().isEmpty());
        if (kind.isAside()) {
            return;
        }
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
