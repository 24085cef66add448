package dev.agentloop.context;

import dev.agentloop.message.Message;
import java.util.ArrayList;
import java.util.List;

/**
 * The steps of a history: each is a reply with calls and all their results, and is never split.
 *
 * @param starts where each begins, oldest first
 */
record Steps(List<Message> history, List<Integer> starts) {
    static Steps of(List<Message> history) {
        List<Integer> starts = new ArrayList<>();
        for (int i = 0; i < history.size(); i++) {
            if (history.get(i) instanceof Message.Assistant said && !said.toolCalls().isEmpty()) {
                starts.add(i);
            }
        }
        return new Steps(history, starts);
    }

    int count() {
        return starts.size();
    }

    /** Messages before the newest so many steps. */
    List<Message> before(int kept) {
        return history.subList(0, startOfLast(kept));
    }

    /** Id of the first call of the newest so many steps. */
    String firstCallOfLast(int kept) {
        return history.get(startOfLast(kept)) instanceof Message.Assistant said
                ? said.toolCalls().getFirst().id()
                : "";
    }

    private int startOfLast(int kept) {
        return starts.get(starts.size() - kept);
    }
}
