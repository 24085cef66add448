package dev.agentloop.git;

import dev.agentloop.storage.PrivateFiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Notes of which branches and tags the commands of a run may have moved, in our own state folder,
 * where no sandboxed command can write. What they say is taken before the first command, and after
 * the last one only those that are others by then are kept. So a later run can tell a branch that
 * somebody has fetched from one that a command has made.
 */
public final class RefNotes implements AutoCloseable {
    private static final String SUFFIX = ".refs";
    private static final List<String> RULES = // where git looks for a short name
            List.of(
                    "%s",
                    "refs/%s",
                    "refs/tags/%s",
                    "refs/heads/%s",
                    "refs/remotes/%s",
                    "refs/remotes/%s/HEAD");

    private static final Duration KEPT = Duration.ofDays(30);

    private static final Object ONE_AT_A_TIME = new Object(); // a lock of a file is the process's

    private final Path folder;
    private @Nullable RefNote before;
    private @Nullable Path file;

    /**
     * @param folder of all notes; made with the first
     */
    public RefNotes(Path folder) {
        this.folder = folder;
    }

    /** Before the first command in a workspace. */
    public synchronized void begin(Path workspace) {
        if (before != null) {
            return;
        }
        synchronized (ONE_AT_A_TIME) {
            try (FileChannel _ = locked()) {
                RefNote now = RefNote.of(workspace);
                RefPlace place = now.places().getFirst();
                settle(place);
                before =
                        now.after(
                                written().values().stream()
                                        .filter(note -> note.isAlive() && note.concerns(place))
                                        .toList());
                file = next();
                RefNoteText.write(file, before);
            } catch (IOException e) {
                // the state folder cannot be written: no session is kept either, which is said
                file = null;
            }
        }
    }

    /** After the last command. */
    @Override
    public synchronized void close() {
        Path open = file;
        file = null;
        if (open == null || before == null) {
            return;
        }
        synchronized (ONE_AT_A_TIME) {
            try (FileChannel _ = locked()) {
                finish(open, before.closed());
            } catch (IOException e) {
                return; // the note of what was before stays, and says more
            }
        }
    }

    /** Puts a note in the place of another, unless another says the same, or it says nothing. */
    private void finish(Path old, RefNote note) throws IOException {
        if (!note.saysNothing() && !written().containsValue(note)) {
            RefNoteText.write(next(), note); // another process may have taken this one for dead
        }
        Files.deleteIfExists(old);
    }

    /**
     * Whether what a name means now may come from a command of a run.
     *
     * @param revision what git takes the name for
     * @throws IOException if it may, with what to do
     */
    void check(GitPlace at, Revision revision) throws IOException {
        checkPlace(at);
        RefValues now = RefValues.now(at.common(), at.own());
        String head = RefValues.head(at.common(), at.own());
        String ref = revision.ref().equals("HEAD") ? head : revision.ref();
        List<String> chain = now.chain(ref);
        Set<String> names = new LinkedHashSet<>(chain);
        if (Set.of("HEAD", "@").contains(revision.name())) {
            names.addAll(now.chain(head));
        }
        for (String rule : RULES) {
            names.addAll(now.chain(rule.formatted(revision.name())));
        }
        checkNotes(RefPlace.of(at), names, now);
        if (!now.of(chain.getLast()).equals(revision.value())) {
            throw new IOException(
                    revision.ref()
                            + " cannot be read from its file; name the commit by its whole hash");
        }
    }

    private void checkNotes(RefPlace at, Set<String> names, RefValues now) throws IOException {
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        synchronized (ONE_AT_A_TIME) {
            try (FileChannel _ = settled(at)) {
                for (Path one : files()) {
                    checkNote(one, at, names, now);
                }
            }
        }
    }

    /** The lock; null where the notes cannot be changed, so that they are read as they are. */
    private @Nullable FileChannel settled(RefPlace at) {
        FileChannel lock = null;
        try {
            lock = locked();
            settle(at);
        } catch (IOException e) {
            return lock;
        }
        return lock;
    }

    private static void checkNote(Path file, RefPlace at, Set<String> names, RefValues now)
            throws IOException {
        RefNote note;
        try {
            note = RefNoteText.read(file);
        } catch (IOException e) {
            throw nothingCounts(
                    "the note of what commands of a run could write cannot be read: " + why(e),
                    file);
        }
        if (!note.concerns(at)) {
            return;
        }
        Optional<String> objection = note.objection(at);
        if (objection.isPresent()) {
            throw nothingCounts(
                    objection.get() + ", and commands of a run could write to it", file);
        }
        Optional<String> moved = note.moved(names, now);
        if (moved.isPresent()) {
            throw new IOException(
                    moved.get()
                            + " was changed while commands of a run could write to the repository;"
                            + " fetch it anew, or name the commit by its whole hash");
        }
    }

    private static IOException nothingCounts(String why, Path note) {
        return new IOException(
                why
                        + ", so no branch or tag counts; name the commit by its whole hash, or clone"
                        + " anew (or compare with git ls-remote), and then remove "
                        + note);
    }

    private static String why(IOException e) {
        return e instanceof FileSystemException ? e.toString() : String.valueOf(e.getMessage());
    }

    /**
     * A command may have made a repository of its own within the one that is meant, or led one of
     * its work trees to another.
     */
    private static void checkPlace(GitPlace at) throws IOException {
        if (at.isLinked() && !at.common().resolve("worktrees").equals(at.own().getParent())) {
            throw new IOException(
                    at.own()
                            + " names a repository that it is not in, as commands of a run could write;"
                            + " name the commit by its whole hash");
        }
        Path home = Path.of(System.getProperty("user.home", "/"));
        for (Path up = at.root().getParent(); up != null; up = up.getParent()) {
            if (home.startsWith(up)) {
                return;
            }
            if (Files.exists(up.resolve(".git"), LinkOption.NOFOLLOW_LINKS)) {
                throw new IOException(
                        at.root()
                                + " is a repository within that of "
                                + up
                                + ", and may come from a command; name the commit by its whole hash");
            }
        }
    }

    /**
     * Ends the notes of runs that were killed, and drops those of a repository that say nothing any
     * more. While a run works none is dropped: it could set once more what the note is about.
     */
    private void settle(RefPlace at) throws IOException {
        for (Map.Entry<Path, RefNote> one : written().entrySet()) {
            if (one.getValue().isOpen() && !one.getValue().isAlive()) {
                finish(one.getKey(), one.getValue().closed());
            }
        }
        Map<Path, RefNote> left = written();
        if (left.values().stream().anyMatch(RefNote::isOpen)) {
            return;
        }
        for (Map.Entry<Path, RefNote> one : left.entrySet()) {
            RefNote note = one.getValue();
            if (note.isGone() && isOld(one.getKey())) {
                Files.deleteIfExists(one.getKey());
            } else if (note.concerns(at) && note.isOver()) {
                finish(one.getKey(), note.withoutValues());
            }
        }
    }

    /** Those that can be read. */
    private Map<Path, RefNote> written() throws IOException {
        Map<Path, RefNote> notes = new LinkedHashMap<>();
        for (Path one : files()) {
            readable(one).ifPresent(note -> notes.put(one, note));
        }
        return notes;
    }

    private static Optional<RefNote> readable(Path file) {
        try {
            return Optional.of(RefNoteText.read(file));
        } catch (IOException e) {
            return Optional.empty(); // nobody drops it, and whoever asks for a branch is told
        }
    }

    private List<Path> files() throws IOException {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
            all.forEach(files::add);
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return files;
    }

    private Path next() {
        return folder.resolve(ProcessHandle.current().pid() + "-" + System.nanoTime() + SUFFIX);
    }

    /** Open for as long as no other process may look at the notes and change them. */
    private FileChannel locked() throws IOException {
        PrivateFiles.ensureDirectory(folder);
        FileChannel lock =
                PrivateFiles.openOrCreate(folder.resolve("lock"), StandardOpenOption.WRITE);
        try {
            lock.lock();
            return lock;
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    /** The disk with the workspace may not be mounted today. */
    private static boolean isOld(Path note) throws IOException {
        Instant written = Files.getLastModifiedTime(note).toInstant();
        return written.isBefore(Instant.now().minus(KEPT));
    }
}
