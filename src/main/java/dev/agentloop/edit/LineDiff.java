package dev.agentloop.edit;

import java.util.List;

/** How many lines a change added and removed, not counting equal lines around it. */
public record LineDiff(int added, int removed) {

    public static LineDiff between(String before, String after) {
        List<String> old = LineEnds.lines(before);
        List<String> now = LineEnds.lines(after);
        int same = Math.min(old.size(), now.size());
        int head = 0;
        while (head < same && old.get(head).equals(now.get(head))) {
            head++;
        }
        int tail = 0;
        while (tail < same - head
                && old.get(old.size() - 1 - tail).equals(now.get(now.size() - 1 - tail))) {
            tail++;
        }
        return new LineDiff(now.size() - head - tail, old.size() - head - tail);
    }

    /** Lines of the text itself, all added. */
    public static LineDiff ofNew(String text) {
        return new LineDiff(LineEnds.lines(text).size(), 0);
    }

    public LineDiff plus(LineDiff other) {
        return new LineDiff(added + other.added, removed + other.removed);
    }

    /** {@code +2 -1}, as people write it. */
    @Override
    public String toString() {
        return "+" + added + " -" + removed;
    }
}
