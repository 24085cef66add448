package dev.agentloop.tool.file;

import dev.agentloop.storage.HeldFolder;
import dev.agentloop.storage.Roots;
import dev.agentloop.tool.ToolContext;
import dev.agentloop.tool.ToolException;
import dev.agentloop.tool.Touch;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Changes of several files that are all made or none: everything new is written under temporary
 * names first, then the names are exchanged; what was there is kept aside until the last one is.
 */
public final class FileTransaction {
    private final Roots roots;
    private final List<Change> changes = new ArrayList<>();
    private final List<Path> folders = new ArrayList<>();

    /**
     * What one name is to hold.
     *
     * @param content null to delete the file
     * @param like whose owner and mode the content gets, if it is there
     * @param mode permission bits; negative to keep those
     */
    private record Change(Path target, byte @Nullable [] content, Path like, int mode) {}

    /** A change with its temporary names. */
    private static final class Staged {
        private final Path target;
        private final @Nullable Path fresh;
        private @Nullable Path kept;
        private boolean made;

        Staged(Path target, @Nullable Path fresh) {
            this.target = target;
            this.fresh = fresh;
        }
    }

    /**
     * @param roots as of {@link HeldFolder#of}
     */
    public FileTransaction(Roots roots) {
        this.roots = roots;
    }

    public void write(Path target, byte[] content, Path like, int mode) {
        changes.add(new Change(target, content, like, mode));
    }

    public void delete(Path target) {
        changes.add(new Change(target, null, target, -1));
    }

    /**
     * Makes all changes, or throws and has made none.
     *
     * @param before waited for when all is ready
     */
    public void commit(ToolContext.Barrier before) throws IOException, ToolException {
        before.await(touched());
        List<Staged> staged = new ArrayList<>();
        try {
            for (Change change : changes) {
                staged.add(stage(change));
            }
            for (Staged one : staged) {
                make(one);
            }
        } catch (IOException | ToolException | RuntimeException e) {
            undo(staged, e);
            throw e;
        }
        forget(staged);
    }

    private List<Touch> touched() {
        List<Touch> touched = new ArrayList<>();
        Set<Path> missing = new LinkedHashSet<>();
        for (Change change : changes) {
            if (change.content() != null) {
                missing.addAll(AtomicFile.missing(change.target().getParent()));
            }
        }
        missing.forEach(folder -> touched.add(new Touch.Folder(folder)));
        changes.forEach(
                change -> touched.add(new Touch.Content(change.target(), change.content())));
        return touched;
    }

    private Staged stage(Change change) throws IOException, ToolException {
        if (change.content() == null) {
            return new Staged(change.target(), null);
        }
        createFolders(change.target().getParent());
        try (HeldFolder folder = HeldFolder.of(roots, change.target())) {
            Path fresh = AtomicFile.stage(folder, change.target(), change.like(), change.content());
            if (change.mode() >= 0) {
                folder.posix(fresh).setPermissions(AtomicFile.permissions(change.mode()));
            }
            return new Staged(change.target(), fresh);
        } catch (FileSystemException e) {
            throw AtomicFile.about(change.target(), e);
        }
    }

    private void createFolders(@Nullable Path folder) throws IOException {
        if (folder == null || Files.isDirectory(folder)) {
            return;
        }
        createFolders(folder.getParent());
        Files.createDirectory(folder);
        folders.add(folder);
    }

    private void make(Staged one) throws IOException {
        try (HeldFolder folder = HeldFolder.of(roots, one.target)) {
            if (Files.exists(one.target, LinkOption.NOFOLLOW_LINKS)) {
                if (!Files.isRegularFile(one.target, LinkOption.NOFOLLOW_LINKS)) {
                    throw new FileSystemException(
                            one.target.toString(), null, "it is no regular file any more");
                }
                one.kept = keep(folder, one.target, one.fresh == null);
            }
            if (one.fresh != null) {
                folder.move(one.fresh, folder, one.target);
            }
            one.made = true;
        } catch (FileSystemException e) {
            throw AtomicFile.about(one.target, e);
        }
    }

    /**
     * Aside what was there. What is replaced is copied, so that its name is never missing; a second
     * name for it could only be made by a path, which may lead elsewhere by now. Half a copy has
     * the name of what may be thrown away. Its mode lets its owner open it, since only then can he
     * give it another.
     *
     * @return where it is now
     */
    private static Path keep(HeldFolder folder, Path target, boolean goes) throws IOException {
        Path kept = AtomicFile.temporary(target, ".old");
        if (goes) {
            folder.move(target, folder, kept);
            return kept;
        }
        Path copy = AtomicFile.temporary(target, ".tmp");
        boolean whole = false;
        try (InputStream in = folder.read(target);
                OutputStream out =
                        Channels.newOutputStream(folder.create(copy, AtomicFile.PRIVATE))) {
            in.transferTo(out);
            AtomicFile.keepOwnerAndMode(folder, copy, target);
            folder.move(copy, folder, kept);
            whole = true;
            return kept;
        } finally {
            if (!whole && folder.has(copy)) {
                folder.delete(copy);
            }
        }
    }

    private void forget(List<Staged> staged) throws IOException {
        for (Staged one : staged) {
            if (one.kept != null) {
                remove(one.kept);
            }
        }
    }

    /** Backwards; what cannot be undone must not keep the rest from being undone. */
    private void undo(List<Staged> staged, Exception why) throws ToolException {
        List<String> stuck = new ArrayList<>();
        for (Staged one : staged.reversed()) {
            try {
                undo(one);
            } catch (IOException e) {
                stuck.add(
                        one.kept == null
                                ? "" + one.target
                                : one.target + " (is now " + one.kept + ")");
            }
        }
        for (Path folder : folders.reversed()) {
            try {
                Files.deleteIfExists(folder);
            } catch (IOException e) {
                stuck.add(folder.toString());
            }
        }
        if (!stuck.isEmpty()) {
            throw ToolException.error(
                    "The change failed (%s), and these could not be put back as they were: %s."
                            .formatted(why.getMessage(), String.join(", ", stuck)));
        }
    }

    private void undo(Staged one) throws IOException {
        if (one.kept != null) {
            try (HeldFolder folder = HeldFolder.of(roots, one.target)) {
                folder.move(one.kept, folder, one.target);
            }
            remove(one.kept); // two names of one file are left as they are by a move
        } else if (one.made) {
            remove(one.target);
        }
        if (one.fresh != null) {
            remove(one.fresh);
        }
    }

    private void remove(Path file) throws IOException {
        try (HeldFolder folder = HeldFolder.of(roots, file)) {
            folder.delete(file);
        } catch (NoSuchFileException e) {
            // gone already
        }
    }
}
