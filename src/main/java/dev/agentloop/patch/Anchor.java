package dev.agentloop.patch;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;

/** Where the lines stand that a hunk names as those above its place. */
final class Anchor {
    /** From strict to loose: the whole line, without indentation, the beginning of the line. */
    private static final List<BiPredicate<String, String>> STEPS =
            List.of(
                    String::equals,
                    (line, anchor) -> line.strip().equals(anchor.strip()),
                    (line, anchor) -> line.strip().startsWith(anchor.strip()));

    private Anchor() {}

    /** All lines that the innermost anchor may be, outer ones above it; empty if there is none. */
    static List<Integer> places(List<String> file, List<String> anchors) {
        List<Integer> outer = List.of(-1);
        for (String anchor : anchors) {
            List<Integer> inner = List.of();
            for (BiPredicate<String, String> step : STEPS) {
                inner = below(file, anchor, outer, step);
                if (!inner.isEmpty()) {
                    break;
                }
            }
            outer = inner;
        }
        return outer;
    }

    /** Lines like the anchor in the part of the file that each outer one begins. */
    private static List<Integer> below(
            List<String> file,
            String anchor,
            List<Integer> outer,
            BiPredicate<String, String> like) {
        List<Integer> found = new ArrayList<>();
        for (int i = 0; i < outer.size(); i++) {
            int end = i + 1 < outer.size() ? outer.get(i + 1) : file.size();
            for (int line = outer.get(i) + 1; line < end; line++) {
                if (like.test(file.get(line), anchor)
                        && (outer.get(i) < 0 || !leaves(file, outer.get(i), line))) {
                    found.add(line);
                }
            }
        }
        return found;
    }

    /** Whether, between the anchor and a later line, something else of its kind begins. */
    static boolean leaves(List<String> file, int anchor, int to) {
        String first = file.get(anchor);
        int depth = depth(first);
        char sign = first.isBlank() ? ' ' : first.strip().charAt(0);
        for (int line = anchor + 1; line < to; line++) {
            String here = file.get(line);
            if (!here.isBlank() && depth(here) <= depth && ofKind(here.strip().charAt(0), sign)) {
                return true;
            }
        }
        return false;
    }

    /** Words begin things as other words do; headings and sections by the same sign. */
    private static boolean ofKind(char one, char anchor) {
        return begins(anchor) ? begins(one) : one == anchor;
    }

    private static boolean begins(char c) {
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
