package dev.agentloop.session;

import dev.agentloop.message.Deceptive;

/** Makes what a session holds fit to be shown: recorded text must not steer a terminal. */
public final class PlainText {
    private PlainText() {}

    /** Characters that are not seen or deceive become visible; line feed, tab and emoji stay. */
    public static String escape(String text) {
        StringBuilder safe = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            if (c == '\n' || c == '\t' || !Deceptive.isAt(text, i)) {
                safe.appendCodePoint(c);
            } else {
                safe.append(c > 0xFFFF ? "\\u{%x}".formatted(c) : "\\u%04x".formatted(c));
            }
            i += Character.charCount(c);
        }
        return safe.toString();
    }

    /** {@code text} cut to {@code max} characters, never within a surrogate pair. */
    public static String cut(String text, int max) {
        if (text.length() <= max) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(max - 2)) ? max - 2 : max - 1;
        return text.substring(0, end) + "…";
    }
}
