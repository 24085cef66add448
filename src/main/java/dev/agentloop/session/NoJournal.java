package dev.agentloop.session;

import java.util.List;
import java.util.Optional;

/** Keeps nothing: {@code --no-session}. */
public final class NoJournal implements Journal {
    @Override
    public String sessionId() {
        return "";
    }

    @Override
    public String location() {
        return "";
    }

    @Override
    public void append(List<JournalRecord> records, boolean force) {}

    @Override
    public Optional<Blobs> blobs() {
        return Optional.empty();
    }

    @Override
    public boolean isDurable() {
        return true;
    }

    @Override
    public String failure() {
        return "";
    }

    @Override
    public void close() {}
}
