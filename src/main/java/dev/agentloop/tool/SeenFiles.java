package dev.agentloop.tool;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/**
 * What the model has read or written of files, by real path: a fingerprint of each and hashes of
 * its lines, never the content. Lines end with the byte 0A, whatever the encoding makes of it.
 */
public final class SeenFiles {
    private static final long MAX_BYTES = 10_000_000; // as much as a file tool reads or edits whole

    private final Map<Path, Seen> files = new ConcurrentHashMap<>();

    /**
     * @param passages hashes of lines that follow one another; the whole file first, then what the
     *     model has written into another version of it
     */
    private record Seen(String fingerprint, List<int[]> passages) {}

    /** Remembers the content that the model knows now. */
    public void saw(Path realPath, byte[] content) {
        int[] lines = lines(content, 0, content.length);
        files.put(realPath, new Seen(fingerprint(content), List.of(lines)));
    }

    /** As {@link #saw} with the content on disk now, e.g. after a hook changed it. */
    public void sawOnDisk(Path realPath) {
        try {
            if (Files.isRegularFile(realPath) && Files.size(realPath) <= MAX_BYTES) {
                saw(realPath, Files.readAllBytes(realPath));
                return;
            }
        } catch (IOException e) {
            // gone or unreadable: there is nothing the model could know
        }
        forget(realPath);
    }

    /**
     * The model has written these bytes, and the lines around them, into a version it knows not.
     */
    public void wrote(Path realPath, byte[] content, int from, int to) {
        int[] lines = lines(content, lineStart(content, from), lineEnd(content, to));
        files.computeIfPresent(
                realPath,
                (_, seen) -> {
                    List<int[]> passages = new ArrayList<>(seen.passages());
                    passages.add(lines);
                    return new Seen(seen.fingerprint(), List.copyOf(passages));
                });
    }

    /**
     * Whether the model has seen, one after the other, the lines that these bytes are part of.
     *
     * @param from first byte
     * @param to byte after the last one
     */
    public boolean knows(Path realPath, byte[] content, int from, int to) {
        Seen seen = files.get(realPath);
        if (seen == null) {
            return false;
        }
        int[] lines = lines(content, lineStart(content, from), lineEnd(content, to));
        return seen.passages().stream().anyMatch(passage -> holds(passage, lines));
    }

    /**
     * What contents are compared by: two checksums and the length, against accidents, not against
     * attackers. SHA-256 would load the security providers, 15 to 40 ms in a fresh JVM.
     */
    public static String fingerprint(byte[] content) {
        return checksum(new CRC32(), content) + checksum(new CRC32C(), content) + content.length;
    }

    private static String checksum(Checksum checksum, byte[] content) {
        checksum.update(content, 0, content.length);
        return Long.toHexString(checksum.getValue()) + "-";
    }

    public void forget(Path realPath) {
        files.remove(realPath);
    }

    /** Fingerprint of the content last seen; empty if the model has not seen the file. */
    public Optional<String> seen(Path realPath) {
        return Optional.ofNullable(files.get(realPath)).map(Seen::fingerprint);
    }

    private static int lineStart(byte[] content, int at) {
        int start = at;
        while (start > 0 && content[start - 1] != '\n') {
            start--;
        }
        return start;
    }

    /** Behind the line that the byte before {@code to} is in. */
    private static int lineEnd(byte[] content, int to) {
        int end = to;
        while (end < content.length && (end == 0 || content[end - 1] != '\n')) {
            end++;
        }
        return end;
    }

    private static int[] lines(byte[] content, int from, int to) {
        int[] hashes = new int[16];
        int count = 0;
        int hash = 1;
        for (int i = from; i < to; i++) {
            hash = 31 * hash + content[i];
            if (content[i] == '\n' || i == to - 1) {
                hashes = count == hashes.length ? Arrays.copyOf(hashes, 2 * count) : hashes;
                hashes[count++] = hash;
                hash = 1;
            }
        }
        return Arrays.copyOf(hashes, count);
    }

    private static boolean holds(int[] all, int[] part) {
        for (int start = 0; start <= all.length - part.length; start++) {
            if (Arrays.equals(all, start, start + part.length, part, 0, part.length)) {
                return true;
            }
        }
        return false;
    }
}
