package dev.agentloop.orchestration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SharedBudgetTest {
    @Test
    @Tag("E02")
    @DisplayName("what several runs are given is never more than there is")
    void partsStayWithinTheTotal() {
        SharedBudget purse = new SharedBudget(new BigDecimal("1.00"));
        SharedBudget.Part first = purse.take(3).orElseThrow();
        SharedBudget.Part second = purse.take(2).orElseThrow();
        SharedBudget.Part third = purse.take(1).orElseThrow();
        BigDecimal all = first.usd().add(second.usd()).add(third.usd());
        assertTrue(all.compareTo(BigDecimal.ONE) <= 0, all::toString);
        assertEquals(Optional.empty(), purse.take(1));

        purse.settle(first, new BigDecimal("0.10"));
        assertEquals(new BigDecimal("0.233333"), purse.take(1).orElseThrow().usd());
    }

    @Test
    void aRunOfUnknownCostHasSpentItsPart() {
        SharedBudget purse = new SharedBudget(BigDecimal.ONE);
        purse.settle(purse.take(1).orElseThrow(), null);
        assertEquals(Optional.empty(), purse.take(1));
        assertNull(purse.spent());
    }
}
