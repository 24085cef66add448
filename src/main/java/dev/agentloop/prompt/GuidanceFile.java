package dev.agentloop.prompt;

import java.util.Locale;

/**
 * What one file says to agents, as the model may read it.
 *
 * @param name how people and models call it, e.g. {@code src/AGENTS.md}
 * @param text nothing in it is invisible or ends the fence
 */
public record GuidanceFile(String name, String text) {
    private static final String TAG = "guidance";
    private static final String END = "</" + TAG;
    private static final String MARK = "\uFEFF"; // of UTF-8, as some editors write it
    private static final String NOT_OF_NAMES = "<>\"[]";

    /**
     * @param cut said below the text; empty if it is whole
     */
    static GuidanceFile of(String name, String content, String cut) {
        String text = visible(content.startsWith(MARK) ? content.substring(1) : content).strip();
        return new GuidanceFile(
                plain(name), harmless(text) + (cut.isEmpty() ? "" : "\n[" + cut + "]"));
    }

    /** Between marks that say where it is from. */
    public String fenced() {
        return "<" + TAG + " file=\"" + name + "\">\n" + text + "\n" + END + ">";
    }

    /** So many characters of it, and the word that there are more. */
    public GuidanceFile upTo(int characters) {
        if (text.length() <= characters) {
            return this;
        }
        boolean split = characters > 0 && Character.isHighSurrogate(text.charAt(characters - 1));
        String start = text.substring(0, split ? characters - 1 : characters);
        return new GuidanceFile(name, start + "\n[cut here: read the file for the rest]");
    }

    /** An end of the fence within the text would let the rest pass for the agent's own words. */
    private static String harmless(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        if (!lower.contains(END) || lower.length() != text.length()) {
            return lower.contains(END) ? text.replace("</", "<\\/") : text;
        }
        StringBuilder safe = new StringBuilder();
        int from = 0;
        for (int at = lower.indexOf(END); at >= 0; at = lower.indexOf(END, from)) {
            safe.append(text, from, at).append("<\\/");
            from = at + 2;
        }
        return safe.append(text, from, text.length()).toString();
    }

    /** What a person would not see in an editor is shown: controls, directions, hidden letters. */
    static String visible(String text) {
        StringBuilder shown = new StringBuilder(text.length());
        text.replace("\r\n", "\n")
                .codePoints()
                .forEach(c -> {
                    if (isHidden(c)) {
                        shown.append("\\u{").append(Integer.toHexString(c)).append('}');
                    } else {
                        shown.appendCodePoint(c);
                    }
                });
        return shown.toString();
    }

    /** A name that ends neither the mark that it stands in nor the line. */
    static String plain(String name) {
        StringBuilder plain = new StringBuilder(name.length());
        name.codePoints()
                .forEach(c -> {
                    boolean blank = c != ' ' && (Character.isSpaceChar(c) || c < ' ');
                    if (blank || isHidden(c) || NOT_OF_NAMES.indexOf(c) >= 0) {
                        plain.append("\\u{").append(Integer.toHexString(c)).append('}');
                    } else {
                        plain.appendCodePoint(c);
                    }
                });
        return plain.toString();
    }

    private static boolean isHidden(int c) {
        if (c == 0x3164 || c == 0x115F || c == 0x1160 || c == 0xFFA0) {
            return true; // fillers of Hangul, letters by their type
        }
        return switch (Character.getType(c)) {
            case Character.CONTROL -> c != '\n' && c != '\t';
            case Character.FORMAT -> c != 0x200C && c != 0x200D; // Persian, and joined emoji
            case Character.NON_SPACING_MARK -> isVariant(c);
            case Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.PRIVATE_USE ->
                    true;
            default -> false;
        };
    }

    /** Forms of the character before; but for those of emoji they can carry any hidden bytes. */
    private static boolean isVariant(int c) {
        return c >= 0xFE00 && c < 0xFE0E || c >= 0xE0100 && c <= 0xE01EF;
    }
}
