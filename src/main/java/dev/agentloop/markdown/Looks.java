package dev.agentloop.markdown;

/**
 * Which signs and colours Markdown may be shown with on a terminal.
 *
 * @param unicode whether signs beyond ASCII can be printed
 * @param colour whether SGR sequences may be used
 */
public record Looks(boolean unicode, boolean colour) {
    private static final String ESC = "\u001b[";

    String sign(String sign, String ascii) {
        return unicode ? sign : ascii;
    }

    String dim(String text) {
        return in("2", text);
    }

    String code(String line) {
        return in("36", line);
    }

    /** The text with an SGR parameter, if it has characters to show it. */
    String in(String parameter, String text) {
        return colour && !text.isEmpty() ? ESC + parameter + "m" + text + ESC + "0m" : text;
    }

    /** SGR parameters and one more. */
    String look(String before, String more) {
        return !colour ? "" : before.isEmpty() ? more : before + ";" + more;
    }
}
