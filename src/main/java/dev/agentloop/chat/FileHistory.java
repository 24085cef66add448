package dev.agentloop.chat;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.function.UnaryOperator;
import org.jline.reader.impl.history.DefaultHistory;

/** What was typed before, from one chat to the next: for the arrow keys and Ctrl-R. */
final class FileHistory extends DefaultHistory {
    private final UnaryOperator<String> kept;

    /**
     * @param kept what is kept of a typed text
     */
    FileHistory(UnaryOperator<String> kept) {
        this.kept = kept;
    }

    @Override
    public void add(Instant time, String line) {
        super.add(time, kept.apply(line));
    }

    /**
     * Makes the file, which is its owner's alone.
     *
     * @throws IOException if it cannot be made, or what is there cannot be read
     */
    static void prepare(Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            Files.createDirectories(
                    folder,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rwx------")));
        }
        try {
            Files.createFile(
                    file,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rw-------")));
        } catch (FileAlreadyExistsException e) { // of an earlier chat
            Files.readAllLines(file); // the library would end the chat over one that is broken
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        }
    }
}
