package dev.agentloop.cost;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.message.Usage;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;
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

        assertNull(record(costs, "agent", new Usage(10, 5, 0, 0, 0, false)));
        assertNull(costs.usd());
        assertEquals(new CostTracker.Line(null, 15), costs.lines().get("agent"));
    }

    @Test
    void sourcesAreAddedUpApart() {
        CostTracker costs = new CostTracker(PRICE, null, -1);
        record(costs, "agent", new Usage(100, 0, 0, 0, 0, false));
        record(costs, "agent", new Usage(100, 0, 0, 0, 0, false));
        record(costs, "close", new Usage(0, 10, 0, 0, 0, false));

        assertEquals(0, new BigDecimal("0.002").compareTo(costs.lines().get("agent").usd()));
        assertEquals(0, new BigDecimal("0.0003").compareTo(costs.lines().get("close").usd()));
        assertEquals(0, new BigDecimal("0.0023").compareTo(costs.usd()));
    }

    @Test
    void aCapIsSpentWhenItIsReached() {
        CostTracker costs = new CostTracker(PRICE, new BigDecimal("0.0013"), -1);
        assertFalse(costs.isSpent());

        record(costs, "agent", new Usage(0, 0, 0, 100, 0, false));

        assertTrue(costs.isSpent());
    }

    @Test
    @DisplayName("E12: a budget of 0 allows what costs nothing, a token cap of 0 allows nothing")
    void zeroMeansNothing() {
        CostTracker free = new CostTracker(price("0", "0", "0", "0", "0"), BigDecimal.ZERO, -1);
        record(free, "agent", new Usage(100, 10, 0, 0, 0, false));
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

    /** One call of the main model that reads and writes as much as this. */
    private static @Nullable BigDecimal record(CostTracker costs, String source, Usage usage) {
        int output = (int) Math.max(1, usage.output());
        Demand demand = new Demand(usage.prompt(), output, output, true);
        return costs.record(costs.reserve(demand).orElseThrow(), source, usage, "").usd();
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
        Demand demand = new Demand(10, 10, 10, true);
        assertTrue(new CostTracker(free, BigDecimal.ZERO, -1).reserve(demand).isPresent());
        assertTrue(new CostTracker(PRICE, BigDecimal.ZERO, -1).reserve(demand).isEmpty());
        assertTrue(new CostTracker(free, null, 19).reserve(demand).isEmpty());
        assertTrue(new CostTracker(free, null, 20).reserve(demand).isPresent());
    }

    @Test
    @DisplayName("E04: nothing is reserved under a budget when a price is unknown")
    void anUnknownPriceReservesNothing() {
        CostTracker costs = new CostTracker(PRICE, BigDecimal.TEN, -1);
        Demand demand = new Demand(10, 10, 10, false);
        assertTrue(costs.reserve(demand).isPresent());
        costs.alsoAnswers("other/model", null);
        assertTrue(costs.reserve(demand).isEmpty());
    }

    @Test
    @DisplayName("E01: a reply is cut to what is left, and refused when that is too little")
    void aReplyIsCutToWhatIsLeft() {
        // 0.02 is kept for the summary; 1000 tokens of prompt cost 0.0125 at most, one of output
        // 0.00004
        CostTracker costs = new CostTracker(PRICE, new BigDecimal("0.2"), -1);
        Reservation first = costs.reserve(new Demand(1_000, 8_000, 1_000, false)).orElseThrow();
        assertEquals(4_187, first.maxOutput());
        assertEquals(0, new BigDecimal("0.17998").compareTo(first.usd()));
        assertTrue(costs.reserve(new Demand(1_000, 8_000, 1_000, false)).isEmpty());
        assertTrue(costs.reserve(new Demand(100, 100, 100, true)).isPresent());
    }

    @Test
    @DisplayName("E02: a call leaves something for others that share the ledger")
    void aCallLeavesSomethingForOthers() {
        CostTracker costs = new CostTracker(PRICE, null, 100_000);
        Reservation first = costs.reserve(new Demand(10_000, 64_000, 1_000, false)).orElseThrow();
        assertEquals(20_000, first.maxOutput()); // a quarter of what the prompt leaves of 90,000
    }

    @Test
    @DisplayName("E06: what a lost reply may have used besides its estimate stays out of use")
    void theRestOfALostReplyIsKept() {
        CostTracker costs = new CostTracker(PRICE, null, 10_000);
        Demand demand = new Demand(1_000, 4_000, 1_000, false);
        Reservation first = costs.reserve(demand).orElseThrow();
        CostTracker.Lost lost = costs.retry(first, "agent", new Usage(900, 10, 0, 0, 0, true), "");
        assertNull(lost.next(), "5000 of 9000 are gone, an equal attempt does not fit any more");
        assertEquals(910, costs.usage().total());
        assertEquals(3_000, costs.reserve(demand).orElseThrow().maxOutput());
    }

    @Test
    @DisplayName("E21: figures that no such call can reach count as far as they can be, and end it")
    void impossibleFiguresAreCut() {
        CostTracker costs = new CostTracker(PRICE, new BigDecimal("0.1"), -1);
        Reservation call = costs.reserve(new Demand(1_000, 1_000, 1_000, false)).orElseThrow();
        Usage told = new Usage(50_000_000, 50_000_000, 0, 0, 0, false);
        CostTracker.Charge charge = costs.record(call, "agent", told, "");
        assertEquals(new Usage(1_000, 1_000, 0, 0, 0, true), charge.usage());
        assertEquals(0, new BigDecimal("0.04").compareTo(charge.usd()));
        assertTrue(charge.disputed());
        assertTrue(costs.isSpent());
        assertTrue(costs.reserve(new Demand(1, 1, 1, true)).isEmpty());
    }

    @Test
    @DisplayName("E21: more than was expected counts as told while it passes no cap")
    void moreThanExpectedIsTheTruth() {
        CostTracker costs = new CostTracker(PRICE, new BigDecimal("10"), -1);
        Reservation call = costs.reserve(new Demand(1_000, 1_000, 1_000, false)).orElseThrow();
        Usage told = new Usage(3_000, 2_000, 0, 0, 0, false);
        assertEquals(told, costs.record(call, "agent", told, "").usage());
        assertFalse(costs.isSpent());
    }
}
