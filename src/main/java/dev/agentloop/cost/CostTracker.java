package dev.agentloop.cost;

import dev.agentloop.message.Usage;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Adds up what the model calls of a run cost, by source. Without a known price the cost is unknown
 * (null), never a guess; tokens are counted all the same. Safe from any thread: the last words
 * after a second signal read it.
 */
public final class CostTracker {
    /** Source of the cost of an attempt that another one followed. */
    public static final String RETRY = "retry";

    /** Source of what agents have cost that worked for this run's agent. */
    public static final String SUBAGENT = "subagent";

    private final @Nullable Price price;
    private final Map<String, Optional<Price>> others = new HashMap<>();
    private final Ledger ledger;
    private final Map<String, Line> lines = new LinkedHashMap<>();
    private final Map<String, Answers> answers = new LinkedHashMap<>();
    private String lastModel = "";
    private Usage usage = Usage.NONE;
    private @Nullable BigDecimal usd;
    private final @Nullable CostTracker above;

    /**
     * What was counted for a call; {@code usd} is null when unknown.
     *
     * @param disputed whether the provider told more than a call of that size can use, so that a
     *     cap would have been passed
     */
    public record Charge(Usage usage, @Nullable BigDecimal usd, boolean disputed) {}

    /**
     * What a lost attempt has cost, and what is set aside for another one.
     *
     * @param next null when there is not enough left for one
     */
    public record Lost(Charge charge, @Nullable Reservation next) {}

    /** What one source has cost; {@code usd} is null when unknown. */
    public record Line(@Nullable BigDecimal usd, long tokens) {}

    /**
     * What one model has answered, and used for replies that broke off; {@code usd} is null when
     * its price is unknown.
     */
    public record Answers(int calls, @Nullable BigDecimal usd, long tokens) {
        private static final Answers NONE = new Answers(0, BigDecimal.ZERO, 0);

        private Answers plus(int more, @Nullable BigDecimal cost, long used) {
            return new Answers(
                    calls + more,
                    usd == null || cost == null ? null : usd.add(cost),
                    tokens + used);
        }
    }

    /**
     * @param price null when the model's price is unknown
     * @param ledger the caps; others may share it
     */
    public CostTracker(@Nullable Price price, Ledger ledger) {
        this(price, ledger, null);
    }

    private CostTracker(@Nullable Price price, Ledger ledger, @Nullable CostTracker above) {
        this.price = price;
        this.ledger = ledger;
        this.usd = price == null ? null : BigDecimal.ZERO;
        this.above = above;
    }

    /**
     * Of a run that works for this one: under the same caps, with the same models; what it costs is
     * counted here as well.
     */
    public synchronized CostTracker forSubagent() {
        CostTracker below = new CostTracker(price, ledger, this);
        below.others.putAll(others);
        return below;
    }

    /**
     * Of a run that shares its caps with nobody.
     *
     * @param price null when the model's price is unknown
     * @param capUsd null when there is no cap
     * @param capTokens negative when there is no cap; 0 allows none
     */
    public CostTracker(@Nullable Price price, @Nullable BigDecimal capUsd, long capTokens) {
        this(price, new Ledger(new Ledger.Caps(capUsd, capTokens, -1)));
    }

    /** Starts from what earlier runs of the session have cost; null when that is unknown. */
    public synchronized void restore(Usage earlier, @Nullable BigDecimal earlierUsd) {
        usage = usage.plus(earlier);
        usd = usd == null || earlierUsd == null ? null : usd.add(earlierUsd);
        ledger.add(earlier, earlierUsd);
        if (earlier.total() > 0) {
            lines.put("earlier", new Line(earlierUsd, earlier.total()));
        }
    }

    /** Another model than the main one may answer, at its own price; null when unknown. */
    public synchronized void alsoAnswers(String model, @Nullable Price itsPrice) {
        others.put(model, Optional.ofNullable(itsPrice));
    }

    /** Keeps aside what earlier runs of the session may have cost besides. */
    public void restoreHeld(long tokens, @Nullable BigDecimal itsUsd) {
        ledger.hold(tokens, itsUsd);
    }

    /** The caps, for others that work under them. */
    public Ledger ledger() {
        return ledger;
    }

    /** Sets aside what a call can use at most; empty when that is not left. */
    public synchronized Optional<Reservation> reserve(Demand demand) {
        return ledger.reserve(demand, dearest());
    }

    /** With which caps it would have been left. */
    public synchronized Ledger.Needed needed(Demand demand) {
        return ledger.needed(demand, dearest());
    }

    /** Whoever of the models answers, the reservation must be enough. */
    private @Nullable Price dearest() {
        Price dearest = price;
        for (Optional<Price> other : others.values()) {
            dearest = dearest == null || other.isEmpty() ? null : dearest.orDearer(other.get());
        }
        return dearest;
    }

    /** Whether another model may take over within a call. */
    public synchronized boolean mayChangeModel() {
        return !others.isEmpty();
    }

    /** Counts a whole reply of this model. */
    public synchronized Charge record(
            Reservation reservation, String source, Usage told, String model) {
        Usage used = ledger.settle(reservation, told, its -> cost(its, model), false);
        BigDecimal cost = count(source, used, model, 1);
        lastModel = model.isEmpty() ? lastModel : model;
        return new Charge(used, cost, !used.equals(told));
    }

    /**
     * Counts what a call of this model has probably used although it gave no reply; the rest of its
     * reservation stays set aside, unless nothing was used.
     */
    public synchronized Charge lost(
            Reservation reservation, String source, Usage used, String model) {
        return countLost(settleLost(reservation, used, model), source, model);
    }

    /**
     * The same when another attempt is wanted: it is the cost of a retry if there is enough left.
     */
    public synchronized Lost retry(
            Reservation reservation, String otherwise, Usage used, String model) {
        Usage lost = settleLost(reservation, used, model);
        Optional<Reservation> next = ledger.again(reservation, dearest());
        Charge charge = countLost(lost, next.isPresent() ? RETRY : otherwise, model);
        return new Lost(charge, next.orElse(null));
    }

    private Usage settleLost(Reservation reservation, Usage used, String model) {
        return ledger.settle(reservation, used, its -> cost(its, model), used.total() > 0);
    }

    private Charge countLost(Usage used, String source, String model) {
        BigDecimal cost = used.total() == 0 ? BigDecimal.ZERO : count(source, used, model, 0);
        return new Charge(used, cost, false);
    }

    /** What a prompt of so many tokens costs; null when the price is unknown. */
    public synchronized @Nullable BigDecimal ofPrompt(long tokens, String model) {
        return cost(new Usage(tokens, 0, 0, 0, 0, true), model);
    }

    private @Nullable BigDecimal cost(Usage used, String model) {
        return priceOf(model).map(known -> known.of(used)).orElse(null);
    }

    private @Nullable BigDecimal count(String source, Usage used, String model, int replies) {
        BigDecimal cost = cost(used, model);
        usage = usage.plus(used);
        usd = usd == null || cost == null ? null : usd.add(cost);
        Line old = lines.getOrDefault(source, new Line(cost == null ? null : BigDecimal.ZERO, 0));
        BigDecimal sum = old.usd() == null || cost == null ? null : old.usd().add(cost);
        lines.put(source, new Line(sum, old.tokens() + used.total()));
        if (!model.isEmpty()) {
            Answers before = answers.getOrDefault(model, Answers.NONE);
            answers.put(model, before.plus(replies, cost, used.total()));
        }
        if (above != null) { // locks are only ever taken upwards
            above.countBelow(used, model, replies);
        }
        return cost;
    }

    private synchronized void countBelow(Usage used, String model, int replies) {
        count(SUBAGENT, used, model, replies);
    }

    /** Whether nothing is left for work; a summary may still be paid for. */
    public synchronized boolean isSpent() {
        return ledger.isSpent(price != null && price.isFree());
    }

    private Optional<Price> priceOf(String model) {
        return others.getOrDefault(model, Optional.ofNullable(price));
    }

    public synchronized Usage usage() {
        return usage;
    }

    public synchronized @Nullable BigDecimal usd() {
        return usd;
    }

    public @Nullable BigDecimal capUsd() {
        return ledger.caps().usd();
    }

    /** What each model of this run has answered, in the order of their first answers. */
    public synchronized Map<String, Answers> answers() {
        return new LinkedHashMap<>(answers);
    }

    /** The model of the last answer; empty before the first. */
    public synchronized String lastModel() {
        return lastModel;
    }

    /** Costs by source in the order of their first call. */
    public synchronized Map<String, Line> lines() {
        return new LinkedHashMap<>(lines);
    }
}
