package dev.agentloop.undo;

import java.util.List;

/** The lines between the first and the last difference of two texts, as one hunk. */
final class ShortDiff {
    private static final int CONTEXT = 3; // lines, as diff -u
    private static final int MAX_LINES = 40; // of each side: a person should see, not read it all

    private ShortDiff() {}

    /** A unified diff from {@code now} to {@code then}; empty if they are equal. */
    static String between(String name, String now, String then) {
        List<String> old = now.lines().toList();
        List<String> fresh = then.lines().toList();
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
        int after = Math.min(tail, CONTEXT);
        int oldEnd = old.size() - tail;
        int newEnd = fresh.size() - tail;
        StringBuilder diff = new StringBuilder();
        diff.append("--- ").append(name).append(" (now)\n");
        diff.append("+++ ").append(name).append(" (after an undo)\n");
        diff.append("@@ -").append(range(from, oldEnd + after));
        diff.append(" +").append(range(from, newEnd + after)).append(" @@\n");
        append(diff, ' ', old.subList(from, head));
        append(diff, '-', old.subList(head, oldEnd));
        append(diff, '+', fresh.subList(head, newEnd));
        append(diff, ' ', old.subList(oldEnd, oldEnd + after));
        return diff.toString();
    }

    private static String range(int from, int to) {
        return (to > from ? from + 1 : from) + "," + (to - from);
    }

    private static void append(StringBuilder diff, char sign, List<String> lines) {
        for (String line : lines.subList(0, Math.min(lines.size(), MAX_LINES))) {
            diff.append(sign).append(line).append('\n');
        }
        if (lines.size() > MAX_LINES) {
            int more = lines.size() - MAX_LINES;
            diff.append(sign).append(" … ").append(more).append(" more lines\n");
        }
    }
}
