package dev.agentloop.llm.http;

import dev.agentloop.json.JsonValue;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import okhttp3.Headers;
import org.jspecify.annotations.Nullable;

/** Reads how long a provider asks us to wait; what cannot be read counts as not said. */
public final class RetryAfter {
    /** Where the transport keeps {@code Retry-After} of a 503, out of sight of OkHttp. */
    static final String HIDDEN = "X-Agent-Retry-After";

    private RetryAfter() {}

    public static @Nullable Duration of(Headers headers, Instant now) {
        Duration millis = number(headers.get("retry-after-ms"), 1);
        if (millis != null) {
            return millis;
        }
        String text = headers.get(HIDDEN);
        if (text == null) {
            text = headers.get("Retry-After");
        }
        Duration seconds = number(text, 1000);
        return seconds != null || text == null ? seconds : until(text, headers.get("Date"), now);
    }

    /** As Google says it, inside the error: {@code "retryDelay":"13.5s"}. */
    public static @Nullable Duration of(JsonValue error) {
        for (JsonValue detail : error.at("error").at("details").items()) {
            String delay = detail.at("retryDelay").text();
            if (delay.endsWith("s")) {
                return number(delay.substring(0, delay.length() - 1), 1000);
            }
        }
        return null;
    }

    private static @Nullable Duration number(@Nullable String text, int unitMillis) {
        if (text == null) {
            return null;
        }
        try {
            double number = Double.parseDouble(text.strip());
            boolean sane = number >= 0 && number <= Integer.MAX_VALUE;
            return sane ? Duration.ofMillis((long) (number * unitMillis)) : null;
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** Measured against the server's own clock when it tells the time: ours may be wrong. */
    private static @Nullable Duration until(String date, @Nullable String serverNow, Instant now) {
        Instant then = instant(date);
        if (then == null) {
            return null;
        }
        Instant said = serverNow == null ? null : instant(serverNow);
        Duration wait = Duration.between(said == null ? now : said, then);
        return wait.isNegative() ? null : wait;
    }

    private static @Nullable Instant instant(String date) {
        try {
            return Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date.strip()));
        } catch (DateTimeException e) {
            return null;
        }
    }
}
