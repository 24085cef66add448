package dev.agentloop.mcp;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 of texts, each with its length, so that no two lists of texts look the same. */
final class Digest {
    private final MessageDigest digest;

    Digest() {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }

    static String of(String text) {
        return new Digest().add(text).hex();
    }

    Digest add(String text) {
        return add(text.getBytes(StandardCharsets.UTF_8));
    }

    Digest add(byte[] bytes) {
        digest.update((bytes.length + ":").getBytes(StandardCharsets.US_ASCII));
        digest.update(bytes);
        return this;
    }

    /** A piece of something long, whose length is not known before. */
    void raw(byte[] bytes, int length) {
        digest.update(bytes, 0, length);
    }

    String hex() {
        return HexFormat.of().formatHex(digest.digest());
    }
}
