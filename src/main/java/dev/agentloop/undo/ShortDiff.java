package dev.agentloop.undo;

import java.util.List;

/** The lines between the first and the last difference of two texts, as one hunk. */
final class ShortDiff {
    private static final int CONTEXT = 3; // lines, as diff -u

    private ShortDiff() {}

    /** A text and what stands above it. */
    record Side(String name, String text) {}

    /**
     * A unified diff; empty if the texts are equal.
     *
     * @param most lines of each side that are shown
     */
    static String between(Side before, Side after, int most) {
        List<String> old = before.text().lines().toList();
        List<String> fresh = after.text().lines().toList();
        int same = Math.min(old.size(), fresh.size());
        int head = 0;
        while (head < same && old.get(head).equals(fresh.get(head))) {
            head++;
        }
        int tail = 0;
        while (tail < same - head
                && old.get(old.size() - 1 - tail).equals(fresh.get(fresh.size() - 1 - tail))) {
            tail++;
        }
        if (head == old.size() && head == fresh.size()) {
            return "";
        }
        int from = Math.max(0, head - CONTEXT);
        int behind = Math.min(tail, CONTEXT);
        int oldEnd = old.size() - tail;
        int newEnd = fresh.size() - tail;
        StringBuilder diff = new StringBuilder();
        diff.append("--- ").append(before.name()).append('\n');
        diff.append("+++ ").append(after.name()).append('\n');
        diff.append("@@ -").append(range(from, oldEnd + behind));
        diff.append(" +").append(range(from, newEnd + behind)).append(" @@\n");
        append(diff, ' ', old.subList(from, head), most);
        append(diff, '-', old.subList(head, oldEnd), most);
        append(diff, '+', fresh.subList(head, newEnd), most);
        append(diff, ' ', old.subList(oldEnd, oldEnd + behind), most);
        return diff.toString();
    }

    private static String range(int from, int to) {
        return (to > from ? from + 1 : from) + "," + (to - from);
    }

    private static void append(StringBuilder diff, char sign, List<String> lines, int most) {
        for (String line : lines.subList(0, Math.min(lines.size(), most))) {
            diff.append(sign).append(line).append('\n');
        }
        if (lines.size() > most) {
            int more = lines.size() - most;
            diff.append(sign).append(" … ").append(more).append(" more lines\n");
        }
    }
}
