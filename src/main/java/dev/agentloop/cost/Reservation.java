package dev.agentloop.cost;

import dev.agentloop.message.Usage;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * What is set aside for one model call: it can use no more. Settled once, by the {@link Ledger}
 * that gave it.
 *
 * @param demand what was asked for
 * @param maxOutput tokens that the reply may have; 0 where nothing limits it
 * @param usd the most it can cost; null when the price is unknown
 * @param id of this one among those of its ledger; 0 where there is no cap
 */
public record Reservation(Demand demand, int maxOutput, @Nullable BigDecimal usd, long id) {

    /** Whether a cap stands behind it. */
    public boolean isCapped() {
        return id > 0;
    }

    long tokens() {
        return isCapped() ? demand.prompt() + maxOutput : 0;
    }

    /** As much of this as the call can have used: what it was asked to read and allowed to say. */
    Usage limit(Usage told) {
        long output = Math.min(told.output(), maxOutput);
        boolean whole = told.prompt() <= demand.prompt();
        return new Usage(
                whole ? told.input() : demand.prompt(),
                output,
                whole ? told.cacheRead() : 0,
                whole ? told.cacheWrite() : 0,
                Math.min(told.reasoning(), output),
                true);
    }
}
