package dev.agentloop.html;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A unified diff as a table: what was on the left, what is on the right. */
public final class HtmlDiff {
    private static final Pattern HUNK =
            Pattern.compile("@@ -(\\d{1,8})(?:,\\d+)? \\+(\\d{1,8})\\D.*");
    private static final String COLUMNS = "<col class=\"n\"><col><col class=\"n\"><col>";
    private static final String NOTHING = "<td class=\"n\"></td><td></td>";
    private static final int MOST_LINES = 2_000;

    private final StringBuilder out = new StringBuilder();
    private final Deque<String> removed = new ArrayDeque<>();
    private final Deque<String> added = new ArrayDeque<>();
    private int left; // number of the next line; 0: not known
    private int right;

    private HtmlDiff() {}

    /**
     * The diff as an HTML table of at most 2,000 lines.
     *
     * @param diff lines that begin with a sign; {@code ---} and {@code +++} before the first hunk
     *     are left out
     */
    public static String of(String diff) {
        HtmlDiff table = new HtmlDiff();
        table.out.append("<table class=\"diff\">").append(COLUMNS).append("<tbody>\n");
        boolean begun = false;
        int lines = 0;
        for (String line : diff.split("\n", -1)) {
            if (++lines > MOST_LINES) {
                table.at("… more lines are not shown");
                break;
            }
            begun |= line.startsWith("@@");
            if (begun || !line.startsWith("---") && !line.startsWith("+++")) {
                table.line(line);
            }
        }
        table.pairs();
        return table.out.append("</tbody></table>\n").toString();
    }

    private void line(String line) {
        Matcher hunk = HUNK.matcher(line);
        if (line.startsWith("-")) {
            removed.add(line.substring(1));
        } else if (line.startsWith("+")) {
            added.add(line.substring(1));
        } else if (hunk.matches()) {
            at(line);
            left = Integer.parseInt(hunk.group(1));
            right = Integer.parseInt(hunk.group(2));
        } else if (line.startsWith(" ")) {
            pairs();
            String text = Html.text(line.substring(1));
            row("same", cell("", left, text), cell("", right, text));
            left += left > 0 ? 1 : 0;
            right += right > 0 ? 1 : 0;
        } else if (!line.isEmpty()) {
            at(line);
        }
    }

    private void at(String line) {
        pairs();
        out.append("<tr><td class=\"at\" colspan=\"4\">").append(Html.text(line));
        out.append("</td></tr>\n");
    }

    /** Removed lines beside added ones; where there is no room for that, above them. */
    private void pairs() {
        if (removed.isEmpty() && added.isEmpty()) {
            return;
        }
        out.append("</tbody><tbody>\n");
        while (!removed.isEmpty() || !added.isEmpty()) {
            String before = removed.poll();
            String after = added.poll();
            row(
                    "other",
                    before == null ? NOTHING : cell(" class=\"d\"", left, "-" + Html.text(before)),
                    after == null ? NOTHING : cell(" class=\"a\"", right, "+" + Html.text(after)));
            left += before != null && left > 0 ? 1 : 0;
            right += after != null && right > 0 ? 1 : 0;
        }
        out.append("</tbody><tbody>\n");
    }

    private static String cell(String how, int number, String text) {
        String shown = number > 0 ? Integer.toString(number) : "";
        return "<td class=\"n\">" + shown + "</td><td" + how + ">" + text + "</td>";
    }

    private void row(String kind, String before, String after) {
        out.append("<tr class=\"").append(kind).append("\">");
        out.append(before).append(after).append("</tr>\n");
    }
}
