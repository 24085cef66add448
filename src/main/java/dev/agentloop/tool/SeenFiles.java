package dev.agentloop.tool;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/** Fingerprints of the files that the model has read or written, by real path. */
public final class SeenFiles {
    private static final long MAX_BYTES = 10_000_000; // as much as a file tool reads or edits whole

    private final Map<Path, String> fingerprints = new ConcurrentHashMap<>();

    /** Remembers the content that the model knows now. */
    public void saw(Path realPath, String fingerprint) {
        fingerprints.put(realPath, fingerprint);
    }

    /** As {@link #saw(Path, String)} with the content on disk now, e.g. after a hook changed it. */
    public void sawOnDisk(Path realPath) {
        try {
            if (Files.isRegularFile(realPath) && Files.size(realPath) <= MAX_BYTES) {
                saw(realPath, fingerprint(Files.readAllBytes(realPath)));
                return;
            }
        } catch (IOException e) {
            // gone or unreadable: there is nothing the model could know
        }
        forget(realPath);
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
        fingerprints.remove(realPath);
    }

    /** A file has another name now. */
    public void moved(Path from, Path to) {
        String fingerprint = fingerprints.remove(from);
        if (fingerprint != null) {
            saw(to, fingerprint);
        }
    }

    /** Fingerprint of the content last seen; empty if the model has not seen the file. */
    public Optional<String> seen(Path realPath) {
        return Optional.ofNullable(fingerprints.get(realPath));
    }
}
