package dev.agentloop.loop;

import dev.agentloop.context.TokenEstimate;
import dev.agentloop.cost.CostTracker;
import dev.agentloop.cost.Reservation;
import dev.agentloop.event.AgentEvent;
import dev.agentloop.llm.LlmException;
import dev.agentloop.llm.LlmListener;
import dev.agentloop.llm.PartialReply;
import dev.agentloop.loop.run.RepeatedText;
import dev.agentloop.loop.run.RunPorts;
import dev.agentloop.message.Usage;
import dev.agentloop.session.JournalRecord;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Turns what a model call reports into events, and failed attempts into journal records and costs:
 * a reply that broke off is paid for like a whole one, only that nobody tells how much.
 */
final class ListenerEvents implements LlmListener {
    private final RunPorts ports;
    private final CostTracker costs;
    private final Supplier<String> model;
    private final Of call;
    private final LongUnaryOperator promptTokens;
    private Reservation reservation;
    private long estimate;
    private final RepeatedText repeated = new RepeatedText();
    private Runnable onRepetition = () -> {};
    private boolean shown;
    private @Nullable LlmException settled;
    private @Nullable LlmException retried;
    private boolean outOfBudget;

    /**
     * Which call is heard.
     *
     * @param source on whose behalf the model is called
     * @param isSpoken whether what it says is for the person
     */
    record Of(String source, int step, boolean isSpoken) {}

    /**
     * @param model {@code provider/model} that answers now
     * @param promptTokens estimate of a prompt by the bytes of its request, for replies that broke
     *     off before they told it
     * @param reservation what the call can use at most
     */
    ListenerEvents(
            RunPorts ports,
            CostTracker costs,
            Supplier<String> model,
            Of call,
            LongUnaryOperator promptTokens,
            Reservation reservation) {
        this.ports = ports;
        this.costs = costs;
        this.model = model;
        this.call = call;
        this.promptTokens = promptTokens;
        this.reservation = reservation;
    }

    /** What ends a reply that says the same thing over and over. */
    void onRepetition(Runnable end) {
        onRepetition = end;
    }

    Reservation reservation() {
        return reservation;
    }

    /** Another request follows, with a reservation of its own. */
    void reserved(Reservation newReservation) {
        reservation = newReservation;
    }

    /** The request goes out now; its history has about so many tokens. */
    void sends(long estimatedTokens) {
        estimate = estimatedTokens;
        ports.journal().append(List.of(sent()), false);
    }

    private JournalRecord.RequestSent sent() {
        BigDecimal usd = reservation.usd();
        JournalRecord.Reserved most =
                reservation.isCapped()
                        ? new JournalRecord.Reserved(
                                reservation.demand().prompt(),
                                reservation.maxOutput(),
                                usd == null ? null : usd.toPlainString())
                        : null;
        BigDecimal likely = costs.ofPrompt(estimate, model.get());
        return new JournalRecord.RequestSent(
                call.step(), estimate, likely == null ? null : likely.toPlainString(), most, "");
    }

    /** Counts the reply's tokens; those that no such call can use are told to the person. */
    CostTracker.Charge charge(Usage told) {
        CostTracker.Charge charge = costs.record(reservation, call.source(), told, model.get());
        if (charge.disputed()) {
            warning(
                    "the provider reports %d tokens read and %d written, for a request of at most %d and a reply of at most %d; no more than those were counted"
                            .formatted(
                                    told.prompt(),
                                    told.output(),
                                    reservation.demand().prompt(),
                                    reservation.maxOutput()));
        }
        return charge;
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
        if (!call.isSpoken()) {
            return;
        }
        shown = true;
        ports.events().emit(new AgentEvent.TextDelta(delta));
        if (repeated.add(delta)) {
            onRepetition.run();
        }
    }

    @Override
    public void thinking(String delta) {
        if (!call.isSpoken()) {
            return;
        }
        ports.events().emit(new AgentEvent.ThinkingDelta(delta));
    }

    /** Asked before each further attempt: it must be paid for as well. */
    @Override
    public boolean mayRetry(LlmException failure) {
        if (failure == settled) {
            return !outOfBudget;
        }
        CostTracker.Lost lost =
                costs.retry(reservation, call.source(), lost(failure.partial()), model.get());
        Reservation next = lost.next();
        outOfBudget = next == null;
        settle(failure, lost.charge(), next != null);
        if (next != null) {
            reservation = next;
            if (next.isCapped()) {
                ports.journal().append(List.of(sent()), false);
            }
        }
        return !outOfBudget;
    }

    @Override
    public void retry(int attempt, Duration delay, LlmException failure, boolean textWithdrawn) {
        shown &= !textWithdrawn;
        retried = failure;
        if (failure != settled) { // the server's own doing: its cost is part of the reply's
            settle(failure, new CostTracker.Charge(Usage.NONE, null, false), true);
        }
        settled = null; // what comes next is another failure, even if it is the same object
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

    /** What the attempt before this one failed of. */
    Optional<LlmException> retried() {
        return Optional.ofNullable(retried);
    }

    /** The call has failed for good. */
    void failed(LlmException failure) {
        if (failure != settled) {
            Usage lost = lost(failure.partial());
            settle(failure, costs.lost(reservation, call.source(), lost, model.get()), false);
        }
    }

    private void settle(LlmException failure, CostTracker.Charge charge, boolean willRetry) {
        settled = failure;
        String source = willRetry ? CostTracker.RETRY : call.source();
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
                                        source)),
                        false);
        if (charge.usage().total() > 0) {
            reportCost(source, charge.usage(), usd);
        }
    }

    /** Tells what a call has cost; {@code usd} is null when unknown. */
    void reportCost(String source, Usage usage, @Nullable BigDecimal usd) {
        ports.events().emit(new AgentEvent.UsageReported(source, usage, usd));
        BigDecimal cap = costs.capUsd();
        if (cap != null) {
            ports.events().emit(new AgentEvent.BudgetUpdated(costs.usd(), cap));
        }
        costs.ledger().nearing().forEach(this::warning);
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
