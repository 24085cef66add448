package dev.agentloop.llm.gemini;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonValue;
import dev.agentloop.llm.LlmException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Arguments that come value by value, each with its path, e.g. {@code $.steps[0].name}. We do not
 * ask for this form, but gateways do in our place; a text may come in several pieces.
 */
final class GeminiArguments {
    private static final int MAX_DEPTH = 100; // no schema is deeper, and a path costs one recursion

    private final Map<String, @Nullable Object> root = new LinkedHashMap<>();
    private final StringBuilder unfinished = new StringBuilder(); // in the tree when it is whole
    private @Nullable String unfinishedPath;

    /** Takes one value of a call. */
    void take(JsonValue piece) {
        String path = piece.at("jsonPath").text();
        Object value = value(piece);
        if (value == null && !piece.has("nullValue")) {
            return; // a kind of value to come
        }
        if (!path.equals(unfinishedPath) || !(value instanceof String)) {
            finish();
            put(steps(path), value);
        }
        if (value instanceof String text) {
            unfinishedPath = path;
            unfinished.append(text);
        }
        if (!piece.at("willContinue").isTrue()) {
            finish();
        }
    }

    private void finish() {
        if (unfinishedPath != null) {
            put(steps(unfinishedPath), unfinished.toString());
            unfinished.setLength(0);
            unfinishedPath = null;
        }
    }

    /** All values so far as a JSON object. */
    String text() {
        finish();
        return Json.text(new JsonValue(root)::writeTo);
    }

    private static @Nullable Object value(JsonValue piece) {
        for (String kind : new String[] {"stringValue", "numberValue", "boolValue"}) {
            if (!piece.at(kind).isNull()) {
                return piece.at(kind).raw();
            }
        }
        return null;
    }

    private @Nullable Object at(List<Object> steps) {
        Object here = root;
        for (Object step : steps) {
            if (here instanceof Map<?, ?> map && step instanceof String) {
                here = map.get(step);
            } else if (here instanceof List<?> list && step instanceof Integer index) {
                here = index < list.size() ? list.get(index) : null;
            } else {
                return null;
            }
        }
        return here;
    }

    private void put(List<Object> steps, @Nullable Object value) {
        Object here = root;
        for (int i = 0; i + 1 < steps.size(); i++) {
            Object next = at(steps.subList(0, i + 1));
            if (next == null) {
                next = steps.get(i + 1) instanceof Integer ? new ArrayList<>() : newMap();
                set(here, steps.get(i), next);
            }
            here = next;
        }
        set(here, steps.getLast(), value);
    }

    private static Map<String, @Nullable Object> newMap() {
        return new LinkedHashMap<>();
    }

    @SuppressWarnings("unchecked") // only put() makes these maps and lists
    private static void set(Object container, Object step, @Nullable Object value) {
        if (container instanceof Map<?, ?> map && step instanceof String key) {
            ((Map<String, @Nullable Object>) map).put(key, value);
        } else if (container instanceof List<?> list
                && step instanceof Integer index
                && index <= list.size()) {
            List<@Nullable Object> values = (List<@Nullable Object>) list;
            if (index == values.size()) {
                values.add(value);
            } else {
                values.set(index, value);
            }
        } else {
            throw unreadable();
        }
    }

    /** The steps of a path: names as texts, places in lists as numbers. */
    private static List<Object> steps(String path) {
        List<Object> steps = new ArrayList<>();
        int at = 1;
        while (at < path.length()) {
            boolean name = path.charAt(at) == '.';
            int end = name ? endOfName(path, at + 1) : path.indexOf(']', at);
            if (end < 0 || !name && path.charAt(at) != '[' || steps.size() == MAX_DEPTH) {
                throw unreadable();
            }
            String step = path.substring(at + 1, end);
            steps.add(name ? step : index(step));
            at = name ? end : end + 1;
        }
        if (!path.startsWith("$") || steps.isEmpty()) {
            throw unreadable();
        }
        return steps;
    }

    private static int endOfName(String path, int from) {
        int end = from;
        while (end < path.length() && path.charAt(end) != '.' && path.charAt(end) != '[') {
            end++;
        }
        return end;
    }

    /** A place in a list, or a name that needs quotes. */
    private static Object index(String step) {
        boolean quoted = step.length() > 2 && "'\"".indexOf(step.charAt(0)) >= 0;
        if (quoted && step.charAt(step.length() - 1) == step.charAt(0)) {
            return step.substring(1, step.length() - 1);
        }
        try {
            int index = Integer.parseInt(step);
            if (index >= 0) {
                return index;
            }
            throw unreadable();
        } catch (NumberFormatException e) {
            throw unreadable();
        }
    }

    private static LlmException unreadable() {
        return new LlmException.BrokenReply(
                "a call's arguments came with a path of no sense", null);
    }
}
