package dev.agentloop.session;

import java.util.List;
import java.util.Optional;

/**
 * The record of one session, written while it happens.
 *
 * <p><b>Contract.</b> {@link #append} writes all records with one write, in order, and with {@code
 * force} returns only when they are on the disk. It never throws: while records cannot be kept,
 * {@link #isDurable} is false and the reason is in {@link #failure}; they wait in memory and are
 * written in their order when that is possible again, or are lost with the run. Safe from any
 * thread.
 */
public interface Journal extends AutoCloseable {
    /** The id of the session; empty when nothing is kept. */
    String sessionId();

    /** Folder of the journal, for people; empty when nothing is kept. */
    String location();

    void append(List<JournalRecord> records, boolean force);

    /**
     * The same for records that are forced.
     *
     * @param written is run when a killed process would no longer lose them, before they are on the
     *     disk; also when they cannot be kept
     */
    default void append(List<JournalRecord> records, Runnable written) {
        append(records, true);
        written.run();
    }

    /** What is kept beside the records; empty when nothing is kept. */
    Optional<Blobs> blobs();

    /**
     * Random bytes of the session, the same whenever it goes on. Made at the first call; nobody but
     * the user can read them.
     */
    byte[] key();

    /** Whether everything so far was kept. A run without sessions is durable by the user's wish. */
    boolean isDurable();

    /** Why it is not durable; empty while it is. */
    String failure();

    /** Waits that outlive this process; only where somebody keeps the session for it. */
    default Optional<Waiting> waiting() {
        return Optional.empty();
    }

    @Override
    void close();
}
