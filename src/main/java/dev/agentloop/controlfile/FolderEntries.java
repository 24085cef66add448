package dev.agentloop.controlfile;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Predicate;

/** Lists folders that a command may replace by a named pipe: to open one would wait for ever. */
public final class FolderEntries {
    private FolderEntries() {}

    /**
     * Shows the entries to somebody, in no order, up to the first that is refused.
     *
     * @param folder may be a link
     * @throws IOException if it is no folder, or cannot be read
     */
    public static void show(Path folder, Predicate<Path> wanted) throws IOException {
        Path itself = folder.resolve("."); // of a pipe the kernel knows no such name
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(itself)) {
            for (Path entry : entries) {
                if (!wanted.test(folder.resolve(entry.getFileName()))) {
                    return;
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }
}
