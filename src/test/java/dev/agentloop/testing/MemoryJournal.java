package dev.agentloop.testing;

import dev.agentloop.session.Blobs;
import dev.agentloop.session.Journal;
import dev.agentloop.session.JournalRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Keeps records in memory; can be told to fail from the n-th append on. */
public final class MemoryJournal implements Journal {
    private final List<JournalRecord> records = new ArrayList<>();
    private int appendsLeft = Integer.MAX_VALUE;

    public MemoryJournal failingAfter(int appends) {
        appendsLeft = appends;
        return this;
    }

    public synchronized List<JournalRecord> records() {
        return List.copyOf(records);
    }

    public synchronized List<String> types() {
        return records.stream().map(JournalRecord::type).toList();
    }

    @Override
    public String sessionId() {
        return "SESSION";
    }

    @Override
    public String location() {
        return "";
    }

    @Override
    public synchronized void append(List<JournalRecord> more, boolean force) {
        if (appendsLeft > 0) {
            appendsLeft--;
            records.addAll(more);
        }
    }

    @Override
    public Optional<Blobs> blobs() {
        return Optional.empty();
    }

    @Override
    public byte[] key() {
        return new byte[] {1, 2, 3};
    }

    @Override
    public synchronized boolean isDurable() {
        return appendsLeft > 0;
    }

    @Override
    public String failure() {
        return "no space left on device";
    }

    @Override
    public void close() {}
}
