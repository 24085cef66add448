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
    private final @Nullable Price price;
    private final Map<String, Optional<Price>> others = new HashMap<>();
    private final @Nullable BigDecimal capUsd;
    private final long capTokens;
    private final Map<String, Line> lines = new LinkedHashMap<>();
    private final Map<String, Answers> answers = new LinkedHashMap<>();
    private String lastModel = "";
    private long lastSize;
    private Usage usage = Usage.NONE;
    private @Nullable BigDecimal usd;

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
     * @param capUsd null when there is no cap
     * @param capTokens negative when there is no cap; 0 allows none
     */
    public CostTracker(@Nullable Price price, @Nullable BigDecimal capUsd, long capTokens) {
        this.price = price;
        this.capUsd = capUsd;
        this.capTokens = capTokens;
        this.usd = price == null ? null : BigDecimal.ZERO;
    }

    /** Starts from what earlier runs of the session have cost; null when that is unknown. */
    public synchronized void restore(Usage earlier, @Nullable BigDecimal earlierUsd) {
        usage = usage.plus(earlier);
        usd = usd == null || earlierUsd == null ? null : usd.add(earlierUsd);
        if (earlier.total() > 0) {
            lines.put("earlier", new Line(earlierUsd, earlier.total()));
        }
    }

    /** Another model than the main one may answer, at its own price; null when unknown. */
    public synchronized void alsoAnswers(String model, @Nullable Price itsPrice) {
        others.put(model, Optional.ofNullable(itsPrice));
    }

    /** Counts one call of the main model; returns its cost, null when unknown. */
    public @Nullable BigDecimal record(String source, Usage call) {
        return record(source, call, "");
    }

    /** Counts one call of this model; returns its cost, null when unknown. */
    public synchronized @Nullable BigDecimal record(String source, Usage call, String model) {
        BigDecimal cost = count(source, call, model, 1);
        lastModel = model.isEmpty() ? lastModel : model;
        lastSize = call.total();
        return cost;
    }

    /**
     * Counts what a call of this model has used although it gave no reply; returns its cost, null
     * when unknown. Without any tokens nothing is counted.
     */
    public synchronized @Nullable BigDecimal lost(String source, Usage used, String model) {
        return used.total() == 0 ? BigDecimal.ZERO : count(source, used, model, 0);
    }

    private @Nullable BigDecimal count(String source, Usage used, String model, int replies) {
        BigDecimal cost = priceOf(model).map(known -> known.of(used)).orElse(null);
        usage = usage.plus(used);
        usd = usd == null || cost == null ? null : usd.add(cost);
        Line old = lines.getOrDefault(source, new Line(cost == null ? null : BigDecimal.ZERO, 0));
        BigDecimal sum = old.usd() == null || cost == null ? null : old.usd().add(cost);
        lines.put(source, new Line(sum, old.tokens() + used.total()));
        if (!model.isEmpty()) {
            Answers before = answers.getOrDefault(model, Answers.NONE);
            answers.put(model, before.plus(replies, cost, used.total()));
        }
        return cost;
    }

    /** Whether money or tokens have reached their cap. */
    public synchronized boolean isSpent() {
        return isMoneySpent(usd) || (capTokens >= 0 && usage.total() >= capTokens);
    }

    /** Whether they would be if this were used besides. */
    public synchronized boolean isSpentWith(Usage more, String model) {
        boolean tokens = capTokens >= 0 && usage.total() + more.total() >= capTokens;
        BigDecimal cost = priceOf(model).map(known -> known.of(more)).orElse(null);
        return tokens || isMoneySpent(usd == null || cost == null ? null : usd.add(cost));
    }

    /** Tokens of the last reply with its prompt: the next prompt has at least as many. */
    public synchronized long lastSize() {
        return lastSize;
    }

    /** A cap of 0 allows what costs nothing. */
    private boolean isMoneySpent(@Nullable BigDecimal spent) {
        if (capUsd == null || spent == null) {
            return false;
        }
        boolean nothing = capUsd.signum() == 0 && price != null && price.isFree();
        return nothing ? spent.signum() > 0 : spent.compareTo(capUsd) >= 0;
    }

    /**
     * Whether a call of this size of this model would cost at most {@code usdLimit}; true without a
     * price.
     */
    public synchronized boolean fits(Usage planned, String model, BigDecimal usdLimit) {
        return priceOf(model).map(its -> its.of(planned).compareTo(usdLimit) <= 0).orElse(true);
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
        return capUsd;
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
