package dev.agentloop.context;

import dev.agentloop.message.CutText;
import dev.agentloop.message.ToolResult;
import java.util.OptionalInt;

/**
 * Cuts a tool result that is too long. Images are no text: a model that sees gets them whole.
 *
 * @param maxTokens a result up to this size stays whole, of a longer one the first 40 and the last
 *     20 lines stay, as many as fit; 0 never cuts by this limit; empty: the limit follows the
 *     model's window, and whole lines from the beginning and the end fill it
 * @param stepBudgetChars characters that all results of one step share; 0 for no such limit
 */
public record Truncation(OptionalInt maxTokens, int stepBudgetChars) {
    private static final int CHARS_PER_TOKEN = 4;
    private static final int LEAST = 1_000; // characters: a tool needs room for its notes
    private static final int FOR_NOTES = 1_000; // characters that hooks may add below a result

    public static Truncation fixed(int maxTokens, int stepBudgetChars) {
        return new Truncation(OptionalInt.of(maxTokens), stepBudgetChars);
    }

    public static Truncation byWindow(int stepBudgetChars) {
        return new Truncation(OptionalInt.empty(), stepBudgetChars);
    }

    /**
     * Cuts a result so that it and the notes below it keep to the limits.
     *
     * @param notes what others add below the result, such as hooks; may be empty. They never take
     *     more than half of the call's share of the step
     * @param calls how many results share the step
     * @param byWindow characters that a result may have by the model's window
     */
    ToolResult apply(ToolResult result, String notes, int calls, int byWindow) {
        int byStep = share(calls);
        int limit = limit(byWindow);
        String below = cut(notes, Math.min(limit, byStep / 2));
        String whole = notes.isEmpty() ? result.text() : result.text().stripTrailing();
        String above = cut(whole, Math.min(limit, byStep - below.length()));
        boolean same = above.length() == whole.length() && below.length() == notes.length();
        return same && notes.isEmpty()
                ? result
                : result.withText(above + below, result.truncated() || !same);
    }

    /**
     * Characters that a tool may fill so that nothing of its result is cut here; of a tiny share it
     * is cut all the same.
     */
    int room(int calls, int byWindow) {
        int limit = maxTokens.isPresent() ? ResultPace.MOST : byWindow;
        return Math.max(LEAST, Math.min(limit, share(calls) - FOR_NOTES));
    }

    private int share(int calls) {
        return stepBudgetChars == 0 ? Integer.MAX_VALUE : stepBudgetChars / Math.max(1, calls);
    }

    private int limit(int byWindow) {
        if (maxTokens.isEmpty()) {
            return byWindow;
        }
        int tokens = maxTokens.getAsInt();
        return tokens == 0 || tokens > Integer.MAX_VALUE / CHARS_PER_TOKEN
                ? Integer.MAX_VALUE
                : tokens * CHARS_PER_TOKEN;
    }

    private String cut(String text, int limit) {
        if (text.length() <= limit) {
            return text;
        }
        CutText cut = new CutText(text);
        return maxTokens.isPresent() ? cut.toFewLines(limit) : cut.toLimit(limit);
    }
}
