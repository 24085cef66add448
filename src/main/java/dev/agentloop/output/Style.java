package dev.agentloop.output;

import dev.agentloop.colour.Colours;
import dev.agentloop.colour.Tint;

/**
 * Signs and colours that the place of output can show.
 *
 * @param unicode whether signs beyond ASCII can be printed
 * @param colours none off a terminal
 */
public record Style(boolean unicode, Colours colours) {
    private static final String ESC = "\u001b[";

    /** In the terminal's own 16 colours, or in none. */
    public Style(boolean unicode, boolean colour) {
        this(unicode, colour ? Colours.OWN : Colours.NONE);
    }

    /** Whether colours and other looks may be used. */
    public boolean colour() {
        return colours.areShown();
    }

    /** A style with the signs of this one, for text that somebody else colours or measures. */
    public Style withoutColours() {
        return new Style(unicode, Colours.NONE);
    }

    String sign(String sign, String ascii) {
        return unicode ? sign : ascii;
    }

    String step() {
        return sign("🔄", "*");
    }

    String tool() {
        return sign("🔧", ">");
    }

    String mcp() {
        return sign("🌐", ">");
    }

    String hook() {
        return sign("🔍", "?");
    }

    String ok() {
        return green(sign("✓", "ok:"));
    }

    String bad() {
        return red(sign("✗", "x"));
    }

    String warning() {
        return sign("⚠️", "!");
    }

    String done() {
        return sign("✅", "[done]");
    }

    String failed() {
        return sign("❌", "[failed]");
    }

    String arrow() {
        return sign("→", "->");
    }

    /** What the locale cannot print becomes {@code ?} or its ASCII form. */
    String text(String line) {
        if (unicode) {
            return line;
        }
        StringBuilder ascii = new StringBuilder(line.length());
        line.codePoints().forEach(c -> append(ascii, c));
        return ascii.toString();
    }

    private static void append(StringBuilder ascii, int c) {
        if (c < 0x7F) {
            ascii.appendCodePoint(c);
        } else if (c == '→') {
            ascii.append("->");
        } else if (c == '…') {
            ascii.append("...");
        } else {
            ascii.append("\\u{").append(Integer.toHexString(c)).append('}');
        }
    }

    /** Less visible than what is around it. */
    public String dim(String text) {
        return colour() ? ESC + "2m" + text + ESC + "0m" : text;
    }

    String green(String text) {
        return colours.in(Tint.ADDED, text);
    }

    String red(String text) {
        return colours.in(Tint.REMOVED, text);
    }
}
