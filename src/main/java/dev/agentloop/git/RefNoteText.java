package dev.agentloop.git;

import dev.agentloop.storage.PrivateFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A note as a file: lines of a word, a blank and what it says, the last one "end". What commands
 * have named may hold anything, so line ends in it are escaped.
 */
final class RefNoteText {
    private static final long MOST = 64 * 1024 * 1024; // bytes; what is written is less
    private static final String HEAD = "references 2";
    private static final String END = "end";
    private static final char PART = '\t'; // between the parts of a line

    private RefNoteText() {}

    /** Replaces the file as a whole. */
    static void write(Path file, RefNote note) throws IOException {
        Path next = file.resolveSibling(file.getFileName() + "." + System.nanoTime() + ".next");
        ByteBuffer text = StandardCharsets.UTF_8.encode(text(note));
        if (text.remaining() > MOST) {
            throw new IOException("the note would be too large");
        }
        try (FileChannel out = PrivateFiles.createFile(next, StandardOpenOption.WRITE)) {
            while (text.hasRemaining()) {
                out.write(text);
            }
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(next);
        }
    }

    private static String text(RefNote note) {
        StringBuilder text = new StringBuilder(HEAD + "\n");
        line(text, "process", note.process());
        line(text, "workspace", note.workspace().toString());
        for (RefPlace place : note.places()) {
            line(
                    text,
                    "place",
                    place.root().toString(),
                    place.common().toString(),
                    place.own().toString(),
                    place.key());
        }
        line(text, "everything", note.everything());
        note.values().forEach((name, value) -> line(text, "value", name, value));
        return text.append(END + "\n").toString();
    }

    private static void line(StringBuilder text, String word, String... parts) {
        text.append(word).append(' ');
        for (int i = 0; i < parts.length; i++) {
            if (i > 0) {
                text.append(PART);
            }
            text.append(
                    parts[i].replace("\\", "\\\\")
                            .replace("\n", "\\n")
                            .replace("\r", "\\r")
                            .replace("\t", "\\t"));
        }
        text.append('\n');
    }

    /**
     * Reads back a note that an earlier run has written.
     *
     * @throws IOException if it cannot be read, or not as a whole, saying why
     */
    static RefNote read(Path file) throws IOException {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new IOException("it is no file");
        }
        if (Files.size(file) > MOST) {
            throw new IOException("it is larger than " + MOST / 1024 / 1024 + " MiB");
        }
        List<String> lines = Files.readString(file, StandardCharsets.UTF_8).lines().toList();
        if (lines.size() < 2 || !lines.getFirst().equals(HEAD) || !lines.getLast().equals(END)) {
            throw new IOException("it is not whole, or of another version of this program");
        }
        try {
            return parsed(lines.subList(1, lines.size() - 1));
        } catch (RuntimeException e) { // of a line that lacks a part, or a number that is none
            throw new IOException("it has a line that this program has not written", e);
        }
    }

    private static RefNote parsed(List<String> lines) {
        Map<String, String> words = new LinkedHashMap<>();
        List<RefPlace> places = new ArrayList<>();
        Map<String, String> values = new LinkedHashMap<>();
        for (String line : lines) {
            int blank = line.indexOf(' ');
            String word = line.substring(0, blank);
            List<String> parts = parts(line.substring(blank + 1));
            switch (word) {
                case "value" -> values.put(parts.get(0), parts.get(1));
                case "place" ->
                        places.add(
                                new RefPlace(
                                        Path.of(parts.get(0)),
                                        Path.of(parts.get(1)),
                                        Path.of(parts.get(2)),
                                        parts.get(3)));
                default -> words.put(word, parts.getFirst());
            }
        }
        RefNote note =
                new RefNote(
                        words.getOrDefault("process", "?"),
                        Path.of(words.getOrDefault("workspace", "\0")),
                        List.copyOf(places),
                        words.getOrDefault("everything", "?"),
                        values);
        if (places.isEmpty() || note.isOpen() && !note.process().matches("\\d+@\\d+")) {
            throw new IllegalArgumentException("it says not enough");
        }
        return note;
    }

    private static List<String> parts(String line) {
        List<String> parts = new ArrayList<>();
        for (String part : line.split(String.valueOf(PART), -1)) {
            parts.add(part.translateEscapes());
        }
        return parts;
    }
}
