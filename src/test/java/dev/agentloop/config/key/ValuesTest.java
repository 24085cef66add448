package dev.agentloop.config.key;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.agentloop.config.key.ValueType.Money;
import dev.agentloop.config.key.ValueType.Span;
import dev.agentloop.config.key.ValueType.Whole;
import dev.agentloop.config.key.Values.BadValue;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ValuesTest {
    private static final Span SPAN = new Span(Duration.ofMillis(1), Duration.ofHours(24), true);

    @ParameterizedTest(name = "{0} is {1} ms")
    @Tag("E12")
    @DisplayName("durations")
    @CsvSource({
        "90, 90000",
        "90s, 90000",
        "5m, 300000",
        "1h30m, 5400000",
        "1h30m5s, 5405000",
        "1m1ms, 60001",
        "500ms, 500",
        "24h, 86400000",
        "0, 0",
        "0s, 0",
    })
    void durationsAreReadExactly(String text, long millis) throws BadValue {
        assertEquals(Duration.ofMillis(millis), Values.parse(SPAN, text));
    }

    @ParameterizedTest
    @Tag("E12")
    @DisplayName("what is no duration")
    @ValueSource(
            strings = {
                "-1",
                "1e6",
                "1.5h",
                "5 m",
                "m",
                "5d",
                "5M",
                "1m1h",
                "5m5m",
                "5s3",
                "NaN",
                "inf",
                "25h",
                "99999999999",
                "99999999999999999999s",
                "9999999999h",
                "٣s",
                "1_0s",
                "PT5M"
            })
    void brokenDurationsAreRefused(String text) {
        assertThrows(BadValue.class, () -> Values.parse(SPAN, text));
    }

    @ParameterizedTest(name = "{0} is {1}")
    @Tag("E12")
    @DisplayName("whole numbers")
    @CsvSource({"0, 0", "64_000, 64000", "007, 7", "1000000, 1000000", "1_000_000, 1000000"})
    void wholeNumbersMayHaveUnderscores(String text, long number) throws BadValue {
        assertEquals(number, Values.parse(new Whole(0, 1_000_000, false), text));
    }

    @ParameterizedTest
    @Tag("E12")
    @DisplayName("what is no whole number")
    @ValueSource(
            strings = {
                "-1",
                "1e6",
                "1e9",
                "5m",
                "NaN",
                ".inf",
                "1.0",
                "0x10",
                "_1",
                "1_",
                "+1",
                "1000001",
                "99999999999999999999",
                "1 0",
                "-",
                "٣",
                "true"
            })
    void otherWholeNumbersAreRefused(String text) {
        assertThrows(BadValue.class, () -> Values.parse(new Whole(0, 1_000_000, false), text));
    }

    @Test
    @Tag("E12")
    @DisplayName("0 is no limit where the key says so, whatever its smallest value")
    void zeroIsFreeWhereItIsDocumented() throws BadValue {
        assertEquals(0L, Values.parse(new Whole(10, 20, true), "0"));
        assertThrows(BadValue.class, () -> Values.parse(new Whole(10, 20, false), "0"));
        assertThrows(
                BadValue.class,
                () ->
                        Values.parse(
                                new Span(Duration.ofSeconds(1), Duration.ofHours(1), false), "0"));
    }

    @ParameterizedTest(name = "{0} is {1}")
    @Tag("E12")
    @DisplayName("money")
    @CsvSource({"0, 0", "2.50, 2.50", "0.000001, 0.000001", "1000000, 1000000", "1_000.5, 1000.5"})
    void moneyIsExact(String text, BigDecimal money) throws BadValue {
        assertEquals(money, Values.parse(new Money(), text));
    }

    @ParameterizedTest
    @Tag("E12")
    @DisplayName("what is no money")
    @ValueSource(
            strings = {
                "-1",
                "-0.5",
                "NaN",
                "1e6",
                "1e1000000000",
                "Infinity",
                ".5",
                "5.",
                "1.2.3",
                "$5",
                "2,50",
                "1000000.01",
                "0.00000000000000001",
                "5m",
                "."
            })
    void otherMoneyIsRefused(String text) {
        assertThrows(BadValue.class, () -> Values.parse(new Money(), text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\t", "\n"})
    void emptyTextIsNoValueOfAnyType(String text) {
        for (Key key : Keys.ALL) {
            assertThrows(BadValue.class, () -> Values.parse(key.type(), text), key.name());
        }
    }

    @Test
    void valuesAreShownAsTheyWouldBeWritten() {
        assertEquals("null", Values.show(null));
        assertEquals("90s", Values.show(Duration.ofSeconds(90)));
        assertEquals("2h", Values.show(Duration.ofHours(2)));
        assertEquals("1500ms", Values.show(Duration.ofMillis(1500)));
        assertEquals("0", Values.show(Duration.ZERO));
        assertEquals("0.000001", Values.show(new BigDecimal("0.000001")));
        assertEquals("[\"a b\", \"c\\\"d\"]", Values.show(List.of("a b", "c\"d")));
        assertEquals("\"two\\nlines # here\"", Values.show("two\nlines # here"));
        assertEquals("anthropic/claude-sonnet-5", Values.show("anthropic/claude-sonnet-5"));
    }
}
