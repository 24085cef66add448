package dev.agentloop.llm;

import java.util.HashSet;
import java.util.Set;

/**
 * The ids of tool calls in one session. Strict servers refuse a history in which an id occurs
 * twice, while careless ones send no ids, or the same in each turn.
 */
public final class CallIds {
    private static final String MADE = "call_";
    private static final int MAX_DIGITS = 9; // no session has as many calls

    private final Set<String> taken = new HashSet<>();
    private int made;

    /** Whether an id was made here, because the provider sent none of use. */
    public static boolean isMade(String id) {
        return id.length() > MADE.length()
                && id.startsWith(MADE)
                && id.chars().skip(MADE.length()).allMatch(c -> c >= '0' && c <= '9');
    }

    /**
     * An id of the history. Made ones go on behind it: of a history that was made shorter and
     * resumed, the ids before are not known.
     */
    public void taken(String id) {
        if (taken.add(id) && isMade(id) && id.length() <= MADE.length() + MAX_DIGITS) {
            made = Math.max(made, Integer.parseInt(id.substring(MADE.length())));
        }
    }

    /** {@code wanted}, or a new id where that is empty or taken; taken from now on. */
    public String unique(String wanted) {
        String id = wanted;
        while (id.isBlank() || !taken.add(id)) {
            made++;
            id = MADE + made;
        }
        return id;
    }
}
