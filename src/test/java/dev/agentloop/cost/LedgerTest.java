package dev.agentloop.cost;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.message.Usage;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class LedgerTest {
    private static final Price PRICE =
            new Price(
                    new BigDecimal("10"),
                    new BigDecimal("1"),
                    new BigDecimal("12.5"),
                    new BigDecimal("30"),
                    new BigDecimal("40"));
    private static final BigDecimal CAP = new BigDecimal("1.00");
    private static final long CAP_TOKENS = 60_000;

    /** One of those that share the caps: the run itself, or a sub-agent. */
    private static final class Worker {
        private final CostTracker costs;
        private final Random random;
        private Optional<Reservation> call = Optional.empty();
        private int replies;

        Worker(Ledger ledger, Random random) {
            this.costs = new CostTracker(PRICE, ledger);
            this.random = random;
        }

        /** Whatever may happen next to a worker that asks a model, or waits for its answer. */
        void next() {
            if (call.isEmpty()) {
                call =
                        costs.reserve(
                                new Demand(
                                        random.nextInt(4_000),
                                        1 + random.nextInt(20_000),
                                        1_000,
                                        random.nextInt(10) == 0));
                return;
            }
            Reservation now = call.get();
            switch (random.nextInt(4)) {
                case 0 -> reply(now, honest(now));
                case 1 -> reply(now, lie());
                case 2 ->
                        call =
                                Optional.ofNullable(
                                        costs.retry(now, "agent", partly(now), "").next());
                default -> {
                    costs.lost(now, "agent", random.nextBoolean() ? Usage.NONE : lie(), "");
                    call = Optional.empty();
                }
            }
        }

        private void reply(Reservation now, Usage told) {
            costs.record(now, "agent", told, "");
            replies++;
            call = Optional.empty();
        }

        private Usage honest(Reservation now) {
            long prompt = now.demand().prompt();
            long cached = prompt == 0 ? 0 : random.nextLong(prompt + 1);
            long output = random.nextLong(now.maxOutput() + 1L);
            return new Usage(prompt - cached, output, cached, 0, output / 2, false);
        }

        private Usage partly(Reservation now) {
            return random.nextBoolean() ? Usage.NONE : honest(now);
        }

        private Usage lie() {
            return new Usage(
                    random.nextInt(100_000_000),
                    random.nextInt(100_000_000),
                    random.nextInt(100_000),
                    random.nextInt(100_000),
                    random.nextInt(100_000_000),
                    false);
        }
    }

    @Test
    @Tag("E02")
    @Tag("E21")
    @DisplayName("10,000 schedules of calls, retries, sub-agents and lies pass no cap")
    void noSchedulePassesACap() {
        int replies = 0;
        for (int seed = 0; seed < 10_000; seed++) {
            Random random = new Random(seed);
            Ledger ledger = new Ledger(new Ledger.Caps(CAP, CAP_TOKENS, -1));
            List<Worker> workers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                workers.add(new Worker(ledger, random));
            }
            for (int turn = 0; turn < 60; turn++) {
                workers.get(random.nextInt(4)).next();
                assertWithin(workers, "seed " + seed + ", turn " + turn);
            }
            replies += workers.stream().mapToInt(worker -> worker.replies).sum();
        }
        assertTrue(replies > 20_000, () -> "the caps must let work through");
    }

    @Test
    @Tag("E02")
    @DisplayName("parent and three sub-agents at once, 1,000 times: never above the budget")
    void noRaceExceedsTheBudget() throws InterruptedException {
        for (int round = 0; round < 1_000; round++) {
            Ledger ledger = new Ledger(new Ledger.Caps(CAP, CAP_TOKENS, -1));
            List<Worker> workers = new ArrayList<>();
            CountDownLatch start = new CountDownLatch(1);
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                Worker worker = new Worker(ledger, new Random(4L * round + i));
                workers.add(worker);
                threads.add(
                        Thread.ofPlatform()
                                .start(() -> {
                                    await(start);
                                    for (int turn = 0; turn < 15; turn++) {
                                        worker.next();
                                    }
                                }));
            }
            start.countDown();
            for (Thread thread : threads) {
                thread.join();
            }
            assertWithin(workers, "round " + round);
        }
    }

    @Test
    @DisplayName("what was reserved and not used is there for the next")
    void theRestComesBack() {
        CostTracker costs = new CostTracker(PRICE, CAP, -1);
        Demand demand = new Demand(10_000, 8_000, 8_000, false);
        for (int call = 0; call < 20; call++) {
            Reservation now = costs.reserve(demand).orElseThrow();
            costs.record(now, "agent", new Usage(1_000, 10, 0, 0, 0, false), "");
        }
        assertEquals(0, new BigDecimal("0.206").compareTo(costs.usd()));
    }

    @Test
    @DisplayName("four fifths of a cap are told once, whoever uses them")
    void fourFifthsAreToldOnce() {
        Ledger ledger = new Ledger(new Ledger.Caps(CAP, 10_000, 5));
        ledger.add(new Usage(7_999, 0, 0, 0, 0, false), new BigDecimal("0.79"));
        assertEquals(List.of(), ledger.nearing());
        ledger.add(new Usage(1, 0, 0, 0, 0, false), new BigDecimal("0.01"));
        assertEquals(
                List.of(
                        "80 % of the budget are used: $0.8 of $1",
                        "80 % of the tokens are used: 8000 of 10000"),
                ledger.nearing());
        for (int call = 0; call < 5; call++) {
            assertTrue(ledger.takeToolCall());
        }
        assertEquals(List.of("80 % of the tool calls are used: 5 of 5"), ledger.nearing());
        assertFalse(ledger.isToolCallRefused());
        assertFalse(ledger.takeToolCall());
        assertTrue(ledger.isToolCallRefused());
    }

    @Test
    void aCapOfNothingIsNeverNearlyUsed() {
        Ledger ledger = new Ledger(new Ledger.Caps(BigDecimal.ZERO, 0, 0));
        assertEquals(List.of(), ledger.nearing());
        assertFalse(ledger.hasToolCalls(1));
        assertFalse(ledger.takeToolCall());
        assertTrue(new CostTracker(PRICE, null, 0).reserve(new Demand(0, 1, 1, true)).isEmpty());
    }

    @Test
    void toolCallsOfEarlierRunsCount() {
        Ledger ledger = new Ledger(new Ledger.Caps(null, -1, 5));
        assertFalse(ledger.isCapped(), "neither money nor tokens are limited");
        ledger.countFrom(2);
        assertTrue(ledger.takeToolCall());
        assertEquals(3, ledger.toolCallsTaken());
        assertTrue(ledger.hasToolCalls(2));
        assertFalse(ledger.hasToolCalls(3));

        Ledger endless = new Ledger(new Ledger.Caps(null, -1, -1));
        assertTrue(endless.hasToolCalls(1_000));
        assertTrue(endless.takeToolCall());
    }

    @Test
    void aRefusedCallSaysWhichCapsItNeeds() {
        // 1000 are used, 2000 held, 3000 under way: with 4000 + 500 more that is 10,500 of 90 %
        Demand demand = new Demand(4_000, 900, 500, false);
        BigDecimal usd = new BigDecimal("0.2612"); // 0.2350 of 90 %

        assertEquals(new Ledger.Needed(usd, 11_667), busy("0.26", 11_665).needed(demand));
        assertTrue(busy("0.26", 11_667).reserve(demand).isEmpty());
        assertTrue(busy("0.2612", 11_665).reserve(demand).isEmpty());
        assertTrue(busy("0.2612", 11_667).reserve(demand).isPresent());
        assertEquals(new Ledger.Needed(null, -1), busy("0.2612", 11_667).needed(demand));
    }

    @Test
    void onlyACapThatIsThereCanBeTooLow() {
        Demand demand = new Demand(4_000, 900, 500, false);
        CostTracker unpriced = new CostTracker(null, BigDecimal.ZERO, -1);
        assertEquals(new Ledger.Needed(null, -1), unpriced.needed(demand));
        assertEquals(
                new Ledger.Needed(null, 5_001), new CostTracker(PRICE, null, 0).needed(demand));
    }

    private static CostTracker busy(String capUsd, long capTokens) {
        CostTracker costs = new CostTracker(PRICE, new BigDecimal(capUsd), capTokens);
        costs.restore(new Usage(1_000, 0, 0, 0, 0, false), new BigDecimal("0.0600"));
        costs.restoreHeld(2_000, new BigDecimal("0.0400"));
        assertTrue(costs.reserve(new Demand(2_000, 1_000, 1_000, false)).isPresent());
        return costs;
    }

    @Test
    @Tag("E04")
    @DisplayName("not even a reply of any length is reserved when the prompt is too dear")
    void aPromptThatCannotBePaidIsNotSent() {
        Demand open = new Demand(1_000, 0, 0, true);
        assertTrue(new CostTracker(null, BigDecimal.ONE, -1).reserve(open).isEmpty());
        BigDecimal little = new BigDecimal("0.0124"); // 1000 tokens may cost 0.0125
        assertTrue(new CostTracker(PRICE, little, -1).reserve(open).isEmpty());
        assertTrue(new CostTracker(PRICE, new BigDecimal("0.0125"), -1).reserve(open).isPresent());
    }

    @Test
    @Tag("E21")
    @DisplayName("a call may use all that is left, to the last token")
    void theLastTokenIsNoLie() {
        CostTracker costs = new CostTracker(PRICE, null, 2_000);
        Usage all = new Usage(1_000, 1_000, 0, 0, 0, false);
        Reservation call = costs.reserve(new Demand(1_000, 1_000, 1_000, true)).orElseThrow();
        assertEquals(
                new CostTracker.Charge(all, new BigDecimal("0.0400000"), false),
                costs.record(call, "agent", all, ""));
    }

    @Test
    @Tag("E21")
    @DisplayName("a prompt as long as was expected is believed when the output cannot be")
    void onlyTheFiguresThatCannotBeAreCut() {
        CostTracker costs = new CostTracker(PRICE, null, 3_000);
        Reservation call = costs.reserve(new Demand(1_000, 1_000, 1_000, true)).orElseThrow();
        Usage told = new Usage(100, 9_000, 600, 300, 20, false);
        assertEquals(
                new Usage(100, 1_000, 600, 300, 20, true),
                costs.record(call, "agent", told, "").usage());
    }

    @Test
    @Tag("E06")
    @DisplayName("money that a lost reply may have cost stays out of use")
    void theMoneyOfALostReplyIsKept() {
        CostTracker costs = new CostTracker(PRICE, new BigDecimal("0.1"), -1);
        Demand demand = new Demand(1_000, 1_500, 1_500, true); // 0.0725
        Reservation call = costs.reserve(demand).orElseThrow();
        costs.lost(call, "agent", new Usage(1_000, 0, 0, 0, 0, true), ""); // 0.0100
        assertEquals(new BigDecimal("0.0100000"), costs.usd());
        Reservation next = costs.reserve(new Demand(1_000, 9_000, 1, true)).orElseThrow();
        assertEquals(375, next.maxOutput(), "0.0275 are left, of which the prompt takes 0.0125");
    }

    private static void assertWithin(List<Worker> workers, String when) {
        BigDecimal usd = BigDecimal.ZERO;
        long tokens = 0;
        for (Worker worker : workers) {
            BigDecimal its = worker.costs.usd();
            usd = its == null ? usd : usd.add(its);
            tokens += worker.costs.usage().total();
        }
        String sum = usd + " and " + tokens + " tokens, " + when;
        assertTrue(usd.compareTo(CAP) <= 0 && tokens <= CAP_TOKENS, sum);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
