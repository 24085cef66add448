package dev.agentloop.replay.cassette;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonValue;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The first field in which two values differ.
 *
 * @param field its path, e.g. {@code messages[3].result.text}
 * @param expected as it was recorded, shortened to where it differs
 * @param actual as it is now, shortened
 */
public record Difference(String field, String expected, String actual) {
    private static final int SHOWN = 120; // characters of a value in a message
    private static final int BEFORE = 30; // of them before the first that differs

    /** Nothing if both say the same, apart from the fields named. */
    public static Optional<Difference> first(
            JsonValue expected, JsonValue actual, String at, Set<String> ignored) {
        if (expected.isObject() && actual.isObject()) {
            return ofObjects(expected, actual, at, ignored);
        }
        if (expected.isArray() && actual.isArray()) {
            return ofLists(expected, actual, at, ignored);
        }
        if (Objects.equals(expected.raw(), actual.raw())) {
            return Optional.empty();
        }
        return Optional.of(of(at, shown(expected), shown(actual)));
    }

    /** Of two texts that differ. */
    public static Difference of(String field, String expected, String actual) {
        int same = 0;
        int most = Math.min(expected.length(), actual.length());
        while (same < most && expected.charAt(same) == actual.charAt(same)) {
            same++;
        }
        int from = same + SHOWN / 2 < SHOWN ? 0 : Math.max(0, same - BEFORE);
        return new Difference(field, window(expected, from), window(actual, from));
    }

    private static Optional<Difference> ofObjects(
            JsonValue expected, JsonValue actual, String at, Set<String> ignored) {
        Set<String> keys = new LinkedHashSet<>(expected.keys());
        keys.addAll(actual.keys());
        for (String key : keys) {
            String field = at.isEmpty() ? key : at + "." + key;
            Optional<Difference> found =
                    ignored.contains(key)
                            ? Optional.empty()
                            : first(expected.at(key), actual.at(key), field, ignored);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private static Optional<Difference> ofLists(
            JsonValue expected, JsonValue actual, String at, Set<String> ignored) {
        List<JsonValue> old = expected.items();
        List<JsonValue> now = actual.items();
        for (int i = 0; i < Math.max(old.size(), now.size()); i++) {
            Optional<Difference> found =
                    first(expected.at(i), actual.at(i), at + "[" + i + "]", ignored);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private static String shown(JsonValue value) {
        if (value.isNull()) {
            return "nothing";
        }
        return value.isText() ? value.text() : Json.text(value::writeTo);
    }

    private static String window(String text, int from) {
        int start = Math.min(from, text.length());
        return (start > 0 ? "…" : "") + shortened(text.substring(start));
    }

    /** A text on one line, cut. */
    public static String shortened(String text) {
        String cut = text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…";
        return '"' + cut.replace("\n", "\\n").replace("\r", "\\r") + '"';
    }
}
