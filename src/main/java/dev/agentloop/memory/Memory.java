package dev.agentloop.memory;

import dev.agentloop.storage.PrivateFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The notes that one run knows, and what it wants to change in them. Changes are kept until {@link
 * #sync}, which makes them on what the files hold by then: runs at the same time lose nothing of
 * each other. Safe from any thread.
 */
public final class Memory {
    private static final int KEY_BYTES = 8;

    private final Map<About, PrivateFile> files = new EnumMap<>(About.class);
    private final Map<About, List<MemoryUpdate>> pending = new EnumMap<>(About.class);
    private final int maxBytes;

    /** What notes are about: one file each. */
    public enum About {
        /** The person, for all workspaces. */
        USER("USER.md"),
        /** One workspace that is trusted. */
        WORKSPACE("MEMORY.md"),
        /** One workspace, of runs while it was not trusted; nobody has confirmed them. */
        UNCONFIRMED("UNCONFIRMED.md");

        private final String file;

        About(String file) {
            this.file = file;
        }

        /** For people and models. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * @param folder of all notes, outside of every workspace; need not exist
     * @param root real path of the workspace's work tree
     * @param maxBytes of each file
     */
    public Memory(Path folder, Path root, int maxBytes) {
        Path own = folder.resolve("workspaces").resolve(key(root));
        for (About about : About.values()) {
            files.put(about, new PrivateFile(about == About.USER ? folder : own, about.file));
        }
        this.maxBytes = maxBytes;
    }

    private static String key(Path root) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256")
                            .digest(root.toString().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, KEY_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }

    /** Where the notes are. */
    public Path path(About about) {
        return file(about).path();
    }

    /** What is on the disk. */
    public Notes notes(About about) throws IOException {
        return new Notes(file(about).read());
    }

    /**
     * Wants a change; made by {@link #sync}.
     *
     * @return the notes as they will be if nobody else changes them
     * @throws Notes.Refused if it could not be made on what is there now
     */
    public synchronized Notes want(About about, MemoryUpdate update)
            throws Notes.Refused, IOException {
        Notes notes = notes(about);
        for (MemoryUpdate earlier : wanted(about)) {
            notes = notes.with(earlier, maxBytes);
        }
        notes = notes.with(update, maxBytes);
        wanted(about).add(update);
        return notes;
    }

    /** How many bytes each file may have. */
    public int maxBytes() {
        return maxBytes;
    }

    /** Makes the changes that are wanted; what could not be made is told, one line each. */
    public synchronized List<String> sync() {
        List<String> failures = new ArrayList<>();
        pending.forEach((about, updates) -> {
            if (updates.isEmpty()) {
                return;
            }
            try {
                file(about).change(() -> changed(about, updates, failures));
            } catch (IOException e) {
                failures.add(path(about) + ": " + e.getMessage());
            }
            updates.clear();
        });
        return failures;
    }

    private String changed(About about, List<MemoryUpdate> updates, List<String> failures)
            throws IOException {
        Notes notes = notes(about);
        for (MemoryUpdate update : updates) {
            try {
                notes = notes.with(update, maxBytes);
            } catch (Notes.Refused e) {
                failures.add(path(about) + ": " + e.getMessage());
            }
        }
        return notes.text();
    }

    private List<MemoryUpdate> wanted(About about) {
        return pending.computeIfAbsent(about, _ -> new ArrayList<>());
    }

    private PrivateFile file(About about) {
        PrivateFile file = files.get(about);
        if (file == null) {
            throw new IllegalStateException("no file for " + about);
        }
        return file;
    }
}
