package dev.agentloop.session.jsonl;

import static dev.agentloop.session.jsonl.Records.ended;
import static dev.agentloop.session.jsonl.Records.opened;
import static dev.agentloop.session.jsonl.Records.says;
import static dev.agentloop.session.jsonl.Records.user;
import static dev.agentloop.session.jsonl.StoreFixture.refusal;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.session.Journal;
import dev.agentloop.session.SessionSummary;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreTest {
    @TempDir Path temp;
    private StoreFixture fixture;

    @BeforeEach
    void store() {
        fixture = StoreFixture.in(temp);
    }

    @Test
    void aNewSessionIsAFolderWithALockAndAJournal() throws Exception {
        try (Journal journal = fixture.store().create()) {
            assertEquals(Set.of("lock", "journal.jsonl"), names(journal.sessionId()));
            assertEquals("2026/03", SessionId.month(journal.sessionId()).toString());
            journal.append(List.of(Records.OPENED), true);
            assertEquals(Set.of("lock", "journal.jsonl"), names(journal.sessionId()));
            journal.append(List.of(user("go")), true);
            Set<String> cached = Set.of("lock", "journal.jsonl", "meta.json");
            assertEquals(cached, names(journal.sessionId()));
        }
    }

    @Test
    void listsTheNewestFirstAndOnlyWhatHasRecords() throws Exception {
        String first = fixture.saved(opened("/w/a"), user("  One\nmore "), says("1"), ended(1));
        fixture.time().pass(Duration.ofDays(40));
        fixture.saved();
        String second = fixture.saved(opened("/w/b"), user("Two \u001b[31m" + "x".repeat(200)));
        List<SessionSummary> list = fixture.store().list();
        assertEquals(List.of(second, first), list.stream().map(SessionSummary::id).toList());
        assertEquals("Two \\u001b[31m" + "x".repeat(65) + "…", list.getFirst().title());
        assertEquals(fixture.store().read(first).summary(), list.getLast());
        assertEquals("success", list.getLast().status());
        assertEquals("One", list.getLast().title());
    }

    @Test
    void theCacheMayBeMissingStaleOrWrong() throws Exception {
        String id = fixture.saved(opened("/w"), user("go"), says("1"), says("2"), ended(2));
        List<SessionSummary> expected = List.of(fixture.store().read(id).summary());
        Path meta = fixture.dir(id).resolve("meta.json");
        String good = Files.readString(meta);
        assertEquals(expected, fixture.store().list());
        for (String bad : List.of("", "{", "[]", "{}", good.replace(id, "X"))) {
            Files.writeString(meta, bad);
            assertEquals(expected, fixture.store().list(), bad);
        }
        Files.delete(meta);
        assertEquals(expected, fixture.store().list());
        Files.writeString(meta, good);
        var reopened = fixture.store().reopen(id);
        reopened.journal().append(List.of(user("more"), says("3"), ended(3)), true);
        Files.writeString(meta, good); // as if the process had been killed now
        assertEquals(List.of(fixture.store().read(id).summary()), fixture.store().list());
        reopened.journal().close();
    }

    @Test
    void aDamagedSessionIsListedAsDamaged() throws Exception {
        String id = fixture.saved(opened("/w"), user("go"));
        Files.delete(fixture.dir(id).resolve("meta.json"));
        Files.writeString(fixture.journal(id), "garbage\nmore garbage\n");
        SessionSummary damaged = fixture.store().list().getFirst();
        assertEquals("damaged", damaged.status());
        assertEquals("it does not end with a checksum", damaged.title());
    }

    @Test
    @DisplayName("a session that lost its records is listed as damaged, in its workspace if known")
    void anEmptiedJournal() throws Exception {
        String known = fixture.saved(opened("/w/a"), user("One"), says("1"), ended(1));
        String unknown = fixture.saved();
        for (String id : List.of(known, unknown)) {
            Files.write(fixture.journal(id), new byte[0]);
            boolean listed = fixture.store().list().stream().anyMatch(it -> it.id().equals(id));
            assertEquals(id.equals(known), listed, "one without records may be about to begin");
            FileTime before = FileTime.from(Instant.now().minusSeconds(120));
            Files.setLastModifiedTime(fixture.journal(id), before);
        }
        Map<String, SessionSummary> list =
                fixture.store().list().stream()
                        .collect(Collectors.toMap(SessionSummary::id, it -> it));
        assertEquals("damaged", list.get(known).status());
        assertEquals("damaged", list.get(unknown).status());
        assertEquals("/w/a", list.get(known).workspace());
        assertEquals("", list.get(unknown).workspace());
    }

    @Test
    @Tag("C42")
    @DisplayName("1,000 sessions are listed in less than a second")
    void aThousandSessions() throws Exception {
        String first = fixture.saved(opened("/w"), user("go"), says("done"), ended(1));
        byte[] journal = fixture.bytes(first);
        String meta = Files.readString(fixture.dir(first).resolve("meta.json"));
        SessionId ids = new SessionId();
        for (int i = 1; i < 1000; i++) {
            fixture.time().pass(Duration.ofHours(1));
            String id = ids.next(fixture.time().now().toEpochMilli());
            Files.createDirectories(fixture.dir(id));
            Files.write(fixture.journal(id), journal);
            if (i % 4 > 0) { // the others were killed before they could leave a summary
                Files.writeString(fixture.dir(id).resolve("meta.json"), meta.replace(first, id));
            }
        }
        long start = System.nanoTime();
        List<SessionSummary> list = fixture.store().list();
        long millis = (System.nanoTime() - start) / 1_000_000;
        assertEquals(1000, list.stream().filter(it -> it.status().equals("success")).count());
        assertTrue(millis < 20_000, millis + " ms"); // 0.1 s on an idle machine
    }

    @Test
    @Tag("C44")
    @DisplayName("the last session of exactly this folder, not of one with a like name")
    void lastGoesByTheExactPath() throws Exception {
        List<String> ids = new ArrayList<>();
        List<String> names = List.of("a_b", "a-b", "a.b", "a", "a/b");
        for (String name : names) {
            Path workspace = Files.createDirectories(temp.resolve(name)).toRealPath();
            ids.add(fixture.saved(opened(workspace.toString()), user("go")));
            fixture.time().pass(Duration.ofMinutes(1));
        }
        for (int i = 0; i < names.size(); i++) {
            assertEquals(Optional.of(ids.get(i)), fixture.store().last(temp.resolve(names.get(i))));
        }
        assertEquals(Optional.empty(), fixture.store().last(temp));
        Path link = Files.createSymbolicLink(temp.resolve("link"), temp.resolve("a-b"));
        assertEquals(Optional.of(ids.get(1)), fixture.store().last(link));
    }

    @Test
    void lastIsTheSessionThatWasWrittenLast() throws Exception {
        Path workspace = temp.toRealPath();
        String older = fixture.saved(opened(workspace.toString()), user("one"));
        fixture.time().pass(Duration.ofMinutes(1));
        String younger = fixture.saved(opened(workspace.toString()), user("two"));
        assertEquals(Optional.of(younger), fixture.store().last(workspace));
        var later = java.nio.file.attribute.FileTime.fromMillis(System.currentTimeMillis() + 9000);
        fixture.reopened(older);
        Files.setLastModifiedTime(fixture.journal(older), later);
        assertEquals(Optional.of(older), fixture.store().last(workspace));
    }

    @Test
    void anIdMayBeCutAndInSmallLetters() throws Exception {
        String id = fixture.saved(opened("/w"), user("go"));
        String prefix = id.substring(0, 6);
        assertEquals(id, fixture.store().read(prefix).summary().id());
        assertEquals(id, fixture.store().read(" " + id.toLowerCase() + "\n").summary().id());
        assertEquals(
                "Give at least 6 characters of the session's id."
                        + " \"agent sessions list --all\" shows all.",
                refusal(() -> fixture.store().read(id.substring(0, 5))));
        fixture.time().pass(Duration.ofSeconds(1));
        String other = fixture.saved(opened("/w"), user("go"));
        assertEquals(
                "2 sessions begin with "
                        + prefix
                        + ": "
                        + other
                        + ", "
                        + id
                        + ". Give more characters.",
                refusal(() -> fixture.store().reopen(prefix)));
    }

    @Test
    void anUnknownIdNamesTheNearest() throws Exception {
        String in = " in " + fixture.root() + ".";
        assertEquals(
                "There is no session 01KJMM" + in + " There are no sessions yet.",
                refusal(() -> fixture.store().read("01KJMM")));
        String id = fixture.saved(opened("/w"), user("go"));
        fixture.time().pass(Duration.ofDays(100));
        fixture.saved(opened("/w"), user("go"));
        String typo = id.substring(0, 20) + (id.charAt(20) == 'X' ? 'Y' : 'X') + id.substring(21);
        assertEquals(
                "There is no session " + typo + in + " The nearest is " + id + ".",
                refusal(() -> fixture.store().read(typo)));
        assertTrue(
                refusal(() -> fixture.store().read("../../etc/passwd\u001b[2J"))
                        .startsWith(
                                "There is no session ../../etc/passwd\\u001b[2J"
                                        + in
                                        + " The nearest"));
    }

    @Test
    void aRootThatCannotBeMadeIsNamed() throws Exception {
        Files.writeString(temp.resolve("sessions"), "a file");
        assertEquals(
                "Cannot begin a session: "
                        + fixture.root()
                        + " is a file, not a folder. Mend that, or run with --no-session.",
                refusal(() -> fixture.store().create()));
    }

    @Test
    @Tag("C48")
    @Tag("E22")
    @DisplayName(
            "20 stores at once in a folder that is not there yet: distinct sessions, each whole")
    void twentyStoresAtOnce() throws Exception {
        Set<String> ids = new ConcurrentSkipListSet<>();
        List<Thread> starts =
                Stream.generate(() ->
                                new Thread(() -> {
                                    for (int i = 0; i < 10; i++) {
                                        ids.add(saveQuickly());
                                    }
                                }))
                        .limit(20)
                        .toList();
        starts.forEach(Thread::start);
        for (Thread start : starts) {
            start.join();
        }
        assertEquals(200, ids.size());
        for (String id : ids) {
            assertEquals(List.of(), fixture.store().read(id).notes());
        }
    }

    private String saveQuickly() {
        try {
            return StoreFixture.in(temp).saved(opened("/w"), user("go"), says("done"), ended(1));
        } catch (dev.agentloop.session.SessionException e) {
            throw new AssertionError(e);
        }
    }

    private Set<String> names(String id) throws Exception {
        try (Stream<Path> files = Files.list(fixture.dir(id))) {
            Set<String> names = new TreeSet<>();
            files.forEach(file -> names.add(file.getFileName().toString()));
            return names;
        }
    }
}
