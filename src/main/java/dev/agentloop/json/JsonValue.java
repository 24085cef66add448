package dev.agentloop.json;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A JSON value read with tolerance: a path that does not exist gives a missing value, whose text is
 * empty and whose number is 0. Strict callers ask {@link #isText}, {@link #isObject} first.
 *
 * @param raw Map, List, String, Number, Boolean, or null for both null and missing
 */
public record JsonValue(@Nullable Object raw) {
    private static final JsonValue MISSING = new JsonValue(null);

    /** Member of an object; missing if there is none. */
    public JsonValue at(String key) {
        return raw instanceof Map<?, ?> map && map.get(key) != null
                ? new JsonValue(map.get(key))
                : MISSING;
    }

    /** Element of an array; missing if there is none. */
    public JsonValue at(int index) {
        return raw instanceof List<?> list && index >= 0 && index < list.size()
                ? new JsonValue(list.get(index))
                : MISSING;
    }

    /** Elements of an array; empty for anything else. */
    public List<JsonValue> items() {
        if (!(raw instanceof List<?> list)) {
            return List.of();
        }
        List<JsonValue> items = new ArrayList<>(list.size());
        for (Object item : list) {
            items.add(new JsonValue(item));
        }
        return items;
    }

    /**
     * Keys of an object; empty for anything else. They come as they were read or put; those of a
     * map that has no order of its own (the JDK's small ones: another in each process) are sorted.
     */
    public Set<String> keys() {
        if (!(raw instanceof Map<?, ?> map)) {
            return Set.of();
        }
        @SuppressWarnings("unchecked") // only Json makes these maps, with string keys
        Set<String> keys = (Set<String>) map.keySet();
        return raw instanceof SequencedMap ? keys : new TreeSet<>(keys);
    }

    public boolean has(String key) {
        return raw instanceof Map<?, ?> map && map.containsKey(key);
    }

    /** The text of a string; empty for anything else. */
    public String text() {
        return raw instanceof String text ? text : "";
    }

    public String textOr(String otherwise) {
        return raw instanceof String text ? text : otherwise;
    }

    /** A number as long, clamped to its range; 0 for anything else. */
    public long asLong() {
        return raw instanceof Number number ? clamp(number.doubleValue(), number.longValue()) : 0;
    }

    /** Null and missing alike. */
    public boolean isNull() {
        return raw == null;
    }

    public boolean isText() {
        return raw instanceof String;
    }

    public boolean isNumber() {
        return raw instanceof Number;
    }

    public boolean isObject() {
        return raw instanceof Map;
    }

    public boolean isArray() {
        return raw instanceof List;
    }

    public boolean isTrue() {
        return Boolean.TRUE.equals(raw);
    }

    /** Writes the value as it was read. */
    public void writeTo(JsonGenerator json) throws IOException {
        switch (raw) {
            case null -> json.writeNull();
            case Map<?, ?> _ -> {
                json.writeStartObject();
                for (String key : keys()) {
                    json.writeFieldName(key);
                    at(key).writeTo(json);
                }
                json.writeEndObject();
            }
            case List<?> _ -> {
                json.writeStartArray();
                for (JsonValue item : items()) {
                    item.writeTo(json);
                }
                json.writeEndArray();
            }
            case String text -> json.writeString(Json.wellFormed(text));
            case Boolean truth -> json.writeBoolean(truth);
            case Number number -> json.writeNumber(number.toString());
            default -> throw new IllegalStateException("not JSON: " + raw.getClass());
        }
    }

    private static long clamp(double approximate, long exact) {
        if (approximate >= Long.MAX_VALUE) {
            return Long.MAX_VALUE;
        }
        return approximate <= Long.MIN_VALUE ? Long.MIN_VALUE : exact;
    }
}
