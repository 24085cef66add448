package dev.agentloop.edit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds old text that is indented otherwise than the model wrote it: every line deeper or less deep
 * by the same, or with tabs in place of blanks.
 */
public final class Indentation {
    private static final int[] TAB_WIDTHS = {4, 2, 8, 3};

    private static final int MAX_COUNTED = 1000; // places of a text that must have one

    private final String text;
    private final List<String> wanted;
    private final boolean wholeLastLine;

    private Indentation(String text, String old) {
        this.text = text;
        this.wholeLastLine = old.endsWith("\n");
        this.wanted = LineEnds.lines(old);
    }

    /** The places, in their order; overlapping ones as well, but no more than a thousand. */
    static List<Match> find(String text, String old) {
        return new Indentation(text, old).find();
    }

    private List<Match> find() {
        List<Match> found = new ArrayList<>();
        List<String> file = LineEnds.lines(text);
        if (wanted.stream().allMatch(line -> bare(line).isEmpty())) {
            return found;
        }
        List<String> bareFile = file.stream().map(Indentation::bare).toList();
        List<String> bareWanted = wanted.stream().map(Indentation::bare).toList();
        int from = 0;
        for (int i = 0; i + wanted.size() <= file.size() && found.size() < MAX_COUNTED; i++) {
            int last = i + wanted.size();
            boolean ends = !wholeLastLine || last < file.size() || text.endsWith("\n");
            if (ends && isAt(bareFile, bareWanted, i)) {
                int start = from;
                between(file.subList(i, last), wanted)
                        .ifPresent(style -> found.add(new Match(start, end(start), style)));
            }
            from = text.indexOf('\n', from) + 1;
        }
        return found;
    }

    private static boolean isAt(List<String> file, List<String> wanted, int at) {
        for (int i = 0; i < wanted.size(); i++) {
            if (!file.get(at + i).equals(wanted.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** Behind the line's end if the old text has one there, else before it. */
    private int end(int start) {
        int end = start - 1;
        for (int i = 0; i < wanted.size(); i++) {
            int feed = text.indexOf('\n', end + 1);
            end = feed < 0 ? text.length() : feed;
        }
        if (wholeLastLine) {
            return end + 1;
        }
        boolean windows = end < text.length() && end > start && text.charAt(end - 1) == '\r';
        return windows ? end - 1 : end;
    }

    /**
     * How new lines are indented where the file has these lines in place of those sent, as many;
     * empty if they differ in more than a shift.
     */
    public static Optional<LineStyle> between(List<String> file, List<String> wanted) {
        Map<String, String> known = new HashMap<>();
        for (int i = 0; i < file.size(); i++) {
            String here = file.get(i);
            String sent = wanted.get(i);
            if (!bare(here).equals(bare(sent))) {
                return Optional.empty();
            }
            if (!bare(sent).isEmpty()) {
                String before = known.put(indent(sent), indent(here));
                if (before != null && !before.equals(indent(here))) {
                    return Optional.empty();
                }
            }
        }
        if (known.isEmpty() || !isShift(known)) {
            return Optional.empty();
        }
        IndentSteps steps = new IndentSteps(known);
        return Optional.of((line, _) -> bare(line).isEmpty() ? line : steps.fit(line));
    }

    /** Whether, for some width of a tab, every line moves by the same. */
    private static boolean isShift(Map<String, String> known) {
        for (int width : TAB_WIDTHS) {
            int[] moves =
                    known.entrySet().stream()
                            .mapToInt(pair ->
                                    width(pair.getValue(), width) - width(pair.getKey(), width))
                            .distinct()
                            .toArray();
            if (moves.length == 1) {
                return true;
            }
        }
        return false;
    }

    private static int width(String indent, int tab) {
        int column = 0;
        for (int i = 0; i < indent.length(); i++) {
            column = indent.charAt(i) == '\t' ? (column / tab + 1) * tab : column + 1;
        }
        return column;
    }

    private static String bare(String line) {
        int start = indent(line).length();
        return line.substring(start, TextView.trimmed(line, start, line.length()));
    }

    static String indent(String line) {
        int end = 0;
        while (end < line.length() && (line.charAt(end) == ' ' || line.charAt(end) == '\t')) {
            end++;
        }
        return line.substring(0, end);
    }
}
