package dev.agentloop.session;

/** Makes what a session holds fit to be shown: recorded text must not steer a terminal. */
public final class PlainText {
    private PlainText() {}

    /** Control characters and those that reorder text become visible; line feed and tab stay. */
    public static String escape(String text) {
        StringBuilder safe = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\n' || c == '\t' || !isSteering(c)) {
                safe.append(c);
            } else {
                safe.append("\\u");
                for (int shift = 12; shift >= 0; shift -= 4) {
                    safe.append(Character.forDigit(c >> shift & 15, 16));
                }
            }
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

    private static boolean isSteering(char c) {
        return Character.isISOControl(c)
                || (c >= '\u202A' && c <= '\u202E') // bidirectional embedding and override
                || (c >= '\u2066' && c <= '\u2069') // bidirectional isolates
                || c == '\u200E'
                || c == '\u200F'
                || c == '\u2028'
                || c == '\u2029';
    }
}
