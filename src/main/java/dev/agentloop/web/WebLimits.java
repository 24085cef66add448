package dev.agentloop.web;

import java.time.Duration;

/**
 * How much of the web one call may take.
 *
 * @param total from the first lookup to the last byte, redirects included
 * @param maxBytes of a page, unpacked; the rest is not read
 * @param pageChars of one result; the rest is had by its offset
 */
public record WebLimits(Duration total, int maxBytes, int pageChars) {
    private static final Duration TOTAL = Duration.ofSeconds(30);
    private static final int MAX_BYTES = 5_000_000;

    public static WebLimits ofPage(int chars) {
        return new WebLimits(TOTAL, MAX_BYTES, chars);
    }
}
