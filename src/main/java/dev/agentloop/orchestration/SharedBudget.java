package dev.agentloop.orchestration;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Money for several runs: each gets a part that is set aside until it has ended, so that all of
 * them together stay within the total. Safe from any thread.
 */
public final class SharedBudget {
    private static final int SCALE = 6; // millionths of a dollar

    private final @Nullable BigDecimal total;
    private BigDecimal spent = BigDecimal.ZERO;
    private BigDecimal lent = BigDecimal.ZERO;
    private boolean known = true;

    /**
     * @param total null for no cap
     */
    public SharedBudget(@Nullable BigDecimal total) {
        this.total = total;
    }

    /**
     * A part of what is left.
     *
     * @param parts how many runs are to get the same
     * @return empty if nothing is left; of no cap a part of none
     */
    public synchronized Optional<Part> take(int parts) {
        if (total == null) {
            return Optional.of(new Part(null));
        }
        BigDecimal left = total.subtract(spent).subtract(lent);
        BigDecimal part = left.divide(BigDecimal.valueOf(parts), SCALE, RoundingMode.DOWN);
        if (part.signum() <= 0) {
            return Optional.empty();
        }
        lent = lent.add(part);
        return Optional.of(new Part(part));
    }

    /**
     * What one run may spend.
     *
     * @param usd null for no cap
     */
    public record Part(@Nullable BigDecimal usd) {}

    /** The run has ended; of one whose cost is not known the whole part counts as spent. */
    public synchronized void settle(Part part, @Nullable BigDecimal cost) {
        known &= cost != null;
        if (part.usd() == null) {
            spent = cost == null ? spent : spent.add(cost);
            return;
        }
        lent = lent.subtract(part.usd());
        spent = spent.add(cost == null ? part.usd() : cost);
    }

    /** What was spent; null while that of one run is not known. */
    public synchronized @Nullable BigDecimal spent() {
        return known ? spent : null;
    }

    public @Nullable BigDecimal total() {
        return total;
    }
}
