package dev.agentloop.search;

import dev.agentloop.search.FileMatches.Line;
import dev.agentloop.search.FileMatches.State;
import java.util.ArrayList;
import java.util.List;

/** The matches of one file so far, with the lines around them. */
final class MatchLines {
    private static final int MAX_LINE = 400; // characters shown of a line

    private final LineQuery query;
    private final TextWindow window;
    private final List<Line> lines = new ArrayList<>();
    private State state = State.SEARCHED;
    private int matches;
    private int chars;
    private int lastNumber; // of the last line taken
    private int after; // lines still to be taken after the last match
    private int afterAt;
    private boolean full;

    MatchLines(LineQuery query, TextWindow window) {
        this.query = query;
        this.window = window;
    }

    /** Whether there is no room for another match. */
    boolean isFull() {
        return full;
    }

    void tooDeep() {
        state = State.TOO_DEEP;
    }

    /** Takes a line that matches, and what is around it. */
    void match(int start, int end, String text, int column) {
        takeAfter(start);
        if (matches == query.maxMatches() || chars > query.maxChars()) {
            full = true;
            return;
        }
        matches++;
        int number = window.numberAt(start);
        takeBefore(start, number);
        take(number, part(text, column), true);
        after = query.context();
        afterAt = end + 1;
    }

    /** The window is about to move on. */
    void endOfWindow() {
        takeAfter(window.to());
        afterAt = Math.max(0, afterAt - window.to());
    }

    /** The window has moved; its first new line is where the last one ended. */
    void windowMoved() {
        afterAt += window.from();
    }

    FileMatches result() {
        return new FileMatches(state, List.copyOf(lines), !full);
    }

    FileMatches stopped() {
        return new FileMatches(State.STOPPED, List.copyOf(lines), !full);
    }

    private void takeAfter(int before) {
        while (after > 0 && afterAt < before) {
            int end = window.lineEnd(afterAt);
            take(lastNumber + 1, around(afterAt, end), false);
            afterAt = end + 1;
            after--;
        }
    }

    private void takeBefore(int start, int number) {
        int first = Math.max(lastNumber + 1, number - query.context());
        List<Line> before = new ArrayList<>();
        int end = start - 1;
        for (int n = number - 1; n >= first; n--) {
            int from = window.lineStart(end);
            before.add(new Line(n, around(from, end), false));
            end = from - 1;
        }
        for (Line line : before.reversed()) {
            take(line.number(), line.text(), false);
        }
    }

    private void take(int number, String text, boolean isMatch) {
        lines.add(new Line(number, text, isMatch));
        chars += text.length();
        lastNumber = number;
    }

    private String around(int start, int end) {
        return part(window.text(start, Math.min(end, start + MAX_LINE * 4)), 0);
    }

    /** The part of a long line that has the match in it. */
    private static String part(String line, int column) {
        if (line.length() <= MAX_LINE) {
            return line;
        }
        int start = Math.max(0, Math.min(column - MAX_LINE / 4, line.length() - MAX_LINE));
        int end = Math.min(line.length(), start + MAX_LINE);
        return (start > 0 ? "…" : "")
                + line.substring(start, end)
                + (end < line.length() ? "…" : "");
    }
}
