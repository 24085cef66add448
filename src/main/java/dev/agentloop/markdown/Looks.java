package dev.agentloop.markdown;

import dev.agentloop.colour.Colours;
import dev.agentloop.colour.Tint;

/**
 * Which signs and colours Markdown may be shown with on a terminal.
 *
 * @param unicode whether signs beyond ASCII can be printed
 */
public record Looks(boolean unicode, Colours colours) {
    private static final String ESC = "\u001b[";

    boolean colour() {
        return colours.areShown();
    }

    String sign(String sign, String ascii) {
        return unicode ? sign : ascii;
    }

    String dim(String text) {
        return colour() && !text.isEmpty() ? ESC + "2m" + text + ESC + "0m" : text;
    }

    String code(String line) {
        return in(Tint.CODE, line);
    }

    String in(Tint tint, String text) {
        return colours.in(tint, text);
    }

    /** SGR parameters and one more. */
    String look(String before, String more) {
        return !colour() ? "" : before.isEmpty() ? more : before + ";" + more;
    }
}
