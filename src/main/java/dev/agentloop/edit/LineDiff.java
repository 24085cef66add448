package dev.agentloop.edit;

import java.util.List;

/** How many lines a change added and removed, not counting equal lines around it. */
public record LineDiff(int added, int removed) {

    public static LineDiff between(String before, String after) {
        List<String> old = LineEnds.lines(before);
        List<String> now = LineEnds.lines(after);
        int equal = EqualLines.of(old, now).number();
        return new LineDiff(now.size() - equal, old.size() - equal);
    }

    /**
     * Lines that two texts have in common around everything in which they differ.
     *
     * @param head at the beginning
     * @param tail at the end, none of them counted in {@code head} as well
     */
    public record EqualLines(int head, int tail) {
        /** Those of these two texts. */
        public static EqualLines of(List<String> old, List<String> now) {
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
            return new EqualLines(head, tail);
        }

        int number() {
            return head + tail;
        }
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
