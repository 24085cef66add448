package dev.agentloop.patch;

import java.util.ArrayList;
import java.util.List;

/**
 * One change of a file, with the lines around it.
 *
 * @param anchors lines that stand above the place, the outermost first
 * @param oldStart number of the first old line as the patch says; 0 if it does not
 * @param atEnd whether the old lines are the last ones of the file
 */
public record Hunk(List<String> anchors, int oldStart, List<Line> lines, boolean atEnd) {
    /** In place of a number that stands for lines which the hunk does not have. */
    static final int WITHOUT_ITS_CONTEXT = -1;

    /** What becomes of a line. */
    public enum Kind {
        CONTEXT,
        REMOVED,
        ADDED
    }

    /**
     * One line of a hunk.
     *
     * @param text without the sign
     * @param asWritten the whole line, for a context line whose leading blank may be its own
     * @param noNewline whether the patch says that no line end follows
     */
    public record Line(Kind kind, String text, String asWritten, boolean noNewline) {
        boolean isOld() {
            return kind != Kind.ADDED;
        }

        /** A line without even a sign; at the end of a hunk it is often no part of it. */
        boolean isBare() {
            return asWritten.isEmpty();
        }

        Line withoutNewline() {
            return new Line(kind, text, asWritten, true);
        }
    }

    /** Context and removed lines. */
    List<Line> old() {
        return lines.stream().filter(Line::isOld).toList();
    }

    boolean changesNothing() {
        return lines.stream().allMatch(line -> line.kind() == Kind.CONTEXT);
    }

    /** Without so many lines at either end. */
    Hunk trimmed(int head, int tail) {
        return new Hunk(anchors, 0, lines.subList(head, lines.size() - tail), atEnd && tail == 0);
    }

    /** Context lines before the first change. */
    int leadingContext() {
        int count = 0;
        while (count < lines.size() && lines.get(count).kind() == Kind.CONTEXT) {
            count++;
        }
        return count;
    }

    /** Context lines after the last change. */
    int trailingContext() {
        int count = 0;
        while (count < lines.size() && lines.get(lines.size() - 1 - count).kind() == Kind.CONTEXT) {
            count++;
        }
        return count;
    }

    /** Without empty lines at its end that had not even a sign. */
    Hunk withoutBareEnd() {
        List<Line> kept = new ArrayList<>(lines);
        while (!kept.isEmpty() && kept.getLast().isBare()) {
            kept.removeLast();
        }
        return new Hunk(anchors, oldStart, List.copyOf(kept), atEnd);
    }
}
