package dev.agentloop.search;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Finds a text of ASCII letters in bytes, in most places by looking at one byte of several. */
final class ByteSearch {
    private static final int BYTES = 256;

    private final byte[] text;
    private final boolean ignoreCase;
    private final byte[] fold = new byte[BYTES];
    private final int[] shift = new int[BYTES];

    /** Boyer, Moore and Horspool: how far a byte lets the window move. */
    ByteSearch(String literal, boolean ignoreCase) {
        this.ignoreCase = ignoreCase;
        for (int b = 0; b < BYTES; b++) {
            boolean upper = ignoreCase && b >= 'A' && b <= 'Z';
            fold[b] = (byte) (upper ? b + ('a' - 'A') : b);
        }
        text = literal.getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < text.length; i++) {
            text[i] = fold[text[i] & 0xFF];
        }
        Arrays.fill(shift, text.length);
        for (int i = 0; i < text.length - 1; i++) {
            for (int b = 0; b < BYTES; b++) {
                if (fold[b] == text[i]) {
                    shift[b] = text.length - 1 - i;
                }
            }
        }
    }

    boolean ignoresCase() {
        return ignoreCase;
    }

    /** The first place at or after {@code from} where the text is; -1 if there is none. */
    int find(byte[] in, int from, int to) {
        int last = text.length - 1;
        byte end = text[last];
        for (int i = from + last; i < to; ) {
            int b = in[i] & 0xFF;
            if (fold[b] == end && isAt(in, i - last)) {
                return i - last;
            }
            i += shift[b];
        }
        return -1;
    }

    private boolean isAt(byte[] in, int start) {
        for (int i = text.length - 2; i >= 0; i--) {
            if (fold[in[start + i] & 0xFF] != text[i]) {
                return false;
            }
        }
        return true;
    }
}
