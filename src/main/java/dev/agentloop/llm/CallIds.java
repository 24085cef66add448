package dev.agentloop.llm;

import java.util.HashSet;
import java.util.Set;

/**
 * The ids of tool calls in one session. Strict servers refuse a history in which an id occurs
 * twice, while careless ones send no ids, or the same in each turn.
 */
public final class CallIds {
    private final Set<String> taken = new HashSet<>();
    private int made;

    /** An id of the history. */
    public void taken(String id) {
        taken.add(id);
    }

    /** {@code wanted}, or a new id where that is empty or taken; taken from now on. */
    public String unique(String wanted) {
        String id = wanted;
        while (id.isBlank() || !taken.add(id)) {
            made++;
            id = "call_" + made;
        }
        return id;
    }
}
