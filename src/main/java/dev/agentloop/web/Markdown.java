package dev.agentloop.web;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jspecify.annotations.Nullable;

/**
 * The visible part of a page as Markdown: headings, paragraphs, lists, tables, code, links with
 * whole addresses, images by their descriptions. Meant to be read, not to be turned back.
 */
final class Markdown {
    private static final int MAX_DEPTH = 120; // deeper pages lose their form, not their text
    private static final int MAX_PREFIXES = 12; // each lengthens every line below it
    private static final Set<String> DROPPED =
            Set.of(
                    "head",
                    "script",
                    "style",
                    "noscript",
                    "template",
                    "svg",
                    "canvas",
                    "iframe",
                    "object",
                    "embed",
                    "audio",
                    "video",
                    "button",
                    "input",
                    "select",
                    "textarea");
    private static final Set<String> LISTS = Set.of("ul", "ol", "menu");

    private final Document page;
    private int prefixes;
    private final Set<Element> holders = Collections.newSetFromMap(new IdentityHashMap<>());

    Markdown(Document page) {
        this.page = page;
    }

    String text() {
        Element body = page.body();
        for (Element element : body.getAllElements()) { // also behind tags that nobody knows
            for (Element up = element; element.isBlock() && up != null && holders.add(up); ) {
                up = up.parent();
            }
        }
        return blocks(body, 0);
    }

    /** Blocks with an empty line between them; words that stand between blocks become one. */
    private String blocks(Element parent, int depth) {
        if (depth > MAX_DEPTH) {
            return parent.text();
        }
        List<String> blocks = new ArrayList<>();
        StringBuilder words = new StringBuilder();
        for (Node child : parent.childNodes()) {
            if (child instanceof Element element && isBlock(element)) {
                add(blocks, words.toString());
                words.setLength(0);
                add(blocks, block(element, depth + 1));
            } else {
                append(words, inline(child, depth + 1));
            }
        }
        add(blocks, words.toString());
        return String.join("\n\n", blocks);
    }

    private static void add(List<String> blocks, String block) {
        String text = block.strip().isEmpty() ? "" : block.stripTrailing();
        if (!text.isEmpty()) {
            blocks.add(text.startsWith("\n") || text.startsWith(" ") ? text.strip() : text);
        }
    }

    private boolean isBlock(Element element) {
        String tag = element.normalName();
        return !isDropped(element)
                && !tag.equals("a")
                && !tag.equals("br")
                && holders.contains(element);
    }

    private String block(Element element, int depth) {
        String tag = element.normalName();
        if (tag.matches("h[1-6]")) {
            String title = words(element, depth);
            return title.isEmpty() ? "" : "#".repeat(tag.charAt(1) - '0') + " " + title;
        }
        if (LISTS.contains(tag)) {
            return list(element, depth);
        }
        return switch (tag) {
            case "pre" -> code(element);
            case "blockquote" -> below(element, depth, "> ", "> ");
            case "hr" -> "---";
            case "table" -> table(element, depth);
            case "dd" -> below(element, depth, ": ", "  ");
            default -> blocks(element, depth);
        };
    }

    /** The blocks of an element behind a mark; nested too often, without one. */
    private String below(Element element, int depth, String first, String others) {
        if (prefixes >= MAX_PREFIXES) {
            return blocks(element, depth);
        }
        prefixes++;
        String text = blocks(element, depth);
        prefixes--;
        return prefixed(text, first, others);
    }

    private String list(Element list, int depth) {
        if (depth > MAX_DEPTH) {
            return list.text();
        }
        List<String> items = new ArrayList<>();
        boolean numbered = list.normalName().equals("ol");
        int number = 1;
        for (Element item : list.children()) {
            if (isDropped(item)) {
                continue;
            }
            boolean nested = LISTS.contains(item.normalName());
            String mark = nested ? "  " : numbered ? number++ + ". " : "- ";
            String text =
                    nested
                            ? prefixed(list(item, depth + 1), mark, mark)
                            : below(item, depth + 1, mark, " ".repeat(mark.length()));
            if (!text.isEmpty()) {
                items.add(text.replace("\n\n", "\n"));
            }
        }
        return String.join("\n", items);
    }

    /** Its lines as they are, within a fence that is longer than any in it. */
    private static String code(Element pre) {
        String text = pre.wholeText().stripTrailing();
        String body = text.startsWith("\n") ? text.substring(1) : text;
        if (body.isBlank()) {
            return "";
        }
        String fence = "`".repeat(Math.max(3, longestRun(body, '`') + 1));
        return fence + language(pre) + "\n" + body + "\n" + fence;
    }

    private static int longestRun(String text, char of) {
        int longest = 0;
        int run = 0;
        for (int i = 0; i < text.length(); i++) {
            run = text.charAt(i) == of ? run + 1 : 0;
            longest = Math.max(longest, run);
        }
        return longest;
    }

    private static String language(Element pre) {
        Element code = pre.selectFirst("code");
        for (Element named : code == null ? List.of(pre) : List.of(code, pre)) {
            for (String name : named.classNames()) {
                if (name.matches("lang(uage)?-[\\w+#.-]+")) {
                    return name.substring(name.indexOf('-') + 1);
                }
            }
        }
        return "";
    }

    /** A table of one column only places things; so does one that holds another. */
    private String table(Element table, int depth) {
        List<Element> rows = table.select("tr");
        int columns = rows.stream().mapToInt(Element::childrenSize).max().orElse(0);
        if (columns < 2 || table.select("table").size() > 1) {
            return blocks(table, depth);
        }
        List<String> lines = new ArrayList<>();
        for (Element row : rows) {
            List<String> cells = new ArrayList<>();
            for (Element cell : row.children()) {
                String text = isDropped(cell) ? "" : blocks(cell, depth + 1);
                cells.add(oneLine(text).replace("|", "\\|"));
            }
            while (cells.size() < columns) {
                cells.add("");
            }
            lines.add("| " + String.join(" | ", cells) + " |");
        }
        lines.add(1, "|" + " --- |".repeat(columns));
        return String.join("\n", lines);
    }

    private String words(Element element, int depth) {
        StringBuilder words = new StringBuilder();
        for (Node child : element.childNodes()) {
            append(words, inline(child, depth + 1));
        }
        return oneLine(words.toString());
    }

    /** By lines, not by an expression: its time would grow with the square of the blanks. */
    private static String oneLine(String text) {
        return text.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .collect(Collectors.joining(" "));
    }

    private String inline(Node node, int depth) {
        if (node instanceof TextNode text) {
            return text.getWholeText().replaceAll("[\\s\u00A0]+", " ");
        }
        if (!(node instanceof Element element) || isDropped(element)) {
            return "";
        }
        if (depth > MAX_DEPTH) {
            return element.text();
        }
        return switch (element.normalName()) {
            case "br" -> "\n";
            case "img" -> image(element);
            case "a" -> link(element, words(element, depth));
            case "code", "kbd", "samp", "tt" -> marked("`", element.text().strip());
            case "strong", "b" -> marked("**", words(element, depth));
            case "em", "i" -> marked("*", words(element, depth));
            case "del", "s" -> marked("~~", words(element, depth));
            default -> run(element, depth);
        };
    }

    private String run(Element element, int depth) {
        StringBuilder words = new StringBuilder();
        for (Node child : element.childNodes()) {
            append(words, inline(child, depth + 1));
        }
        return element.isBlock() ? " " + words + " " : words.toString();
    }

    private static String marked(String mark, String words) {
        return words.isEmpty() ? "" : mark + words + mark;
    }

    private static String image(Element image) {
        String description = image.attr("alt").strip();
        return description.isEmpty() ? "" : "[image: " + description + "]";
    }

    private static String link(Element link, String words) {
        String address = link.attr("href").startsWith("#") ? "" : link.absUrl("href");
        boolean leads = address.matches("(https?://|mailto:).*");
        if (!leads || words.isEmpty() || words.equals(address)) {
            return words;
        }
        return "[" + words + "](" + address.replace(" ", "%20").replace(")", "%29") + ")";
    }

    /** Two blanks that meet become one. */
    private static void append(StringBuilder words, String more) {
        boolean open = words.isEmpty() || Character.isWhitespace(words.charAt(words.length() - 1));
        int from = open && more.startsWith(" ") ? 1 : 0;
        words.append(more, from, more.length());
    }

    private static String prefixed(String text, String first, String others) {
        return text.isEmpty()
                ? ""
                : (first + text.lines().collect(Collectors.joining("\n" + others)))
                        .lines()
                        .map(String::stripTrailing)
                        .collect(Collectors.joining("\n"));
    }

    /** What a browser does not show must not speak to the model either. */
    private static boolean isDropped(@Nullable Element element) {
        if (element == null || DROPPED.contains(element.normalName())) {
            return true;
        }
        String style = element.attr("style").replaceAll("\\s", "").toLowerCase(Locale.ROOT);
        return element.hasAttr("hidden")
                || element.attr("aria-hidden").equals("true")
                || style.contains("display:none")
                || style.contains("visibility:hidden")
                || style.matches("(.*;)?(opacity|font-size):0(px|em|rem|%)?(;.*)?");
    }
}
