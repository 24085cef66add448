package dev.agentloop.markdown;

import java.util.ArrayList;
import java.util.List;
import org.commonmark.ext.gfm.tables.TableBlock;
import org.commonmark.ext.gfm.tables.TableCell;
import org.commonmark.node.Node;

/** A table, its columns as wide as the terminal has room for; below that, a list of its cells. */
final class TableText {
    private static final String GAP = "  ";
    private static final int NARROWEST = 6; // columns of the terminal for one of the table

    private final MarkdownText markdown;
    private final Looks looks;

    TableText(MarkdownText markdown, Looks looks) {
        this.markdown = markdown;
        this.looks = looks;
    }

    List<String> lines(TableBlock table, int columns) {
        List<List<TableCell>> rows = new ArrayList<>();
        for (Node part = table.getFirstChild(); part != null; part = part.getNext()) {
            for (Node row = part.getFirstChild(); row != null; row = row.getNext()) {
                rows.add(cells(row));
            }
        }
        int[] widths = new int[rows.getFirst().size()];
        for (List<TableCell> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], flow(row, i).columns());
            }
        }
        int room = columns - GAP.length() * (widths.length - 1);
        return room >= widths.length * NARROWEST
                ? grid(rows, fitted(widths, room))
                : list(rows, columns);
    }

    private static List<TableCell> cells(Node row) {
        List<TableCell> cells = new ArrayList<>();
        for (Node each = row.getFirstChild(); each != null; each = each.getNext()) {
            cells.add((TableCell) each);
        }
        return cells;
    }

    private TextFlow flow(List<TableCell> row, int index) {
        boolean head = index < row.size() && row.get(index).isHeader();
        return index < row.size()
                ? markdown.flow(row.get(index), head ? looks.look("", "1") : "")
                : new TextFlow();
    }

    /** The widest give way until all fit. */
    private static int[] fitted(int[] widths, int room) {
        int over = -room;
        for (int width : widths) {
            over += width;
        }
        for (; over > 0; over--) {
            int widest = 0;
            for (int i = 1; i < widths.length; i++) {
                widest = widths[i] > widths[widest] ? i : widest;
            }
            widths[widest]--;
        }
        return widths;
    }

    private List<String> grid(List<List<TableCell>> rows, int[] widths) {
        List<String> lines = new ArrayList<>();
        for (int row = 0; row < rows.size(); row++) {
            addRow(rows.get(row), widths, lines);
            if (row == 0) {
                List<String> rules = new ArrayList<>();
                for (int width : widths) {
                    rules.add(looks.sign("─", "-").repeat(width));
                }
                lines.add(looks.dim(String.join(GAP, rules)));
            }
        }
        return lines;
    }

    private void addRow(List<TableCell> row, int[] widths, List<String> to) {
        List<List<String>> cells = new ArrayList<>();
        int height = 1;
        for (int i = 0; i < widths.length; i++) {
            cells.add(flow(row, i).lines(Math.max(1, widths[i])));
            height = Math.max(height, cells.get(i).size());
        }
        for (int at = 0; at < height; at++) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                String text = at < cells.get(i).size() ? cells.get(i).get(at) : "";
                boolean right =
                        i < row.size() && row.get(i).getAlignment() == TableCell.Alignment.RIGHT;
                String blanks = " ".repeat(Math.max(0, widths[i] - shown(text)));
                line.append(i == 0 ? "" : GAP).append(right ? blanks + text : text + blanks);
            }
            to.add(line.toString().stripTrailing());
        }
    }

    private static int shown(String text) {
        return TextFlow.width(text.replaceAll("\u001b\\[[0-9;]*m", ""));
    }

    private List<String> list(List<List<TableCell>> rows, int columns) {
        List<String> lines = new ArrayList<>();
        List<TableCell> head = rows.getFirst();
        for (List<TableCell> row : rows.subList(1, rows.size())) {
            if (!lines.isEmpty()) {
                lines.add("");
            }
            for (int i = 0; i < row.size(); i++) {
                TextFlow text = markdown.flow(row.get(i), "");
                String name = String.join(" ", markdown.flow(head.get(i), "").lines(columns));
                TextFlow line = new TextFlow();
                line.add(name + ": ", looks.look("", "1"));
                line.add(text);
                lines.addAll(line.lines(columns));
            }
        }
        return lines;
    }
}
