package dev.agentloop.tool.file;

import dev.agentloop.storage.HeldFolder;
import dev.agentloop.storage.Roots;
import dev.agentloop.tool.ToolContext;
import dev.agentloop.tool.ToolException;
import dev.agentloop.tool.Touch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Writes a file so that at every moment it has its old or its new content. Keeps mode and owner. A
 * file with further hard links is refused, because its content belongs to the other names as well.
 */
public final class AtomicFile {
    static final Set<PosixFilePermission> PRIVATE = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> USUAL = // the umask takes its share
            PosixFilePermissions.fromString("rw-rw-rw-");

    private AtomicFile() {}

    /**
     * Replaces or creates {@code target}, a real path; its folder must exist.
     *
     * @param roots as of {@link HeldFolder#of}
     * @param before waited for when all is ready, right before the change is seen
     */
    public static void write(Roots roots, Path target, byte[] content, ToolContext.Barrier before)
            throws IOException, ToolException {
        refuseUnlessOurs(target); // before anybody is asked about it
        List<Touch> touched = touched(target, content);
        before.prepare(touched); // the disk is waited for once, not twice
        try (HeldFolder folder = HeldFolder.of(roots, target)) {
            Path temporary = stage(folder, target, target, content);
            boolean moved = false;
            try {
                before.await(touched);
                folder.move(temporary, folder, target);
                moved = true;
            } finally {
                if (!moved) {
                    folder.delete(temporary);
                }
            }
        } catch (FileSystemException e) {
            throw about(target, e);
        } catch (IOException e) {
            throw new FileSystemException(target.toString(), null, e.getMessage());
        }
    }

    private static List<Touch> touched(Path target, byte[] content) {
        List<Touch> touched = new ArrayList<>();
        missing(target.getParent()).forEach(folder -> touched.add(new Touch.Folder(folder)));
        touched.add(new Touch.Content(target, content));
        return touched;
    }

    /** Folders that are not there, the outermost first. */
    static List<Path> missing(@Nullable Path folder) {
        List<Path> missing = new ArrayList<>();
        for (Path each = folder; each != null && !Files.exists(each); each = each.getParent()) {
            missing.addFirst(each);
        }
        return missing;
    }

    /**
     * Writes the content beside {@code target} under a temporary name, with owner and mode of
     * {@code like} if that is there; the caller moves or deletes it.
     */
    static Path stage(HeldFolder folder, Path target, Path like, byte[] content)
            throws IOException, ToolException {
        boolean replaces = Files.exists(like, LinkOption.NOFOLLOW_LINKS);
        refuseUnlessOurs(like);
        Path temporary = temporary(target, ".tmp");
        SeekableByteChannel channel = folder.create(temporary, replaces ? PRIVATE : USUAL);
        boolean whole = false;
        try (channel) {
            write(channel, content);
            if (replaces) {
                keepOwnerAndMode(folder, temporary, like);
            }
            whole = true;
            return temporary;
        } finally {
            if (!whole) {
                folder.delete(temporary);
            }
        }
    }

    /** A name beside {@code target} that nobody else has. */
    static Path temporary(Path target, String suffix) {
        return target.resolveSibling(".agent-" + random() + suffix);
    }

    private static void refuseUnlessOurs(Path target) throws IOException, ToolException {
        if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
            refuseUnlessOurs(
                    target, Files.readAttributes(target, "unix:nlink", LinkOption.NOFOLLOW_LINKS));
        }
    }

    private static void refuseUnlessOurs(Path target, Map<String, Object> old)
            throws AccessDeniedException, ToolException {
        if (number(old, "nlink") > 1) {
            throw ToolException.error(
                    ("%s has %d hard links; changing it would change files elsewhere or tear them"
                                    + " apart. Nothing was written. Copy it to a new name first"
                                    + " (cp a b && mv b a).")
                            .formatted(target.getFileName(), number(old, "nlink")));
        }
        if (!Files.isWritable(target)) {
            throw new AccessDeniedException(target.toString());
        }
    }

    private static void write(SeekableByteChannel channel, byte[] content) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(content);
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
        if (channel instanceof FileChannel file) {
            file.force(false);
        }
    }

    static void keepOwnerAndMode(HeldFolder folder, Path file, Path like) throws IOException {
        PosixFileAttributeView view = folder.posix(file);
        Map<String, Object> old = ids(like);
        if (isOwnedAlike(file, old)) {
            view.setPermissions(permissions(number(old, "mode")));
        } else {
            keepAll(view, like);
        }
    }

    /**
     * By numbers, because a name is looked up in the users' directory, which may be a server. By
     * its path, which may lead elsewhere by now: the file then stays the user's own at worst.
     */
    private static boolean isOwnedAlike(Path file, Map<String, Object> old) {
        try {
            Map<String, Object> now = ids(file);
            return number(now, "uid") == number(old, "uid")
                    && number(now, "gid") == number(old, "gid");
        } catch (IOException e) {
            return false;
        }
    }

    private static Map<String, Object> ids(Path path) throws IOException {
        return Files.readAttributes(path, "unix:uid,gid,mode", LinkOption.NOFOLLOW_LINKS);
    }

    private static void keepAll(PosixFileAttributeView view, Path like) throws IOException {
        PosixFileAttributes old =
                Files.readAttributes(like, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        PosixFileAttributes now = view.readAttributes();
        if (!now.owner().equals(old.owner())) {
            view.setOwner(old.owner());
        }
        if (!now.group().equals(old.group())) {
            keepGroup(view, old.group());
        }
        view.setPermissions(old.permissions());
    }

    /** The permission bits of a mode, as a set. */
    static Set<PosixFilePermission> permissions(int mode) {
        Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
        PosixFilePermission[] all = PosixFilePermission.values(); // in the order of the bits
        for (int i = 0; i < all.length; i++) {
            if ((mode & (0400 >> i)) != 0) {
                permissions.add(all[i]);
            }
        }
        return permissions;
    }

    private static void keepGroup(PosixFileAttributeView view, GroupPrincipal group) {
        try {
            view.setGroup(group);
        } catch (IOException e) {
            // only members may give files to a group; the new content matters more
        }
    }

    /** The person knows the file, not our temporary one. */
    public static FileSystemException about(Path target, FileSystemException problem) {
        return problem instanceof AccessDeniedException
                ? new AccessDeniedException(String.valueOf(target.getParent()))
                : new FileSystemException(target.toString(), null, reason(problem));
    }

    private static String reason(FileSystemException problem) {
        return problem.getReason() == null
                ? problem.getClass().getSimpleName()
                : problem.getReason();
    }

    private static int number(Map<String, Object> attributes, String name) {
        return attributes.get(name) instanceof Number number ? number.intValue() : 0;
    }

    /** Names need not be secret: CREATE_NEW follows no link and takes no file that is there. */
    private static String random() {
        return Long.toHexString(ThreadLocalRandom.current().nextLong());
    }
}
