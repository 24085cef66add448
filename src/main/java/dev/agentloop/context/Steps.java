package dev.agentloop.context;

import dev.agentloop.message.Compaction;
import dev.agentloop.message.Message;
import java.util.ArrayList;
import java.util.List;

/**
 * The steps of a history: each is a reply with calls and all their results, or a reply in words
 * that the user has answered. None is ever split.
 *
 * @param starts where each begins, oldest first
 */
record Steps(List<Message> history, List<Integer> starts) {
    static Steps of(List<Message> history) {
        List<Integer> starts = new ArrayList<>();
        for (int i = 0; i < history.size(); i++) {
            if (history.get(i) instanceof Message.Assistant said && isStep(history, i, said)) {
                starts.add(i);
            }
        }
        return new Steps(history, starts);
    }

    private static boolean isStep(List<Message> history, int at, Message.Assistant said) {
        boolean answered = at + 1 < history.size() && history.get(at + 1) instanceof Message.User;
        return !said.toolCalls().isEmpty()
                || answered && SpokenWords.summary(List.of(said)).isEmpty();
    }

    int count() {
        return starts.size();
    }

    /** Messages before the newest so many steps. */
    List<Message> before(int kept) {
        return history.subList(0, startOfLast(kept));
    }

    /** What a compaction calls the oldest of the newest so many steps. */
    String nameOfLast(int kept) {
        return Compaction.nameOf(history, startOfLast(kept));
    }

    private int startOfLast(int kept) {
        return starts.get(starts.size() - kept);
    }
}
