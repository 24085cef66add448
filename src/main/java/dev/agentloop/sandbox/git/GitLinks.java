package dev.agentloop.sandbox.git;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Folders that a repository takes for submodules, wherever they lie: git goes into each of them by
 * itself, for a mere {@code git status}, and does what the settings there say. Read from the index,
 * which says it whether or not there is a {@code .gitmodules}; again only when that has changed.
 *
 * <p>Format: git's Documentation/gitformat-index.
 */
final class GitLinks {
    private static final int MOST_BYTES = 64 * 1024 * 1024;
    private static final int MOST_REPOSITORIES = 100;
    private static final int SIGNATURE = 0x44495243; // DIRC
    private static final int MODE_AT = 24;
    private static final int NAME_LENGTH_MASK = 0xfff;
    private static final int EXTENDED = 0x4000;
    private static final int TYPE = 0170000;
    private static final int LINK = 0160000;
    private static final Set<Integer> TYPES = Set.of(0100000, 0120000, LINK, 0040000);
    private static final List<Integer> HASHES = List.of(20, 32); // bytes: SHA-1, SHA-256

    private final Map<Path, Known> known = new HashMap<>();

    private record Known(String stamp, List<String> links) {}

    /** Folders of submodules, and of submodules within those. */
    Set<Path> folders(Path worktree) {
        Set<Path> found = new LinkedHashSet<>();
        Deque<Path> open = new ArrayDeque<>(List.of(worktree));
        while (!open.isEmpty() && found.size() < MOST_REPOSITORIES) {
            Path folder = open.removeFirst();
            Path store = GitFiles.store(folder.resolve(".git"));
            for (Path index : store == null ? List.<Path>of() : indexes(store)) {
                for (String link : links(index)) {
                    Path below = folder.resolve(link).normalize();
                    if (below.startsWith(worktree) && found.add(below)) {
                        open.add(below);
                    }
                }
            }
        }
        return found;
    }

    /** A split index keeps most entries in a second file. */
    private static List<Path> indexes(Path store) {
        List<Path> files = new ArrayList<>();
        Path index = store.resolve("index");
        if (!Files.isRegularFile(index, LinkOption.NOFOLLOW_LINKS)) {
            return files;
        }
        files.add(index);
        try (DirectoryStream<Path> shared = Files.newDirectoryStream(store, "sharedindex.*")) {
            for (Path file : shared) {
                if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                    files.add(file);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            return files;
        }
        return files;
    }

    private List<String> links(Path index) {
        try {
            BasicFileAttributes seen = Files.readAttributes(index, BasicFileAttributes.class);
            String stamp = GitFiles.stamp(index).text();
            Known before = known.get(index);
            if (before == null || !before.stamp.equals(stamp)) {
                before = new Known(stamp, seen.size() > MOST_BYTES ? List.of() : read(index));
                known.put(index, before);
            }
            return before.links;
        } catch (IOException e) {
            return List.of();
        }
    }

    private static List<String> read(Path index) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(index));
        for (int hash : HASHES) {
            Optional<List<String>> links = new Reading(bytes.duplicate(), hash).links();
            if (links.isPresent()) {
                return links.get();
            }
        }
        return List.of();
    }

    /** One attempt to make sense of the entries. */
    private static final class Reading {
        private final ByteBuffer in;
        private final int hash;
        private byte[] name = new byte[0];

        Reading(ByteBuffer in, int hash) {
            this.in = in;
            this.hash = hash;
        }

        /** Empty if the hashes have another length, or it is no index. */
        Optional<List<String>> links() {
            if (in.remaining() < 12 || in.getInt() != SIGNATURE) {
                return Optional.empty();
            }
            int version = in.getInt();
            int count = in.getInt();
            List<String> links = new ArrayList<>();
            try {
                for (int i = 0; i < count; i++) {
                    int mode = entry(version);
                    if (!TYPES.contains(mode & TYPE)) {
                        return Optional.empty();
                    }
                    if ((mode & TYPE) == LINK) {
                        links.add(new String(name, StandardCharsets.UTF_8));
                    }
                }
            } catch (IllegalArgumentException
                    | IndexOutOfBoundsException
                    | NegativeArraySizeException
                    | BufferUnderflowException e) {
                return Optional.empty();
            }
            return Optional.of(links);
        }

        /** Moves behind the entry; returns its mode. */
        private int entry(int version) {
            int start = in.position();
            int mode = in.getInt(start + MODE_AT);
            int flagsAt = start + 40 + hash;
            int flags = in.getShort(flagsAt);
            int nameAt = flagsAt + 2 + (version >= 3 && (flags & EXTENDED) != 0 ? 2 : 0);
            if (version == 4) {
                in.position(nameAt);
                int kept = name.length - dropped();
                name = name(in.position(), kept, -1);
            } else {
                int length = flags & NAME_LENGTH_MASK;
                name = name(nameAt, 0, length == NAME_LENGTH_MASK ? -1 : length);
                int end = nameAt + name.length;
                in.position(end + 8 - (end - start) % 8); // one to eight NUL
            }
            return mode;
        }

        /** A number as in packs: seven bits a byte, and one more for each further byte. */
        private int dropped() {
            int b = in.get();
            int value = b & 0x7f;
            while ((b & 0x80) != 0) {
                b = in.get();
                value = (value + 1 << 7) + (b & 0x7f);
            }
            return value;
        }

        /**
         * @param kept bytes of the name before that this one begins with
         * @param length of what is written; negative to go on to the NUL and behind it
         */
        private byte[] name(int at, int kept, int length) {
            int end = at + Math.max(0, length);
            while (length < 0 && in.get(end) != 0) {
                end++;
            }
            byte[] whole = new byte[kept + end - at];
            System.arraycopy(name, 0, whole, 0, kept);
            in.get(at, whole, kept, end - at);
            if (length < 0) {
                in.position(end + 1);
            }
            return whole;
        }
    }
}
