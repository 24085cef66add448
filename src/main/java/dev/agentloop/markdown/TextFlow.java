package dev.agentloop.markdown;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jline.utils.WCWidth;

/** Text with looks that is broken into lines between its words, by the columns that it takes. */
public final class TextFlow {
    private static final Pattern CHARACTER =
            Pattern.compile("\\X"); // with its marks, an emoji whole
    private static final String EMOJI = "\uFE0F"; // the character before it is shown as a picture
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
            cells.add(new Cell(blank ? " " : one, blank ? 1 : width(one), look));
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
    private static int width(String character) {
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
            columns += width(each.group());
        }
        return columns;
    }

    /** The beginning of a line that takes no more than these columns. */
    public static String cut(String line, int columns) {
        Matcher each = CHARACTER.matcher(line);
        int used = 0;
        while (each.find()) {
            used += width(each.group());
            if (used > columns) {
                return line.substring(0, each.start());
            }
        }
        return line;
    }
}
