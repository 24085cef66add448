package dev.agentloop.durable;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Reads what a session has got since the last look. */
final class JournalFollower {
    // Larger contents stay on the worker's machine: engines take some megabytes at once.
    private static final long MOST_BLOB_BYTES = 256_000;

    private final Path sessions;
    private final Set<String> blobs = new TreeSet<>();
    private String folder;
    private long offset;

    /**
     * @param folder of the session below the other one; empty until it is known
     * @param offset how many bytes of the journal are known
     */
    JournalFollower(Path sessions, String folder, long offset) {
        this.sessions = sessions.toAbsolutePath().normalize();
        this.folder = folder;
        this.offset = offset;
    }

    /** Where the run says that its session is. */
    void found(String location) {
        folder = sessions.relativize(Path.of(location).toAbsolutePath().normalize()).toString();
    }

    Optional<SessionPart> collect() {
        if (folder.isEmpty()) {
            return Optional.empty();
        }
        Path journal = sessions.resolve(folder).resolve("journal.jsonl");
        if (offset == 0 && !Files.exists(journal)) {
            return Optional.empty(); // not there yet
        }
        try {
            Map<String, byte[]> contents = contents(sessions.resolve(folder).resolve("blobs"));
            String lines = lines(journal);
            return lines.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new SessionPart(folder, lines, contents));
        } catch (IOException e) {
            // "Nothing new" would open the gate for what the engine has not been told.
            throw new UncheckedIOException("the journal cannot be read: " + e.getMessage(), e);
        }
    }

    private String lines(Path journal) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(journal.toFile(), "r")) {
            long length = file.length() - offset;
            if (length <= 0) {
                return "";
            }
            byte[] news = new byte[Math.toIntExact(length)];
            file.seek(offset);
            file.readFully(news);
            int whole = news.length;
            while (whole > 0 && news[whole - 1] != '\n') {
                whole--;
            }
            offset += whole;
            return new String(news, 0, whole, StandardCharsets.UTF_8);
        }
    }

    private Map<String, byte[]> contents(Path folder) throws IOException {
        Map<String, byte[]> news = new LinkedHashMap<>();
        if (!Files.isDirectory(folder)) {
            return news;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                String name = String.valueOf(file.getFileName());
                boolean whole = !name.startsWith(".");
                if (whole && !blobs.contains(name)) {
                    if (Files.size(file) <= MOST_BLOB_BYTES) {
                        news.put(name, Files.readAllBytes(file));
                    }
                    blobs.add(name);
                }
            }
        }
        return news;
    }
}
