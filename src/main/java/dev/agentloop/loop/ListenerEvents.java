package dev.agentloop.loop;

import dev.agentloop.context.TokenEstimate;
import dev.agentloop.cost.CostTracker;
import dev.agentloop.event.AgentEvent;
import dev.agentloop.llm.LlmException;
import dev.agentloop.llm.LlmListener;
import dev.agentloop.llm.PartialReply;
import dev.agentloop.message.Usage;
import dev.agentloop.session.JournalRecord;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Turns what a model call reports into events, and failed attempts into journal records and costs:
 * a reply that broke off is paid for like a whole one, only that nobody tells how much.
 */
final class ListenerEvents implements LlmListener {
    /** Source of the cost of an attempt that another one followed. */
    private static final String RETRY = "retry";

    private final AgentLoop.LoopPorts ports;
    private final CostTracker costs;
    private final Supplier<String> model;
    private final String source;
    private final LongUnaryOperator promptTokens;
    private boolean shown;
    private @Nullable LlmException settled;
    private boolean outOfBudget;

    /**
     * @param model {@code provider/model} that answers now
     * @param source on whose behalf the model is called
     * @param promptTokens estimate of a prompt by the bytes of its request, for replies that broke
     *     off before they told it
     */
    ListenerEvents(
            AgentLoop.LoopPorts ports,
            CostTracker costs,
            Supplier<String> model,
            String source,
            LongUnaryOperator promptTokens) {
        this.ports = ports;
        this.costs = costs;
        this.model = model;
        this.source = source;
        this.promptTokens = promptTokens;
    }

    /** Whether text was shown that nobody has withdrawn yet; it counts no longer. */
    boolean withdraw() {
        boolean had = shown;
        shown = false;
        return had;
    }

    /** Whether a further attempt was refused because the budget is spent. */
    boolean isOutOfBudget() {
        return outOfBudget;
    }

    @Override
    public void text(String delta) {
        if (isAside()) {
            return;
        }
        shown = true;
        ports.events().emit(new AgentEvent.TextDelta(delta));
    }

    @Override
    public void thinking(String delta) {
        if (!isAside()) {
            ports.events().emit(new AgentEvent.ThinkingDelta(delta));
        }
    }

    /** A summary is for the model, not for the person. */
    private boolean isAside() {
        return source.equals(ModelCalls.COMPACTION);
    }

    /** What costs nothing may be repeated whatever is left: the closing call has its reserve. */
    @Override
    public boolean mayRetry(LlmException failure) {
        if (failure == settled) {
            return !outOfBudget;
        }
        Usage lost = lost(failure.partial());
        outOfBudget = lost.total() > 0 && costs.isSpentWith(lost, model.get());
        settle(failure, charge(outOfBudget ? source : RETRY, lost), !outOfBudget);
        return !outOfBudget;
    }

    @Override
    public void retry(int attempt, Duration delay, LlmException failure, boolean textWithdrawn) {
        shown &= !textWithdrawn;
        if (failure != settled) { // the server's own doing: its cost is part of the reply's
            settle(failure, new Charge(RETRY, Usage.NONE, null), true);
        }
        ports.events()
                .emit(
                        new AgentEvent.LlmRetried(
                                attempt,
                                delay,
                                failure.code(),
                                String.valueOf(failure.getMessage()),
                                textWithdrawn));
    }

    @Override
    public void warning(String message) {
        ports.events().emit(new AgentEvent.Warning(message));
    }

    /** The call has failed for good. */
    void failed(LlmException failure) {
        if (failure != settled) {
            settle(failure, charge(source, lost(failure.partial())), false);
        }
    }

    private Charge charge(String to, Usage lost) {
        return new Charge(to, lost, costs.lost(to, lost, model.get()));
    }

    private record Charge(String source, Usage usage, @Nullable BigDecimal usd) {}

    private void settle(LlmException failure, Charge charge, boolean willRetry) {
        settled = failure;
        String message = String.valueOf(failure.getMessage());
        long textTokens = TokenEstimate.ofCharacters(failure.partial().text().length());
        BigDecimal usd = charge.usd();
        ports.journal()
                .append(
                        List.of(
                                new JournalRecord.RequestFailed(
                                        failure.code(),
                                        message,
                                        willRetry,
                                        textTokens,
                                        charge.usage(),
                                        usd == null ? null : usd.toPlainString(),
                                        charge.source())),
                        false);
        if (charge.usage().total() > 0) {
            reportCost(charge.source(), charge.usage(), usd);
        }
    }

    /** Tells what a call has cost; {@code usd} is null when unknown. */
    void reportCost(String source, Usage usage, @Nullable BigDecimal usd) {
        ports.events().emit(new AgentEvent.UsageReported(source, usage, usd));
        BigDecimal cap = costs.capUsd();
        if (cap != null) {
            ports.events().emit(new AgentEvent.BudgetUpdated(costs.usd(), cap));
        }
    }

    private Usage lost(PartialReply partial) {
        if (!partial.owed()) {
            return Usage.NONE;
        }
        Usage told = partial.usage();
        return new Usage(
                told.prompt() == 0
                        ? promptTokens.applyAsLong(partial.requestBytes())
                        : told.input(),
                told.output(),
                told.cacheRead(),
                told.cacheWrite(),
                told.reasoning(),
                true);
    }
}
