package dev.agentloop.orchestration;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IntervalTest {
    /** Reference values: Newcombe 1998, table I, method 3, and its limits. */
    @ParameterizedTest
    @CsvSource({
        "81,263,0.2553,0.3662",
        "15,148,0.0624,0.1605",
        "0,20,0.0,0.1611",
        "1,29,0.0061,0.1718"
    })
    void isWilsons(int passed, int runs, double low, double high) {
        Interval interval = Interval.of(passed, runs);
        assertEquals(low, interval.low(), 5e-5);
        assertEquals(high, interval.high(), 5e-5);
    }

    @ParameterizedTest
    @CsvSource({"0,0,0,1", "3,3,0.4385,1"})
    void holdsForFew(int passed, int runs, double low, double high) {
        Interval interval = Interval.of(passed, runs);
        assertEquals(low, interval.low(), 5e-5);
        assertEquals(high, interval.high(), 1e-9);
    }
}
