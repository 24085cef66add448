package dev.agentloop.session.jsonl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.session.Journal;
import dev.agentloop.session.JournalRecord;
import dev.agentloop.session.jsonl.JsonlSessionStore.Fsync;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** What is left when the power fails: what was forced, and any part of what came after. */
class PowerLossTest {
    @TempDir Path temp;

    @RepeatedTest(20)
    @Tag("C27")
    @DisplayName("all that was forced is there, whatever part of the rest is lost")
    void powerCut(RepetitionInfo repetition) throws Exception {
        Random random = new Random(repetition.getCurrentRepetition());
        FaultyDisk disk = new FaultyDisk();
        StoreFixture fixture = StoreFixture.in(temp, Fsync.INTENT, disk);
        Journal journal = fixture.store().create();
        String id = journal.sessionId();
        List<JournalRecord> written = new ArrayList<>();
        int forced = 0;
        long forcedBytes = 0;
        for (int i = 0; i < 30; i++) {
            List<JournalRecord> group = new ArrayList<>();
            group.add(i == 0 ? Records.OPENED : Records.user("prompt " + i));
            if (random.nextBoolean()) {
                group.add(Records.says("x".repeat(random.nextInt(3000))));
            }
            long before = disk.log.stream().filter(it -> it.equals("force")).count();
            journal.append(group, i == 0 || random.nextInt(3) == 0);
            written.addAll(group);
            if (disk.log.stream().filter(it -> it.equals("force")).count() > before) {
                forced = written.size();
                forcedBytes = Files.size(fixture.journal(id));
            }
        }
        journal.close();
        byte[] all = fixture.bytes(id);
        long left = forcedBytes + random.nextLong(all.length - forcedBytes + 1);
        try (var file = Files.newByteChannel(fixture.journal(id), StandardOpenOption.WRITE)) {
            file.truncate(left);
        }
        fixture.reopened(id);
        List<JournalRecord> kept = fixture.records(id);
        assertTrue(kept.size() - 1 >= forced, kept.size() + " of " + forced); // one says "resume"
        assertEquals(written.subList(0, kept.size() - 1), kept.subList(0, kept.size() - 1));
    }
}
