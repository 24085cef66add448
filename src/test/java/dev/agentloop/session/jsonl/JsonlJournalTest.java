package dev.agentloop.session.jsonl;

import static dev.agentloop.session.jsonl.Records.says;
import static dev.agentloop.session.jsonl.Records.user;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentloop.session.Journal;
import dev.agentloop.session.JournalRecord;
import dev.agentloop.session.jsonl.JsonlSessionStore.Fsync;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JsonlJournalTest {
    private static final JournalRecord FIRST = user("first");
    private static final JournalRecord SECOND = user("second");

    @TempDir Path temp;
    private FakeTime time = new FakeTime();
    private final FaultyDisk disk = new FaultyDisk();

    @Test
    void oneAppendIsOneWriteHoweverManyRecords() throws Exception {
        try (Journal journal = journal(Fsync.INTENT)) {
            journal.append(List.of(Records.OPENED, FIRST, says("yes")), false);
            journal.append(List.of(), true);
            journal.append(List.of(SECOND), true);
        }
        assertEquals(List.of("open", "write", "write", "force"), kinds());
    }

    @Test
    void theFsyncPolicyDecidesAboutForces() throws Exception {
        try (Journal journal = journal(Fsync.EVERY)) {
            journal.append(List.of(FIRST), false);
        }
        assertEquals(List.of("open", "write", "force"), kinds());
        disk.log.clear();
        try (Journal journal = journal(Fsync.NEVER)) {
            journal.append(List.of(FIRST), true);
        }
        assertEquals(List.of("open", "write"), kinds());
    }

    @Test
    @Tag("C37")
    @DisplayName("half a write is taken back before the one retry")
    void aFailedWriteIsTakenBackAndTriedOnceMore() throws Exception {
        for (int bytes : new int[] {0, 1, 100, FaultyDisk.SHORT, FaultyDisk.SHORT + 100}) {
            Journal journal = journal(Fsync.INTENT);
            journal.append(List.of(Records.OPENED), false);
            disk.writes.add(bytes);
            journal.append(List.of(FIRST), false);
            journal.append(List.of(SECOND), true);
            assertTrue(journal.isDurable());
            journal.close();
            assertEquals(List.of(Records.OPENED, FIRST, SECOND), fixture().records(id(journal)));
            assertTrue(fixture().store().read(id(journal)).notes().isEmpty());
        }
    }

    @Test
    @Tag("C37")
    @DisplayName("a force that fails once is repeated with its write")
    void aFailedForceIsRepeated() throws Exception {
        Journal journal = journal(Fsync.INTENT);
        disk.forces.addAll(List.of("", "Input/output error"));
        journal.append(List.of(Records.OPENED), true);
        journal.append(List.of(FIRST), true);
        assertTrue(journal.isDurable());
        journal.close();
        assertEquals(List.of(Records.OPENED, FIRST), fixture().records(id(journal)));
        assertEquals(
                List.of("open", "write", "force", "write", "force fails", "open", "write", "force"),
                kinds());
    }

    @Test
    @Tag("C36")
    @Tag("C37")
    @DisplayName("a disk that stays bad ends durability; the file stays whole")
    void aLastingFailureIsTold() throws Exception {
        Journal journal = journal(Fsync.INTENT);
        journal.append(List.of(Records.OPENED), true);
        for (int i = 0; i < 20; i++) {
            disk.writes.add(i * 10);
        }
        journal.append(List.of(FIRST), true);
        assertFalse(journal.isDurable());
        Path file = fixture().journal(id(journal));
        assertEquals(
                "The session is not being kept: " + file + ": No space left on device",
                journal.failure());
        time.pass(Duration.ofSeconds(2));
        journal.append(List.of(SECOND), true);
        assertFalse(journal.isDurable());
        journal.close();
        assertEquals(List.of(Records.OPENED), fixture().records(id(journal)));
    }

    @Test
    @Tag("C36")
    @DisplayName("when there is room again the records that waited are written in their order")
    void roomAgain() throws Exception {
        Journal journal = journal(Fsync.INTENT);
        journal.append(List.of(Records.OPENED), true);
        disk.writes.addAll(List.of(50, 70, 90));
        journal.append(List.of(FIRST), true);
        assertFalse(journal.isDurable());
        journal.append(List.of(SECOND), true); // at once: the disk is left in peace
        assertFalse(journal.isDurable());
        time.pass(Duration.ofSeconds(1));
        journal.append(List.of(says("three")), true); // tried, and still no room
        assertFalse(journal.isDurable());
        time.pass(Duration.ofSeconds(1));
        journal.append(List.of(says("four")), true);
        assertTrue(journal.isDurable(), journal.failure());
        assertEquals("", journal.failure());
        journal.close();
        assertEquals(
                List.of(Records.OPENED, FIRST, SECOND, says("three"), says("four")),
                fixture().records(id(journal)));
        assertEquals(List.of(), fixture().store().read(id(journal)).notes());
    }

    @Test
    @Tag("C36")
    @DisplayName("room that comes back at the end is enough")
    void roomAtTheEnd() throws Exception {
        Journal journal = journal(Fsync.INTENT);
        journal.append(List.of(Records.OPENED), true);
        disk.writes.addAll(List.of(50, 70));
        journal.append(List.of(FIRST), true);
        assertFalse(journal.isDurable());
        journal.close();
        assertEquals(List.of(Records.OPENED, FIRST), fixture().records(id(journal)));
    }

    @Test
    void whatSomebodyElseWroteIsNeverCutOff() throws Exception {
        Journal journal = journal(Fsync.INTENT);
        journal.append(List.of(Records.OPENED), true);
        Path file = fixture().journal(id(journal));
        Files.writeString(file, "foreign\n", StandardOpenOption.APPEND);
        long size = Files.size(file);
        disk.writes.add(0);
        journal.append(List.of(FIRST), true);
        assertEquals(
                "The session is not being kept: "
                        + file
                        + ": another program has written to the journal",
                journal.failure());
        assertEquals(size, Files.size(file));
        journal.close();
    }

    @Test
    void recordsThatVanishedAreNoticedAtTheNextTrouble() throws Exception {
        Journal journal = journal(Fsync.INTENT);
        journal.append(List.of(Records.OPENED), false);
        Files.write(fixture().journal(id(journal)), new byte[0]);
        disk.writes.add(0);
        journal.append(List.of(FIRST), true);
        assertTrue(journal.failure().endsWith("the journal has lost its last records"));
        journal.close();
    }

    @Test
    void anInterruptedThreadStillKeepsItsRecords() throws Exception {
        Journal journal = journal(Fsync.INTENT);
        Thread.currentThread().interrupt();
        journal.append(List.of(Records.OPENED, FIRST), true);
        assertTrue(Thread.interrupted(), "the interrupt is handed on");
        Thread.currentThread().interrupt();
        journal.close();
        assertTrue(Thread.interrupted());
        assertTrue(journal.isDurable());
        assertEquals(List.of(Records.OPENED, FIRST), fixture().records(id(journal)));
    }

    @Test
    void anInterruptDuringAWriteIsOvercome() throws Exception {
        Journal journal =
                StoreFixture.in(temp, Fsync.INTENT, JsonlJournal.Disk.REAL).store().create();
        journal.append(List.of(Records.OPENED), true);
        Thread writer =
                new Thread(() -> {
                    for (int i = 0; i < 300; i++) {
                        journal.append(List.of(user("prompt " + i)), true);
                    }
                });
        writer.start();
        while (writer.isAlive()) {
            writer.interrupt();
            writer.join(0, 200_000);
        }
        assertEquals("", journal.failure());
        journal.close();
        assertEquals(301, fixture().records(id(journal)).size());
    }

    @Test
    void recordsOfManyThreadsDoNotMix() throws Exception {
        Journal journal = journal(Fsync.NEVER);
        journal.append(List.of(Records.OPENED), false);
        List<Thread> writers =
                java.util.stream.IntStream.range(0, 8)
                        .mapToObj(n ->
                                new Thread(() -> {
                                    for (int i = 0; i < 50; i++) {
                                        journal.append(List.of(user("x")), false);
                                    }
                                }))
                        .toList();
        writers.forEach(Thread::start);
        for (Thread writer : writers) {
            writer.join();
        }
        journal.close();
        assertEquals(402, fixture().store().read(id(journal)).history().size() + 1);
    }

    @Test
    void recordsAfterTheCloseAreReportedAsLost() throws Exception {
        Journal journal = journal(Fsync.NEVER);
        journal.append(List.of(Records.OPENED), false);
        journal.close();
        journal.close();
        journal.append(List.of(FIRST), false);
        assertFalse(journal.isDurable());
    }

    @Test
    @Tag("C36")
    @DisplayName("a full disk (tmpfs of 64 KB): whole records up to the end, then told")
    void aFullDiskIsTold() throws Exception {
        Path mount = Files.createDirectory(temp.resolve("small"));
        assumeTrue(run("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", mount.toString()));
        try {
            var small = StoreFixture.in(mount, Fsync.INTENT, JsonlJournal.Disk.REAL);
            Journal journal = small.store().create();
            journal.append(List.of(Records.OPENED, FIRST), true);
            int kept = 0;
            while (journal.isDurable() && kept < 100) {
                journal.append(List.of(says("x".repeat(5000))), true);
                kept += journal.isDurable() ? 1 : 0;
            }
            journal.close();
            assertTrue(
                    journal.failure().contains("could be written; is the disk full?"),
                    journal.failure());
            var saved = small.store().read(id(journal));
            assertEquals(List.of(), saved.notes());
            assertEquals(kept, saved.steps());
            assertTrue(kept >= 8, "kept " + kept);
            var reopened = small.store().reopen(id(journal));
            assertEquals(kept, reopened.session().steps());
            reopened.journal().close();
        } finally {
            run("umount", mount.toString());
        }
    }

    @Test
    void beginningASessionTakesLessThanTwoMilliseconds() throws Exception {
        Path memory = Path.of("/dev/shm"); // the cost is ours, not that of a busy disk
        assumeTrue(Files.isWritable(memory));
        Path folder = Files.createTempDirectory(memory, "agent-session");
        var store = StoreFixture.in(folder).store();
        long best = Long.MAX_VALUE;
        for (int i = 0; i < 100; i++) {
            long start = System.nanoTime();
            Journal journal = store.create();
            best = Math.min(best, System.nanoTime() - start);
            journal.close();
        }
        delete(folder);
        assertTrue(best < TimeUnit.MILLISECONDS.toNanos(2), best + " ns");
    }

    private static void delete(Path folder) throws Exception {
        try (var files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private Journal journal(Fsync fsync) throws Exception {
        StoreFixture fixture = StoreFixture.in(temp, fsync, disk);
        time = fixture.time();
        return fixture.store().create();
    }

    private StoreFixture fixture() {
        return StoreFixture.in(temp);
    }

    private static String id(Journal journal) {
        return journal.sessionId();
    }

    private List<String> kinds() {
        return disk.log.stream().map(entry -> entry.replaceAll(" [0-9]+", "")).toList();
    }

    private static boolean run(String... command) throws Exception {
        return new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }
}
