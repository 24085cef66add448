package dev.agentloop.config.source;

import dev.agentloop.config.key.Suggestion;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A Markdown file that may begin with YAML between two lines of three dashes.
 *
 * @param yaml the header, without its lines of dashes but at its own line numbers; empty for a file
 *     without one
 * @param body what stands below, stripped
 * @param bodyLine where the body begins, from 1
 */
public record FrontMatter(String yaml, String body, int bodyLine) {
    private static final String FENCE = "---";

    /**
     * Takes a file apart; nothing in it is understood yet.
     *
     * @param place the file as it stands in messages
     * @throws ConfigException if the header is never closed
     */
    public static FrontMatter split(String place, String text) {
        String plain = text.replace("\r\n", "\n");
        if (!plain.startsWith(FENCE + "\n")) {
            return new FrontMatter("", plain.strip(), 1);
        }
        int from = FENCE.length() + 1;
        int line = 2;
        while (from <= plain.length()) {
            int end = plain.indexOf('\n', from);
            int stop = end < 0 ? plain.length() : end;
            if (plain.substring(from, stop).stripTrailing().equals(FENCE)) {
                String yaml = "\n" + plain.substring(FENCE.length() + 1, from);
                return new FrontMatter(yaml, plain.substring(stop).strip(), line + 1);
            }
            from = stop + 1;
            line++;
        }
        throw new ConfigException(
                "",
                "has a header that does not end",
                "Close it with a line of three dashes: ---",
                place + ":1");
    }

    /** The header's keys; none for a file without a header. */
    YamlNode.Fields fields(String place) {
        return yaml.isEmpty() ? new YamlNode.Fields(Map.of(), 1) : YamlReader.read(place, yaml);
    }

    /**
     * The header's keys as texts; a list is its items, one a line.
     *
     * @param known keys that may stand there; others are refused
     * @param others keys that may stand there as well, and mean nothing here
     * @throws ConfigException with the line of what is wrong
     */
    public Map<String, String> texts(String place, List<String> known, List<String> others) {
        Map<String, String> texts = new LinkedHashMap<>();
        List<ConfigException.Problem> problems = new ArrayList<>();
        fields(place)
                .fields()
                .forEach((name, field) -> {
                    String at = place + ":" + field.line();
                    Optional<String> text = text(field.value());
                    if (others.contains(name)) {
                        return;
                    }
                    if (!known.contains(name)) {
                        String hint = Suggestion.among(name, known);
                        String all = "Known here: " + String.join(", ", known) + ".";
                        problems.add(
                                new ConfigException.Problem(name, "unknown key" + hint, all, at));
                    } else if (text.isEmpty()) {
                        String what = "is " + field.value().kind() + ", not text";
                        problems.add(
                                new ConfigException.Problem(
                                        name, what, "Write text or a list of texts.", at));
                    } else {
                        texts.put(name, text.get());
                    }
                });
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
        return texts;
    }

    private static Optional<String> text(YamlNode node) {
        return switch (node) {
            case YamlNode.Scalar scalar -> Optional.of(scalar.text());
            case YamlNode.Items items -> {
                List<String> texts = new ArrayList<>();
                for (YamlNode item : items.items()) {
                    if (!(item instanceof YamlNode.Scalar scalar)) {
                        yield Optional.empty();
                    }
                    texts.add(scalar.text());
                }
                yield Optional.of(String.join("\n", texts));
            }
            case YamlNode.Fields _ -> Optional.empty();
        };
    }
}
