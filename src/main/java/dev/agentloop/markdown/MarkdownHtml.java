package dev.agentloop.markdown;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.commonmark.ext.gfm.tables.TableBlock;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;

/**
 * Markdown of a stranger as HTML that does nothing: its own HTML is shown as text, and links and
 * images are their words with the address behind them.
 */
public final class MarkdownHtml {
    private static final int DEEPEST = 50; // blocks in each other
    private static final int LONGEST = 200_000; // characters; more is shown as it came
    private static final int MOST_MARKS = 5_000; // brackets and stars in each other take a stack
    private static final List<TablesExtension> TABLES =
            List.of((TablesExtension) TablesExtension.create());
    private static final Parser PARSER =
            Parser.builder().extensions(Set.copyOf(TABLES)).maxOpenBlockParsers(DEEPEST).build();
    private static final HtmlRenderer RENDERER =
            HtmlRenderer.builder()
                    .extensions(Set.copyOf(TABLES))
                    .escapeHtml(true)
                    .attributeProviderFactory(_ -> MarkdownHtml::reachable)
                    .build();

    private MarkdownHtml() {}

    /** Whether {@link #of} would take too long or too deep a stack for a text. */
    public static boolean isTooMuch(String text) {
        return text.length() > LONGEST
                || text.chars().filter(c -> "*_[]!".indexOf(c) >= 0).count() > MOST_MARKS;
    }

    /** The text, of which characters that deceive are the caller's to show. */
    public static String of(String text) {
        Node document = PARSER.parse(text);
        document.accept(new Addresses());
        return RENDERER.render(document);
    }

    /** A table that is too wide is scrolled by keys as well. */
    private static void reachable(Node node, String tag, Map<String, String> attributes) {
        if (node instanceof TableBlock) {
            attributes.put("tabindex", "0");
        }
    }

    /** Puts the words of links and images in their place. */
    private static final class Addresses extends AbstractVisitor {
        @Override
        public void visit(Link link) {
            visitChildren(link);
            replace(link, link.getDestination());
        }

        @Override
        public void visit(Image image) {
            visitChildren(image);
            replace(image, image.getDestination());
        }

        private static void replace(Node node, String address) {
            boolean said =
                    node.getFirstChild() instanceof Text words
                            && words.getNext() == null
                            && words.getLiteral().equals(address);
            Node child = node.getFirstChild();
            while (child != null) {
                Node next = child.getNext();
                node.insertBefore(child);
                child = next;
            }
            if (!said) {
                node.insertBefore(new Text(" (" + address + ")"));
            }
            node.unlink();
        }
    }
}
