package dev.agentloop.session.jsonl;

import java.nio.file.Path;
import java.time.LocalDate;

/**
 * Makes session ids: 26 characters of Crockford's base 32, the first 10 the milliseconds of the
 * wall clock, so that ids sort by age. The rest only has to differ, not to be secret: it is mixed
 * from the monotonic clock and the process id, because a secure random source costs 24 ms at the
 * first use. Ids of one maker always grow, also when the clock steps back; that no two processes
 * share one is settled by creating the session's folder, which only one of them can.
 */
final class SessionId {
    static final int LENGTH = 26;
    private static final int TIME_CHARS = 10;
    private static final String DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    private static final long MASK_40 = (1L << 40) - 1;
    private static final long MASK_48 = (1L << 48) - 1;
    private static final long GOLDEN = 0x9E3779B97F4A7C15L; // increment of splitmix64
    private static final long MILLIS_PER_DAY = 86_400_000L;

    private long millis = -1;
    private long high;
    private long low;

    synchronized String next(long wallMillis) {
        long now = Math.clamp(wallMillis, 0, MASK_48);
        if (now > millis) {
            millis = now;
            long seed = System.nanoTime() ^ Self.pid() * GOLDEN;
            high = mix(seed) & MASK_40;
            low = mix(seed + GOLDEN) & MASK_40;
        } else {
            low = low + 1 & MASK_40;
            high = low == 0 ? high + 1 & MASK_40 : high;
        }
        StringBuilder id = new StringBuilder(LENGTH);
        append(id, millis, TIME_CHARS);
        append(id, high, 8);
        append(id, low, 8);
        return id.toString();
    }

    /** Whether {@code text} is a whole id. */
    static boolean isValid(String text) {
        return text.length() == LENGTH && isPrefix(text) && text.charAt(0) <= '7';
    }

    /** Whether {@code text} could begin an id. */
    static boolean isPrefix(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (DIGITS.indexOf(text.charAt(i)) < 0) {
                return false;
            }
        }
        return text.length() <= LENGTH;
    }

    /** Year and month (UTC) under which a session of this id is kept. */
    static Path month(String id) {
        long time = 0;
        for (int i = 0; i < TIME_CHARS; i++) {
            time = time << 5 | DIGITS.indexOf(id.charAt(i));
        }
        LocalDate day = LocalDate.ofEpochDay(time / MILLIS_PER_DAY);
        String month = (day.getMonthValue() < 10 ? "0" : "") + day.getMonthValue();
        return Path.of(Integer.toString(day.getYear()), month);
    }

    private static void append(StringBuilder id, long value, int chars) {
        for (int shift = (chars - 1) * 5; shift >= 0; shift -= 5) {
            id.append(DIGITS.charAt((int) (value >>> shift) & 31));
        }
    }

    /** The finalizer of splitmix64: neighbouring seeds give unrelated bits. */
    private static long mix(long seed) {
        long z = (seed ^ seed >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }
}
