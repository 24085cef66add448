package dev.agentloop.replay;

import dev.agentloop.json.JsonValue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * Takes out of a text what differs from machine to machine and from day to day although nothing of
 * the run does; docs/replay.md lists it. Applied to what was recorded and to what is asked now,
 * each with its own places.
 */
public final class UnstableText implements UnaryOperator<String> {
    private static final String BEGIN = "<surroundings>";
    private static final String END = "</surroundings>";
    private static final Set<String> NAMES = Set.of("workspace", "home", "temp", "session");

    private record Rule(Pattern pattern, String by) {}

    private static final List<Rule> RULES =
            List.of(
                    rule("\\[\\[secret:(\\w{1,64}):[0-9a-f]{20}\\]\\]", "[[secret:$1]]"),
                    rule("(?m)^Platform: .*$", "Platform: {platform}"),
                    rule("\\{temp\\}/[^\\s/\"'\\\\]+", "{temp}/*"),
                    rule(
                            "\\b\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d(:\\d\\d([.,]\\d+)?)?"
                                    + "(Z| ?[+-]\\d\\d:?\\d\\d)?",
                            "{time}"),
                    rule("\\b\\d{4}-\\d\\d-\\d\\d\\b", "{date}"),
                    rule("\\b\\d\\d:\\d\\d:\\d\\d([.,]\\d+)?\\b", "{time}"),
                    rule(
                            "\\b\\d+([.,]\\d+)? ?(ns|µs|us|ms|s|sec|secs|seconds?|min|minutes?)\\b",
                            "{duration}"));

    private final Map<String, String> places = new LinkedHashMap<>();

    /**
     * @param places of the machine, each by the name that stands for it
     */
    public UnstableText(Map<String, String> places) {
        List<Map.Entry<String, String>> longestFirst = new ArrayList<>(places.entrySet());
        longestFirst.sort(
                Comparator.comparingInt(
                        (Map.Entry<String, String> place) -> -place.getValue().length()));
        for (Map.Entry<String, String> place : longestFirst) {
            boolean known = NAMES.contains(place.getKey()); // a cassette's word is not believed
            if (known && place.getValue().length() > 1) { // "/" is no place
                this.places.putIfAbsent(place.getValue(), "{" + place.getKey() + "}");
            }
        }
    }

    private static Rule rule(String pattern, String by) {
        return new Rule(Pattern.compile(pattern), by);
    }

    @Override
    public String apply(String text) {
        String plain = withoutSurroundings(text);
        for (Map.Entry<String, String> place : places.entrySet()) {
            plain = plain.replace(place.getKey(), place.getValue());
        }
        for (Rule rule : RULES) {
            plain = rule.pattern().matcher(plain).replaceAll(rule.by());
        }
        return plain;
    }

    /** By search: a pattern would look for the end again from each beginning that has none. */
    private static String withoutSurroundings(String text) {
        int from = text.indexOf(BEGIN);
        int end = from < 0 ? -1 : text.indexOf(END, from);
        if (end < 0) {
            return text;
        }
        StringBuilder plain = new StringBuilder();
        int done = 0;
        while (from >= 0 && end >= 0) {
            plain.append(text, done, from).append("{surroundings}");
            done = end + END.length();
            from = text.indexOf(BEGIN, done);
            end = from < 0 ? -1 : text.indexOf(END, from);
        }
        return plain.append(text, done, text.length()).toString();
    }

    /** The same for each text of a tree. */
    static JsonValue all(JsonValue tree, UnaryOperator<String> change) {
        if (tree.isText()) {
            return new JsonValue(change.apply(tree.text()));
        }
        if (tree.isArray()) {
            List<Object> items = new ArrayList<>();
            tree.items().forEach(item -> items.add(all(item, change).raw()));
            return new JsonValue(items);
        }
        if (tree.isObject()) {
            Map<String, Object> members = new LinkedHashMap<>();
            tree.keys().forEach(key -> members.put(key, all(tree.at(key), change).raw()));
            return new JsonValue(members);
        }
        return tree;
    }
}
