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

    /**
     * @param cut said below the text; empty if it is whole
     */
    static GuidanceFile of(String name, String content, String cut) {
        String text = visible(content).strip();
        return new GuidanceFile(
                visible(name).replace('"', '\'').replace('\n', ' '),
                harmless(text) + (cut.isEmpty() ? "" : "\n[" + cut + "]"));
    }

    /** Between marks that say where it is from. */
    public String fenced() {
        return "<" + TAG + " file=\"" + name + "\">\n" + text + "\n" + END + ">";
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

    private static boolean isHidden(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL -> c != '\n' && c != '\t';
            case Character.FORMAT -> c != 0x200C && c != 0x200D; // Persian, and joined emoji
            case Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.PRIVATE_USE ->
                    true;
            default -> false;
        };
    }
}
