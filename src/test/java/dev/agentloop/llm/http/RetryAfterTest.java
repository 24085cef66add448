package dev.agentloop.llm.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import okhttp3.Headers;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RetryAfterTest {
    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

    @ParameterizedTest(name = "A71 clocks {0} days apart do not change the wait")
    @ValueSource(longs = {-3650, 0, 3650})
    void clocksApart(long days) {
        Instant there = NOW.plus(days, ChronoUnit.DAYS);
        Headers dated = Headers.of("Date", date(there), "Retry-After", date(there.plusSeconds(3)));
        Headers counted = Headers.of("Date", date(there), "Retry-After", "3");

        assertEquals(Duration.ofSeconds(3), RetryAfter.of(dated, NOW));
        assertEquals(Duration.ofSeconds(3), RetryAfter.of(counted, NOW));
    }

    @Test
    @Tag("A71")
    @DisplayName("a moment that is past on the server's clock asks for nothing")
    void pastMoment() {
        Instant there = NOW.minus(3650, ChronoUnit.DAYS);

        assertNull(
                RetryAfter.of(
                        Headers.of(
                                "Date", date(there), "Retry-After", date(there.minusSeconds(60))),
                        NOW));
    }

    private static String date(Instant time) {
        return DateTimeFormatter.RFC_1123_DATE_TIME.format(time.atOffset(ZoneOffset.UTC));
    }
}
