package dev.agentloop.cost;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.message.Usage;
import java.math.BigDecimal;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class CostTrackerTest {
    private static final Price PRICE = price("10", "1", "12.5", "30", "40");

    @Test
    @Tag("E05")
    @DisplayName("every kind of token costs its own price, exactly")
    void everyKindHasItsPrice() {
        Usage usage = new Usage(1_000, 100, 2_000, 400, 60, false);

        // 1000*10 + 2000*1 + 400*12.5 + 40*30 + 60*40, in millionths of a dollar
        assertEquals(0, new BigDecimal("0.0206").compareTo(PRICE.of(usage)));
    }

    @Test
    @Tag("M11")
    @DisplayName("without a price the cost is unknown, and stays unknown, but tokens count")
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
    @Tag("E12")
    @DisplayName("a budget of 0 allows what costs nothing, a token cap of 0 allows nothing")
    void zeroMeansNothing() {
        CostTracker free = new CostTracker(price("0", "0", "0", "0", "0"), BigDecimal.ZERO, -1);
        record(free, "agent", new Usage(100, 10, 0, 0, 0, false));
        assertFalse(free.isSpent());
        assertTrue(new CostTracker(PRICE, BigDecimal.ZERO, -1).isSpent());
        assertTrue(new CostTracker(PRICE, null, 0).isSpent());
    }

    @Test
    @Tag("E20")
    @DisplayName("what a session has cost before counts against the cap")
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
    @Tag("E04")
    @DisplayName("nothing is reserved under a budget when a price is unknown")
    void anUnknownPriceReservesNothing() {
        CostTracker costs = new CostTracker(PRICE, BigDecimal.TEN, -1);
        Demand demand = new Demand(10, 10, 10, false);
        assertTrue(costs.reserve(demand).isPresent());
        costs.alsoAnswers("other/model", null);
        assertTrue(costs.reserve(demand).isEmpty());
    }

    @Test
    @Tag("E01")
    @DisplayName("a reply is cut to what is left, and refused when that is too little")
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
    @Tag("E02")
    @DisplayName("a call leaves something for others that share the ledger")
    void aCallLeavesSomethingForOthers() {
        CostTracker costs = new CostTracker(PRICE, null, 100_000);
        Reservation first = costs.reserve(new Demand(10_000, 64_000, 1_000, false)).orElseThrow();
        assertEquals(20_000, first.maxOutput()); // a quarter of what the prompt leaves of 90,000
    }

    @Test
    @Tag("E06")
    @DisplayName("what a lost reply may have used besides its estimate stays out of use")
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
    @Tag("E21")
    @DisplayName("figures that no such call can reach count as far as they can be, and end it")
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
    @Tag("E21")
    @DisplayName("more than was expected counts as told while it passes no cap")
    void moreThanExpectedIsTheTruth() {
        CostTracker costs = new CostTracker(PRICE, new BigDecimal("10"), -1);
        Reservation call = costs.reserve(new Demand(1_000, 1_000, 1_000, false)).orElseThrow();
        Usage told = new Usage(3_000, 2_000, 0, 0, 0, false);
        assertEquals(told, costs.record(call, "agent", told, "").usage());
        assertFalse(costs.isSpent());
    }

    @Test
    void eachModelHasItsOwnAnswersAndPrice() {
        CostTracker costs = new CostTracker(PRICE, null, -1);
        assertFalse(costs.mayChangeModel());
        costs.alsoAnswers("spare/model", price("20", "2", "25.5", "60", "80"));
        costs.alsoAnswers("odd/model", null);
        assertTrue(costs.mayChangeModel());

        answer(costs, new Usage(100, 10, 0, 0, 0, false), "main/model");
        answer(costs, new Usage(200, 0, 0, 0, 0, false), "main/model");
        Reservation broken = costs.reserve(new Demand(100, 10, 10, false)).orElseThrow();
        costs.lost(broken, "agent", new Usage(100, 0, 0, 0, 0, true), "main/model");
        answer(costs, new Usage(100, 0, 0, 0, 0, false), "spare/model");
        assertEquals(usd("0.0063"), costs.usd());
        answer(costs, new Usage(5, 0, 0, 0, 0, false), "odd/model");
        answer(costs, new Usage(5, 0, 0, 0, 0, false), "odd/model");
        answer(costs, new Usage(7, 0, 0, 0, 0, false), "");

        assertEquals(
                Map.of(
                        "main/model", new CostTracker.Answers(2, usd("0.0043"), 410),
                        "spare/model", new CostTracker.Answers(1, usd("0.0020"), 100),
                        "odd/model", new CostTracker.Answers(2, null, 10)),
                costs.answers());
        assertEquals("odd/model", costs.lastModel(), "an answer without a name changes nothing");
        assertNull(costs.usd());
        assertEquals(usd("0.0010"), costs.ofPrompt(100, "main/model"));
        assertEquals(usd("0.0020"), costs.ofPrompt(100, "spare/model"));
        assertNull(costs.ofPrompt(100, "odd/model"));
    }

    @Test
    void whoeverAnswersTheReservationIsEnough() {
        CostTracker costs = new CostTracker(PRICE, BigDecimal.TEN, -1);
        costs.alsoAnswers("wordy/model", price("5", "0.5", "6", "60", "30"));
        costs.alsoAnswers("well-read/model", price("20", "2", "25.5", "3", "3"));

        // 1000 tokens of prompt at 25.5, 100 of output at 60
        Demand demand = new Demand(1_000, 100, 100, false);
        Reservation call = costs.reserve(demand).orElseThrow();

        assertEquals(new Reservation(demand, 100, usd("0.0315"), 1), call);
    }

    @Test
    void whatASubagentCostsIsCountedForTheRunAboveAsWell() {
        CostTracker above = new CostTracker(PRICE, BigDecimal.ONE, -1);
        above.alsoAnswers("spare/model", price("20", "2", "25.5", "60", "80"));
        CostTracker below = above.forSubagent();
        assertTrue(below.mayChangeModel());

        answer(above, new Usage(100, 0, 0, 0, 0, false), "main/model");
        answer(below, new Usage(1_000, 0, 0, 0, 0, false), "spare/model");

        assertEquals(Map.of("agent", line("0.0200", 1_000)), below.lines());
        assertEquals(
                Map.of("agent", line("0.0010", 100), "subagent", line("0.0200", 1_000)),
                above.lines());
        assertEquals(
                Map.of(
                        "main/model", new CostTracker.Answers(1, usd("0.0010"), 100),
                        "spare/model", new CostTracker.Answers(1, usd("0.0200"), 1_000)),
                above.answers());
        assertEquals(new Usage(1_100, 0, 0, 0, 0, false), above.usage());
        assertEquals(usd("0.0210"), above.usd());
        assertEquals(above.capUsd(), below.capUsd());
        assertEquals(BigDecimal.ONE, below.capUsd());
    }

    @Test
    void theCapsAreSharedWithWhomTheLedgerIsGivenTo() {
        CostTracker costs = new CostTracker(PRICE, null, 1_000);
        CostTracker other = new CostTracker(PRICE, costs.ledger());
        assertFalse(other.isSpent());

        record(costs, "agent", new Usage(900, 0, 0, 0, 0, false));

        assertTrue(other.isSpent());
        assertEquals(new Ledger.Caps(null, 1_000, -1), other.ledger().caps());
    }

    @Test
    void aSessionGoesOnFromWhatItHasCost() {
        CostTracker costs = new CostTracker(PRICE, null, -1);
        costs.restore(Usage.NONE, BigDecimal.ZERO);
        assertEquals(Map.of(), costs.lines(), "a new session has no earlier cost");

        costs.restore(new Usage(100, 10, 0, 0, 0, false), usd("0.5"));
        record(costs, "agent", new Usage(100, 0, 0, 0, 0, false));
        assertEquals(
                Map.of("earlier", line("0.5", 110), "agent", line("0.0010", 100)), costs.lines());
        assertEquals(usd("0.5010"), costs.usd());
        assertEquals(new Usage(200, 10, 0, 0, 0, false), costs.usage());

        costs.restore(new Usage(1, 0, 0, 0, 0, false), null);
        assertNull(costs.usd(), "an unknown part makes the whole unknown");
    }

    @Test
    @Tag("E06")
    @Tag("E20")
    @DisplayName("what earlier runs may have used besides stays out of use")
    void whatWasHeldBeforeStaysHeld() {
        CostTracker costs = new CostTracker(PRICE, new BigDecimal("1"), 100_000);
        costs.restoreHeld(85_000, new BigDecimal("0.1"));
        assertFalse(costs.isSpent());
        assertEquals(4_000, costs.reserve(new Demand(1_000, 8_000, 1, false)).get().maxOutput());

        costs.restoreHeld(5_000, BigDecimal.ZERO);
        assertTrue(costs.isSpent());
    }

    @Test
    void aLostAttemptIsARetryOnlyWhenAnotherOneFollows() {
        CostTracker costs = new CostTracker(PRICE, null, 10_000);
        Demand demand = new Demand(1_000, 2_500, 1_000, false);
        Usage some = new Usage(1_000, 100, 0, 0, 0, true);
        CostTracker.Charge charge = new CostTracker.Charge(some, usd("0.0130"), false);

        CostTracker.Lost first = costs.retry(costs.reserve(demand).get(), "agent", some, "");
        Demand again = new Demand(1_000, 2_500, 2_500, false);
        Reservation next = new Reservation(again, 2_500, usd("0.1125"), 2);
        assertEquals(new CostTracker.Lost(charge, next), first);
        assertEquals(Map.of("retry", line("0.0130", 1_100)), costs.lines());

        assertEquals(new CostTracker.Lost(charge, null), costs.retry(next, "agent", some, ""));
        assertEquals(
                Map.of("retry", line("0.0130", 1_100), "agent", line("0.0130", 1_100)),
                costs.lines());
    }

    @Test
    void aCallThatUsedNothingCostsNothing() {
        CostTracker costs = new CostTracker(PRICE, null, 4_000);
        Demand demand = new Demand(1_000, 2_500, 2_500, false);

        CostTracker.Charge charge =
                costs.lost(costs.reserve(demand).orElseThrow(), "agent", Usage.NONE, "");

        assertEquals(new CostTracker.Charge(Usage.NONE, BigDecimal.ZERO, false), charge);
        assertEquals(Map.of(), costs.lines());
        assertTrue(costs.reserve(demand).isPresent(), "all of it is there for the next");
    }

    private static void answer(CostTracker costs, Usage usage, String model) {
        Demand demand = new Demand(usage.prompt(), 100, 10, true);
        costs.record(costs.reserve(demand).orElseThrow(), "agent", usage, model);
    }

    private static CostTracker.Line line(String usd, long tokens) {
        return new CostTracker.Line(usd(usd), tokens);
    }

    /** An amount with as many digits as sums of {@link #PRICE} have. */
    private static BigDecimal usd(String amount) {
        return new BigDecimal(amount).setScale(7);
    }
}
