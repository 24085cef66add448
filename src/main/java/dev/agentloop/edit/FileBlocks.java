package dev.agentloop.edit;

import java.util.ArrayList;
import java.util.List;

/** Lines of a file for a refusal, so that a model can copy them without another read. */
public final class FileBlocks {
    private static final int MOST_LINES = 40; // of one refusal
    private static final int MOST_CHARS = 6_000;
    private static final int AROUND = 2; // lines above and below those that are meant
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
        List<Span> shown = places.subList(0, Math.min(places.size(), MOST_PLACES));
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
            text.append(lines.isEmpty() ? "" : "\n" + lines.stripTrailing());
        }
        return text.toString();
    }

    private static String block(List<String> file, Span span, int chars) {
        StringBuilder lines = new StringBuilder();
        int line = span.from();
        while (line < span.to() && lines.length() + file.get(line).length() < chars) {
            lines.append(file.get(line++)).append('\n');
        }
        return line == span.from()
                ? ""
                : "Lines %d-%d of the file are:\n%s".formatted(span.from() + 1, line, lines);
    }
}
