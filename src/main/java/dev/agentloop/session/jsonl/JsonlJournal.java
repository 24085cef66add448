package dev.agentloop.session.jsonl;

import dev.agentloop.session.Blobs;
import dev.agentloop.session.Journal;
import dev.agentloop.session.JournalRecord;
import dev.agentloop.session.jsonl.journal.JournalLine;
import dev.agentloop.session.jsonl.journal.JournalLine.Batch;
import dev.agentloop.session.jsonl.journal.JournalLine.End;
import dev.agentloop.session.jsonl.journal.SummaryFold;
import dev.agentloop.storage.PrivateFiles;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A journal in a file of JSON lines. Each {@link #append} is one write at the end of the file. When
 * a write fails, what it left behind is taken away before the one retry, so that no record ever
 * follows half a line. If that fails too, the records wait for a disk that has room again.
 */
final class JsonlJournal implements Journal {
    /** Opens the file for appending; tests put a failing disk here. */
    @FunctionalInterface
    interface Disk {
        FileChannel open(Path file) throws IOException;

        Disk REAL =
                file ->
                        PrivateFiles.openFile(
                                file, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
    }

    /**
     * What a journal starts from.
     *
     * @param end behind the last line of the file
     */
    record Opening(
            String id, Path dir, SessionLock lock, String run, End end, SummaryFold summary) {
        Path file() {
            return dir.resolve("journal.jsonl");
        }
    }

    private static final long RETRY_NANOS = 1_000_000_000L; // after a failure, at most so often

    private final Opening opening;
    private final JsonlSessionStore.Options options;
    private final Disk disk;
    private final FileBlobs blobs;
    private final long startNanos;
    private FileChannel channel;
    private End end;
    private End forced;
    private boolean named; // whether the file's directory entries are on the disk
    private boolean interrupted;
    private boolean closed;
    private final WaitingRecords waiting = new WaitingRecords();
    private Runnable written = () -> {};
    private String failure = "";
    private boolean lost; // for good
    private long lastTry;
    private byte @Nullable [] key;

    JsonlJournal(Opening opening, JsonlSessionStore.Options options, Disk disk) throws IOException {
        this.opening = opening;
        this.options = options;
        this.disk = disk;
        blobs = new FileBlobs(opening.dir(), options.fsync().forces(true));
        startNanos = options.time().nanos();
        channel = disk.open(opening.file());
        end = opening.end();
        forced = end;
    }

    @Override
    public String sessionId() {
        return opening.id();
    }

    @Override
    public String location() {
        return opening.dir().toString();
    }

    @Override
    public Optional<Blobs> blobs() {
        return Optional.of(blobs);
    }

    @Override
    public synchronized byte[] key() {
        if (key == null) {
            key = SessionKey.of(opening.dir());
        }
        return key.clone();
    }

    @Override
    public synchronized boolean isDurable() {
        return failure.isEmpty();
    }

    @Override
    public synchronized String failure() {
        return failure;
    }

    @Override
    public synchronized void append(List<JournalRecord> records, Runnable whenWritten) {
        written = whenWritten;
        try {
            append(records, true);
        } finally {
            tellWritten();
        }
    }

    private void tellWritten() {
        Runnable told = written;
        written = () -> {};
        told.run();
    }

    @Override
    public synchronized void append(List<JournalRecord> records, boolean force) {
        if (lost || records.isEmpty()) {
            return;
        }
        if (closed) {
            lost = true;
            failure = "Session " + opening.id() + " was closed before its last records came.";
            return;
        }
        long ts = options.time().now().toEpochMilli();
        long nanos = options.time().nanos();
        long mono = (nanos - startNanos) / 1_000_000L;
        waiting.add(records, new JournalLine.Stamp(ts, mono, opening.run()), force);
        if (failure.isEmpty() || nanos - lastTry >= RETRY_NANOS) {
            keepWaiting();
        }
        if (waiting.isTooMuch()) {
            lost = true;
        }
    }

    /** Writes all that waits, usually what has just come, with one write. */
    private void keepWaiting() {
        interrupted = Thread.interrupted(); // an interrupted thread cannot write to a channel
        try {
            boolean force = options.fsync().forces(waiting.force());
            Batch batch = waiting.batch(end);
            if (writeOrFail(batch, force, !failure.isEmpty())) {
                kept(batch, force);
            }
        } finally {
            lastTry = options.time().nanos();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void kept(Batch batch, boolean force) {
        failure = "";
        end = batch.to();
        forced = force ? end : forced;
        boolean untitled = !opening.summary().hasTitle();
        waiting.takeInto(opening.summary());
        if (untitled && opening.summary().hasTitle()) {
            writeMeta();
        }
    }

    /**
     * @param after whether an earlier write failed, so that half of it may stand at the end
     */
    private boolean writeOrFail(Batch batch, boolean force, boolean after) {
        boolean dirty = after;
        boolean retried = after;
        while (true) {
            try {
                if (dirty) {
                    takeBack(batch);
                }
                dirty = true;
                write(batch, force);
                return true;
            } catch (ClosedByInterruptException e) {
                interrupted |= Thread.interrupted(); // no fault of the disk: not counted
            } catch (JournalTail.Foreign e) {
                lost = true;
                giveUp(batch, e);
                return false;
            } catch (IOException e) {
                if (retried) {
                    giveUp(batch, e);
                    return false;
                }
                retried = true;
            }
        }
    }

    private void write(Batch batch, boolean force) throws IOException {
        int written = channel.write(batch.bytes().duplicate());
        if (written < batch.bytes().remaining()) {
            throw new IOException(
                    "only "
                            + written
                            + " of "
                            + batch.bytes().remaining()
                            + " bytes could be written; is the disk full?");
        }
        tellWritten();
        if (force) {
            channel.force(false);
            forceNames();
        }
    }

    /** The folders from the journal's up to the store's: a new file must also be found again. */
    private void forceNames() throws ClosedByInterruptException {
        Path dir = opening.dir();
        for (int depth = 0; !named && depth < 4 && dir != null; depth++) {
            try (FileChannel entries = FileChannel.open(dir, StandardOpenOption.READ)) {
                entries.force(true);
            } catch (ClosedByInterruptException e) {
                throw e;
            } catch (IOException e) {
                break; // not every file system can; the records themselves are on the disk
            }
            dir = dir.getParent();
        }
        named = true;
    }

    /**
     * Opens the file again and removes what the failed write of {@code batch} left, after making
     * sure that all lines since the last force are still there and that nobody else wrote.
     */
    private void takeBack(Batch batch) throws IOException {
        channel.close();
        JournalTail.verify(opening.file(), forced, batch);
        channel = disk.open(opening.file());
        channel.truncate(batch.from().bytes());
    }

    private void giveUp(Batch batch, IOException why) {
        failure = "The session is not being kept: " + PrivateFiles.reason(opening.file(), why);
        try {
            takeBack(batch);
        } catch (IOException e) {
            // Half a line may stay behind; nothing is written after it, and a resume moves it
            // aside.
        }
    }

    private void writeMeta() {
        try {
            SessionMeta.write(
                    opening.dir(), new SessionMeta(opening.summary().summary(), end.bytes()));
        } catch (IOException e) {
            // A cache: lists read the journal instead.
        }
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        boolean wasInterrupted = Thread.interrupted();
        if (!failure.isEmpty() && !lost) {
            keepWaiting(); // there may be room again
        }
        if (end.seq() > 0) {
            writeMeta();
        }
        try {
            channel.close();
        } catch (IOException e) {
            // All that matters was forced, or its loss was reported by append.
        }
        opening.lock().close();
        if (wasInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
