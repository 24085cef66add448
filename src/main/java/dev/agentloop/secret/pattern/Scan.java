package dev.agentloop.secret.pattern;

import java.util.ArrayList;
import java.util.List;

/** One pass over one text: what was found, and whether more text could have made a difference. */
final class Scan {
    final String text;
    private final String before;
    private final List<Span> spans = new ArrayList<>();
    private boolean hitEnd;

    /**
     * @param before the last characters in front of the text; empty if there are none
     */
    Scan(String text, String before) {
        this.text = text;
        this.before = before;
    }

    List<Span> spans() {
        return spans;
    }

    void add(int start, int end, String name) {
        spans.add(new Span(start, end, name));
    }

    /** Whether the last search ran into the end of the text; asking clears it. */
    boolean hasHitEnd() {
        boolean hit = hitEnd;
        hitEnd = false;
        return hit;
    }

    /** Whether the text goes on like this at {@code at}. */
    boolean isLiteral(int at, String literal) {
        if (text.startsWith(literal, at)) {
            return true;
        }
        int left = text.length() - at;
        hitEnd |= left < literal.length() && literal.startsWith(text.substring(at));
        return false;
    }

    /** End of the run of characters of the set. */
    int run(int at, Chars set) {
        int end = at;
        while (end < text.length() && set.has(text.charAt(end))) {
            end++;
        }
        hitEnd |= end == text.length();
        return end;
    }

    /** The character there; a line feed behind the end. */
    char at(int index) {
        if (index < text.length()) {
            return text.charAt(index);
        }
        hitEnd = true;
        return '\n';
    }

    /** Whether no word goes on at {@code at}; the letter of an escape is none. */
    boolean beginsWord(int at) {
        return !Chars.ALNUM.has(back(at, 1)) || follows(at, 1) || isPercentEncoded(at);
    }

    private boolean follows(int at, int letters) {
        return back(at, letters + 1) == '\\' && "nrt".indexOf(back(at, letters)) >= 0;
    }

    private boolean isPercentEncoded(int at) {
        return back(at, 3) == '%'
                && Character.digit(back(at, 2), 16) >= 0
                && Character.digit(back(at, 1), 16) >= 0;
    }

    private char back(int at, int steps) {
        int index = at - steps;
        if (index >= 0) {
            return text.charAt(index);
        }
        int earlier = before.length() + index;
        return earlier >= 0 ? before.charAt(earlier) : ' ';
    }
}
