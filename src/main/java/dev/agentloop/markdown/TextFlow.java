package dev.agentloop.markdown;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jline.utils.WCWidth;

/** Text with looks that is broken into lines between its words, by the columns that it takes. */
public final class TextFlow {
    private static final Pattern CHARACTER =
            Pattern.compile("\u001b\\[[0-9;]*m|\\X"); // with its marks, an emoji whole
    private static final String EMOJI = "\uFE0F"; // the character before it is shown as a picture
    private static final Pattern MARGIN = // blanks, looks, and the mark of a point in a list
            Pattern.compile( // not without a limit: the matcher recurses for each turn of a group
                    "(?:\u001b\\[[0-9;]*m|\\s|[^\\p{L}\\p{N}\\s\u001b]{1,2}(?=[ \u001b])){0,60}");
    private static final int NARROWEST = 20; // columns; in fewer, words would be broken anyway
    private static final String ESC = "\u001b[";

    private final List<Cell> cells = new ArrayList<>();

    TextFlow() {}

    /**
     * What a person sees as one character.
     *
     * @param width columns
     * @param look parameters of SGR, such as {@code 1;3}; may be empty
     */
    private record Cell(String text, int width, String look) {
        boolean isBlank() {
            return text.equals(" ");
        }
    }

    /** Appends text; line feeds break the line, other blanks are blanks. */
    void add(String text, String look) {
        Matcher each = CHARACTER.matcher(text.replace("\r\n", "\n"));
        while (each.find()) {
            String one = each.group();
            boolean blank = one.equals("\t") || one.equals("\r");
            cells.add(new Cell(blank ? " " : one, blank ? 1 : columnsOf(one), look));
        }
    }

    void add(TextFlow other) {
        cells.addAll(other.cells);
    }

    /** Columns of the longest line, were there no limit. */
    int columns() {
        int longest = 0;
        int used = 0;
        for (Cell cell : cells) {
            used = cell.text().equals("\n") ? 0 : used + cell.width();
            longest = Math.max(longest, used);
        }
        return longest;
    }

    /** The lines, none wider than {@code columns} unless one character is. */
    List<String> lines(int columns) {
        List<String> lines = new ArrayList<>();
        List<Cell> line = new ArrayList<>();
        int used = 0;
        int mayBreak = 0; // before this cell of the line
        for (Cell cell : cells) {
            boolean feed = cell.text().equals("\n");
            boolean full = used + cell.width() > columns && !line.isEmpty();
            if (feed || full && cell.isBlank()) {
                lines.add(text(line));
                line.clear();
                used = 0;
                mayBreak = 0;
                continue;
            }
            if (full) {
                int end = mayBreak > 0 ? mayBreak : line.size();
                lines.add(text(line.subList(0, end)));
                line = new ArrayList<>(line.subList(end, line.size()));
                used = line.stream().mapToInt(Cell::width).sum();
                mayBreak = 0;
            }
            if (line.isEmpty() && cell.isBlank() && !lines.isEmpty()) {
                continue;
            }
            line.add(cell);
            used += cell.width();
            mayBreak = cell.isBlank() || cell.width() > 1 ? line.size() : mayBreak;
        }
        if (!line.isEmpty()) {
            lines.add(text(line));
        }
        return lines;
    }

    private static String text(List<Cell> line) {
        int end = line.size();
        while (end > 0 && line.get(end - 1).isBlank()) {
            end--;
        }
        StringBuilder text = new StringBuilder();
        String look = "";
        for (Cell cell : line.subList(0, end)) {
            if (!cell.look().equals(look)) {
                text.append(look.isEmpty() ? "" : ESC + "0m");
                text.append(cell.look().isEmpty() ? "" : ESC + cell.look() + "m");
                look = cell.look();
            }
            text.append(cell.text());
        }
        return text.append(look.isEmpty() ? "" : ESC + "0m").toString();
    }

    /** Columns of what a person sees as one character. */
    private static int columnsOf(String character) {
        if (character.startsWith(ESC)) {
            return 0;
        }
        if (character.contains(EMOJI)) {
            return 2;
        }
        return Math.max(0, character.codePoints().map(WCWidth::wcwidth).max().orElse(0));
    }

    /** Columns of a text without line feeds. */
    public static int width(CharSequence text) {
        Matcher each = CHARACTER.matcher(text);
        int columns = 0;
        while (each.find()) {
            columns += columnsOf(each.group());
        }
        return columns;
    }

    /**
     * A text whose lines are broken between words, each part as far in as the words of its line.
     * What is too narrow for that is left to the terminal.
     */
    public static String wrapped(String text, int columns) {
        StringBuilder out = new StringBuilder();
        for (String line : text.split("(?<=\n)")) {
            Matcher margin = MARGIN.matcher(line);
            int start = margin.lookingAt() ? margin.end() : 0;
            int used = width(line.substring(0, start));
            String words = line.substring(start).stripTrailing();
            if (columns - used < NARROWEST || width(words) <= columns - used) {
                out.append(line);
                continue;
            }
            TextFlow flow = new TextFlow();
            flow.add(words, "");
            out.append(line, 0, start);
            out.append(String.join("\n" + " ".repeat(used), flow.lines(columns - used)));
            out.append(line.substring(start + words.length()));
        }
        return out.toString();
    }

    /** The beginning of a line that takes no more than these columns. */
    public static String cut(String line, int columns) {
        Matcher each = CHARACTER.matcher(line);
        int used = 0;
        while (each.find()) {
            used += columnsOf(each.group());
            if (used > columns) {
                return line.substring(0, each.start());
            }
        }
        return line;
    }
}
