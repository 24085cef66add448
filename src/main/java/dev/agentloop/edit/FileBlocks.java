package dev.agentloop.edit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Lines of a file for a refusal, so that a model can copy them without another read. */
public final class FileBlocks {
    static final int MOST_LINES = 40; // of one refusal
    private static final int MOST_CHARS = 6_000;
    private static final int AROUND = 2; // lines above and below those that are meant
    private static final int SHORTEST_CUT = 100; // characters of a line, however many there are
    private static final int LONGEST_WORD = 200; // characters more than a cut allows
    private static final int MOST_PLACES = 8; // with the lines around them: 5 of each are 40

    private FileBlocks() {}

    /**
     * Lines of a file, counted from 0.
     *
     * @param to behind the last one
     */
    public record Span(int from, int to) {}

    /**
     * The lines from {@code from} to {@code to}, with two above and below; around {@code center} if
     * those are more than 40. May be empty, else it ends with a line feed.
     */
    static String around(List<String> file, Span span, int center) {
        int first = Math.max(0, span.from() - AROUND);
        int last = Math.min(file.size(), span.to() + AROUND);
        if (last - first > MOST_LINES) {
            first = Math.max(first, Math.min(center - MOST_LINES / 2, last - MOST_LINES));
            last = first + MOST_LINES;
        }
        return block(file, new Span(first, last), MOST_CHARS);
    }

    /**
     * The lines around each place, so that the next call can say which is meant: as many places as
     * 40 lines can show. Each block is preceded by a line feed.
     */
    public static String places(List<String> file, List<Span> places) {
        List<Span> shown =
                places.stream()
                        .limit(MOST_PLACES)
                        .sorted(Comparator.comparingInt(Span::from))
                        .toList();
        int share = MOST_LINES / Math.max(1, shown.size());
        List<Span> blocks = new ArrayList<>();
        for (Span place : shown) {
            int first = Math.max(0, place.from() - AROUND);
            int last = Math.min(file.size(), Math.min(place.to() + AROUND, first + share));
            Span before = blocks.isEmpty() ? null : blocks.getLast();
            if (before != null && first <= before.to()) { // close ones share their lines
                blocks.removeLast();
                first = before.from();
            }
            blocks.add(new Span(first, Math.max(last, first)));
        }
        StringBuilder text = new StringBuilder();
        for (Span block : blocks) {
            String lines = block(file, block, MOST_CHARS / blocks.size());
            text.append(lines.isEmpty() ? "" : "\n" + lines.substring(0, lines.length() - 1));
        }
        return text.toString();
    }

    /**
     * The lines of a span with two above and below, preceded by a line feed; empty if they are more
     * than a refusal shows uncut.
     */
    public static Optional<String> whole(List<String> file, Span span) {
        int first = Math.max(0, span.from() - AROUND);
        int last = Math.min(file.size(), span.to() + AROUND);
        int chars = file.subList(first, last).stream().mapToInt(String::length).sum();
        return last - first > MOST_LINES || chars > MOST_CHARS || last == first
                ? Optional.empty()
                : Optional.of("\n" + block(file, new Span(first, last), chars));
    }

    /** Says so behind a refusal, on a line of its own where that may end with a line of a file. */
    static String nothingChanged(String refusal) {
        return refusal.contains("\n")
                ? refusal.stripTrailing() + "\n[Nothing was changed.]"
                : refusal + " Nothing was changed.";
    }

    private static String block(List<String> file, Span span, int chars) {
        if (span.to() <= span.from()) {
            return "";
        }
        List<String> lines = file.subList(span.from(), span.to());
        int longest = longest(lines, chars);
        StringBuilder shown = new StringBuilder();
        for (String line : lines) {
            boolean fits = line.length() <= longest;
            shown.append(fits ? line : line.substring(0, wordEnd(line, longest)));
            shown.append(fits ? "" : "… (%d characters)".formatted(line.length())).append('\n');
        }
        return "Lines %d-%d of the file are:\n%s".formatted(span.from() + 1, span.to(), shown);
    }

    /** The length to which long lines are cut, so that all of them have room. */
    private static int longest(List<String> lines, int chars) {
        int longest = chars;
        while (longest > SHORTEST_CUT) {
            int most = longest;
            if (lines.stream().mapToInt(line -> Math.min(line.length(), most)).sum() <= chars) {
                break;
            }
            longest -= Math.max(1, longest / 8);
        }
        return longest;
    }

    /**
     * The end of the word at an index, or its beginning if it is long: part of a secret would not
     * be known as one when secrets are taken out of the refusal.
     */
    static int wordEnd(String line, int at) {
        int end = at;
        while (end < line.length() && end < at + LONGEST_WORD && isOfWord(line.charAt(end))) {
            end++;
        }
        if (end == line.length() || !isOfWord(line.charAt(end))) {
            return Character.isHighSurrogate(line.charAt(end - 1)) ? end - 1 : end;
        }
        int start = at;
        while (start > 0 && isOfWord(line.charAt(start - 1))) {
            start--;
        }
        return start;
    }

    /** Likewise the beginning of the word at an index, or its end. */
    static int wordStart(String line, int at) {
        int start = at;
        while (start > 0 && start > at - LONGEST_WORD && isOfWord(line.charAt(start - 1))) {
            start--;
        }
        if (start == 0 || !isOfWord(line.charAt(start - 1))) {
            return Character.isLowSurrogate(line.charAt(start)) ? start + 1 : start;
        }
        int end = at;
        while (end < line.length() && isOfWord(line.charAt(end))) {
            end++;
        }
        return end;
    }

    private static boolean isOfWord(char c) {
        return c < 0x7F && Character.isLetterOrDigit(c) || "_-+/=.~".indexOf(c) >= 0;
    }
}
