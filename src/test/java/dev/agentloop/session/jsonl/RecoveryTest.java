package dev.agentloop.session.jsonl;

import static dev.agentloop.session.jsonl.Records.answer;
import static dev.agentloop.session.jsonl.Records.calls;
import static dev.agentloop.session.jsonl.Records.intent;
import static dev.agentloop.session.jsonl.Records.says;
import static dev.agentloop.session.jsonl.Records.user;
import static dev.agentloop.session.jsonl.StoreFixture.refusal;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.session.JournalRecord;
import dev.agentloop.session.SavedSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecoveryTest {
    @TempDir Path temp;
    private StoreFixture fixture;
    private String id;

    @BeforeEach
    void oneSavedSession() throws Exception {
        fixture = StoreFixture.in(temp);
        id =
                fixture.saved(
                        Records.OPENED,
                        user("Fix ñ€ 🎉"),
                        calls("a", "b"),
                        intent("a", "PURE"),
                        intent("b", "OPAQUE"),
                        answer("a", "text"),
                        answer("b", "done 🎉"),
                        says("Fixed."));
    }

    @Test
    @Tag("C20")
    @DisplayName("the file cut at every byte: every whole record is there, the rest set aside")
    void cutAtEveryByte() throws Exception {
        byte[] whole = fixture.bytes(id);
        List<JournalRecord> all = fixture.records(id);
        for (int length = 0; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            int good = lineFeeds(cut);
            restore(cut);
            if (good == 0) {
                assertTrue(refusal(() -> fixture.store().reopen(id)).contains("has no records"));
                assertArrayEquals(cut, fixture.bytes(id), "an unusable journal stays as it is");
                continue;
            }
            SavedSession session = fixture.reopened(id);
            List<JournalRecord> kept = fixture.records(id);
            assertEquals(all.subList(0, good), kept.subList(0, good), "cut at " + length);
            Legality.check(session.history());
            assertEquals(length - endOf(cut), tornBytes(kept.getLast()), "cut at " + length);
            assertAside(Arrays.copyOfRange(cut, endOf(cut), length));
        }
    }

    @Test
    @Tag("C28")
    @Tag("row-64")
    @DisplayName("the last line cut at every byte position recovers alike")
    void theLastLineCutAnywhere() throws Exception {
        byte[] whole = fixture.bytes(id);
        int start = endOf(Arrays.copyOf(whole, whole.length - 1));
        restore(Arrays.copyOf(whole, start));
        var expected = fixture.reopened(id).history();
        for (int length = start + 1; length < whole.length; length++) {
            restore(Arrays.copyOf(whole, length));
            SavedSession session = fixture.reopened(id);
            assertEquals(expected, session.history());
            String note = "The last line was torn; its " + (length - start) + " bytes were moved";
            assertTrue(session.notes().getLast().startsWith(note), session.notes().toString());
        }
    }

    @Test
    @Tag("row-64")
    @DisplayName("reading a torn session changes nothing and says so")
    void readingLeavesATornTail() throws Exception {
        byte[] torn = Arrays.copyOf(fixture.bytes(id), fixture.bytes(id).length - 5);
        restore(torn);
        SavedSession session = fixture.store().read(id);
        assertTrue(session.notes().getLast().startsWith("The last line is incomplete: "));
        assertArrayEquals(torn, fixture.bytes(id));
    }

    @Test
    void aMendedSessionGoesOnAndKeepsEachTornTail() throws Exception {
        for (int round = 1; round <= 3; round++) {
            byte[] bytes = fixture.bytes(id);
            restoreOver(Arrays.copyOf(bytes, bytes.length - 3));
            var reopened = fixture.store().reopen(id);
            reopened.journal().append(List.of(user("round " + round), says("yes")), true);
            reopened.journal().close();
            assertTrue(Files.exists(fixture.dir(id).resolve("journal.torn." + round)));
        }
        assertTrue(fixture.store().read(id).notes().isEmpty());
    }

    @Test
    @Tag("C29")
    @DisplayName("a flipped bit in each byte before the last line is named with its line")
    void aFlippedBitIsNamed() throws Exception {
        byte[] whole = fixture.bytes(id);
        int last = endOf(Arrays.copyOf(whole, whole.length - 1));
        Random random = new Random(29);
        for (int at = 0; at < last - 1; at++) { // that line feed would merge the last two lines
            byte[] damaged = whole.clone();
            damaged[at] ^= (byte) (1 << random.nextInt(8));
            int line = lineFeeds(Arrays.copyOf(whole, at)) + 1;
            restore(damaged);
            String message = refusal(() -> fixture.store().read(id));
            String expected = "is damaged at line " + line + " (record " + (line - 1);
            assertTrue(message.contains(expected), "byte " + at + ": " + message);
            if (at % 10 == 0) {
                assertEquals(message, refusal(() -> fixture.store().reopen(id)));
                assertArrayEquals(damaged, fixture.bytes(id), "never rewritten");
            }
        }
    }

    @Test
    @Tag("C29")
    @DisplayName("a lost line, swapped lines, a doubled line")
    void linesOutOfOrderAreNamed() throws Exception {
        List<String> lines = fixture.lines(id);
        List<String> lost = new ArrayList<>(lines);
        lost.remove(3);
        assertDamaged(lost, 4, "it is number 4 instead of 3");
        List<String> swapped = new ArrayList<>(lines);
        Collections.swap(swapped, 2, 3);
        assertDamaged(swapped, 3, "it is number 3 instead of 2");
        List<String> doubled = new ArrayList<>(lines);
        doubled.add(5, lines.get(4));
        assertDamaged(doubled, 6, "it is number 4 instead of 5");
    }

    @Test
    @Tag("C29")
    @DisplayName("a line of another session does not fit into the chain")
    void aForeignLineIsNamed() throws Exception {
        String other = fixture.saved(Records.OPENED, user("another"), calls("a", "b"), says("no"));
        List<String> mixed = new ArrayList<>(fixture.lines(id));
        mixed.set(2, fixture.lines(other).get(2));
        assertDamaged(mixed, 3, "it does not continue the line before");
    }

    @Test
    @Tag("C29")
    @DisplayName("a block of zeros and 3 MB of garbage in the middle")
    void foreignBytesAreNamed() throws Exception {
        byte[] whole = fixture.bytes(id);
        int third = endOfLine(whole, 2);
        byte[] zeroed = whole.clone();
        Arrays.fill(zeroed, third + 10, third + 60, (byte) 0);
        restore(zeroed);
        assertTrue(refusal(() -> fixture.store().reopen(id)).contains("at line 3 (record 2)"));
        byte[] garbage = new byte[3_000_000];
        new Random(3).nextBytes(garbage);
        byte[] longer = Arrays.copyOf(whole, whole.length + garbage.length);
        System.arraycopy(garbage, 0, longer, third, garbage.length);
        System.arraycopy(whole, third, longer, third + garbage.length, whole.length - third);
        restore(longer);
        assertTrue(refusal(() -> fixture.store().reopen(id)).contains("at line 3 (record 2)"));
        assertArrayEquals(longer, fixture.bytes(id));
    }

    @Test
    @Tag("C31")
    @DisplayName("a journal of a newer version is refused and untouched")
    void aNewerVersionIsRefused() throws Exception {
        String body =
                "{\"v\":2,\"seq\":0,\"ts\":1,\"mono\":0,\"run\":\"r\",\"t\":\"session\",\"d\":{},"
                        + "\"pc\":\"00000000\"";
        fixture.write(id, List.of(StoreFixture.sealed(body), "torn"));
        byte[] before = fixture.bytes(id);
        String expected =
                "Session " + id + " was written by a newer version of agent. Use that version.";
        assertEquals(expected, refusal(() -> fixture.store().reopen(id)));
        assertEquals(expected, refusal(() -> fixture.store().read(id)));
        fixture.write(id, List.of("{\"v\":3,\"other\":\"frame\"}"));
        assertEquals(expected, refusal(() -> fixture.store().reopen(id)));
        fixture.write(id, List.of(StoreFixture.sealed(body), "torn"));
        assertArrayEquals(before, fixture.bytes(id));
    }

    @Test
    @Tag("C31")
    @DisplayName("a record of an unknown type is passed over with a note")
    void anUnknownRecordIsNoted() throws Exception {
        List<String> lines = new ArrayList<>(fixture.lines(id).subList(0, 2));
        String crc = lines.get(1).substring(lines.get(1).length() - 10, lines.get(1).length() - 2);
        lines.add(
                StoreFixture.sealed(
                        "{\"v\":1,\"seq\":2,\"ts\":1,\"mono\":0,\"run\":\"r\",\"extra\":[1],"
                                + "\"t\":\"checkpoint\",\"d\":{\"x\":1},\"pc\":\""
                                + crc
                                + '"'));
        fixture.write(id, lines);
        assertEquals(
                List.of("Record 2 has the type checkpoint of a newer version; it was ignored."),
                fixture.reopened(id).notes());
        assertEquals(3, fixture.store().read(id).history().size() + 1);
    }

    @Test
    @Tag("C29")
    @DisplayName("an empty journal is refused, never shown as a blank session")
    void anEmptyJournalIsRefused() throws Exception {
        restore(new byte[0]);
        assertTrue(refusal(() -> fixture.store().read(id)).contains("has no records"));
        assertTrue(refusal(() -> fixture.store().reopen(id)).contains("has no records"));
    }

    private void assertDamaged(List<String> lines, int line, String why) throws IOException {
        fixture.write(id, lines);
        byte[] before = fixture.bytes(id);
        String message = refusal(() -> fixture.store().reopen(id));
        String expected = "is damaged at line " + line + " (record " + (line - 1) + "): " + why;
        assertTrue(message.contains(expected), message);
        assertArrayEquals(before, fixture.bytes(id));
    }

    private void assertAside(byte[] expected) throws IOException {
        Path aside = fixture.dir(id).resolve("journal.torn.1");
        if (expected.length == 0) {
            assertFalse(Files.exists(aside));
        } else {
            assertArrayEquals(expected, Files.readAllBytes(aside));
        }
    }

    private void restore(byte[] bytes) throws IOException {
        Files.deleteIfExists(fixture.dir(id).resolve("journal.torn.1"));
        restoreOver(bytes);
    }

    private void restoreOver(byte[] bytes) throws IOException {
        Files.write(fixture.journal(id), bytes);
    }

    private static long tornBytes(JournalRecord last) {
        return ((JournalRecord.Resumed) last).tornBytes();
    }

    private static int lineFeeds(byte[] bytes) {
        int count = 0;
        for (byte b : bytes) {
            count += b == '\n' ? 1 : 0;
        }
        return count;
    }

    /** Behind the last line feed. */
    private static int endOf(byte[] bytes) {
        return endOfLine(bytes, lineFeeds(bytes));
    }

    private static int endOfLine(byte[] bytes, int lines) {
        int at = 0;
        for (int seen = 0; seen < lines; at++) {
            seen += bytes[at] == '\n' ? 1 : 0;
        }
        return at;
    }
}
