package dev.agentloop.tool.builtin.command;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Shortens the longest lines of a text that has too little room, so that a line of minified code
 * does not push out the lines around it.
 */
final class LongLines {
    private static final int LONG = 2_000; // characters; shorter lines stay as they are
    private static final int FOR_MARK = 40; // characters

    private LongLines() {}

    /**
     * The text with its long lines cut in their middle, all to one length: the longest with which
     * the text has room, but at least 2,000 characters, so that it may still be too long.
     *
     * @param room characters that the text may have
     */
    static String shortened(String text, int room) {
        if (text.length() <= room) {
            return text;
        }
        List<String> lines = List.of(text.split("\n", -1));
        int most = Math.max(LONG, longestThatFits(lines, room));
        return lines.stream().map(line -> cut(line, most)).collect(Collectors.joining("\n"));
    }

    private static int longestThatFits(List<String> lines, int room) {
        int fits = 0;
        for (int tooLong = room + 1; tooLong - fits > 1; ) {
            int most = (fits + tooLong) / 2;
            long length = lines.stream().mapToLong(line -> 1 + Math.min(line.length(), most)).sum();
            if (length <= room) {
                fits = most;
            } else {
                tooLong = most;
            }
        }
        return fits;
    }

    /** Two thirds of the length for the beginning of the line, one for its end. */
    private static String cut(String line, int most) {
        if (line.length() <= most) {
            return line;
        }
        int kept = most - FOR_MARK;
        int end = kept - kept / 3;
        int begin = line.length() - kept / 3;
        end -= Character.isLowSurrogate(line.charAt(end)) ? 1 : 0;
        begin += Character.isLowSurrogate(line.charAt(begin)) ? 1 : 0;
        String mark = "[… %d characters left out …]".formatted(begin - end);
        return line.substring(0, end) + mark + line.substring(begin);
    }
}
