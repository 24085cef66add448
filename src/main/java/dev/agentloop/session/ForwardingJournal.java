package dev.agentloop.session;

import java.util.Optional;

/** A journal that does something with the records on their way to another one. */
public abstract class ForwardingJournal implements Journal {
    private final Journal journal;

    protected ForwardingJournal(Journal journal) {
        this.journal = journal;
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
    public Optional<Waiting> waiting() {
        return journal.waiting();
    }

    @Override
    public void close() {
        journal.close();
    }
}
