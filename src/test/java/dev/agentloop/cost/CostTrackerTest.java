package dev.agentloop.cost;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.message.Usage;
import java.math.BigDecimal;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

final class CostTrackerTest {
    private static final Price PRICE = price("10", "1", "12.5", "30", "40");

    @Test
    @DisplayName("E05: every kind of token costs its own price, exactly")
    void everyKindHasItsPrice() {
        Usage usage = new Usage(1_000, 100, 2_000, 400, 60, false);

        // 1000*10 + 2000*1 + 400*12.5 + 40*30 + 60*40, in millionths of a dollar
        assertEquals(0, new BigDecimal("0.0206").compareTo(PRICE.of(usage)));
    }

    @Test
    @DisplayName("M11: without a price the cost is unknown, and stays unknown, but tokens count")
    void anUnknownPriceIsNeverAGuess() {
        CostTracker costs = new CostTracker(null, null, -1);

        assertNull(costs.record("agent", new Usage(10, 5, 0, 0, 0, false)));
        assertNull(costs.usd());
        assertEquals(new CostTracker.Line(null, 15), costs.lines().get("agent"));
    }

    @Test
    void sourcesAreAddedUpApart() {
        CostTracker costs = new CostTracker(PRICE, null, -1);
        costs.record("agent", new Usage(100, 0, 0, 0, 0, false));
        costs.record("agent", new Usage(100, 0, 0, 0, 0, false));
        costs.record("close", new Usage(0, 10, 0, 0, 0, false));

        assertEquals(0, new BigDecimal("0.002").compareTo(costs.lines().get("agent").usd()));
        assertEquals(0, new BigDecimal("0.0003").compareTo(costs.lines().get("close").usd()));
        assertEquals(0, new BigDecimal("0.0023").compareTo(costs.usd()));
    }

    @Test
    void aCapIsSpentWhenItIsReached() {
        CostTracker costs = new CostTracker(PRICE, new BigDecimal("0.001"), -1);
        assertFalse(costs.isSpent());

        costs.record("agent", new Usage(100, 0, 0, 0, 0, false));

        assertTrue(costs.isSpent());
    }

    @Test
    @DisplayName("E12: a budget of 0 allows what costs nothing, a token cap of 0 allows nothing")
    void zeroMeansNothing() {
        CostTracker free = new CostTracker(price("0", "0", "0", "0", "0"), BigDecimal.ZERO, -1);
        free.record("agent", new Usage(100, 10, 0, 0, 0, false));
        assertFalse(free.isSpent());
        assertTrue(new CostTracker(PRICE, BigDecimal.ZERO, -1).isSpent());
        assertTrue(new CostTracker(PRICE, null, 0).isSpent());
    }

    @Test
    @DisplayName("E20: what a session has cost before counts against the cap")
    void earlierCostCounts() {
        CostTracker costs = new CostTracker(PRICE, new BigDecimal("0.001"), -1);

        costs.restore(new Usage(100, 0, 0, 0, 0, false), new BigDecimal("0.001"));

        assertTrue(costs.isSpent());
        assertEquals(100, costs.lines().get("earlier").tokens());
    }

    private static Price price(String in, String cached, String write, String out, String think) {
        return new Price(
                new BigDecimal(in),
                new BigDecimal(cached),
                new BigDecimal(write),
                new BigDecimal(out),
                new BigDecimal(think));
    }

    @Test
    void nothingCostsNothingUnderACapOfNothing() {
        Price free = price("0", "0", "0", "0", "0");
        CostTracker costs = new CostTracker(free, BigDecimal.ZERO, -1);
        Usage more = new Usage(10, 10, 0, 0, 0, true);
        assertFalse(costs.isSpentWith(more, ""));
        assertTrue(new CostTracker(free, null, 20).isSpentWith(more, ""));
        assertFalse(new CostTracker(free, null, 21).isSpentWith(more, ""));
    }
}
