package dev.agentloop.context;

import dev.agentloop.message.ToolResult;

/**
 * Cuts a tool result that is too long: its first 40 and last 20 lines stay, the marker between them
 * says how many lines are missing. Very long lines are cut by characters.
 *
 * @param maxTokens a result up to this size stays whole; 0 never cuts by this limit
 * @param stepBudgetChars characters that all results of one step share; 0 for no such limit
 */
public record Truncation(int maxTokens, int stepBudgetChars) {
    private static final int HEAD_LINES = 40;
    private static final int TAIL_LINES = 20;
    private static final int CHARS_PER_TOKEN = 4;

    ToolResult apply(ToolResult result, int calls) {
        String text = result.text();
        int limit = limit(calls);
        if (text.length() <= limit) {
            return result;
        }
        String fewer = cutLines(text);
        String cut = fewer.length() <= limit ? fewer : cutCharacters(text, limit);
        return result.withText(cut, true);
    }

    private int limit(int calls) {
        int byTokens = maxTokens == 0 ? Integer.MAX_VALUE : maxTokens * CHARS_PER_TOKEN;
        int byStep =
                stepBudgetChars == 0 ? Integer.MAX_VALUE : stepBudgetChars / Math.max(1, calls);
        return Math.min(byTokens, byStep);
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
        cut.append("[... ").append(omitted).append(" lines omitted ...]");
        for (int i = count - TAIL_LINES; i < count; i++) {
            cut.append('\n').append(lines[i]);
        }
        return text.endsWith("\n") ? cut.append('\n').toString() : cut.toString();
    }

    /** Two thirds of the room for the head, one for the tail, as with lines. */
    private static String cutCharacters(String text, int limit) {
        int head = whole(text, limit * 2 / 3);
        int tail = whole(text, text.length() - limit / 3);
        return text.substring(0, head)
                + "\n[... "
                + (tail - head)
                + " of "
                + text.length()
                + " characters omitted ...]\n"
                + text.substring(tail);
    }

    /** Never splits a surrogate pair. */
    private static int whole(String text, int at) {
        boolean inside =
                at > 0
                        && at < text.length()
                        && Character.isLowSurrogate(text.charAt(at))
                        && Character.isHighSurrogate(text.charAt(at - 1));
        return inside ? at - 1 : at;
    }
}
