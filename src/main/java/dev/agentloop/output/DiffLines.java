package dev.agentloop.output;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A unified diff for a person: each line with its number in the file, signs and colours. Long diffs
 * are cut, with the number of lines that are not shown.
 */
public final class DiffLines {
    private static final int MOST = 30; // lines
    private static final int NO_LIMIT = 1 << 29; // of lines, and of characters of one
    private static final int WIDEST = 200; // characters of a line
    private static final String INDENT = "    ";
    private static final Pattern HUNK =
            Pattern.compile("@@ -(\\d{1,9})(?:,\\d+)? \\+(\\d{1,9})(?:,\\d+)? @@.*");

    private final Style style;
    private final int widest; // characters of a line
    private final List<String> shown = new ArrayList<>();
    private int oldLine;
    private int newLine;

    private DiffLines(Style style, int widest) {
        this.style = style;
        this.widest = widest;
    }

    /** The lines, joined by line feeds; empty for an empty diff. */
    public static String of(String diff, Style style) {
        return of(diff, style, MOST);
    }

    /** The same with more lines or fewer. */
    public static String of(String diff, Style style, int most) {
        return of(diff, new DiffLines(style, WIDEST), most);
    }

    /** All lines with all that is in them, without colours: somebody decides about the change. */
    public static List<String> whole(String diff) {
        DiffLines lines = new DiffLines(new Style(true, false), NO_LIMIT);
        return of(diff, lines, NO_LIMIT).lines().toList();
    }

    private static String of(String diff, DiffLines lines, int most) {
        String[] all = diff.split("\n"); // a lone carriage return is part of a line
        Arrays.stream(all).skip(2).forEach(lines::add); // the names are said above
        int more = lines.shown.size() - most - 1; // one line is not worth a line that stands for it
        if (more <= 0) {
            return String.join("\n", lines.shown);
        }
        return String.join("\n", lines.shown.subList(0, most))
                + lines.style.dim("\n" + INDENT + "… " + (more + 1) + " more lines of the diff");
    }

    private void add(String line) {
        Matcher hunk = HUNK.matcher(line);
        if (hunk.matches()) {
            if (!shown.isEmpty()) {
                shown.add(style.dim(INDENT + "   …"));
            }
            oldLine = Integer.parseInt(hunk.group(1));
            newLine = Integer.parseInt(hunk.group(2));
        } else if (line.startsWith("-")) {
            shown.add(style.red(numbered(oldLine++, line)));
        } else if (line.startsWith("+")) {
            shown.add(style.green(numbered(newLine++, line)));
        } else if (line.startsWith(" ")) {
            oldLine++;
            shown.add(style.dim(numbered(newLine++, line)));
        } else {
            shown.add(style.dim(INDENT + "     " + SafeText.line(line, widest)));
        }
    }

    private String numbered(int number, String line) {
        String text = SafeText.line(line.substring(1).replace("\t", "    "), widest);
        return INDENT + "%4d %c %s".formatted(number, line.charAt(0), text).stripTrailing();
    }
}
