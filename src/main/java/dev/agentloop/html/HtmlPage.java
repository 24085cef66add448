package dev.agentloop.html;

import java.util.Map;

/**
 * The frame of a page that needs nothing else. Its policy lets nothing act or load but its own
 * style and script, which search and unfold.
 */
public final class HtmlPage {
    private static final String NAVIGATION =
            """
            <nav hidden aria-label="This page"><input type="search" placeholder="Search (/)"
             aria-label="Search"><output aria-live="polite"></output>
            <button type="button" title="e; j and k go to the next and the last part">Unfold all</button></nav>
            """;

    /** Of each page. */
    public static final String BEGINNING = "<!DOCTYPE html>";

    private HtmlPage() {}

    /**
     * One HTML file with everything that it needs.
     *
     * @param title text
     * @param top HTML above the search
     * @param parts HTML, sections that the search shows and hides
     */
    public static String of(String title, String top, CharSequence parts) {
        String name = Html.text(title);
        String style = Html.resource("page.css");
        String script = Html.resource("page.js");
        StringBuilder out = new StringBuilder();
        out.append(BEGINNING).append("\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
        out.append("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';");
        out.append(" style-src ").append(Html.source(style));
        out.append("; script-src ").append(Html.source(script));
        out.append("; base-uri 'none'; form-action 'none'\">\n");
        out.append("<meta name=\"referrer\" content=\"no-referrer\">\n");
        out.append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
        out.append("<title>").append(name).append("</title>\n<style>").append(style);
        out.append("</style>\n</head>\n<body>\n<main>\n<h1>").append(name).append("</h1>\n");
        out.append(top).append(NAVIGATION).append(parts);
        out.append("</main>\n<script>").append(script).append("</script>\n");
        return out.append("</body>\n</html>\n").toString();
    }

    /** Names with what is known of them, both text, one below the other. */
    public static String facts(Map<String, String> facts) {
        StringBuilder out = new StringBuilder("<dl class=\"facts\">\n");
        facts.forEach((name, value) -> {
            out.append("<dt>").append(Html.text(name)).append("</dt><dd>");
            out.append(Html.text(value)).append("</dd>\n");
        });
        return out.append("</dl>\n").toString();
    }

    /**
     * A part that the search finds and the keyboard goes to.
     *
     * @param head text; empty for none
     * @param inner HTML
     */
    public static String section(String head, String inner) {
        String heading = head.isEmpty() ? "" : "<h2>" + Html.text(head) + "</h2>\n";
        return "<section tabindex=\"-1\">\n" + heading + inner + "</section>\n";
    }
}
