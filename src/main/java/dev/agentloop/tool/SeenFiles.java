package dev.agentloop.tool;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;
import org.jspecify.annotations.Nullable;

/**
 * What the model has read or written of each file, by real path: a fingerprint that tells whether a
 * file has changed since, and of the latest files the content, that tells where.
 */
public final class SeenFiles {
    private static final long MAX_BYTES = 10_000_000; // as much as a file tool reads or edits whole
    private static final int MAX_KEPT_FILE = 1_000_000; // bytes; a source file is far smaller
    private static final int MAX_KEPT = 16_000_000; // bytes of all kept contents

    private final Map<Path, String> fingerprints = new ConcurrentHashMap<>();
    private final Map<Path, byte[]> contents = new LinkedHashMap<>(); // the oldest first
    private final Map<Path, String> shown = new ConcurrentHashMap<>(); // fingerprints
    private int kept; // bytes in contents

    /** Remembers the content that the model knows now. */
    public void saw(Path realPath, byte[] content) {
        shown.remove(realPath);
        fingerprints.put(realPath, fingerprint(content));
        keep(realPath, content);
    }

    private synchronized void keep(Path realPath, byte[] content) {
        drop(realPath);
        if (content.length > MAX_KEPT_FILE) {
            return;
        }
        contents.put(realPath, content);
        kept += content.length;
        Iterator<byte[]> oldest = contents.values().iterator();
        while (kept > MAX_KEPT) {
            kept -= oldest.next().length;
            oldest.remove();
        }
    }

    private synchronized byte @Nullable [] drop(Path realPath) {
        byte[] content = contents.remove(realPath);
        kept -= content == null ? 0 : content.length;
        return content;
    }

    /** The content that the model knows; empty if it is not kept, though it may be known. */
    public synchronized Optional<byte[]> content(Path realPath) {
        return Optional.ofNullable(contents.get(realPath));
    }

    /**
     * The content on disk now counts as known, e.g. after a hook changed it: the model was told so.
     */
    public void sawOnDisk(Path realPath) {
        Optional<String> now = onDisk(realPath);
        if (now.isEmpty()) { // there is nothing that the model could know
            forget(realPath);
            return;
        }
        shown.remove(realPath);
        fingerprints.put(realPath, now.get());
    }

    /** Fingerprint of what the file holds; empty if it is gone, unreadable or too large. */
    public static Optional<String> onDisk(Path file) {
        try {
            return Files.isRegularFile(file) && Files.size(file) <= MAX_BYTES
                    ? Optional.of(fingerprint(Files.readAllBytes(file)))
                    : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
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

    /** A refusal has shown where this content differs from the one that the model knows. */
    public void showed(Path realPath, byte[] content) {
        shown.put(realPath, fingerprint(content));
    }

    /** Whether the last such refusal was about this content. */
    public boolean wasShown(Path realPath, byte[] content) {
        return fingerprint(content).equals(shown.get(realPath));
    }

    public void forget(Path realPath) {
        shown.remove(realPath);
        fingerprints.remove(realPath);
        drop(realPath);
    }

    /** A file has another name now. */
    public void moved(Path from, Path to) {
        shown.remove(from);
        String fingerprint = fingerprints.remove(from);
        byte[] content = drop(from);
        if (fingerprint != null) {
            fingerprints.put(to, fingerprint);
        }
        if (content != null) {
            keep(to, content);
        }
    }

    /** Fingerprint of the content last seen; empty if the model has not seen the file. */
    public Optional<String> seen(Path realPath) {
        return Optional.ofNullable(fingerprints.get(realPath));
    }
}
