package dev.agentloop.session.jsonl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SessionIdTest {
    private static final long DAY = 86_400_000L;

    @Test
    void beginsWithTheTimeInCrockfordDigits() {
        // an independent implementation gives 01ARYZ6S41 for this time (ulid.github.io)
        assertEquals("01ARYZ6S41", new SessionId().next(1469918176385L).substring(0, 10));
        assertTrue(SessionId.isValid(new SessionId().next(1469918176385L)));
    }

    @Test
    @Tag("C40")
    @DisplayName("ids grow although the wall clock steps back a second and a day")
    void growsWhenTheClockStepsBack() {
        SessionId ids = new SessionId();
        long now = 1_800_000_000_000L;
        String last = "";
        for (long time : new long[] {now, now, now - 1000, now - DAY, now + 1, now}) {
            String id = ids.next(time);
            assertTrue(id.compareTo(last) > 0, id + " after " + last);
            last = id;
        }
    }

    @Test
    void manyMakersInOneMillisecondDiffer() {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < 10_000; i++) {
            seen.add(new SessionId().next(1_800_000_000_000L));
        }
        assertEquals(10_000, seen.size());
    }

    @Test
    @Tag("C40")
    @DisplayName("the year 2100 and a clock before 1970")
    void namesTheMonthOfItsTime() {
        assertEquals(Path.of("2026", "03"), monthOf("2026-03-31T23:59:59.999Z"));
        assertEquals(Path.of("2100", "12"), monthOf("2100-12-31T00:00:00Z"));
        assertEquals(Path.of("1970", "01"), SessionId.month(new SessionId().next(-5)));
    }

    @Test
    void tellsIdsFromOtherText() {
        assertFalse(SessionId.isValid("01ARZ3NDEKTSV4RRFFQ69G5FAU")); // U is no digit
        assertFalse(SessionId.isValid("../../../../../etc/passwd0"));
        assertFalse(SessionId.isValid("01ARZ3"));
        assertFalse(SessionId.isValid("81ARZ3NDEKTSV4RRFFQ69G5FAV")); // beyond 48 bits of time
    }

    private static Path monthOf(String time) {
        return SessionId.month(new SessionId().next(java.time.Instant.parse(time).toEpochMilli()));
    }
}
