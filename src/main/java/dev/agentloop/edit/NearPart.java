package dev.agentloop.edit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds what a part of a long line was probably copied from, such as one of minified code. */
final class NearPart {
    private static final int LONG = 400; // characters; shorter lines are compared as a whole
    private static final int PIECE = 6; // characters that must be equal to count
    private static final int MAX_EQUAL = 20; // pieces; what stands everywhere says nothing
    private static final double ENOUGH = 0.3; // of the pieces at one distance: the rest differs
    private static final int AROUND = 20; // characters shown on both sides
    private static final int MOST_SHOWN = 4_000; // characters
    private static final int MOST_READ = 2_000_000; // characters of a file

    private final String wanted;
    private final Map<String, List<Integer>> pieces = new HashMap<>();
    private int left = MOST_READ;
    private int votes;
    private int line = -1;
    private int start;

    private NearPart(String wanted) {
        this.wanted = wanted;
        for (int i = 0; i + PIECE <= wanted.length(); i++) {
            pieces.computeIfAbsent(wanted.substring(i, i + PIECE), _ -> new ArrayList<>()).add(i);
        }
        pieces.values().removeIf(equal -> equal.size() > MAX_EQUAL);
    }

    /** The part of a long line that is most like the wanted text; empty if nothing is like it. */
    static Optional<String> find(List<String> file, String wanted, String name) {
        NearPart search = new NearPart(wanted);
        for (int i = 0; i < file.size(); i++) {
            if (file.get(i).length() > Math.max(LONG, wanted.length())) {
                search.look(file.get(i), i);
            }
        }
        return search.votes < (wanted.length() - PIECE + 1) * ENOUGH || search.line < 0
                ? Optional.empty()
                : Optional.of(search.report(file.get(search.line), name));
    }

    /** Each equal piece votes for the distance between its places in the two texts. */
    private void look(String text, int number) {
        Map<Integer, Integer> distances = new HashMap<>();
        int length = Math.min(text.length(), left);
        left -= length;
        for (int at = 0; at + PIECE <= length; at++) {
            for (int i : pieces.getOrDefault(text.substring(at, at + PIECE), List.of())) {
                int count = distances.merge(at - i, 1, Integer::sum);
                if (count > votes) {
                    votes = count;
                    line = number;
                    start = at - i;
                }
            }
        }
    }

    private String report(String text, String name) {
        int begin = Math.max(0, start);
        String here = text.substring(begin);
        int different = NearMiss.column(here, wanted) - 1;
        boolean inside =
                different > 0
                        && different < here.length()
                        && Character.isLowSurrogate(here.charAt(different));
        different -= inside ? 1 : 0; // never half a character
        int from = Math.max(0, begin - AROUND);
        int to = Math.min(text.length(), begin + wanted.length() + AROUND);
        if (to - from > MOST_SHOWN) {
            from = Math.max(from, begin + different - MOST_SHOWN / 2);
            to = Math.min(to, from + MOST_SHOWN);
        }
        from = FileBlocks.wordStart(text, from);
        to = Math.max(from, FileBlocks.wordEnd(text, to)); // of one endless word nothing is shown
        return ("The nearest text is in line %d from column %d on; the first difference is at"
                        + " column %d:\n%-"
                        + (name.length() + 1)
                        + "s %s\n%s: %s\nColumns %d-%d of the line are:\n%s\n")
                .formatted(
                        line + 1,
                        begin + 1,
                        begin + different + 1,
                        "file:",
                        NearMiss.shown(here.substring(different)),
                        name,
                        NearMiss.shown(wanted.substring(different)),
                        from + 1,
                        to,
                        text.substring(from, to));
    }
}
