package dev.agentloop.durable.gate;

import dev.agentloop.session.Blobs;
import dev.agentloop.session.Journal;
import dev.agentloop.session.SavedSession;
import dev.agentloop.session.SessionException;
import dev.agentloop.session.SessionStore;
import dev.agentloop.session.SessionSummary;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** The sessions of a run that a worker has started: their journal goes through its gate. */
public final class GatedStore implements SessionStore {
    /** Environment variable that a worker sets for its runs. */
    public static final String VARIABLE = Gate.SOCKET;

    private final SessionStore store;
    private final Map<String, String> environment;
    private final Runnable lost;

    /**
     * @param environment of the process
     * @param lost ends the process: the worker is gone
     */
    public GatedStore(SessionStore store, Map<String, String> environment, Runnable lost) {
        this.store = store;
        this.environment = Map.copyOf(environment);
        this.lost = lost;
    }

    private Gate gate() throws SessionException {
        try {
            Gate gate = new Gate(Path.of(environment.getOrDefault(Gate.SOCKET, "")), lost);
            Gate.takeLock(Path.of(environment.getOrDefault(Gate.LOCK, "")));
            return gate;
        } catch (IOException e) {
            throw new SessionException(
                    "The worker that started this run cannot be reached: " + e.getMessage() + ".");
        }
    }

    @Override
    public Journal create() throws SessionException {
        Gate gate = gate();
        return new GatedJournal(store.create(), gate);
    }

    /** What is not on record the worker cannot keep, and would do again. */
    @Override
    public boolean mustKeep() {
        return true;
    }

    @Override
    public Reopened reopen(String id) throws SessionException {
        Gate gate = gate();
        Reopened reopened = store.reopen(id);
        return new Reopened(new GatedJournal(reopened.journal(), gate), reopened.session());
    }

    @Override
    public SavedSession read(String id, long records) throws SessionException {
        return store.read(id, records);
    }

    @Override
    public SavedSession survey(String id, long records) throws SessionException {
        return store.survey(id, records);
    }

    @Override
    public Blobs contents(String id) throws SessionException {
        return store.contents(id);
    }

    @Override
    public String fork(String id, long records, OptionalInt step) throws SessionException {
        return store.fork(id, records, step);
    }

    @Override
    public void await(String id, long millis) throws SessionException, InterruptedException {
        store.await(id, millis);
    }

    @Override
    public void dropClaims() {
        store.dropClaims();
    }

    @Override
    public long remove(String id) throws SessionException {
        return store.remove(id);
    }

    @Override
    public Presence enter(Path workspace) {
        return store.enter(workspace);
    }

    @Override
    public List<SessionSummary> list() {
        return store.list();
    }

    @Override
    public Optional<String> last(Path workspace) {
        return store.last(workspace);
    }
}
