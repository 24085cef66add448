package dev.agentloop.session;

import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Keeps nothing: {@code --no-session}. */
public final class NoJournal implements Journal {
    private byte @Nullable [] key;

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
    public synchronized byte[] key() {
        if (key == null) {
            key = new byte[32];
            new SecureRandom().nextBytes(key);
        }
        return key.clone();
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
