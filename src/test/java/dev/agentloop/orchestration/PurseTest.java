package dev.agentloop.orchestration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PurseTest {
    @Test
    @DisplayName("E02: what several runs are given is never more than there is")
    void partsStayWithinTheTotal() {
        Purse purse = new Purse(new BigDecimal("1.00"));
        Purse.Part first = purse.take(3).orElseThrow();
        Purse.Part second = purse.take(2).orElseThrow();
        Purse.Part third = purse.take(1).orElseThrow();
        BigDecimal all = first.usd().add(second.usd()).add(third.usd());
        assertTrue(all.compareTo(BigDecimal.ONE) <= 0, all::toString);
        assertEquals(Optional.empty(), purse.take(1));

        purse.settle(first, new BigDecimal("0.10"));
        assertEquals(new BigDecimal("0.233333"), purse.take(1).orElseThrow().usd());
    }

    @Test
    void aRunOfUnknownCostHasSpentItsPart() {
        Purse purse = new Purse(BigDecimal.ONE);
        purse.settle(purse.take(1).orElseThrow(), null);
        assertEquals(Optional.empty(), purse.take(1));
        assertNull(purse.spent());
    }
}
