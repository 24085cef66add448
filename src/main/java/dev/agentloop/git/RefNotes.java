package dev.agentloop.git;

import dev.agentloop.storage.PrivateFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
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

    private final Path folder;
    private @Nullable RefNote before;
    private @Nullable Path file;

    /**
     * @param folder of all notes; made with the first
     */
    public RefNotes(Path folder) {
        this.folder = folder;
    }

    /** Before the first command in a workspace. Nothing is noted where there is no repository. */
    public synchronized void begin(Path workspace) {
        if (before != null) {
            return;
        }
        try {
            RefNote.Place found = RefNote.Place.of(workspace);
            settle(found.common());
            before = RefNote.of(found);
            file = folder.resolve(ProcessHandle.current().pid() + "-" + System.nanoTime() + SUFFIX);
            write(file, before);
        } catch (IOException e) {
            file = null; // where nothing can be written, no session is kept either, which is said
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
        try {
            finish(open, before.closed());
        } catch (IOException e) {
            return; // the note of what was before stays, and says more
        }
    }

    private void finish(Path file, RefNote note) throws IOException {
        if (note.values().isEmpty()) {
            Files.deleteIfExists(file);
        } else {
            write(file, note);
        }
    }

    /**
     * Whether what a name means now may come from a command of a run.
     *
     * @param revision what git takes the name for
     * @throws IOException if it may, with what to do
     */
    void check(GitPlace at, Revision revision) throws IOException {
        RefValues now = RefValues.now(at.common(), at.own());
        String ref = revision.ref().equals("HEAD") ? at.own().resolve("HEAD") + "" : revision.ref();
        List<String> chain = now.chain(ref);
        if (!now.of(chain.getLast()).equals(revision.value())) {
            throw new IOException(
                    revision.ref()
                            + " cannot be read from its file; name the commit by its whole hash");
        }
        Set<String> names = new LinkedHashSet<>(chain);
        if (Set.of("HEAD", "@").contains(revision.name())) {
            names.addAll(now.chain(at.own().resolve("HEAD").toString()));
        }
        for (String rule : RULES) {
            names.addAll(now.chain(rule.formatted(revision.name())));
        }
        checkPlace(at);
        settle(at.common());
        for (Path one : files()) {
            Optional<String> moved =
                    RefNote.read(one)
                            .filter(note -> note.place().common().equals(at.common()))
                            .flatMap(note -> note.moved(names, now));
            if (moved.isPresent()) {
                throw new IOException(
                        moved.get()
                                + " was changed while commands of a run could write to the repository;"
                                + " fetch it anew, or name the commit by its whole hash");
            }
        }
    }

    /** A command may have made a repository of its own within the one that is meant. */
    private static void checkPlace(GitPlace at) throws IOException {
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

    /** Ends the notes of runs that were killed, and drops those that say nothing any more. */
    private void settle(Path common) throws IOException {
        for (Path one : files()) {
            RefNote note = RefNote.read(one).orElse(null);
            if (note == null || !note.place().common().equals(common) || note.isAlive()) {
                continue;
            }
            if (note.isOpen()) {
                finish(one, note.closed());
            } else if (note.isOver()) {
                Files.deleteIfExists(one);
            }
        }
    }

    private List<Path> files() throws IOException {
        List<Path> files = new ArrayList<>();
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            return files;
        }
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
            all.forEach(files::add);
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return files;
    }

    private void write(Path file, RefNote note) throws IOException {
        PrivateFiles.ensureDirectory(folder);
        Path next = folder.resolve(file.getFileName() + "." + System.nanoTime() + ".next");
        try (FileChannel out = PrivateFiles.createFile(next, StandardOpenOption.WRITE)) {
            ByteBuffer text = StandardCharsets.UTF_8.encode(note.text());
            while (text.hasRemaining()) {
                out.write(text);
            }
        }
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
