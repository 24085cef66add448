package dev.agentloop.process;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A private folder for outputs that are too long for a result. It is made with its first file and
 * goes with the run: what it holds may be secret.
 */
final class OutputFolder {
    private static final FileAttribute<Set<PosixFilePermission>> OWNER_FOLDER = only("rwx------");
    private static final FileAttribute<Set<PosixFilePermission>> OWNER_FILE = only("rw-------");
    private static final long MOST_IN_ALL =
            512L * 1024 * 1024; // bytes; temporary folders are small

    private final Path folder;
    private long room = MOST_IN_ALL;
    private int files;
    private boolean made;
    private boolean closed;

    /**
     * @param parent the environment; it names the folder for temporary files
     * @param name of the folder, nobody else's
     */
    OutputFolder(String parent, String name) {
        Path place = Path.of(parent.startsWith("/") ? parent : "/tmp");
        this.folder = real(place).resolve(name);
    }

    /** Where it is or will be. */
    Path path() {
        return folder;
    }

    /** The folder itself, which a sandbox needs before there is a file in it. */
    synchronized Path make() throws IOException {
        if (closed) {
            throw new IOException("the run is ending");
        }
        if (!made) { // fails if there is one already: then it is not ours
            Files.createDirectory(folder, OWNER_FOLDER);
            made = true;
        }
        return folder;
    }

    /** A new file, e.g. {@code 3-stdout.txt}; null where none can be made. */
    synchronized @Nullable Path create(String label) {
        if (closed) {
            return null;
        }
        try {
            make();
            return Files.createFile(folder.resolve(++files + "-" + label + ".txt"), OWNER_FILE);
        } catch (IOException | UnsupportedOperationException e) {
            return null; // the result then says what is left out, but not where to find it
        }
    }

    /** How many of {@code bytes} may still be written. */
    synchronized int grant(int bytes) {
        int granted = (int) Math.min(bytes, room);
        room -= granted;
        return granted;
    }

    /** Deletes the folder with all output that it holds; nothing is kept after that. */
    synchronized void remove() {
        closed = true;
        File[] left = made ? folder.toFile().listFiles() : null;
        if (left == null) {
            return;
        }
        boolean gone = true;
        for (File file : left) {
            gone &= delete(file);
        }
        if (gone) {
            made = !folder.toFile().delete();
        }
    }

    /** With all that a command may have put in; links are not followed. */
    private static boolean delete(File file) {
        boolean folder = Files.isDirectory(file.toPath(), LinkOption.NOFOLLOW_LINKS);
        File[] inside = folder ? file.listFiles() : null;
        for (File each : inside == null ? new File[0] : inside) {
            delete(each);
        }
        return file.delete();
    }

    private static Path real(Path place) {
        try {
            return place.toRealPath();
        } catch (IOException e) {
            return place; // no file will be made there
        }
    }

    private static FileAttribute<Set<PosixFilePermission>> only(String mode) {
        return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode));
    }
}
