package dev.agentloop.durable;

import dev.agentloop.session.Blobs;
import dev.agentloop.session.Journal;
import dev.agentloop.session.JournalRecord;
import java.util.List;
import java.util.Optional;

/** A journal whose worker has stored what is intended before it may happen. */
final class GatedJournal implements Journal {
    private static final String PURE = "PURE";

    private final Journal journal;
    private final Gate gate;

    GatedJournal(Journal journal, Gate gate) {
        this.journal = journal;
        this.gate = gate;
        gate.tell("SESSION " + journal.location());
    }

    @Override
    public void append(List<JournalRecord> records, boolean force) {
        if (records.stream().anyMatch(JournalRecord.RequestSent.class::isInstance)) {
            gate.ask("ASKS");
        }
        journal.append(records, force);
        if (records.stream().anyMatch(GatedJournal::acts)) {
            gate.ask("ACTS");
        } else {
            gate.tell("WROTE");
        }
    }

    private static boolean acts(JournalRecord record) {
        return record instanceof JournalRecord.Touched
                || record instanceof JournalRecord.Intended it && !it.effect().equals(PURE);
    }

    @Override
    public String sessionId() {
        return journal.sessionId();
    }

    @Override
    public String location() {
        return journal.location();
    }

    @Override
    public Optional<Blobs> blobs() {
        return journal.blobs();
    }

    @Override
    public byte[] key() {
        return journal.key();
    }

    @Override
    public boolean isDurable() {
        return journal.isDurable();
    }

    @Override
    public String failure() {
        return journal.failure();
    }

    @Override
    public void close() {
        journal.close();
    }
}
