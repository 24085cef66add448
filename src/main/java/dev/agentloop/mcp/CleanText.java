package dev.agentloop.mcp;

/**
 * Text of a server without what nobody would see: control characters, marks that change the reading
 * direction, and letters without width, in which instructions can hide.
 */
final class CleanText {
    private static final int DESCRIPTION = 2_048; // bytes; longer ones are cut

    private CleanText() {}

    /** Line feeds and tabs stay. */
    static String of(String text) {
        StringBuilder clean = new StringBuilder(text.length());
        text.codePoints().filter(CleanText::isSeen).forEach(clean::appendCodePoint);
        return clean.toString();
    }

    static String oneLine(String text) {
        return of(text).replaceAll("[\\n\\t]+", " ");
    }

    /** A description for the model, at most 2 KB. */
    static String description(String text) {
        String clean = of(text).strip();
        int bytes = 0;
        for (int i = 0; i < clean.length(); ) {
            int c = clean.codePointAt(i);
            bytes += c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
            if (bytes > DESCRIPTION - 3) { // three for the dots
                return clean.substring(0, i) + "…";
            }
            i += Character.charCount(c);
        }
        return clean;
    }

    private static boolean isSeen(int c) {
        if (c == '\n' || c == '\t') {
            return true;
        }
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR ->
                    false;
            default -> c < 0xE0000 || c > 0xE0FFF;
        };
    }
}
