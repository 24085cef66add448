package dev.agentloop.message;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A text that is too long, with a mark where its middle was. Where a former cut has left its own
 * mark in the text, the new mark counts what that one had left out as well.
 */
public final class CutText {
    private static final int HEAD_LINES = 40; // of the seed: what stays in any case, if it fits
    private static final int TAIL_LINES = 20;
    private static final String HOW_TO_READ_ON = "; ask for the part you need";
    private static final Pattern MARK =
            Pattern.compile(
                    "\\[\\.{3} (?:(\\d{1,12}) lines omitted \\.{3}](?: of \\d{1,12})?"
                            + " \\((\\d{1,12})(?: of \\d{1,12})? characters\\)"
                            + "|(\\d{1,12}) characters of one line omitted \\.{3}])"
                            + "|\\[… (\\d{1,12}) characters left out …]");

    private final String text;
    private final int[] starts; // of the lines, and the end of the text
    private final List<Gap> gaps = new ArrayList<>();
    private int head;
    private int tail;

    /**
     * Lines and characters that the text lacks since it was cut before, as its mark says.
     *
     * @param at index in the text at which the mark begins
     * @param lines that were left out, less the one that the mark takes; likewise the characters
     */
    private record Gap(int at, long lines, long characters) {}

    public CutText(String text) {
        this.text = text;
        this.starts = starts(text);
        for (Matcher mark = MARK.matcher(text); mark.find(); ) {
            gaps.add(gap(mark));
        }
    }

    private static Gap gap(MatchResult mark) {
        int length = mark.group().length();
        if (mark.group(4) != null) { // inside a line, which it neither ends nor begins
            return new Gap(mark.start(), 0, Long.parseLong(mark.group(4)) - length);
        }
        boolean ofOne = mark.group(3) != null;
        long lines = ofOne ? 0 : Long.parseLong(mark.group(1));
        long characters = Long.parseLong(mark.group(ofOne ? 3 : 2));
        return new Gap(mark.start(), lines - 1, characters - length - 1);
    }

    /** The mark of a cut after which nobody knows how long the text was. */
    public static String gap(long lines, long characters) {
        return lines == 0
                ? "[... %d characters of one line omitted ...]".formatted(characters)
                : "[... %d lines omitted ...] (%d characters)".formatted(lines, characters);
    }

    /** The first 40 and the last 20 lines; characters where even those are too many. */
    public String toFewLines(int limit) {
        if (lines() <= HEAD_LINES + TAIL_LINES) {
            return toCharacters(limit);
        }
        head = HEAD_LINES;
        tail = TAIL_LINES;
        String fewer = withMark();
        return fewer.length() <= limit ? fewer : toCharacters(limit);
    }

    /**
     * As many whole lines as fit, two thirds of them from the beginning; characters where the lines
     * are so long that much of the room would stay empty.
     */
    public String toLimit(int limit) {
        int room = limit - mark(lines(), 0, text.length()).length();
        boolean seed = lines() > HEAD_LINES + TAIL_LINES;
        head = seed ? HEAD_LINES : 0;
        tail = seed ? TAIL_LINES : 0;
        if (kept() > room) {
            head = 0;
            tail = 0;
        }
        growHead(room - room / 3, room);
        growTail(room);
        growHead(room, room);
        return kept() < room - room / 8 ? toCharacters(limit) : withMark();
    }

    /** Whole lines from the beginning, as many as fit, and the mark as the last line. */
    public String toBeginning(int limit) {
        int room = limit - mark(lines(), 0, text.length()).length();
        head = 0;
        tail = 0;
        growHead(room, room);
        return withMark();
    }

    private void growHead(int most, int room) {
        while (head + tail < lines()
                && starts[head + 1] <= most
                && kept() + starts[head + 1] - starts[head] <= room) {
            head++;
        }
    }

    private void growTail(int room) {
        while (head + tail < lines()
                && kept() + starts[lines() - tail] - starts[lines() - tail - 1] <= room) {
            tail++;
        }
    }

    private int kept() {
        return starts[head] + text.length() - starts[lines() - tail];
    }

    private int lines() {
        return starts.length - 1;
    }

    private String withMark() {
        while (tail > 0 && isGap(lines() - tail)) {
            tail--; // two marks one behind the other would have to be added up
        }
        while (head > 0 && isGap(head - 1)) {
            head--;
        }
        int from = starts[head];
        int to = starts[lines() - tail];
        String mark = mark(lines() - head - tail, from, to);
        String before = text.substring(0, from);
        return before + mark + (tail > 0 ? "\n" : "") + text.substring(to);
    }

    private boolean isGap(int line) {
        return gaps.stream().anyMatch(gap -> gap.at() == starts[line]);
    }

    private String mark(int omitted, int from, int to) {
        return "[... %d lines omitted ...] of %d (%d of %d characters)%s"
                .formatted(
                        omitted + gaps(from, to, Gap::lines),
                        lines() + gaps(0, text.length(), Gap::lines),
                        to - from + gaps(from, to, Gap::characters),
                        text.length() + gaps(0, text.length(), Gap::characters),
                        HOW_TO_READ_ON);
    }

    private long gaps(int from, int to, ToLongFunction<Gap> size) {
        return gaps.stream().filter(gap -> gap.at() >= from && gap.at() < to).mapToLong(size).sum();
    }

    /** Two thirds of the room for the head, one for the tail, as with lines. */
    private String toCharacters(int limit) {
        int room = Math.max(0, limit - charactersOmitted(0, text.length()).length());
        int end = apart(room - room / 3, -1);
        int begin = apart(text.length() - room / 3, 1);
        return text.substring(0, end) + charactersOmitted(end, begin) + text.substring(begin);
    }

    private String charactersOmitted(int from, int to) {
        return "\n[... %d of %d characters omitted ...]%s\n"
                .formatted(
                        to - from + gaps(from, to, Gap::characters),
                        text.length() + gaps(0, text.length(), Gap::characters),
                        HOW_TO_READ_ON);
    }

    /** Never splits a surrogate pair; {@code step} says to which side it gives way. */
    private int apart(int at, int step) {
        boolean inside =
                at > 0
                        && at < text.length()
                        && Character.isLowSurrogate(text.charAt(at))
                        && Character.isHighSurrogate(text.charAt(at - 1));
        return inside ? at + step : at;
    }

    private static int[] starts(String text) {
        List<Integer> starts = new ArrayList<>();
        starts.add(0);
        for (int at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
            if (at + 1 < text.length()) {
                starts.add(at + 1);
            }
        }
        starts.add(text.length());
        return starts.stream().mapToInt(Integer::intValue).toArray();
    }
}
