package dev.agentloop.edit;

import org.jspecify.annotations.Nullable;

/**
 * A text with differences that do not matter taken out, and the way back to the original.
 *
 * @param text the simplified text
 * @param origins for each of its characters, and its end, the index in the original; null if the
 *     text is the original
 */
record TextView(String text, int @Nullable [] origins) {

    TextView withPlainSigns() {
        return new TextView(Typography.plain(text), origins);
    }

    static TextView exact(String original) {
        return new TextView(original, null);
    }

    /** Where in the original a character of the text, or its end, stands. */
    int origin(int index) {
        return origins == null ? index : origins[index];
    }

    /** Line ends become line feeds; with {@code trim}, blanks before them are gone. */
    static TextView simplified(String original, boolean trim) {
        StringBuilder text = new StringBuilder(original.length());
        int[] origins = new int[original.length() + 1];
        int start = 0;
        while (start < original.length()) {
            int feed = original.indexOf('\n', start);
            int lineEnd = feed < 0 ? original.length() : feed;
            if (feed > start && original.charAt(feed - 1) == '\r') {
                lineEnd--;
            }
            int kept = trim ? trimmed(original, start, lineEnd) : lineEnd;
            for (int i = start; i < kept; i++) {
                origins[text.length()] = i;
                text.append(original.charAt(i));
            }
            if (feed < 0) {
                break;
            }
            origins[text.length()] = lineEnd;
            text.append('\n');
            start = feed + 1;
        }
        origins[text.length()] = original.length();
        return new TextView(text.toString(), origins);
    }

    static int trimmed(String text, int start, int end) {
        int kept = end;
        while (kept > start && (text.charAt(kept - 1) == ' ' || text.charAt(kept - 1) == '\t')) {
            kept--;
        }
        return kept;
    }
}
