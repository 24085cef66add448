package dev.agentloop.report;

import dev.agentloop.html.Html;

/** Rows of figures; wider than the screen it can be moved by itself. */
final class Table {
    private final StringBuilder out = new StringBuilder();

    /**
     * @param heads text
     */
    Table(String... heads) {
        out.append("<div class=\"wide\"><table class=\"figures\"><thead><tr>");
        for (String head : heads) {
            out.append("<th scope=\"col\">").append(Html.text(head)).append("</th>");
        }
        out.append("</tr></thead><tbody>\n");
    }

    /**
     * @param cells HTML
     */
    void row(String... cells) {
        out.append("<tr>");
        for (String cell : cells) {
            out.append("<td>").append(cell).append("</td>");
        }
        out.append("</tr>\n");
    }

    String html() {
        return out + "</tbody></table></div>\n";
    }
}
