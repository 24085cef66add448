package dev.agentloop.session.jsonl;

import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.agentloop.storage.PrivateFiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** Copies a session's records, byte for byte, and what belongs to them into another folder. */
record SessionCopy(Path from, Path to) {
    private static final String JOURNAL = "journal.jsonl";
    private static final String KEY = "key";
    private static final String BLOBS = "blobs";

    /**
     * Copies everything that the first bytes of the journal need; the journal comes last, so that a
     * copy that was cut off is a session without records.
     */
    void copy(long journalBytes) throws IOException {
        Path key = from.resolve(KEY);
        if (Files.exists(key, LinkOption.NOFOLLOW_LINKS)) {
            copy(key, to.resolve(KEY), Long.MAX_VALUE);
        }
        copyBlobs();
        copy(from.resolve(JOURNAL), to.resolve(JOURNAL), journalBytes);
    }

    private void copyBlobs() throws IOException {
        Path blobs = from.resolve(BLOBS);
        if (!Files.exists(blobs, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        PrivateFiles.checkDirectory(blobs);
        PrivateFiles.ensureDirectory(to.resolve(BLOBS));
        try (DirectoryStream<Path> names = Files.newDirectoryStream(blobs)) {
            for (Path blob : names) {
                String name = SessionFolders.name(blob);
                if (!name.startsWith(".")) { // what a killed process had not yet named
                    copy(blob, to.resolve(BLOBS).resolve(name), Long.MAX_VALUE);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    private static void copy(Path from, Path to, long most) throws IOException {
        try (FileChannel in = PrivateFiles.openFile(from, READ);
                FileChannel out = PrivateFiles.createFile(to, WRITE)) {
            long size = Math.min(most, in.size());
            long copied = 0;
            while (copied < size) {
                long more = in.transferTo(copied, size - copied, out);
                if (more <= 0) {
                    throw new IOException(from + " got shorter while it was copied");
                }
                copied += more;
            }
            out.force(true);
        }
    }
}
