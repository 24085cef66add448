package dev.agentloop.session.jsonl;

import dev.agentloop.storage.PrivateFiles;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Deletes the folder of a session whose lock is held. Only what a session is made of: a folder that
 * holds a link, or anything that we have not made, is left whole.
 */
final class SessionRemoval {
    private static final String GONE = ".removed-"; // no id begins like this
    private static final Pattern OURS =
            Pattern.compile(
                    "journal\\.jsonl|lock|key|meta\\.json(\\.tmp)?|journal\\.torn\\.\\d+|blobs"
                            + "|output|hs_err_pid\\d+\\.log");

    private final List<Path> files = new ArrayList<>(); // in the order of their deletion
    private long bytes;

    private SessionRemoval() {}

    /** Returns how many bytes its files had. */
    static long remove(Path dir) throws IOException {
        PrivateFiles.checkDirectory(dir);
        SessionRemoval whole = new SessionRemoval();
        whole.gather(dir, true);
        // From here on no list shows it; a deletion that is cut off is finished by the next one.
        Path gone = dir.resolveSibling(GONE + SessionFolders.name(dir));
        Files.move(dir, gone, StandardCopyOption.ATOMIC_MOVE);
        try {
            whole.delete(dir, gone);
        } catch (IOException e) {
            return 0; // gone from all lists; the next deletion takes the rest away
        }
        return whole.bytes;
    }

    /** Takes away what did not become a session. */
    static void discard(Path hidden) {
        try {
            SessionRemoval half = new SessionRemoval();
            half.gather(hidden, true);
            half.delete(hidden, hidden);
        } catch (IOException e) {
            return; // no list shows it
        }
    }

    /** Finishes what an earlier deletion has left in the folder of a month. */
    static void sweep(Path month) {
        try (DirectoryStream<Path> left = Files.newDirectoryStream(month, GONE + "*")) {
            for (Path dir : left) {
                PrivateFiles.checkDirectory(dir);
                SessionRemoval rest = new SessionRemoval();
                rest.gather(dir, true);
                rest.delete(dir, dir);
            }
        } catch (IOException | DirectoryIteratorException e) {
            // Nothing that anybody sees; the next deletion tries again.
        }
    }

    private void gather(Path dir, boolean top) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(dir)) {
            for (Path entry : entries) {
                BasicFileAttributes attributes =
                        Files.readAttributes(
                                entry, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
                String name = SessionFolders.name(entry);
                if (top && !OURS.matcher(name).matches()) {
                    throw new IOException(
                            dir + " holds " + name + ", which is not part of a session");
                }
                if (attributes.isDirectory() && top) {
                    gather(entry, false);
                } else if (attributes.isRegularFile()) {
                    files.add(entry);
                    bytes += attributes.size();
                } else {
                    throw new IOException(entry + " is a link or no plain file");
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        files.add(dir);
    }

    private void delete(Path before, Path now) throws IOException {
        for (Path file : files) {
            Files.deleteIfExists(now.resolve(before.relativize(file)));
        }
    }
}
