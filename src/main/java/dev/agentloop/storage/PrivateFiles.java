package dev.agentloop.storage;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.Set;

/**
 * Files and folders for one user only. Modes are given at creation, so there is no moment in which
 * others can open them; links, pipes and what belongs to somebody else are refused, because a
 * folder in a shared place may have been prepared for us.
 */
public final class PrivateFiles {
    private static final boolean POSIX =
            FileSystems.getDefault().supportedFileAttributeViews().contains("unix");
    private static final FileAttribute<?>[] DIR = mode("rwx------");
    private static final FileAttribute<?>[] FILE = mode("rw-------");

    private PrivateFiles() {}

    /** Makes {@code dir} and its missing parents, or checks and tightens it when it exists. */
    public static void ensureDirectory(Path dir) throws IOException {
        Path parent = dir.getParent();
        if (parent != null && !Files.isDirectory(parent)) {
            ensureDirectory(parent);
        }
        try {
            Files.createDirectory(dir, DIR);
        } catch (FileAlreadyExistsException e) {
            checkDirectory(dir);
            tighten(dir);
        }
    }

    /** Makes a folder that must not exist yet; the operating system decides who was first. */
    public static void createDirectory(Path dir) throws IOException {
        Files.createDirectory(dir, DIR);
    }

    public static FileChannel createFile(Path file, StandardOpenOption... how) throws IOException {
        Set<OpenOption> options = new HashSet<>(Set.of(how));
        options.add(StandardOpenOption.CREATE_NEW);
        options.add(LinkOption.NOFOLLOW_LINKS);
        return FileChannel.open(file, options, FILE);
    }

    public static FileChannel openFile(Path file, StandardOpenOption... how) throws IOException {
        checkFile(file);
        Set<OpenOption> options = new HashSet<>(Set.of(how));
        options.add(LinkOption.NOFOLLOW_LINKS);
        return FileChannel.open(file, options);
    }

    /** Several processes may come here at once with the file missing; all get the same file. */
    public static FileChannel openOrCreate(Path file, StandardOpenOption... how)
            throws IOException {
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return openFile(file, how);
        }
        Set<OpenOption> options = new HashSet<>(Set.of(how));
        options.add(StandardOpenOption.CREATE);
        options.add(LinkOption.NOFOLLOW_LINKS);
        return FileChannel.open(file, options, FILE);
    }

    public static void checkDirectory(Path dir) throws IOException {
        BasicFileAttributes attributes = attributes(dir);
        if (!attributes.isDirectory()) {
            throw new IOException(dir + " is " + kind(attributes) + ", not a folder");
        }
        checkOwner(dir);
    }

    public static void checkFile(Path file) throws IOException {
        BasicFileAttributes attributes = attributes(file);
        if (!attributes.isRegularFile()) {
            throw new IOException(file + " is " + kind(attributes) + ", not a file");
        }
        checkOwner(file);
    }

    /** Takes the rights of group and others away, if there are any. */
    public static void tighten(Path path) throws IOException {
        if (!POSIX) {
            return;
        }
        Set<PosixFilePermission> all =
                Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS);
        Set<PosixFilePermission> own = new HashSet<>(all);
        own.removeIf(right -> !right.name().startsWith("OWNER_"));
        if (own.size() < all.size()) {
            Files.setPosixFilePermissions(path, own);
        }
    }

    /** What went wrong with {@code path}, for a person; file exceptions say little but the path. */
    public static String reason(Path path, IOException e) {
        if (e instanceof AccessDeniedException) {
            return "no permission for " + e.getMessage();
        }
        if (e instanceof NoSuchFileException) {
            return e.getMessage() + " does not exist";
        }
        String message = String.valueOf(e.getMessage());
        return message.contains(path.toString()) ? message : path + ": " + message;
    }

    /** Whether we may change the mode of a file or folder, because it is our own. */
    static boolean isOurs(Path path) throws IOException {
        return Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS).equals(Owner.UID);
    }

    private static void checkOwner(Path path) throws IOException {
        if (POSIX && !isOurs(path)) {
            throw new IOException(path + " belongs to another user");
        }
    }

    private static BasicFileAttributes attributes(Path path) throws IOException {
        try {
            return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException e) {
            throw new IOException(path + " does not exist", e);
        }
    }

    private static String kind(BasicFileAttributes attributes) {
        if (attributes.isSymbolicLink()) {
            return "a symbolic link";
        }
        if (attributes.isDirectory()) {
            return "a folder";
        }
        return attributes.isRegularFile() ? "a file" : "a pipe or device";
    }

    private static FileAttribute<?>[] mode(String permissions) {
        return POSIX
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }

    /** Who we are, found when it is first needed. */
    private static final class Owner {
        static final Object UID = find();

        private static Object find() {
            try {
                Path self = Path.of("/proc/self");
                Path ours = Files.exists(self) ? self : Path.of(System.getProperty("user.home"));
                return Files.getAttribute(ours, "unix:uid");
            } catch (IOException e) {
                return "unknown: " + e.getMessage(); // equals no owner, so everything is refused
            }
        }
    }
}
