package dev.agentloop.memory;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The text of a file of notes: each line that begins with a dash and a blank is one. All other
 * lines, which a person may have written, stay as they are to the byte.
 */
public record Notes(String text) {
    private static final String DASH = "- ";
    private static final int ID_BYTES = 3;
    private static final int MAX_NOTE = 500; // characters: a note, not a document

    /**
     * A note.
     *
     * @param id short, made of its text
     */
    public record Note(String id, String text) {}

    /** Why a change cannot be made; the message says what to do. */
    public static final class Refused extends Exception {
        private static final long serialVersionUID = 1L;

        Refused(String message) {
            super(message, null, false, false);
        }
    }

    /** The notes in their order. */
    public List<Note> all() {
        List<Note> notes = new ArrayList<>();
        for (String line : lines()) {
            if (line.startsWith(DASH)) {
                String note = line.substring(DASH.length()).strip();
                notes.add(new Note(id(note), note));
            }
        }
        return notes;
    }

    /**
     * The notes after a change.
     *
     * @param maxBytes that the text may have in UTF-8
     */
    public Notes with(MemoryUpdate update, int maxBytes) throws Refused {
        Notes changed =
                switch (update) {
                    case MemoryUpdate.Add(String note) -> add(checked(note));
                    case MemoryUpdate.Replace(String old, String note) ->
                            replace(find(old), DASH + checked(note));
                    case MemoryUpdate.Remove(String old) -> replace(find(old), null);
                };
        if (changed.bytes() > maxBytes && changed.bytes() > bytes()) {
            throw new Refused(
                    "The memory is full: it would have %d of %d bytes. Replace or remove a note first."
                            .formatted(changed.bytes(), maxBytes));
        }
        return changed;
    }

    /** Its length in UTF-8. */
    public int bytes() {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private static String checked(String note) throws Refused {
        String line = line(note);
        if (line.isEmpty() || line.length() > MAX_NOTE) {
            throw new Refused("A note has 1 to " + MAX_NOTE + " characters. Say it shorter.");
        }
        return line;
    }

    /** One line of what a person would see; a fence cannot be closed by it. */
    static String line(String note) {
        StringBuilder line = new StringBuilder();
        note.replaceAll("\\s+", " ")
                .codePoints()
                .filter(c -> !Character.isISOControl(c) && Character.getType(c) != Character.FORMAT)
                .forEach(line::appendCodePoint);
        return line.toString().replace("</", "<\\/").strip();
    }

    private Notes add(String note) {
        if (all().stream().anyMatch(each -> each.text().equals(note))) {
            return this;
        }
        String before = text.isEmpty() || text.endsWith("\n") ? text : text + "\n";
        return new Notes(before + DASH + note + "\n");
    }

    /** The place of the one note that is meant: by its id, its text, or a part of it. */
    private int find(String old) throws Refused {
        String wanted = line(old);
        List<Integer> parts = new ArrayList<>();
        List<String> lines = lines();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (!line.startsWith(DASH)) {
                continue;
            }
            String stored = line.substring(DASH.length()).strip();
            String note = line(stored); // as the model was shown it
            if (note.equals(wanted) || id(stored).equals(wanted)) {
                return i;
            }
            if (!wanted.isEmpty() && note.contains(wanted)) {
                parts.add(i);
            }
        }
        if (parts.size() == 1) {
            return parts.getFirst();
        }
        throw new Refused(
                parts.isEmpty()
                        ? "No note has that text. Give its exact words."
                        : parts.size() + " notes have that text. Give more of the one you mean.");
    }

    private Notes replace(int at, @Nullable String line) {
        List<String> lines = new ArrayList<>(lines());
        if (line == null) {
            lines.remove(at);
        } else {
            lines.set(at, line + (lines.get(at).endsWith("\r") ? "\r" : ""));
        }
        return new Notes(String.join("\n", lines));
    }

    private List<String> lines() {
        return List.of(text.split("\n", -1));
    }

    private static String id(String note) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256")
                            .digest(note.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, ID_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }
}
