package dev.agentloop.markdown;

import dev.agentloop.colour.Tint;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.commonmark.ext.gfm.tables.TableBlock;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.BlockQuote;
import org.commonmark.node.BulletList;
import org.commonmark.node.Code;
import org.commonmark.node.Emphasis;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.HardLineBreak;
import org.commonmark.node.Heading;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.HtmlInline;
import org.commonmark.node.Image;
import org.commonmark.node.IndentedCodeBlock;
import org.commonmark.node.Link;
import org.commonmark.node.LinkReferenceDefinition;
import org.commonmark.node.ListBlock;
import org.commonmark.node.Node;
import org.commonmark.node.OrderedList;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.StrongEmphasis;
import org.commonmark.node.Text;
import org.commonmark.node.ThematicBreak;
import org.commonmark.parser.Parser;

/** Blocks of Markdown as lines of a terminal. */
final class MarkdownText {
    private static final int RULE = 40; // columns of a line across
    private static final int DEEPEST = 50; // blocks, or emphases, in each other
    private static final Parser PARSER =
            Parser.builder()
                    .extensions(Set.of(TablesExtension.create()))
                    .maxOpenBlockParsers(DEEPEST)
                    .build();

    private final Looks looks;
    private int depth; // of emphasis and links in each other

    MarkdownText(Looks looks) {
        this.looks = looks;
    }

    /** The lines of a text, none wider than {@code columns} but those of code. */
    List<String> lines(String text, int columns) {
        return blocks(PARSER.parse(text), columns, false);
    }

    private List<String> blocks(Node parent, int columns, boolean tight) {
        List<String> lines = new ArrayList<>();
        for (Node each = parent.getFirstChild(); each != null; each = each.getNext()) {
            List<String> block = block(each, columns);
            if (!lines.isEmpty() && !block.isEmpty() && !(tight && isClose(each))) {
                lines.add("");
            }
            lines.addAll(block);
        }
        return lines;
    }

    /** In a list without empty lines its parts follow each other without one. */
    private static boolean isClose(Node node) {
        return !(node instanceof FencedCodeBlock || node instanceof TableBlock);
    }

    private List<String> block(Node node, int columns) {
        return switch (node) {
            case Heading heading -> heading(heading, columns);
            case ListBlock list -> list(list, columns);
            case BlockQuote quote -> quote(quote, columns);
            case FencedCodeBlock code -> code(code.getLiteral(), code.getInfo());
            case IndentedCodeBlock code -> code(code.getLiteral(), "");
            case HtmlBlock html -> html.getLiteral().lines().toList();
            case ThematicBreak _ ->
                    List.of(looks.dim(looks.sign("─", "-").repeat(Math.min(RULE, columns))));
            case TableBlock table -> new TableText(this, looks).lines(table, columns);
            case LinkReferenceDefinition _ -> List.of();
            default -> flow(node, "").lines(columns);
        };
    }

    private List<String> heading(Heading heading, int columns) {
        TextFlow text = new TextFlow();
        if (!looks.colour()) {
            text.add("#".repeat(heading.getLevel()) + " ", "");
        }
        inline(heading, looks.look("", heading.getLevel() == 1 ? "1;4" : "1"), text);
        return text.lines(columns);
    }

    private List<String> list(ListBlock list, int columns) {
        List<String> lines = new ArrayList<>();
        Integer first = list instanceof OrderedList order ? order.getMarkerStartNumber() : null;
        int number = first == null ? 1 : first;
        for (Node item = list.getFirstChild(); item != null; item = item.getNext()) {
            String marker =
                    list instanceof BulletList
                            ? looks.sign("•", "-") + " "
                            : number++ + ((OrderedList) list).getMarkerDelimiter() + " ";
            if (!lines.isEmpty() && !list.isTight()) {
                lines.add("");
            }
            int width = TextFlow.width(marker);
            List<String> content = blocks(item, Math.max(1, columns - width), list.isTight());
            lines.add((marker + (content.isEmpty() ? "" : content.getFirst())).stripTrailing());
            content.stream().skip(1).map(line -> indented(line, width)).forEach(lines::add);
        }
        return lines;
    }

    private static String indented(String line, int columns) {
        return line.isEmpty() ? "" : " ".repeat(columns) + line;
    }

    private List<String> quote(BlockQuote quote, int columns) {
        String bar = looks.dim(looks.sign("│", ">")) + " ";
        return blocks(quote, Math.max(1, columns - 2), false).stream()
                .map(line -> (bar + line).stripTrailing())
                .toList();
    }

    private List<String> code(String text, String language) {
        return text.lines().map(new CodeColours(looks, language)::line).toList();
    }

    /** What stands in a block, without its line ends. */
    TextFlow flow(Node block, String look) {
        TextFlow text = new TextFlow();
        inline(block, look, text);
        return text;
    }

    private void inline(Node parent, String look, TextFlow to) {
        if (depth == DEEPEST) {
            to.add("…", look);
            return;
        }
        depth++;
        for (Node each = parent.getFirstChild(); each != null; each = each.getNext()) {
            switch (each) {
                case Text text -> to.add(text.getLiteral(), look);
                case Code code -> {
                    String sign = looks.colour() ? "" : "`";
                    to.add(
                            sign + code.getLiteral() + sign,
                            looks.look(look, looks.colours().parameters(Tint.CODE)));
                }
                case StrongEmphasis _ -> inline(each, looks.look(look, "1"), to);
                case Emphasis _ -> inline(each, looks.look(look, "3"), to);
                case Link link -> link(link, link.getDestination(), look, to);
                case Image image -> link(image, image.getDestination(), look, to);
                case SoftLineBreak _ -> to.add(" ", look);
                case HardLineBreak _ -> to.add("\n", look);
                case HtmlInline html -> to.add(html.getLiteral(), look);
                default -> inline(each, look, to);
            }
        }
        depth--;
    }

    /** The address is always there to be read: a text alone could promise another one. */
    private void link(Node link, String address, String look, TextFlow to) {
        TextFlow text = flow(link, "");
        inline(link, looks.look(look, "4"), to);
        String words = String.join(" ", text.lines(Integer.MAX_VALUE));
        if (!address.equals(words) && !address.equals("mailto:" + words)) {
            to.add((words.isEmpty() ? "" : " ") + "(" + address + ")", looks.look(look, "2"));
        }
    }
}
