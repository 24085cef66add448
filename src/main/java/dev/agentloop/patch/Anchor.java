package dev.agentloop.patch;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;

/**
 * A line of a file that a hunk names as one above its place.
 *
 * @param end the line, not included, up to which what it begins reaches
 */
record Anchor(int line, int end) {
    private static final String DOUBLE = "\"\"\"";
    private static final String SINGLE = "'''";
    private static final int MAX_PLACES = 200; // more say nothing

    /** From strict to loose: the line, without its indentation, the beginning of the line. */
    private static final List<BiPredicate<String, String>> STEPS =
            List.of(
                    (line, anchor) -> line.stripTrailing().equals(anchor),
                    (line, anchor) -> line.strip().equals(anchor.strip()),
                    (line, anchor) -> begins(line.strip(), anchor.strip()));

    /** Whether a place is below the line, or has it among its own. */
    boolean isAbove(Placement place) {
        return place.end() > line;
    }

    /** Whether a place belongs to what the line begins. */
    boolean holds(Placement place) {
        return isAbove(place) && place.line() < end;
    }

    /** All lines that the innermost may be, outer ones above it; empty if there is none. */
    static List<Anchor> find(List<String> file, List<String> wanted) {
        List<Anchor> outer = List.of(new Anchor(-1, file.size()));
        for (String each : wanted) {
            List<Anchor> inner = List.of();
            for (BiPredicate<String, String> step : STEPS) {
                inner = below(file, each, outer, step);
                if (!inner.isEmpty()) {
                    break;
                }
            }
            outer = inner.size() > MAX_PLACES ? List.of() : inner;
        }
        return wanted.isEmpty() ? List.of() : outer;
    }

    private static List<Anchor> below(
            List<String> file,
            String wanted,
            List<Anchor> outer,
            BiPredicate<String, String> like) {
        List<Anchor> found = new ArrayList<>();
        int from = 0;
        for (Anchor each : outer) {
            for (int line = Math.max(from, each.line + 1); line < each.end; line++) {
                if (like.test(file.get(line), wanted) && found.size() <= MAX_PLACES) {
                    found.add(new Anchor(line, reach(file, line)));
                }
                from = line + 1;
            }
        }
        return found;
    }

    /** A word that goes on is another word. */
    private static boolean begins(String line, String anchor) {
        if (anchor.isEmpty() || !line.startsWith(anchor)) {
            return false;
        }
        boolean word = Character.isJavaIdentifierPart(anchor.charAt(anchor.length() - 1));
        return line.length() == anchor.length()
                || !word
                || !Character.isJavaIdentifierPart(line.charAt(anchor.length()));
    }

    /**
     * Up to where the next thing of its kind begins that is indented no deeper; lines of a text in
     * triple quotes begin nothing. A line that begins nothing, as an import, reaches to the end of
     * the file.
     */
    private static int reach(List<String> file, int anchor) {
        String first = file.get(anchor);
        if (first.isBlank() || !opens(file, anchor)) {
            return file.size();
        }
        int depth = depth(first);
        char sign = first.strip().charAt(0);
        String quotes = opened(first, "");
        for (int line = anchor + 1; line < file.size(); line++) {
            String here = file.get(line);
            boolean outside = quotes.isEmpty();
            quotes = opened(here, quotes);
            if (outside
                    && !here.isBlank()
                    && depth(here) <= depth
                    && ofKind(here.strip().charAt(0), sign)
                    && opens(file, line)) {
                return line;
            }
        }
        return file.size();
    }

    /** The triple quotes that a line leaves open; empty for none. */
    private static String opened(String line, String before) {
        String open = before;
        int at = 0;
        while (true) {
            String next = open.isEmpty() ? firstQuotes(line, at) : open;
            int found = next.isEmpty() ? -1 : line.indexOf(next, at);
            if (found < 0) {
                return open;
            }
            open = open.isEmpty() ? next : "";
            at = found + next.length();
        }
    }

    private static String firstQuotes(String line, int at) {
        int twice = line.indexOf(DOUBLE, at);
        int once = line.indexOf(SINGLE, at);
        return twice >= 0 && (once < 0 || twice < once) ? DOUBLE : once >= 0 ? SINGLE : "";
    }

    /** Whether what follows is deeper or in braces, or the line is a heading. */
    private static boolean opens(List<String> file, int anchor) {
        String line = file.get(anchor).strip();
        int next = anchor + 1;
        while (next < file.size() && file.get(next).isBlank()) {
            next++;
        }
        boolean heading = line.charAt(0) == '#' || line.charAt(0) == '[';
        return heading
                || next < file.size()
                        && (depth(file.get(next)) > depth(file.get(anchor))
                                || file.get(next).strip().startsWith("{"));
    }

    /** Words begin things as other words do; headings and sections by the same sign. */
    private static boolean ofKind(char one, char anchor) {
        return isWord(anchor) ? isWord(one) : one == anchor;
    }

    private static boolean isWord(char c) {
        return Character.isLetterOrDigit(c) || c == '_' || c == '@' || c == '"';
    }

    private static int depth(String line) {
        int depth = 0;
        while (depth < line.length() && Character.isWhitespace(line.charAt(depth))) {
            depth++;
        }
        return depth;
    }
}
