package dev.agentloop.replay.cassette;

import dev.agentloop.json.JsonValue;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads what {@link RecordWriter} writes. Nothing but records and values of the declared types can
 * come of it, whatever the text says; the first field that is missing or of another kind is named.
 */
final class RecordReader {
    private static final int MAX_NUMBER = 100; // digits of a decimal; amounts of money have less

    private RecordReader() {}

    /**
     * A record or value of that type.
     *
     * @throws Fault that names the field
     */
    static <T> T read(Class<T> type, JsonValue json) throws Fault {
        return type.cast(value(type, json, ""));
    }

    private static Object value(Type declared, JsonValue json, String at) throws Fault {
        if (declared instanceof ParameterizedType generic) {
            return container(generic, json, at);
        }
        Class<?> type = (Class<?>) declared;
        if (type.isSealed()) {
            return record(named(type, json, at), json, at);
        }
        return type.isRecord() ? record(type, json, at) : scalar(type, json, at);
    }

    private static Object scalar(Class<?> type, JsonValue json, String at) throws Fault {
        if (type == boolean.class || type == Boolean.class) {
            check(json.raw() instanceof Boolean, at, "is neither true nor false");
            return json.isTrue();
        }
        boolean number = type == int.class || type == long.class || type == double.class;
        if (number || Number.class.isAssignableFrom(type) && type != BigDecimal.class) {
            check(json.isNumber(), at, "is not a number");
            return number(type, json, at);
        }
        if (type == Duration.class) {
            check(json.isNumber(), at, "is not a number of nanoseconds");
            return Duration.ofNanos(json.asLong());
        }
        if (type == OptionalInt.class) {
            check(json.isNumber(), at, "is not a number");
            return OptionalInt.of((int) json.asLong());
        }
        check(json.isText(), at, "is not a text");
        return text(type, json.text(), at);
    }

    private static Object number(Class<?> type, JsonValue json, String at) throws Fault {
        if (type == double.class || type == Double.class) {
            return json.raw() instanceof Number exact ? exact.doubleValue() : 0.0;
        }
        long whole = json.asLong();
        boolean isInt = type == int.class || type == Integer.class;
        check(!isInt || whole == (int) whole, at, "is out of range");
        return isInt ? (Object) (int) whole : (Object) whole;
    }

    private static Object text(Class<?> type, String text, String at) throws Fault {
        try {
            if (type == BigDecimal.class) {
                check(text.length() <= MAX_NUMBER, at, "is too long for a number");
                BigDecimal number = new BigDecimal(text);
                check(Math.abs((long) number.scale()) <= MAX_NUMBER, at, "is out of range");
                return number;
            }
            if (type == Instant.class) {
                return Instant.parse(text);
            }
        } catch (NumberFormatException | DateTimeException e) {
            throw new Fault(at, "cannot be read: " + Difference.shortened(text));
        }
        return type.isEnum() ? constant(type, text, at) : text;
    }

    private static Object constant(Class<?> type, String text, String at) throws Fault {
        for (Object constant : type.getEnumConstants()) {
            if (((Enum<?>) constant).name().equalsIgnoreCase(text)) {
                return constant;
            }
        }
        throw new Fault(at, "is unknown to this version: " + Difference.shortened(text));
    }

    private static Object container(ParameterizedType type, JsonValue json, String at)
            throws Fault {
        Class<?> raw = (Class<?>) type.getRawType();
        if (raw == Map.class) {
            check(json.isObject(), at, "is not an object");
            Map<String, Object> map = new LinkedHashMap<>();
            for (String key : json.keys()) {
                map.put(key, value(RecordWriter.argument(type, 1), json.at(key), at + "." + key));
            }
            return map;
        }
        check(json.isArray(), at, "is not a list");
        List<Object> items = new ArrayList<>();
        for (JsonValue item : json.items()) {
            String place = at + "[" + items.size() + "]";
            items.add(value(RecordWriter.argument(type, 0), item, place));
        }
        return raw == Set.class ? new LinkedHashSet<>(items) : items;
    }

    private static Class<?> named(Class<?> sealed, JsonValue json, String at) throws Fault {
        check(json.isObject(), at, "is not an object");
        String name = json.at("type").text();
        for (Class<?> permitted : sealed.getPermittedSubclasses()) {
            if (RecordWriter.name(permitted.getSimpleName()).equals(name)) {
                return permitted;
            }
        }
        throw new Fault(
                join(at, "type"), "is unknown to this version: " + Difference.shortened(name));
    }

    private static Object record(Class<?> type, JsonValue json, String at) throws Fault {
        check(json.isObject(), at, "is not an object");
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        @Nullable Object[] parts = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            types[i] = components[i].getType();
            parts[i] = part(components[i], json, at);
        }
        try {
            Constructor<?> constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true); // records of ours that are not public
            return constructor.newInstance(parts);
        } catch (InvocationTargetException e) {
            throw new Fault(at, "is not possible: " + e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot make " + type, e);
        }
    }

    private static @Nullable Object part(RecordComponent component, JsonValue json, String at)
            throws Fault {
        String name = RecordWriter.name(component.getName());
        if (!json.at(name).isNull()) {
            return value(component.getGenericType(), json.at(name), join(at, name));
        }
        if (component.getType() == OptionalInt.class) {
            return OptionalInt.empty();
        }
        if (component.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
            return null;
        }
        throw new Fault(join(at, name), "is missing");
    }

    private static String join(String at, String name) {
        return at.isEmpty() ? name : at + "." + name;
    }

    private static void check(boolean good, String at, String problem) throws Fault {
        if (!good) {
            throw new Fault(at, problem);
        }
    }
}
