package dev.agentloop.config.source;

import java.util.List;
import java.util.Map;

/** A piece of a configuration file that still knows its line. Texts are as written, untyped. */
public sealed interface YamlNode {
    int line();

    /**
     * @param plain whether it stands without quotes
     */
    record Scalar(String text, boolean plain, int line) implements YamlNode {
        /** Nothing, or the word that stands for it. */
        boolean isNull() {
            return plain && (text.isEmpty() || text.equals("null") || text.equals("~"));
        }
    }

    /** A list. */
    record Items(List<YamlNode> items, int line) implements YamlNode {}

    /** A map. */
    record Fields(Map<String, Field> fields, int line) implements YamlNode {}

    /**
     * @param line of the key
     */
    record Field(YamlNode value, int line) {}

    /** What kind of node it is, in the words of an error message. */
    default String kind() {
        return switch (this) {
            case Scalar _ -> "text";
            case Items _ -> "a list";
            case Fields _ -> "a map";
        };
    }
}
