package dev.agentloop.session.jsonl;

import static dev.agentloop.session.jsonl.Records.OPENED;
import static dev.agentloop.session.jsonl.Records.answer;
import static dev.agentloop.session.jsonl.Records.calls;
import static dev.agentloop.session.jsonl.Records.ended;
import static dev.agentloop.session.jsonl.Records.intent;
import static dev.agentloop.session.jsonl.Records.says;
import static dev.agentloop.session.jsonl.Records.user;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.session.Journal;
import dev.agentloop.session.JournalRecord;
import dev.agentloop.session.SavedSession;
import dev.agentloop.session.SessionException;
import dev.agentloop.session.SessionStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies of sessions that go on by themselves, and sessions that are deleted. */
class ForkTest {
    @TempDir Path temp;
    private StoreFixture fixture;

    @BeforeEach
    void begin() {
        fixture = StoreFixture.in(temp);
    }

    private String threeSteps() throws SessionException {
        return fixture.saved(
                OPENED,
                user("go"),
                calls("c1"),
                answer("c1", "one"),
                calls("c2"),
                answer("c2", "two"),
                says("Done."),
                ended(3));
    }

    @Test
    @DisplayName("a copy has the same history and cost and a life of its own")
    void wholeCopy() throws Exception {
        String id = threeSteps();
        byte[] before = fixture.bytes(id);
        String copy = fixture.store().fork(id, SessionStore.ALL, OptionalInt.empty());
        assertFalse(copy.equals(id));

        SavedSession original = fixture.store().read(id);
        SavedSession forked = fixture.reopened(copy);
        assertEquals(original.history(), forked.history());
        assertEquals(original.usd(), forked.usd());
        assertEquals(original.steps(), forked.steps());
        assertEquals("open", forked.summary().status());
        assertEquals(original.summary().title(), forked.summary().title());
        byte[] there = fixture.bytes(copy);
        assertArrayEquals(before, Arrays.copyOf(there, before.length));

        try (Journal journal = fixture.store().reopen(copy).journal()) {
            journal.append(List.of(user("something else")), true);
        }
        assertArrayEquals(before, fixture.bytes(id));
        assertEquals(2, fixture.store().list().size());
    }

    @Test
    @DisplayName("a copy that ends at an earlier step; what came after still counts as cost")
    void earlierStep() throws Exception {
        String id = threeSteps();
        String copy = fixture.store().fork(id, SessionStore.ALL, OptionalInt.of(1));
        SavedSession forked = fixture.reopened(copy);
        assertEquals(1, forked.steps());
        assertEquals(4, forked.history().size()); // system, user, reply, result
        assertEquals(fixture.store().read(id).usd(), forked.usd());
    }

    @Test
    @DisplayName("contents of files and the key go with the copy; what is half written does not")
    void blobs() throws Exception {
        String id;
        byte[] key;
        try (Journal journal = fixture.store().create()) {
            id = journal.sessionId();
            journal.append(List.of(OPENED, user("go"), says("Done.")), true);
            journal.blobs().orElseThrow().keep("abc", "before".getBytes(StandardCharsets.UTF_8));
            key = journal.key();
        }
        Files.writeString(fixture.dir(id).resolve("blobs/.1-1.tmp"), "half");
        String copy = fixture.store().fork(id, SessionStore.ALL, OptionalInt.empty());
        try (Journal journal = fixture.store().reopen(copy).journal()) {
            assertArrayEquals(key, journal.key());
            assertEquals(
                    "before",
                    new String(journal.blobs().orElseThrow().read("abc"), StandardCharsets.UTF_8));
        }
        assertFalse(Files.exists(fixture.dir(copy).resolve("blobs/.1-1.tmp")));
    }

    @Test
    @DisplayName("a call without a result is settled in the copy as in the session")
    void openCall() throws Exception {
        String id = fixture.saved(OPENED, user("go"), calls("c1"), intent("c1", "OPAQUE"));
        String copy = fixture.store().fork(id, SessionStore.ALL, OptionalInt.empty());
        SavedSession forked = fixture.reopened(copy);
        assertEquals(List.of("c1"), forked.unresolved());
    }

    @Test
    @Tag("C29")
    @DisplayName("a damaged session goes on from a copy of its good records; it stays as it is")
    void damaged() throws Exception {
        String id = threeSteps();
        List<String> lines = fixture.lines(id);
        lines.set(4, lines.get(4).replace("c2", "cX"));
        fixture.write(id, lines);
        byte[] damaged = fixture.bytes(id);

        String refusal = StoreFixture.refusal(() -> fixture.store().reopen(id));
        assertTrue(refusal.contains("line 5"), refusal);
        assertTrue(refusal.contains("agent resume " + id + " --resume-at 4"), refusal);

        String copy = fixture.store().fork(id, 4, OptionalInt.empty());
        SavedSession forked = fixture.reopened(copy);
        assertEquals(1, forked.steps());
        assertArrayEquals(damaged, fixture.bytes(id));
        String more = StoreFixture.refusal(() -> fixture.store().fork(id, 5, OptionalInt.empty()));
        assertTrue(more.contains("line 5"), more);
        String beyond = StoreFixture.refusal(() -> fixture.store().read(copy, 99));
        assertTrue(beyond.contains("not 99"), beyond);
    }

    @Test
    @Tag("C33")
    @DisplayName("what another run has can neither be copied nor deleted")
    void inUse() throws Exception {
        String id = threeSteps();
        try (Journal _ = fixture.store().reopen(id).journal()) {
            assertThrows(
                    SessionException.InUse.class,
                    () -> fixture.store().fork(id, SessionStore.ALL, OptionalInt.empty()));
            assertThrows(SessionException.InUse.class, () -> fixture.store().remove(id));
            assertThrows(SessionException.InUse.class, () -> fixture.store().await(id, 0));
        }
        fixture.store().await(id, 0);
        assertEquals(1, fixture.store().list().size());
    }

    @Test
    @DisplayName("a deleted session is gone with all its files")
    void removed() throws Exception {
        String id = threeSteps();
        long bytes = fixture.bytes(id).length;
        assertTrue(fixture.store().remove(id) >= bytes);
        assertFalse(Files.exists(fixture.dir(id)));
        assertEquals(List.of(), fixture.store().list());
        assertThrows(SessionException.class, () -> fixture.store().remove(id));
        try (var left = Files.list(fixture.dir(id).getParent())) {
            assertEquals(List.of(), left.toList());
        }
    }

    @Test
    @Tag("C45")
    @DisplayName("a session that holds a link, or is one, or holds foreign files is left whole")
    void linked() throws Exception {
        String id = threeSteps();
        Path precious = Files.writeString(temp.resolve("precious"), "keep me");
        Path link = fixture.dir(id).resolve("blobs");
        Files.createSymbolicLink(link, Files.createDirectory(temp.resolve("elsewhere")));
        Files.move(precious, temp.resolve("elsewhere/precious"));
        String refusal = StoreFixture.refusal(() -> fixture.store().remove(id));
        assertTrue(refusal.contains("blobs"), refusal);
        Files.delete(link);

        Files.writeString(fixture.dir(id).resolve("notes.txt"), "mine");
        refusal = StoreFixture.refusal(() -> fixture.store().remove(id));
        assertTrue(refusal.contains("notes.txt"), refusal);
        assertTrue(Files.exists(fixture.journal(id)));
        Files.delete(fixture.dir(id).resolve("notes.txt"));

        Path moved = temp.resolve("moved");
        Files.move(fixture.dir(id), moved);
        Files.createSymbolicLink(fixture.dir(id), moved);
        assertThrows(SessionException.class, () -> fixture.store().remove(id));
        assertTrue(Files.exists(moved.resolve("journal.jsonl")));
        assertEquals("keep me", Files.readString(temp.resolve("elsewhere/precious")));
    }

    @Test
    @DisplayName("a deletion that was cut off is finished by the next one, and shows in no list")
    void halfRemoved() throws Exception {
        String id = threeSteps();
        String other = threeSteps();
        Path gone = fixture.dir(id).resolveSibling(".removed-" + id);
        Files.move(fixture.dir(id), gone);
        assertEquals(1, fixture.store().list().size());
        fixture.store().remove(other);
        assertFalse(Files.exists(gone));
    }

    @Test
    @DisplayName("a copy that cannot be written whole leaves nothing, and the session as it was")
    void fullDisk() throws Exception {
        String id = threeSteps();
        byte[] before = fixture.bytes(id);
        FaultyDisk disk = new FaultyDisk();
        StoreFixture full = StoreFixture.in(temp, JsonlSessionStore.Fsync.INTENT, disk);
        for (int i = 0; i < 10; i++) {
            disk.writes.add(5);
        }
        String refusal =
                StoreFixture.refusal(
                        () -> full.store().fork(id, SessionStore.ALL, OptionalInt.empty()));
        assertTrue(refusal.contains("The copy of session " + id), refusal);
        assertEquals(1, fixture.store().list().size());
        try (var left = Files.list(fixture.dir(id).getParent())) {
            assertEquals(List.of(fixture.dir(id)), left.toList());
        }
        assertArrayEquals(before, fixture.bytes(id));
    }

    @Test
    @DisplayName(
            "who goes on from an earlier record has spent what came after, under the same caps")
    void earlierRecord() throws Exception {
        String id =
                fixture.saved(
                        OPENED,
                        user("go"),
                        says("One."),
                        new JournalRecord.Capped("0.50", "9000"),
                        new JournalRecord.Terms(
                                "confirm-all",
                                List.of(),
                                List.of(),
                                List.of("write_file"),
                                "auto",
                                false,
                                Optional.empty(),
                                List.of("/srv/lib"),
                                List.of()),
                        user("more"),
                        says("Two."));
        SavedSession whole = fixture.store().read(id);
        for (SavedSession part :
                List.of(
                        fixture.store().survey(id, 3),
                        fixture.reopened(fixture.store().fork(id, 3, OptionalInt.empty())))) {
            assertEquals(3, part.history().size());
            assertEquals(whole.usd(), part.usd());
            assertEquals(whole.usage(), part.usage());
            assertEquals("0.50", part.caps().usd());
            assertEquals(List.of("write_file"), part.terms().deny());
        }
    }

    @Test
    @DisplayName("what a deletion of another month has left is taken away, too")
    void otherMonth() throws Exception {
        String old = threeSteps();
        Path gone = fixture.dir(old).resolveSibling(".removed-" + old);
        Files.move(fixture.dir(old), gone);
        fixture.time().pass(java.time.Duration.ofDays(40));
        String id = threeSteps();
        assertFalse(fixture.dir(id).getParent().equals(gone.getParent()));
        fixture.store().remove(id);
        assertFalse(Files.exists(gone));
    }

    @Test
    @Tag("C33")
    @DisplayName("who waited for a session has it: nobody comes between reading and taking it")
    void claimed() throws Exception {
        String id = threeSteps();
        fixture.store().await(id, 0);
        Process child = Child.start(fixture.root(), "hold", id);
        try (var output = Child.output(child)) {
            assertFalse(String.valueOf(output.readLine()).startsWith("locked"), "it was kept");
        } finally {
            child.destroyForcibly().waitFor();
        }
        fixture.reopened(id);
        fixture.store().dropClaims();
    }
}
