package dev.agentloop.edit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds what a text was probably copied from when no line of it is in the file: by short pieces
 * that both have, whatever their blanks and line ends. A statement that is split over other lines,
 * a wrong letter and a word too many leave most pieces as they are.
 */
final class NearText {
    private static final int SHORT = 16; // characters, of which pairs are compared
    private static final int MAX_EQUAL = 20; // pieces; what stands everywhere says nothing
    private static final double ENOUGH = 0.4; // of the pieces; below, a hint would mislead
    private static final int LONGEST = 20_000; // characters of the old text that are compared
    private static final int MOST_READ = 2_000_000; // characters of a file
    private static final int MOST_VOTES = 8_000_000; // about a second; of texts that repeat pieces

    private final StringBuilder text = new StringBuilder(); // the file without blanks
    private final List<Integer> ends = new ArrayList<>(); // of the lines in it
    private final String wanted;
    private final int size; // of a piece
    private final int reach; // pieces belong together when their distances differ by less
    private final Map<String, List<Integer>> pieces = new HashMap<>();

    private NearText(List<String> file, String old) {
        for (String line : file) {
            if (text.length() > MOST_READ) {
                break;
            }
            appendPlain(line, text);
            ends.add(text.length());
        }
        String plain = appendPlain(old, new StringBuilder()).toString();
        wanted = plain.substring(0, Math.min(plain.length(), LONGEST));
        size = wanted.length() < SHORT ? 2 : 4;
        reach = Math.max(2, wanted.length() / 3);
        for (int i = 0; i + size <= wanted.length(); i++) {
            pieces.computeIfAbsent(wanted.substring(i, i + size), _ -> new ArrayList<>()).add(i);
        }
        pieces.values().removeIf(equal -> equal.size() > MAX_EQUAL);
    }

    private static StringBuilder appendPlain(String line, StringBuilder to) {
        line.chars().filter(c -> !Character.isWhitespace(c)).forEach(c -> to.append((char) c));
        return to;
    }

    /** The lines most like the old text; empty if none is like it. */
    static Optional<FileBlocks.Span> find(List<String> file, String old) {
        return new NearText(file, old).nearest();
    }

    /**
     * Each equal piece votes for the distance between its places in the two texts. A distance is
     * counted in two rows of ranges, one half a range further, so that no border parts it.
     */
    private Optional<FileBlocks.Span> nearest() {
        Map<Integer, Votes> ranges = new HashMap<>();
        Votes best = new Votes();
        int given = 0;
        for (int at = 0; at + size <= text.length() && given < MOST_VOTES; at++) {
            for (int i : pieces.getOrDefault(text.substring(at, at + size), List.of())) {
                given++;
                int range = Math.floorDiv(at - i, reach);
                for (int each = range; each <= range + 1; each++) {
                    Votes votes = ranges.computeIfAbsent(each, _ -> new Votes());
                    votes.add(at, i);
                    best = votes.count > best.count ? votes : best;
                }
            }
        }
        int all = wanted.length() - size + 1;
        if (best.count == 0 || best.count < all * ENOUGH) {
            return Optional.empty();
        }
        int from = line(Math.max(0, best.first));
        int last = Math.min(text.length() - 1, best.last + wanted.length() - 1);
        return Optional.of(new FileBlocks.Span(from, line(Math.max(0, last)) + 1));
    }

    /** The line, from 0, that has the character. */
    private int line(int at) {
        int low = 0;
        int high = ends.size() - 1;
        while (low < high) {
            int middle = (low + high) / 2;
            if (ends.get(middle) > at) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /** Those for about one distance. */
    private static final class Votes {
        private int count;
        private int first; // where the old text would begin by the first piece
        private int last; // likewise by the last one
        private int counted = -1; // a place of the file counts once

        void add(int at, int i) {
            if (count == 0) {
                first = at - i;
            }
            last = at - i;
            count += at == counted ? 0 : 1;
            counted = at;
        }
    }
}
