package dev.agentloop.session.jsonl;

import dev.agentloop.session.JournalRecord;
import dev.agentloop.session.jsonl.journal.JournalLine;
import dev.agentloop.session.jsonl.journal.JournalLine.Batch;
import dev.agentloop.session.jsonl.journal.JournalLine.End;
import dev.agentloop.session.jsonl.journal.SummaryFold;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Records that are not on the disk yet: usually one group, more while the disk is full. */
final class WaitingRecords {
    private static final long MOST = 64L * 1024 * 1024; // bytes in memory, of a disk full for long

    private final List<Group> groups = new ArrayList<>();
    private long bytes;

    /** Records that one call of append brought, and that are written together. */
    private record Group(List<JournalRecord> records, JournalLine.Stamp stamp, boolean force) {}

    void add(List<JournalRecord> records, JournalLine.Stamp stamp, boolean force) {
        groups.add(new Group(List.copyOf(records), stamp, force));
    }

    /** Whether one of them must be on the disk before the run goes on. */
    boolean force() {
        return groups.stream().anyMatch(Group::force);
    }

    /** More than is kept in memory. */
    boolean isTooMuch() {
        return groups.size() > 1 && bytes > MOST;
    }

    /** All of them as lines. They come out the same each time, so that half of them is known. */
    Batch batch(End from) {
        if (groups.size() == 1) {
            Group only = groups.getFirst();
            Batch batch = JournalLine.encode(only.records(), only.stamp(), from);
            bytes = batch.bytes().remaining();
            return batch;
        }
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        End to = from;
        for (Group group : groups) {
            Batch batch = JournalLine.encode(group.records(), group.stamp(), to);
            byte[] lines = new byte[batch.bytes().remaining()];
            batch.bytes().duplicate().get(lines);
            all.writeBytes(lines);
            to = batch.to();
        }
        bytes = all.size();
        return new Batch(ByteBuffer.wrap(all.toByteArray()), from, to);
    }

    /** They are on the disk. */
    void takeInto(SummaryFold summary) {
        for (Group group : groups) {
            group.records().forEach(record -> summary.add(record, group.stamp().ts()));
        }
        groups.clear();
        bytes = 0;
    }
}
