package dev.agentloop.session.jsonl;

import dev.agentloop.storage.PrivateFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;

/** The random bytes of a session, in a file beside its journal. */
final class SessionKey {
    private static final String NAME = "key";
    private static final int BYTES = 32;

    private SessionKey() {}

    /** A key that cannot be kept or read back serves this run: a later one gets another. */
    static byte[] of(Path dir) {
        Path file = dir.resolve(NAME);
        byte[] key = new byte[BYTES];
        try {
            if (Files.exists(file, LinkOption.NOFOLLOW_LINKS) && read(file, key)) {
                return key;
            }
            new SecureRandom().nextBytes(key);
            Files.deleteIfExists(file); // half of one, from a full disk
            try (FileChannel out = PrivateFiles.createFile(file, StandardOpenOption.WRITE)) {
                out.write(ByteBuffer.wrap(key));
            }
        } catch (IOException e) {
            new SecureRandom().nextBytes(key);
        }
        return key;
    }

    private static boolean read(Path file, byte[] key) throws IOException {
        try (FileChannel in = PrivateFiles.openFile(file, StandardOpenOption.READ)) {
            ByteBuffer bytes = ByteBuffer.wrap(key);
            while (bytes.hasRemaining() && in.read(bytes) >= 0) {}
            return !bytes.hasRemaining();
        }
    }
}
