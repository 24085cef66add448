package dev.agentloop.config.source;

import dev.agentloop.config.key.Values;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.CollectionStartEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.MappingEndEvent;
import org.yaml.snakeyaml.events.MappingStartEvent;
import org.yaml.snakeyaml.events.NodeEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.events.SequenceEndEvent;
import org.yaml.snakeyaml.events.StreamEndEvent;
import org.yaml.snakeyaml.parser.Parser;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.ReaderException;
import org.yaml.snakeyaml.reader.StreamReader;

/**
 * YAML text into nodes, from the parser's events: no constructor that a tag could steer, no
 * resolver that turns {@code off} into false, no anchors that could multiply. The only class that
 * knows SnakeYAML, so that a run without configuration files does not load it.
 */
public final class YamlReader {
    private static final int MAX_DEPTH = 20; // the deepest key stands at 7

    private final String file;
    private final Parser parser;

    private YamlReader(String file, String text) {
        this.file = file;
        this.parser = new ParserImpl(new StreamReader(text), new LoaderOptions());
    }

    /**
     * The map that the file holds; empty for an empty file.
     *
     * @param file as it stands in messages
     */
    public static YamlNode.Fields read(String file, String text) {
        try {
            return new YamlReader(file, text).document();
        } catch (MarkedYAMLException e) {
            throw problem(file, e.getProblemMark(), "is not valid YAML: " + e.getProblem());
        } catch (ReaderException e) {
            int line = lineOf(text, e.getPosition());
            throw new ConfigException(
                    "", "has a control character", "Remove the character.", file + ":" + line);
        }
    }

    private YamlNode.Fields document() {
        parser.getEvent(); // start of the stream
        if (parser.getEvent() instanceof StreamEndEvent) {
            return new YamlNode.Fields(Map.of(), 1);
        }
        Event first = parser.getEvent();
        YamlNode node = node(first, 0);
        parser.getEvent(); // end of the document
        Event more = parser.getEvent();
        if (!(more instanceof StreamEndEvent)) {
            throw problem(file, more.getStartMark(), "has a second document");
        }
        if (node instanceof YamlNode.Scalar scalar && scalar.isNull()) {
            return new YamlNode.Fields(Map.of(), 1);
        }
        if (node instanceof YamlNode.Fields fields) {
            return fields;
        }
        throw problem(file, first.getStartMark(), "holds " + node.kind() + " instead of keys");
    }

    private YamlNode node(Event event, int depth) {
        if (depth > MAX_DEPTH) {
            throw problem(file, event.getStartMark(), "is nested too deeply");
        }
        refuseReferences(event);
        int line = event.getStartMark().getLine() + 1;
        return switch (event) {
            case ScalarEvent scalar ->
                    new YamlNode.Scalar(scalar.getValue(), scalar.isPlain(), line);
            case MappingStartEvent _ -> new YamlNode.Fields(fields(depth), line);
            case null, default -> new YamlNode.Items(items(depth), line);
        };
    }

    private List<YamlNode> items(int depth) {
        List<YamlNode> items = new ArrayList<>();
        Event event = parser.getEvent();
        while (!(event instanceof SequenceEndEvent)) {
            items.add(node(event, depth + 1));
            event = parser.getEvent();
        }
        return items;
    }

    private Map<String, YamlNode.Field> fields(int depth) {
        Map<String, YamlNode.Field> fields = new LinkedHashMap<>();
        Event event = parser.getEvent();
        while (!(event instanceof MappingEndEvent)) {
            Mark mark = event.getStartMark();
            if (!(node(event, depth + 1) instanceof YamlNode.Scalar key)) {
                throw problem(file, mark, "has a key that is not text");
            }
            if (key.plain() && key.text().equals("<<")) {
                throw problem(file, mark, "has a merge key <<, which is not supported");
            }
            YamlNode value = node(parser.getEvent(), depth + 1);
            YamlNode.Field before = fields.get(key.text());
            if (before != null) {
                String again = " again; it is already in line " + before.line();
                throw problem(file, mark, "has the key " + Values.quote(key.text()) + again);
            }
            fields.put(key.text(), new YamlNode.Field(value, key.line()));
            event = parser.getEvent();
        }
        return fields;
    }

    private void refuseReferences(Event event) {
        if (event instanceof AliasEvent alias) {
            throw problem(
                    file,
                    event.getStartMark(),
                    "has an alias *" + alias.getAnchor() + ", which is not supported");
        }
        String tag =
                switch (event) {
                    case ScalarEvent scalar -> scalar.getTag();
                    case CollectionStartEvent start -> start.getTag();
                    case null, default -> null;
                };
        if (tag != null) {
            throw problem(file, event.getStartMark(), "has a tag " + tag + ", which is refused");
        }
        if (event instanceof NodeEvent node && node.getAnchor() != null) {
            throw problem(
                    file,
                    event.getStartMark(),
                    "has an anchor &" + node.getAnchor() + ", which is not supported");
        }
    }

    private static ConfigException problem(String file, Mark mark, String problem) {
        String place = file + ":" + (mark.getLine() + 1) + ":" + (mark.getColumn() + 1);
        return new ConfigException("", problem, "Correct the file at this place.", place);
    }

    private static int lineOf(String text, int position) {
        return 1 + (int) text.codePoints().limit(position).filter(c -> c == '\n').count();
    }
}
