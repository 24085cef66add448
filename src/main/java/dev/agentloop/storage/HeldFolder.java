package dev.agentloop.storage;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A folder that is held open while something is done in it. A path that was checked may lead
 * elsewhere a moment later, because a command that still runs has put a link in the place of a
 * folder; what is held stays what it was, and on the way to it no link is followed.
 *
 * <p>Where the system has no calls for this, paths are used as they are.
 */
public final class HeldFolder implements AutoCloseable {
    private final Path path;
    private final @Nullable SecureDirectoryStream<Path> stream;

    private HeldFolder(Path path, @Nullable SecureDirectoryStream<Path> stream) {
        this.path = path;
        this.stream = stream;
    }

    /**
     * The folder of a file.
     *
     * @param roots real paths; folders outside of them are taken by their path
     * @param file a path without links
     * @throws IOException if a link, or nothing, stands on the way
     */
    public static HeldFolder of(Roots roots, Path file) throws IOException {
        return of(roots.around(file), file);
    }

    /** As {@link #of(Roots, Path)} where the workspace is the only root. */
    public static HeldFolder of(Path root, Path file) throws IOException {
        Path folder = file.getParent();
        if (folder == null) {
            throw new FileSystemException(file.toString(), null, "it is in no folder");
        }
        HeldFolder at = folder.startsWith(root) ? at(root) : byPath(folder);
        while (!at.path.equals(folder)) {
            try (HeldFolder above = at) {
                at = above.next(folder);
            }
        }
        return at;
    }

    /**
     * A root. The run that works in it cannot exchange it, but another one can whose folders hold
     * it, so no link is followed on the way to it either.
     *
     * @param folder a real path
     */
    static HeldFolder at(Path folder) throws IOException {
        HeldFolder at = byPath(folder.getRoot());
        while (at.stream != null && !at.path.equals(folder)) {
            try (HeldFolder above = at) {
                at = above.next(folder);
            } catch (AccessDeniedException e) {
                return beyond(at, folder, e);
            }
        }
        return at.stream == null ? byPath(folder) : at;
    }

    /**
     * Below a folder that one may pass through but not list, such as the one of all homes on some
     * machines. Who can neither list it nor write to it cannot exchange anything in it either.
     */
    private static HeldFolder beyond(HeldFolder above, Path folder, AccessDeniedException denied)
            throws IOException {
        Path closed = above.path.resolve(above.path.relativize(folder).getName(0));
        if (closed.equals(folder) || PrivateFiles.isOurs(closed) || Files.isWritable(closed)) {
            throw denied;
        }
        HeldFolder at = byPath(closed.resolve(closed.relativize(folder).getName(0)));
        while (!at.path.equals(folder)) {
            try (HeldFolder held = at) {
                at = held.next(folder);
            }
        }
        return at;
    }

    /** By its path as it is, which may lead through links. */
    static HeldFolder byPath(Path folder) throws IOException {
        return new HeldFolder(folder, secure(folder));
    }

    /**
     * The next folder on the way down to another one. This one stays open.
     *
     * @param below a folder inside of this one, at any depth
     * @throws IOException if a link, or nothing, stands in its place
     */
    HeldFolder next(Path below) throws IOException {
        Path name = path.relativize(below).getName(0);
        Path next = path.resolve(name);
        return new HeldFolder(next, stream == null ? null : next(stream, name, next));
    }

    Path path() {
        return path;
    }

    @SuppressWarnings("StreamResourceLeak") // it is closed with what is made of it
    private static @Nullable SecureDirectoryStream<Path> secure(Path folder) throws IOException {
        DirectoryStream<Path> stream = Files.newDirectoryStream(folder);
        if (stream instanceof SecureDirectoryStream<Path> secure) {
            return secure;
        }
        stream.close();
        return null;
    }

    private static SecureDirectoryStream<Path> next(
            SecureDirectoryStream<Path> from, Path name, Path way) throws IOException {
        try {
            return from.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException e) {
            throw new NoSuchFileException(way.toString());
        } catch (AccessDeniedException e) {
            throw new AccessDeniedException(way.toString());
        } catch (FileSystemException e) {
            throw new FileSystemException(way.toString(), null, reason(e));
        }
    }

    private static String reason(FileSystemException e) {
        String reason = e.getReason() == null ? "" : e.getReason();
        boolean link = reason.contains("symbolic link") || reason.contains("Not a directory");
        return link ? "it is a link now, or no folder any more" : reason;
    }

    /** The content of a file; a link is refused. */
    public InputStream read(Path file) throws IOException {
        return Channels.newInputStream(open(file));
    }

    /** The same as a channel, at the file's beginning. */
    SeekableByteChannel open(Path file) throws IOException {
        return open(file, Set.of(StandardOpenOption.READ));
    }

    /** A new file; refused if the name is taken. */
    public SeekableByteChannel create(Path file, Set<PosixFilePermission> mode) throws IOException {
        return open(
                file,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(mode));
    }

    private SeekableByteChannel open(
            Path file, Set<StandardOpenOption> how, FileAttribute<?>... attributes)
            throws IOException {
        Set<OpenOption> options = new HashSet<>(how);
        options.add(LinkOption.NOFOLLOW_LINKS);
        return stream == null
                ? Files.newByteChannel(path.resolve(name(file)), options, attributes)
                : stream.newByteChannel(name(file), options, attributes);
    }

    /** What the name stands for; a link is itself. */
    public BasicFileAttributes attributes(Path file) throws IOException {
        return stream == null
                ? Files.readAttributes(
                        path.resolve(name(file)),
                        BasicFileAttributes.class,
                        LinkOption.NOFOLLOW_LINKS)
                : stream.getFileAttributeView(
                                name(file), BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                        .readAttributes();
    }

    /** Owner and mode of a file; a link is refused. */
    public PosixFileAttributeView posix(Path file) throws IOException {
        return stream == null
                ? Files.getFileAttributeView(
                        path.resolve(name(file)),
                        PosixFileAttributeView.class,
                        LinkOption.NOFOLLOW_LINKS)
                : stream.getFileAttributeView(
                        name(file), PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    }

    /** Whether the name is taken, if only by a link to nowhere. */
    public boolean has(Path file) throws IOException {
        try {
            var _ = attributes(file);
            return true;
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /** Gives a file of this folder another name, which goes if it is taken. */
    public void move(Path file, HeldFolder to, Path target) throws IOException {
        if (stream != null && to.stream != null) {
            stream.move(name(file), to.stream, name(target));
        } else {
            Files.move(
                    path.resolve(name(file)),
                    to.path.resolve(name(target)),
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /** A link is removed itself. */
    public void delete(Path file) throws IOException {
        if (stream == null) {
            Files.delete(path.resolve(name(file)));
        } else {
            stream.deleteFile(name(file));
        }
    }

    /** A folder is removed only if it is empty. */
    public void deleteFolder(Path folder) throws IOException {
        if (stream == null) {
            Files.delete(path.resolve(name(folder)));
        } else {
            stream.deleteDirectory(name(folder));
        }
    }

    /**
     * Makes a symbolic link in this folder. There is no call for this, so it is made in a folder
     * whose path leads nowhere else, and moved; it takes the place of a file of its name.
     *
     * @param target text of the link
     * @param root on the same file system, a real path
     */
    public void link(Path file, Path target, Path root) throws IOException {
        try (HeldFolder first = at(root)) {
            Path made = root.resolve(".agent-link-" + UUID.randomUUID());
            Files.createSymbolicLink(made, target);
            try {
                first.move(made, this, file);
            } catch (IOException e) {
                first.delete(made);
                throw e;
            }
        }
    }

    private static Path name(Path file) throws IOException {
        Path name = file.getFileName();
        if (name == null) {
            throw new FileSystemException(file.toString(), null, "it has no name");
        }
        return name;
    }

    @Override
    public void close() throws IOException {
        if (stream != null) {
            stream.close();
        }
    }
}
