package dev.agentloop.sandbox.git.settings;

import dev.agentloop.sandbox.git.file.GitFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Settings of repositories as they were before a command, if they were harmless. A command that
 * adds a setting which is not known to be harmless loses the whole file to the quarantine, with the
 * remotes and the identity that were in it: those come back.
 */
public final class SettingsBackup {
    private static final List<String> CONFIGS = List.of("config", "config.worktree");

    /** Bytes of all of them: a command can make thousands of repositories with 1 MiB in each. */
    private static final int MOST = 16 * 1024 * 1024;

    /** Before the first look: there is nothing to put back. */
    public static final SettingsBackup NONE = new SettingsBackup(Path.of("/"));

    private final Path workspace;
    private final Map<Path, Kept> kept = new HashMap<>();
    private int left = MOST;

    private SettingsBackup(Path workspace) {
        this.workspace = workspace;
    }

    private record Kept(byte[] bytes, PosixFileAttributes attributes, String stamp) {}

    /**
     * Reads them.
     *
     * @param stores folders with settings that commands can change; those behind too much for all
     *     are left out
     * @param last what was read before the last command; files that are the same are not read again
     */
    public static SettingsBackup of(Collection<Path> stores, Path workspace, SettingsBackup last) {
        SettingsBackup backup = new SettingsBackup(workspace);
        for (Path store : stores) {
            for (String name : CONFIGS) {
                backup.keep(store.resolve(name), last);
            }
        }
        return backup;
    }

    private void keep(Path file, SettingsBackup last) {
        if (left <= 0) {
            return;
        }
        GitFiles.Stamp stamp = GitFiles.stamp(file);
        Kept same = last.kept.get(file);
        if (same != null && !stamp.young() && same.stamp.equals(stamp.text())) {
            kept.put(file, same);
            left -= same.bytes.length;
            return;
        }
        if (stamp.link() || !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try {
            PosixFileAttributes attributes =
                    Files.readAttributes(
                            file, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            Optional<byte[]> bytes = GitFiles.bytes(file, GitFiles.MOST_SETTINGS);
            left -= bytes.map(read -> read.length).orElse(0);
            if (bytes.isPresent() && isHarmless(file, bytes.get())) {
                kept.put(file, new Kept(bytes.get(), attributes, stamp.text()));
            }
        } catch (IOException | UnsupportedOperationException e) {
            return; // then there is nothing to put back
        }
    }

    private boolean isHarmless(Path file, byte[] bytes) {
        return GitSettings.of(file, bytes).dangers(workspace).isEmpty();
    }

    /**
     * Puts the former settings in the place of a file that was put away; false if there are none to
     * put back, or they cannot be. They are judged again: where a working tree lies depends on
     * links that the command may have changed.
     *
     * @param roots real paths of folders within which commands may change files
     */
    public boolean restore(Path file, Collection<Path> roots) {
        Kept before = kept.get(file);
        Path parent = file.getParent();
        if (before == null || parent == null || !isHarmless(file, before.bytes)) {
            return false;
        }
        try {
            Path real = parent.toRealPath();
            for (Path root : roots) {
                if (real.startsWith(root)) {
                    return write(before, root, root.relativize(real), file.getFileName());
                }
            }
            return false;
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    /** Each folder is opened within the one above it: none may have become a link meanwhile. */
    private static boolean write(Kept before, Path root, Path below, Path name) throws IOException {
        try (DirectoryStream<Path> folder = Files.newDirectoryStream(root)) {
            if (folder instanceof SecureDirectoryStream<Path> secure) {
                write(before, secure, below.toString().isEmpty() ? null : below, name);
                return true;
            }
            return false;
        }
    }

    private static void write(
            Kept before, SecureDirectoryStream<Path> folder, @Nullable Path below, Path name)
            throws IOException {
        if (below == null) {
            replace(before, folder, name);
            return;
        }
        int depth = below.getNameCount();
        Path rest = depth == 1 ? null : below.subpath(1, depth);
        try (SecureDirectoryStream<Path> next =
                folder.newDirectoryStream(below.getName(0), LinkOption.NOFOLLOW_LINKS)) {
            write(before, next, rest, name);
        }
    }

    /** By renaming: nobody finds half a file. */
    private static void replace(Kept before, SecureDirectoryStream<Path> folder, Path name)
            throws IOException {
        Path fresh = Path.of(name + ".restored-" + ThreadLocalRandom.current().nextLong(1L << 60));
        boolean moved = false;
        try {
            try (SeekableByteChannel out =
                    folder.newByteChannel(
                            fresh,
                            Set.of(
                                    StandardOpenOption.CREATE_NEW,
                                    StandardOpenOption.WRITE,
                                    LinkOption.NOFOLLOW_LINKS),
                            PosixFilePermissions.asFileAttribute(
                                    PosixFilePermissions.fromString("rw-------")))) {
                ByteBuffer bytes = ByteBuffer.wrap(before.bytes);
                while (bytes.hasRemaining()) {
                    out.write(bytes);
                }
            }
            dress(
                    before.attributes,
                    folder.getFileAttributeView(
                            fresh, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS));
            folder.move(fresh, folder, name);
            moved = true;
        } finally {
            if (!moved) {
                folder.deleteFile(fresh);
            }
        }
    }

    /** Owner before mode: a new owner may cost rights. */
    private static void dress(PosixFileAttributes before, PosixFileAttributeView file)
            throws IOException {
        PosixFileAttributes now = file.readAttributes();
        if (!now.group().equals(before.group())) {
            file.setGroup(before.group());
        }
        if (!now.owner().equals(before.owner())) {
            file.setOwner(before.owner());
        }
        file.setPermissions(before.permissions());
    }
}
