package dev.agentloop.sandbox.git.file;

import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Paths and names as words of a line: without blanks, and also those that are no text. */
public final class RecordText {
    private static final String PLAIN = "/._~+@,:=-";

    private RecordText() {}

    /** An absolute path, byte for byte. */
    public static String path(Path path) {
        String text = path.toString();
        StringBuilder escaped = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= 0x80) { // what this stands for on the disk only the path itself knows
                String raw = path.toUri().getRawPath();
                return raw.endsWith("/") ? raw.substring(0, raw.length() - 1) : raw; // a folder
            }
            boolean letter = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
            if (letter || PLAIN.indexOf(c) >= 0) {
                escaped.append(c);
            } else {
                escaped.append('%').append(Character.forDigit(c >> 4, 16));
                escaped.append(Character.forDigit(c & 15, 16));
            }
        }
        return escaped.toString();
    }

    /**
     * Reads a path back from a word that {@link #path(Path)} has written.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static Path path(String word) {
        return Path.of(URI.create("file://" + word));
    }

    /** A name that may hold anything. */
    public static String word(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8);
    }

    /** Reads a name back from a word that {@link #word} has written. */
    public static String name(String word) {
        return URLDecoder.decode(word, StandardCharsets.UTF_8);
    }

    /** Tells texts apart, also if somebody takes pains to make two that look alike. */
    public static String digest(String text) {
        return GitFiles.digest(text);
    }
}
