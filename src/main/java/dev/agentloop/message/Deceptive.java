package dev.agentloop.message;

/**
 * Characters that deceive whoever reads a text: they are not seen, look like an ordinary blank,
 * change the reading direction or steer a terminal.
 */
public final class Deceptive {
    private static final int EMOJI_STYLE = 0xFE0F;
    private static final int JOINER = 0x200D;

    private Deceptive() {}

    /** Whether a character is one of them; a line feed and a tab are. */
    public static boolean is(int c) {
        if (c >= ' ' && c <= '~') {
            return false;
        }
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT, // marks of direction, letters without width, tags
                    Character.SURROGATE, // half a character
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SPACE_SEPARATOR -> // all but the one of ASCII
                    true;
            default -> isSelector(c) || isFiller(c) || c >= 0xE0000 && c <= 0xE0FFF;
        };
    }

    /** The same, but for what an emoji is made of: there everybody sees it. */
    public static boolean isAt(String text, int at) {
        int c = text.codePointAt(at);
        return is(c) && !isOfEmoji(text, at, c);
    }

    private static boolean isOfEmoji(String text, int at, int c) {
        if (c != EMOJI_STYLE && c != JOINER || at == 0) {
            return false;
        }
        int before = text.codePointBefore(at);
        if (c == EMOJI_STYLE) {
            return isPicture(before);
        }
        int next = at + 1 < text.length() ? text.codePointAt(at + 1) : ' ';
        return (before == EMOJI_STYLE || isPicture(before)) && isPicture(next);
    }

    /** Digits, # and * count as emoji, too, but are none. */
    private static boolean isPicture(int c) {
        return c > '~' && Character.isEmoji(c);
    }

    /** They choose a form of the letter before, or carry anything at all. */
    private static boolean isSelector(int c) {
        return c >= 0xFE00 && c <= 0xFE0F
                || c >= 0x180B && c <= 0x180F
                || c >= 0xE0100 && c <= 0xE01EF;
    }

    /** Letters and signs that are drawn as nothing. */
    private static boolean isFiller(int c) {
        return switch (c) {
            case 0x034F,
                    0x115F,
                    0x1160,
                    0x17B4,
                    0x17B5,
                    0x2065,
                    0x2800,
                    0x3164,
                    0xFFA0,
                    0xFFF0,
                    0xFFF1,
                    0xFFF2,
                    0xFFF3,
                    0xFFF4,
                    0xFFF5,
                    0xFFF6,
                    0xFFF7,
                    0xFFF8,
                    0x1D159 ->
                    true;
            default -> false;
        };
    }
}
