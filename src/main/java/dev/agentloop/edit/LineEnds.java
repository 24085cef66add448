package dev.agentloop.edit;

import java.util.ArrayList;
import java.util.List;

/** Line ends and line numbers of a text. */
public final class LineEnds {
    private LineEnds() {}

    /** The lines without their ends; a lone carriage return ends none, as in editors and grep. */
    public static List<String> lines(String text) {
        List<String> lines = new ArrayList<>();
        int start = 0;
        while (start < text.length()) {
            int feed = text.indexOf('\n', start);
            int end = feed < 0 ? text.length() : feed;
            boolean windows = feed > start && text.charAt(feed - 1) == '\r';
            lines.add(text.substring(start, windows ? end - 1 : end));
            start = end + 1;
        }
        return lines;
    }

    /** Number of the line, from 1, that {@code index} is in. */
    public static int lineNumber(String text, int index) {
        int line = 1;
        for (int at = text.indexOf('\n'); at >= 0 && at < index; at = text.indexOf('\n', at + 1)) {
            line++;
        }
        return line;
    }

    /**
     * {@code replacement}, whose lines end with line feeds, with the line ends of what it replaces:
     * line by line, then as the last of them, else as the nearest line of the file.
     */
    static String adapt(String replacement, String text, int start, int end) {
        if (replacement.indexOf('\n') < 0 || text.indexOf("\r\n") < 0) {
            return replacement;
        }
        List<String> ends = endsIn(text, start, end);
        String further = ends.isEmpty() ? nearest(text, start, end) : ends.getLast();
        StringBuilder adapted = new StringBuilder(replacement.length() + 16);
        int line = 0;
        for (char c : replacement.toCharArray()) {
            if (c == '\n') {
                adapted.append(line < ends.size() ? ends.get(line) : further);
                line++;
            } else {
                adapted.append(c);
            }
        }
        return adapted.toString();
    }

    static List<String> endsIn(String text, int start, int end) {
        List<String> ends = new ArrayList<>();
        for (int at = text.indexOf('\n', start);
                at >= 0 && at < end;
                at = text.indexOf('\n', at + 1)) {
            ends.add(endAt(text, at));
        }
        return ends;
    }

    static String nearest(String text, int start, int end) {
        int after = text.indexOf('\n', end);
        return endAt(text, after >= 0 ? after : text.lastIndexOf('\n', start));
    }

    private static String endAt(String text, int feed) {
        return feed > 0 && text.charAt(feed - 1) == '\r' ? "\r\n" : "\n";
    }
}
