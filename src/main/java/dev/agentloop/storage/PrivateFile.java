package dev.agentloop.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** A small text file of the user's, changed whole or not at all. */
public final class PrivateFile {
    private final Path folder;
    private final Path file;

    /**
     * @param folder is made with the first change
     */
    public PrivateFile(Path folder, String name) {
        this.folder = folder;
        this.file = folder.resolve(name);
    }

    public Path path() {
        return file;
    }

    /** Its text; empty when there is none. Refuses links and what belongs to somebody else. */
    public String read() throws IOException {
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return "";
        }
        PrivateFiles.checkFile(file);
        return Files.readString(file, StandardCharsets.UTF_8);
    }

    /** What takes the old text, by {@link #read}, and gives the new one. */
    @FunctionalInterface
    public interface Change {
        String text() throws IOException;
    }

    /** Replaces the text; other processes that do the same wait for each other. */
    public void change(Change change) throws IOException {
        PrivateFiles.ensureDirectory(folder);
        Path lock = folder.resolve(file.getFileName() + ".lock");
        try (FileChannel channel = PrivateFiles.openOrCreate(lock, StandardOpenOption.WRITE);
                FileLock held = channel.lock()) {
            ByteBuffer text = StandardCharsets.UTF_8.encode(change.text());
            Path next = folder.resolve(file.getFileName() + ".next");
            Files.deleteIfExists(next); // left by a process that was killed
            try (FileChannel out = PrivateFiles.createFile(next, StandardOpenOption.WRITE)) {
                while (text.hasRemaining()) {
                    out.write(text);
                }
                out.force(true);
            }
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
            held.release();
        }
    }
}
