package dev.agentloop.sandbox.watch;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/** Takes files out of the way: under their new name nothing reads them. */
public final class Quarantine {
    private static final String SUFFIX = ".quarantined";
    private static final int MOST_NUMBERS = 100; // then any: a command may have taken them all

    private static final Set<PosixFilePermission> OWNER =
            EnumSet.of(
                    PosixFilePermission.OWNER_READ,
                    PosixFilePermission.OWNER_WRITE,
                    PosixFilePermission.OWNER_EXECUTE);

    private Quarantine() {}

    /**
     * What was put away before may be the only good copy: it stays, the next one gets a number.
     *
     * <p>We rename with the user's rights, and a command may have made a folder on the way into a
     * link to anywhere, even just now: so each folder is opened within the one above it, and a link
     * is refused.
     *
     * @param roots real paths of folders within which commands may change files
     * @throws IOException also if the file lies in none of the roots, whatever its path says
     */
    public static Path putAway(Path file, Collection<Path> roots) throws IOException {
        Path parent = file.toAbsolutePath().getParent();
        if (parent == null) {
            throw new FileSystemException(file.toString(), null, "is no file in a folder");
        }
        Path real = parent.toRealPath();
        for (Path root : roots) {
            if (real.startsWith(root)) {
                return file.resolveSibling(rename(root, root.relativize(real), file.getFileName()));
            }
        }
        throw new FileSystemException(
                file.toString(), null, "lies outside of what commands may change, in " + real);
    }

    private static Path rename(Path root, Path below, Path name) throws IOException {
        try (DirectoryStream<Path> folder = Files.newDirectoryStream(root)) {
            if (folder instanceof SecureDirectoryStream<Path> secure) {
                return rename(secure, below, 0, name);
            }
        }
        throw new FileSystemException(
                root.toString(), null, "no file is renamed here: the system opens no folders");
    }

    private static Path rename(SecureDirectoryStream<Path> folder, Path below, int depth, Path name)
            throws IOException {
        if (below.toString().isEmpty() || depth == below.getNameCount()) {
            Path away = free(folder, name);
            move(folder, name, away);
            return away;
        }
        try (SecureDirectoryStream<Path> next =
                folder.newDirectoryStream(below.getName(depth), LinkOption.NOFOLLOW_LINKS)) {
            return rename(next, below, depth + 1, name);
        }
    }

    /** Of a folder that its owner may not write, the rights are changed for a moment. */
    private static void move(SecureDirectoryStream<Path> folder, Path name, Path away)
            throws IOException {
        try {
            folder.move(name, folder, away);
        } catch (AccessDeniedException e) {
            var rights = folder.getFileAttributeView(PosixFileAttributeView.class);
            Set<PosixFilePermission> before = rights.readAttributes().permissions();
            Set<PosixFilePermission> more = EnumSet.copyOf(OWNER);
            more.addAll(before);
            rights.setPermissions(more);
            try {
                folder.move(name, folder, away);
            } finally {
                rights.setPermissions(before);
            }
        }
    }

    private static Path free(SecureDirectoryStream<Path> folder, Path name) throws IOException {
        for (int n = 1; ; n++) {
            int number = n <= MOST_NUMBERS ? n : ThreadLocalRandom.current().nextInt(n, 1 << 30);
            Path away = Path.of(name + SUFFIX + (n == 1 ? "" : "." + number));
            try {
                folder.getFileAttributeView(
                                away, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                        .readAttributes();
            } catch (NoSuchFileException e) {
                return away;
            }
        }
    }
}
