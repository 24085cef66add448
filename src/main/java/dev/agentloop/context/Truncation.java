package dev.agentloop.context;

import dev.agentloop.message.ToolResult;

/**
 * Cuts a tool result that is too long: its first 40 and last 20 lines stay, the marker between them
 * says how many lines are missing. Very long lines are cut by characters. Images are no text: a
 * model that sees gets them whole.
 *
 * @param maxTokens a result up to this size stays whole; 0 never cuts by this limit
 * @param stepBudgetChars characters that all results of one step share; 0 for no such limit
 */
public record Truncation(int maxTokens, int stepBudgetChars) {
    private static final int HEAD_LINES = 40;
    private static final int TAIL_LINES = 20;
    private static final int CHARS_PER_TOKEN = 4;
    private static final String HOW_TO_READ_ON = "; ask for the part you need";

    /**
     * Cuts a result so that it and the notes below it keep to the limits.
     *
     * @param notes what others add below the result, such as hooks; may be empty. They never take
     *     more than half of the call's share of the step
     * @param calls how many results share the step
     */
    ToolResult apply(ToolResult result, String notes, int calls) {
        int byStep =
                stepBudgetChars == 0 ? Integer.MAX_VALUE : stepBudgetChars / Math.max(1, calls);
        int byTokens = maxTokens == 0 ? Integer.MAX_VALUE : maxTokens * CHARS_PER_TOKEN;
        String below = cut(notes, Math.min(byTokens, byStep / 2));
        String whole = notes.isEmpty() ? result.text() : result.text().stripTrailing();
        String above = cut(whole, Math.min(byTokens, byStep - below.length()));
        boolean same = above.length() == whole.length() && below.length() == notes.length();
        return same && notes.isEmpty()
                ? result
                : result.withText(above + below, result.truncated() || !same);
    }

    private static String cut(String text, int limit) {
        if (text.length() <= limit) {
            return text;
        }
        String fewer = cutLines(text);
        return fewer.length() <= limit ? fewer : cutCharacters(text, limit);
    }

    private static String cutLines(String text) {
        String[] lines = text.split("\n", -1);
        int count = text.endsWith("\n") ? lines.length - 1 : lines.length;
        int omitted = count - HEAD_LINES - TAIL_LINES;
        if (omitted <= 0) {
            return text;
        }
        StringBuilder cut = new StringBuilder();
        for (int i = 0; i < HEAD_LINES; i++) {
            cut.append(lines[i]).append('\n');
        }
        cut.append("[... ").append(omitted).append(" lines omitted ...] of ").append(count);
        cut.append(HOW_TO_READ_ON);
        for (int i = count - TAIL_LINES; i < count; i++) {
            cut.append('\n').append(lines[i]);
        }
        return text.endsWith("\n") ? cut.append('\n').toString() : cut.toString();
    }

    /** Two thirds of the room for the head, one for the tail, as with lines. */
    private static String cutCharacters(String text, int limit) {
        int room = Math.max(0, limit - charactersOmitted(text.length(), text.length()).length());
        int head = whole(text, room - room / 3, -1);
        int tail = whole(text, text.length() - room / 3, 1);
        return text.substring(0, head)
                + charactersOmitted(tail - head, text.length())
                + text.substring(tail);
    }

    private static String charactersOmitted(int omitted, int of) {
        return "\n[... "
                + omitted
                + " of "
                + of
                + " characters omitted ...]"
                + HOW_TO_READ_ON
                + "\n";
    }

    /** Never splits a surrogate pair; {@code step} says to which side it gives way. */
    private static int whole(String text, int at, int step) {
        boolean inside =
                at > 0
                        && at < text.length()
                        && Character.isLowSurrogate(text.charAt(at))
                        && Character.isHighSurrogate(text.charAt(at - 1));
        return inside ? at + step : at;
    }
}
