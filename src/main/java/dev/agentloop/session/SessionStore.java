package dev.agentloop.session;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Where sessions are kept.
 *
 * <p><b>Contract.</b> {@link SessionException} tells in one line what is wrong and what to do:
 * unknown id, locked by another process, damaged, written by a newer version, not writable.
 */
public interface SessionStore {
    /** Begins a session; its folder and lock exist when this returns. */
    Journal create() throws SessionException;

    /** Whether a run must not go on without a session. */
    default boolean mustKeep() {
        return false;
    }

    /** Takes a session up again: locks it, mends a torn tail, reads it back. */
    Reopened reopen(String id) throws SessionException;

    /** Reads a session without locking or changing it. */
    default SavedSession read(String id) throws SessionException {
        return read(id, ALL);
    }

    /** Stands for all records of a session. */
    long ALL = Long.MAX_VALUE;

    /**
     * Reads its first {@code records} only, so that damage behind them does not matter.
     *
     * @throws SessionException also if it has fewer good ones
     */
    SavedSession read(String id, long records) throws SessionException;

    /** The same without what tools have said, which can be hundreds of megabytes. */
    SavedSession survey(String id, long records) throws SessionException;

    /** The contents that a session keeps, to be read without taking it up. */
    Blobs contents(String id) throws SessionException;

    /**
     * Makes a new session of the first {@code records} of another, with the contents that they
     * name, and returns its id. The other stays as it is, also if it is damaged behind them; it
     * must not be in use.
     *
     * @param step behind which the copy's history ends; empty for all of it
     */
    String fork(String id, long records, OptionalInt step) throws SessionException;

    /**
     * Waits until no other run has the session and keeps it for this process: what is read from now
     * on holds until it is taken up, copied, or given up.
     *
     * @throws SessionException.InUse when somebody still has it after {@code millis}
     */
    void await(String id, long millis) throws SessionException, InterruptedException;

    /** Gives up what was waited for and then not taken up. */
    void dropClaims();

    /**
     * Deletes a session that is not in use and returns how many bytes that freed. A folder that
     * holds links, or what no session holds, is refused.
     */
    long remove(String id) throws SessionException;

    /** All sessions, newest first, from their headers only. */
    List<SessionSummary> list();

    /** Id of the newest session of this workspace (exact real path). */
    Optional<String> last(Path workspace);

    /** Says that a run works in this workspace (real path), and who else does. */
    Presence enter(Path workspace);

    /** That a run works in a workspace, until it is closed or the process ends. */
    interface Presence extends AutoCloseable {
        /** Who else works there, for a person; empty if nobody does. */
        String others();

        @Override
        void close();
    }

    /** A session that goes on. */
    record Reopened(Journal journal, SavedSession session) {}
}
