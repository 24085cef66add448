package dev.agentloop.session;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Where sessions are kept.
 *
 * <p><b>Contract.</b> {@link SessionException} tells in one line what is wrong and what to do:
 * unknown id, locked by another process, damaged, written by a newer version, not writable.
 */
public interface SessionStore {
    /** Begins a session; its folder and lock exist when this returns. */
    Journal create() throws SessionException;

    /** Takes a session up again: locks it, mends a torn tail, reads it back. */
    Reopened reopen(String id) throws SessionException;

    /** Reads a session without locking or changing it. */
    SavedSession read(String id) throws SessionException;

    /** All sessions, newest first, from their headers only. */
    List<SessionSummary> list();

    /** Id of the newest session of this workspace (exact real path). */
    Optional<String> last(Path workspace);

    /** A session that goes on. */
    record Reopened(Journal journal, SavedSession session) {}
}
