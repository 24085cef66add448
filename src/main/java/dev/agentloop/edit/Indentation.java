package dev.agentloop.edit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds old text that is indented otherwise than the model wrote it: every line deeper or less deep
 * by the same, or with tabs in place of blanks.
 */
public final class Indentation {
    private static final int[] TAB_WIDTHS = {4, 2, 8, 3};

    private final String text;
    private final List<String> wanted;
    private final boolean wholeLastLine;

    private Indentation(String text, String old) {
        this.text = text;
        this.wholeLastLine = old.endsWith("\n");
        this.wanted = LineEnds.lines(old);
    }

    /** All places, in their order; overlapping ones as well. */
    static List<Match> find(String text, String old) {
        return new Indentation(text, old).find();
    }

    private List<Match> find() {
        List<Match> found = new ArrayList<>();
        int key = firstLineWithText();
        if (key < 0) {
            return found;
        }
        List<String> file = LineEnds.lines(text);
        String sign = bare(wanted.get(key));
        int[] starts = starts(file.size());
        for (int i = key; i < file.size() - wanted.size() + 1 + key; i++) {
            if (bare(file.get(i)).equals(sign)) {
                int first = i - key;
                int from = starts[first];
                int last = first + wanted.size();
                style(file.subList(first, last))
                        .ifPresent(style ->
                                found.add(new Match(from, end(file, starts, last), style)));
            }
        }
        return found;
    }

    private int firstLineWithText() {
        for (int i = 0; i < wanted.size(); i++) {
            if (!bare(wanted.get(i)).isEmpty()) {
                return i;
            }
        }
        return -1;
    }

    private int[] starts(int lines) {
        int[] starts = new int[lines + 1];
        int at = 0;
        for (int i = 0; i < lines; i++) {
            starts[i] = at;
            int feed = text.indexOf('\n', at);
            at = feed < 0 ? text.length() : feed + 1;
        }
        starts[lines] = text.length();
        return starts;
    }

    /** Behind the line's end if the old text has one there, else before it. */
    private int end(List<String> file, int[] starts, int last) {
        return wholeLastLine ? starts[last] : starts[last - 1] + file.get(last - 1).length();
    }

    private Optional<LineStyle> style(List<String> file) {
        return between(file, wanted);
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
        return Shift.of(known).map(shift -> (line, _) -> shift.applied(line));
    }

    private static String bare(String line) {
        int start = indent(line).length();
        return line.substring(start, TextView.trimmed(line, start, line.length()));
    }

    private static String indent(String line) {
        int end = 0;
        while (end < line.length() && (line.charAt(end) == ' ' || line.charAt(end) == '\t')) {
            end++;
        }
        return line.substring(0, end);
    }

    /**
     * Columns that every line moves by.
     *
     * @param known indents of the model and what they are in the file
     * @param tabs width of a tab
     */
    private record Shift(Map<String, String> known, int tabs, int columns) {

        static Optional<Shift> of(Map<String, String> known) {
            @Nullable Shift any = null;
            for (int width : TAB_WIDTHS) {
                Optional<Integer> columns = columns(known, width);
                if (columns.isPresent() && columns.get() == 0) {
                    return Optional.of(new Shift(known, width, 0));
                }
                if (columns.isPresent() && any == null) {
                    any = new Shift(known, width, columns.get());
                }
            }
            return Optional.ofNullable(any);
        }

        private static Optional<Integer> columns(Map<String, String> known, int width) {
            Optional<Integer> columns = Optional.empty();
            for (Map.Entry<String, String> pair : known.entrySet()) {
                int moved = width(pair.getValue(), width) - width(pair.getKey(), width);
                if (columns.isPresent() && columns.get() != moved) {
                    return Optional.empty();
                }
                columns = Optional.of(moved);
            }
            return columns;
        }

        private static int width(String indent, int tab) {
            int column = 0;
            for (char c : indent.toCharArray()) {
                column = c == '\t' ? (column / tab + 1) * tab : column + 1;
            }
            return column;
        }

        String applied(String line) throws EditException {
            if (bare(line).isEmpty()) {
                return line;
            }
            String sent = indent(line);
            String there = known.get(sent);
            return (there == null ? moved(sent, line) : there) + line.substring(sent.length());
        }

        private String moved(String sent, String line) throws EditException {
            int column = width(sent, tabs) + columns;
            if (column < 0) {
                throw new EditException(
                        ("old_string fits only with another indentation, and the new line \"%s\""
                                        + " would begin before the line does. Copy the text with"
                                        + " its indentation from the file.")
                                .formatted(line.strip()));
            }
            boolean withTabs = known.values().stream().anyMatch(indent -> indent.contains("\t"));
            boolean onlyEmpty = known.values().stream().allMatch(String::isEmpty);
            boolean asSent = onlyEmpty && sent.contains("\t");
            return withTabs || asSent
                    ? "\t".repeat(column / tabs) + " ".repeat(column % tabs)
                    : " ".repeat(column);
        }
    }
}
