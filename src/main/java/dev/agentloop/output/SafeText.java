package dev.agentloop.output;

/**
 * Text from a model, a file or a server, made harmless for a terminal: no escape sequence, no
 * overwriting, nothing that changes the reading direction.
 */
public final class SafeText {
    private SafeText() {}

    /** Several lines: line feeds and tabs stay, other control characters become visible. */
    public static String block(String text) {
        StringBuilder safe = null;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean keep = c == '\n' || c == '\t' || !isDangerous(c);
            if (keep && safe == null) {
                continue;
            }
            if (safe == null) {
                safe = new StringBuilder(text.length() + 16).append(text, 0, i);
            }
            if (keep) {
                safe.append(c);
            } else {
                escape(safe, c);
            }
        }
        return safe == null ? text : safe.toString();
    }

    /** One line: line feeds and tabs become visible too. */
    public static String line(String text) {
        return block(text).replace("\n", "\\n").replace("\t", "\\t");
    }

    /** One line of at most {@code max} characters; three dots stand for the rest. */
    public static String line(String text, int max) {
        String line = line(text.length() > max * 2 ? text.substring(0, max * 2) : text);
        return line.length() <= max ? line : line.substring(0, max - 1) + "…";
    }

    private static boolean isDangerous(char c) {
        boolean control = c < ' ' || (c >= 0x7F && c <= 0x9F);
        boolean direction = (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
        boolean invisible = c == 0x200B || c == 0x2060 || c == 0xFEFF || c == 0x061C;
        return control || direction || invisible || c == 0x200E || c == 0x200F;
    }

    private static void escape(StringBuilder safe, char c) {
        safe.append("\\u{").append(Integer.toHexString(c)).append('}');
    }
}
