package dev.agentloop.cost;

import dev.agentloop.message.Usage;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The caps that a run shares with all that works for it. What a call can use at most is reserved
 * before it is sent, so that what was used, what is under way, and what nobody told stay within the
 * caps, whatever comes of any call. Safe from any thread.
 */
public final class Ledger {
    private static final BigDecimal CLOSE_SHARE = new BigDecimal("0.1"); // kept for the summary
    private static final long CLOSE_PART = 10; // the same of tokens
    private static final int DIGITS = 4; // of an amount that is told: hundredths of a cent

    /** Output that a call may reserve in any case; more only if it is a small part of the rest. */
    private static final long COMMON_OUTPUT = 8192; // tokens; long enough for most files

    private static final long PART = 4; // others that share the ledger find something left
    private static final long MOST = Integer.MAX_VALUE; // no reply is longer

    private final Caps caps;
    private final Set<Long> open = new HashSet<>();
    private final Set<String> told = new HashSet<>();
    private BigDecimal usd = BigDecimal.ZERO;
    private long tokens;
    private long toolCalls;
    private BigDecimal openUsd = BigDecimal.ZERO; // reserved by calls that are under way
    private long openTokens;
    private BigDecimal heldUsd = BigDecimal.ZERO; // kept for calls of which nobody told the use
    private long heldTokens;
    private boolean toolCallRefused;
    private boolean disputed;
    private long ids;

    /**
     * @param usd null for no cap
     * @param tokens in and out; negative for no cap
     * @param toolCalls negative for no cap
     */
    public record Caps(@Nullable BigDecimal usd, long tokens, long toolCalls) {}

    public Ledger(Caps caps) {
        this.caps = caps;
    }

    public Caps caps() {
        return caps;
    }

    /** Whether money or tokens are limited. */
    public boolean isCapped() {
        return caps.usd != null || caps.tokens >= 0;
    }

    /**
     * Sets aside what a call can use at most; its output is cut to what is left. Empty when not
     * even the least it needs is left.
     *
     * @param dearest price by which no token costs more; null when unknown
     */
    synchronized Optional<Reservation> reserve(Demand demand, @Nullable Price dearest) {
        if (!isCapped()) {
            return Optional.of(new Reservation(demand, demand.output(), null, 0));
        }
        int least = Math.min(demand.least(), demand.output());
        long output = disputed ? -1 : Math.min(demand.output(), affordable(demand, dearest));
        if (output < least) {
            return Optional.empty();
        }
        return Optional.of(take(demand, (int) output, dearest));
    }

    /**
     * The caps with which a call that was refused would fit.
     *
     * @param usd null where there is no such cap, it is high enough, or the price is unknown
     * @param tokens negative where there is no such cap, or it is high enough
     */
    public record Needed(@Nullable BigDecimal usd, long tokens) {}

    synchronized Needed needed(Demand demand, @Nullable Price dearest) {
        int least = Math.min(demand.least(), demand.output());
        BigDecimal money = null;
        if (caps.usd != null && dearest != null) {
            BigDecimal call = dearest.most(demand.prompt(), least);
            money =
                    usd.add(openUsd)
                            .add(heldUsd)
                            .add(call)
                            .divide(BigDecimal.ONE.subtract(CLOSE_SHARE), DIGITS, RoundingMode.UP);
            money = money.compareTo(caps.usd) > 0 ? money : null;
        }
        long all = tokens + openTokens + heldTokens + demand.prompt() + least;
        long most = all * CLOSE_PART / (CLOSE_PART - 1) + 1; // of which a part is kept back
        return new Needed(money, caps.tokens >= 0 && most > caps.tokens ? most : -1);
    }

    /** The same once more, for another attempt; empty when it is not left. */
    synchronized Optional<Reservation> again(Reservation before, @Nullable Price dearest) {
        Demand demand = before.demand();
        int output = before.maxOutput();
        return reserve(new Demand(demand.prompt(), output, output, demand.closing()), dearest);
    }

    private Reservation take(Demand demand, int output, @Nullable Price dearest) {
        ids++;
        BigDecimal most = dearest == null ? null : dearest.most(demand.prompt(), output);
        Reservation reservation = new Reservation(demand, output, most, ids);
        open.add(ids);
        openTokens += reservation.tokens();
        openUsd = plus(openUsd, most);
        return reservation;
    }

    private long affordable(Demand demand, @Nullable Price dearest) {
        long output = Long.MAX_VALUE;
        if (caps.tokens >= 0) {
            output = freeTokens(demand.closing()) - demand.prompt();
        }
        if (caps.usd != null) {
            output = Math.min(output, affordableUsd(demand, dearest));
        }
        return demand.closing() || output < COMMON_OUTPUT
                ? output
                : Math.max(COMMON_OUTPUT, output / PART);
    }

    private long affordableUsd(Demand demand, @Nullable Price dearest) {
        if (dearest == null) {
            return -1;
        }
        BigDecimal rest = freeUsd(demand.closing()).subtract(dearest.most(demand.prompt(), 0));
        if (rest.signum() < 0) {
            return -1;
        }
        BigDecimal each = dearest.most(0, 1);
        return each.signum() == 0
                ? Long.MAX_VALUE
                : rest.divide(each, 0, RoundingMode.DOWN).min(BigDecimal.valueOf(MOST)).longValue();
    }

    private long freeTokens(boolean closing) {
        return tokensFor(closing) - tokens - openTokens - heldTokens;
    }

    private BigDecimal freeUsd(boolean closing) {
        return usdFor(closing).subtract(usd).subtract(openUsd).subtract(heldUsd);
    }

    private long tokensFor(boolean closing) {
        return closing ? caps.tokens : caps.tokens - caps.tokens / CLOSE_PART;
    }

    private BigDecimal usdFor(boolean closing) {
        BigDecimal cap = caps.usd == null ? BigDecimal.ZERO : caps.usd;
        return closing ? cap : cap.subtract(cap.multiply(CLOSE_SHARE));
    }

    /**
     * Counts what a call has used in place of its reservation. Figures that no such call can reach
     * and that pass a cap count as far as it can have used them.
     *
     * @param price of what was used; null result when unknown
     * @param keepRest whether the rest stays set aside, because the figures are a guess
     * @return what was counted
     */
    synchronized Usage settle(
            Reservation reservation,
            Usage used,
            Function<Usage, @Nullable BigDecimal> price,
            boolean keepRest) {
        if (!reservation.isCapped()) {
            add(used, price.apply(used));
            return used;
        }
        if (!open.remove(reservation.id())) {
            throw new IllegalStateException("settled before: " + reservation);
        }
        openTokens -= reservation.tokens();
        openUsd = plus(openUsd, reservation.usd() == null ? null : reservation.usd().negate());
        Usage counted = used;
        if (passes(used, price.apply(used))) {
            counted = reservation.limit(used);
            disputed |= !keepRest;
        }
        BigDecimal cost = price.apply(counted);
        add(counted, cost);
        if (keepRest) {
            hold(
                    Math.max(0, reservation.tokens() - counted.total()),
                    reservation.usd() == null || cost == null
                            ? null
                            : reservation.usd().subtract(cost).max(BigDecimal.ZERO));
        }
        return counted;
    }

    private boolean passes(Usage used, @Nullable BigDecimal cost) {
        boolean tooMany = caps.tokens >= 0 && used.total() > freeTokens(true);
        return tooMany || caps.usd != null && cost != null && cost.compareTo(freeUsd(true)) > 0;
    }

    /** Counts what was used without a reservation, such as that of earlier runs. */
    synchronized void add(Usage used, @Nullable BigDecimal cost) {
        tokens += used.total();
        usd = plus(usd, cost);
    }

    /** Sets aside for good what may have been used although nobody told. */
    synchronized void hold(long more, @Nullable BigDecimal moreUsd) {
        heldTokens += more;
        heldUsd = plus(heldUsd, moreUsd);
    }

    private static BigDecimal plus(BigDecimal sum, @Nullable BigDecimal more) {
        return more == null ? sum : sum.add(more);
    }

    /**
     * Whether nothing is left for work, or a provider told figures that cannot be.
     *
     * @param free whether calls cost nothing: a cap of 0 allows those
     */
    synchronized boolean isSpent(boolean free) {
        boolean noTokens = caps.tokens >= 0 && tokens + heldTokens >= tokensFor(false);
        return disputed || noTokens || isMoneySpent(free);
    }

    private boolean isMoneySpent(boolean free) {
        if (caps.usd == null) {
            return false;
        }
        BigDecimal used = usd.add(heldUsd);
        return caps.usd.signum() == 0 && free
                ? used.signum() > 0
                : used.compareTo(usdFor(false)) >= 0;
    }

    /** Takes one tool call; false when there is none left. */
    public synchronized boolean takeToolCall() {
        if (caps.toolCalls >= 0 && toolCalls >= caps.toolCalls) {
            toolCallRefused = true;
            return false;
        }
        toolCalls++;
        return true;
    }

    /** Whether as many tool calls could be taken now. */
    public synchronized boolean hasToolCalls(int count) {
        return caps.toolCalls < 0 || toolCalls + count <= caps.toolCalls;
    }

    /** Calls of earlier runs of the same task count, too. */
    public synchronized void countFrom(long earlierToolCalls) {
        toolCalls += earlierToolCalls;
    }

    /** How many were taken. */
    public synchronized long toolCallsTaken() {
        return toolCalls;
    }

    /** Whether a tool call was refused because there was none left. */
    public synchronized boolean isToolCallRefused() {
        return toolCallRefused;
    }

    /** One sentence for each cap of which four fifths are used; each is told once. */
    public synchronized List<String> nearing() {
        List<String> near = new ArrayList<>();
        if (caps.usd != null && caps.usd.signum() > 0) {
            tell(near, "the budget", usd, caps.usd, "$");
        }
        if (caps.tokens > 0) {
            tell(near, "the tokens", of(tokens), of(caps.tokens), "");
        }
        if (caps.toolCalls > 0) {
            tell(near, "the tool calls", of(toolCalls), of(caps.toolCalls), "");
        }
        return near;
    }

    private void tell(
            List<String> near, String what, BigDecimal used, BigDecimal cap, String unit) {
        boolean fourFifths = used.multiply(of(5)).compareTo(cap.multiply(of(4))) >= 0;
        if (fourFifths && told.add(what)) {
            near.add(
                    "80 %% of %s are used: %s%s of %s%s"
                            .formatted(what, unit, plain(used), unit, plain(cap)));
        }
    }

    private static BigDecimal of(long number) {
        return BigDecimal.valueOf(number);
    }

    private static String plain(BigDecimal number) {
        return number.stripTrailingZeros().toPlainString();
    }
}
