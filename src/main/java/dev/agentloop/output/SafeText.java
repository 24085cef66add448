package dev.agentloop.output;

import dev.agentloop.message.Deceptive;

/**
 * Text from a model, a file or a server, made harmless for a terminal and honest for its reader: no
 * escape sequence, no overwriting, nothing that changes the reading direction or is not seen.
 */
public final class SafeText {
    private SafeText() {}

    /** Several lines: line feeds, tabs and emoji stay, other such characters become visible. */
    public static String block(String text) {
        return shown(text, false);
    }

    /**
     * As {@link #block}, but of emoji, too, each part is shown: for what a person decides about.
     */
    public static String exact(String text) {
        return shown(text, true);
    }

    private static String shown(String text, boolean exact) {
        StringBuilder safe = null;
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            boolean keep = c == '\n' || c == '\t' || !isDangerous(text, i, exact);
            if (!keep && safe == null) {
                safe = new StringBuilder(text.length() + 16).append(text, 0, i);
            }
            if (safe != null && keep) {
                safe.appendCodePoint(c);
            } else if (safe != null) {
                safe.append("\\u{").append(Integer.toHexString(c)).append('}');
            }
            i += Character.charCount(c);
        }
        return safe == null ? text : safe.toString();
    }

    private static boolean isDangerous(String text, int at, boolean exact) {
        return exact ? Deceptive.is(text.codePointAt(at)) : Deceptive.isAt(text, at);
    }

    /** One line: line feeds and tabs become visible too, and each part of emoji. */
    public static String line(String text) {
        return exact(text).replace("\n", "\\n").replace("\t", "\\t");
    }

    /** One line of at most {@code max} characters; three dots stand for the rest. */
    public static String line(String text, int max) {
        String line = line(text.length() > max * 2 ? text.substring(0, max * 2) : text);
        return line.length() <= max ? line : line.substring(0, max - 1) + "…";
    }
}
