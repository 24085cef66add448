package dev.agentloop.replay.cassette;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;

/**
 * Writes records as JSON, by their components: names in snake_case, durations in nanoseconds,
 * decimals as text, what is null left out; a value of a sealed interface says its {@code type}. One
 * rule in place of a form for each of some fifty records; a cassette that is kept among the tests
 * shows when a name changes.
 */
public final class RecordWriter {
    private final UnaryOperator<String> mask;

    /**
     * @param mask applied to each text
     */
    public RecordWriter(UnaryOperator<String> mask) {
        this.mask = mask;
    }

    /** The UTF-8 bytes of a value on one line. */
    byte[] bytes(Type declared, Object value) {
        return Json.bytes(json -> write(json, declared, value));
    }

    /** The same as a tree, to be compared. */
    public JsonValue tree(Type declared, Object value) {
        try {
            return Json.parse(bytes(declared, value));
        } catch (JsonException e) {
            throw new IllegalStateException("what was just written cannot be read", e);
        }
    }

    private void write(JsonGenerator json, Type declared, Object value) throws IOException {
        switch (value) {
            case String text -> json.writeString(Json.wellFormed(mask.apply(text)));
            case Boolean truth -> json.writeBoolean(truth);
            case Integer number -> json.writeNumber(number);
            case Long number -> json.writeNumber(number);
            case Double number -> json.writeNumber(number);
            case BigDecimal number -> json.writeString(number.toPlainString());
            case Duration time -> json.writeNumber(time.toNanos());
            case Instant time -> json.writeString(time.toString());
            case OptionalInt number -> json.writeNumber(number.getAsInt());
            case Enum<?> constant -> json.writeString(constant.name().toLowerCase(Locale.ROOT));
            case Collection<?> items -> writeItems(json, argument(declared, 0), items);
            case Map<?, ?> map -> writeMap(json, argument(declared, 1), map);
            case Record some -> writeRecord(json, declared, some);
            default -> throw new IllegalArgumentException("no form for " + value.getClass());
        }
    }

    private void writeItems(JsonGenerator json, Type item, Collection<?> items) throws IOException {
        json.writeStartArray();
        for (Object one : items) {
            write(json, item, one);
        }
        json.writeEndArray();
    }

    private void writeMap(JsonGenerator json, Type item, Map<?, ?> map) throws IOException {
        json.writeStartObject();
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            json.writeFieldName((String) entry.getKey());
            write(json, item, entry.getValue());
        }
        json.writeEndObject();
    }

    private void writeRecord(JsonGenerator json, Type declared, Record value) throws IOException {
        json.writeStartObject();
        if (declared instanceof Class<?> type && type.isSealed()) {
            json.writeStringField("type", name(value.getClass().getSimpleName()));
        }
        for (RecordComponent component : value.getClass().getRecordComponents()) {
            Object part = part(component, value);
            boolean none = part == null || part instanceof OptionalInt number && number.isEmpty();
            if (!none) {
                json.writeFieldName(name(component.getName()));
                write(json, component.getGenericType(), part);
            }
        }
        json.writeEndObject();
    }

    private static Object part(RecordComponent component, Record value) {
        try {
            component.getAccessor().setAccessible(true); // records of ours that are not public
            return component.getAccessor().invoke(value);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot read " + component, e);
        }
    }

    /** What a list or map holds. */
    static Type argument(Type declared, int index) {
        return ((ParameterizedType) declared).getActualTypeArguments()[index];
    }

    /** A name as it stands in a file. */
    public static String name(String camel) {
        StringBuilder name = new StringBuilder();
        for (int i = 0; i < camel.length(); i++) {
            char c = camel.charAt(i);
            if (Character.isUpperCase(c) && i > 0) {
                name.append('_');
            }
            name.append(Character.toLowerCase(c));
        }
        return name.toString();
    }
}
