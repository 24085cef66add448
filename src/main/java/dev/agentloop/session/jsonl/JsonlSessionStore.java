package dev.agentloop.session.jsonl;

import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.agentloop.control.Time;
import dev.agentloop.session.Blobs;
import dev.agentloop.session.Journal;
import dev.agentloop.session.JournalRecord;
import dev.agentloop.session.Recovery;
import dev.agentloop.session.SavedSession;
import dev.agentloop.session.SessionException;
import dev.agentloop.session.SessionStore;
import dev.agentloop.session.SessionSummary;
import dev.agentloop.session.jsonl.journal.CostAfter;
import dev.agentloop.session.jsonl.journal.JournalLine.End;
import dev.agentloop.session.jsonl.journal.JournalScan;
import dev.agentloop.session.jsonl.journal.SessionFold;
import dev.agentloop.session.jsonl.journal.SummaryFold;
import dev.agentloop.storage.PrivateFiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Sessions in folders {@code YYYY/MM/ID}, each with an append-only journal of JSON lines, a lock
 * and a cached summary; see {@code docs/sessions.md}. Nobody but the user can read them.
 */
public final class JsonlSessionStore implements SessionStore {
    private static final long LOCK_POLL_MILLIS = 100; // taking it costs microseconds

    private final SessionFolders folders;
    private final Options options;
    private final JsonlJournal.Disk disk;
    private final SessionId ids = new SessionId();

    /** When a journal is forced to the disk; a killed process loses nothing either way. */
    public enum Fsync {
        /** When the caller asks for it: before effects, after prompts and at the end. */
        INTENT,
        /** After each write. */
        EVERY,
        /** Never: a power cut may lose the last seconds. */
        NEVER;

        boolean forces(boolean asked) {
            return switch (this) {
                case INTENT -> asked;
                case EVERY -> true;
                case NEVER -> false;
            };
        }
    }

    /**
     * How sessions are kept.
     *
     * @param recovery settles what was cut off, when a session is taken up again
     */
    public record Options(Fsync fsync, Time time, Recovery recovery) {}

    public JsonlSessionStore(Path sessionsRoot, Options options) {
        this(sessionsRoot, options, JsonlJournal.Disk.REAL);
    }

    JsonlSessionStore(Path sessionsRoot, Options options, JsonlJournal.Disk disk) {
        this.folders = new SessionFolders(sessionsRoot.toAbsolutePath().normalize());
        this.options = options;
        this.disk = disk;
    }

    @Override
    public Journal create() throws SessionException {
        try {
            Path dir = folders.create(ids, now());
            return keeping(
                    dir,
                    lock -> {
                        PrivateFiles.createFile(journal(dir), WRITE).close();
                        String id = SessionFolders.name(dir);
                        return journal(dir, lock, End.START, new SummaryFold(id));
                    });
        } catch (IOException e) {
            throw new SessionException(
                    "Cannot begin a session: "
                            + PrivateFiles.reason(folders.root(), e)
                            + ". Mend that, or run with --no-session.");
        }
    }

    @Override
    public Reopened reopen(String id) throws SessionException {
        Path dir = folders.find(id);
        try {
            PrivateFiles.checkDirectory(dir);
            PrivateFiles.checkFile(journal(dir));
            return keeping(dir, lock -> reopen(dir, lock));
        } catch (IOException e) {
            throw unusable(dir, e);
        }
    }

    private Reopened reopen(Path dir, SessionLock lock) throws SessionException, IOException {
        String id = SessionFolders.name(dir);
        SessionFold fold = new SessionFold(id);
        JournalScan scan = JournalScan.read(journal(dir), id, fold::add);
        refuseEmpty(dir, fold);
        PrivateFiles.tighten(dir);
        PrivateFiles.tighten(journal(dir));
        fold.endsBefore(scan.tornBytes());
        String tail = scan.tornBytes() > 0 ? setAside(dir, scan) : "";
        fold.settle(options.recovery(), new FileBlobs(dir, options.fsync().forces(true)));
        SavedSession saved = fold.finish(tail);
        Journal journal = journal(dir, lock, scan.end(), fold.summary());
        journal.append(fold.mending(scan.tornBytes()), true);
        return new Reopened(journal, saved);
    }

    @Override
    public void await(String id, long millis) throws SessionException, InterruptedException {
        Path dir = folders.find(id);
        long end = options.time().nanos() + millis * 1_000_000L;
        while (true) {
            try {
                PrivateFiles.checkDirectory(dir);
                SessionLock.claim(dir);
                return;
            } catch (SessionException.InUse e) {
                if (options.time().nanos() >= end) {
                    throw e;
                }
            } catch (IOException e) {
                throw unusable(dir, e);
            }
            Thread.sleep(LOCK_POLL_MILLIS);
        }
    }

    @Override
    public void dropClaims() {
        SessionLock.dropClaims();
    }

    @Override
    public String fork(String id, long records, OptionalInt step) throws SessionException {
        Path dir = folders.find(id);
        try {
            PrivateFiles.checkDirectory(dir);
            try (SessionLock _ = SessionLock.take(dir)) {
                return fork(dir, records, step);
            }
        } catch (IOException e) {
            throw unusable(dir, e);
        }
    }

    private String fork(Path dir, long records, OptionalInt step)
            throws SessionException, IOException {
        String id = SessionFolders.name(dir);
        SessionFold fold = new SessionFold(id);
        JournalScan scan = JournalScan.read(journal(dir), id, records, fold::add);
        refuseEmpty(dir, fold);
        CostAfter after = CostAfter.of(journal(dir), id, scan.end().seq());
        Path hidden = folders.hidden(ids, now());
        String copy = SessionFolders.name(hidden).substring(SessionFolders.HIDDEN.length());
        boolean done = false;
        try {
            List<JournalRecord> own = new ArrayList<>(after.records());
            own.addAll(fold.endsBefore(records == ALL ? scan.tornBytes() : 1)); // or more
            own.add(new JournalRecord.Forked(id, scan.end().seq()));
            step.ifPresent(it -> own.add(new JournalRecord.Rewound(it)));
            fill(new SessionCopy(dir, hidden), scan.end(), fold.summary().of(copy), own);
            Files.move(hidden, folders.place(copy), StandardCopyOption.ATOMIC_MOVE);
            done = true;
            return copy;
        } catch (IOException e) {
            throw new SessionException(
                    "The copy of session "
                            + id
                            + " cannot be made: "
                            + PrivateFiles.reason(hidden, e)
                            + ". The session itself is as it was.");
        } finally {
            if (!done) {
                SessionRemoval.discard(hidden);
            }
        }
    }

    /** A folder with the records of another session and some of its own. */
    private void fill(SessionCopy copy, End end, SummaryFold summary, List<JournalRecord> own)
            throws SessionException, IOException {
        Path dir = copy.to();
        String id = summary.summary().id();
        try (Journal journal =
                keeping(
                        dir,
                        lock -> {
                            copy.copy(end.bytes());
                            return new JsonlJournal(
                                    new JsonlJournal.Opening(
                                            id, dir, lock, ids.next(now()), end, summary),
                                    options,
                                    disk);
                        })) {
            journal.append(own, true);
            if (!journal.isDurable()) {
                throw new IOException(journal.failure());
            }
        }
    }

    @Override
    public long remove(String id) throws SessionException {
        Path dir = folders.find(id);
        try {
            PrivateFiles.checkDirectory(dir);
            try (SessionLock _ = SessionLock.take(dir)) {
                folders.months().forEach(SessionRemoval::sweep);
                return SessionRemoval.remove(dir);
            }
        } catch (IOException e) {
            throw new SessionException(
                    "Session "
                            + SessionFolders.name(dir)
                            + " was not deleted: "
                            + PrivateFiles.reason(dir, e)
                            + ".");
        }
    }

    @Override
    public SavedSession read(String id, long records) throws SessionException {
        return read(id, records, true);
    }

    @Override
    public SavedSession survey(String id, long records) throws SessionException {
        return read(id, records, false);
    }

    @Override
    public Blobs contents(String id) throws SessionException {
        return new FileBlobs(folders.find(id), false);
    }

    private SavedSession read(String id, long records, boolean results) throws SessionException {
        Path dir = folders.find(id);
        try {
            PrivateFiles.checkDirectory(dir);
            SessionFold fold = new SessionFold(SessionFolders.name(dir), results);
            JournalScan scan =
                    JournalScan.read(journal(dir), SessionFolders.name(dir), records, fold::add);
            refuseEmpty(dir, fold);
            if (records != ALL) {
                String name = SessionFolders.name(dir);
                CostAfter.of(journal(dir), name, scan.end().seq()).records().forEach(fold::add);
            }
            long torn = scan.tornBytes();
            fold.endsBefore(torn);
            return fold.finish(torn == 0 ? "" : "The last line is incomplete: " + torn + " bytes.");
        } catch (IOException e) {
            throw unusable(dir, e);
        }
    }

    @Override
    public List<SessionSummary> list() {
        List<SessionSummary> summaries = new ArrayList<>();
        folders.all().forEach(dir -> SessionPeek.of(dir).ifPresent(summaries::add));
        return summaries;
    }

    /** The session of this workspace that was written last, which may not be the youngest. */
    @Override
    public Optional<String> last(Path workspace) {
        String wanted = real(workspace);
        record Candidate(Path dir, FileTime written) {}
        return folders.all().stream()
                .map(dir -> new Candidate(dir, written(dir)))
                .sorted(Comparator.comparing(Candidate::written).reversed())
                .flatMap(candidate -> SessionPeek.of(candidate.dir).stream())
                .filter(summary -> summary.workspace().equals(wanted))
                .map(SessionSummary::id)
                .findFirst();
    }

    @Override
    public Presence enter(Path workspace) {
        return WorkspaceMark.set(folders.root(), workspace.toString());
    }

    /** What is done with a session while its lock is held. */
    private interface Locked<T> {
        T with(SessionLock lock) throws SessionException, IOException;
    }

    /** Takes the lock and keeps it if {@code work} succeeds. */
    private static <T> T keeping(Path dir, Locked<T> work) throws SessionException, IOException {
        SessionLock lock = SessionLock.take(dir);
        boolean done = false;
        try {
            T result = work.with(lock);
            done = true;
            return result;
        } finally {
            if (!done) {
                lock.close();
            }
        }
    }

    private Journal journal(Path dir, SessionLock lock, End end, SummaryFold summary)
            throws IOException {
        String id = SessionFolders.name(dir);
        String run = ids.next(now());
        return new JsonlJournal(
                new JsonlJournal.Opening(id, dir, lock, run, end, summary), options, disk);
    }

    /** Copies what follows the last good line into a file of its own and takes it off. */
    private String setAside(Path dir, JournalScan scan) throws IOException {
        int number = 1;
        while (Files.exists(dir.resolve("journal.torn." + number), LinkOption.NOFOLLOW_LINKS)) {
            number++;
        }
        Path aside = dir.resolve("journal.torn." + number);
        try (FileChannel from = PrivateFiles.openFile(journal(dir), READ, WRITE);
                FileChannel to = PrivateFiles.createFile(aside, WRITE)) {
            long copied = 0;
            while (copied < scan.tornBytes()) {
                copied +=
                        from.transferTo(scan.end().bytes() + copied, scan.tornBytes() - copied, to);
            }
            boolean forces = options.fsync().forces(true);
            if (forces) {
                to.force(true);
            }
            from.truncate(scan.end().bytes());
            if (forces) {
                from.force(true);
            }
        }
        return "The last line was torn; its "
                + scan.tornBytes()
                + " bytes were moved to "
                + aside.getFileName()
                + ".";
    }

    private static void refuseEmpty(Path dir, SessionFold fold) throws SessionException {
        if (fold.isEmpty()) {
            throw new SessionException(
                    "Session "
                            + SessionFolders.name(dir)
                            + " has no records: it ended before its first was kept, or"
                            + " journal.jsonl was emptied since. Start a new session.");
        }
    }

    private static SessionException unusable(Path dir, IOException e) {
        return new SessionException(
                "Session %s cannot be used: %s."
                        .formatted(SessionFolders.name(dir), PrivateFiles.reason(dir, e)));
    }

    private static FileTime written(Path dir) {
        try {
            return Files.getLastModifiedTime(journal(dir), LinkOption.NOFOLLOW_LINKS);
        } catch (IOException e) {
            return FileTime.fromMillis(0);
        }
    }

    private static String real(Path workspace) {
        try {
            return workspace.toRealPath().toString();
        } catch (IOException e) {
            return workspace.toAbsolutePath().normalize().toString();
        }
    }

    private static Path journal(Path dir) {
        return dir.resolve("journal.jsonl");
    }

    private long now() {
        return options.time().now().toEpochMilli();
    }
}
