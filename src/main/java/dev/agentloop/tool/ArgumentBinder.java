package dev.agentloop.tool;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Turns the JSON text of a call into the record that its tool takes. Strict, because what is
 * checked must be what runs; every refusal names all problems and the expected parameters.
 *
 * <p>Which parameters are required or limited to some values comes from the schema text, not from
 * the annotations: reading annotations costs 15 to 40 ms in a fresh JVM.
 */
public final class ArgumentBinder {
    private static final int MAX_BYTES = 1_000_000; // no sensible call is longer

    private final String toolName;
    private final JsonValue schema;
    private final List<String> problems = new ArrayList<>();

    private ArgumentBinder(ToolSpec spec) {
        this.toolName = spec.name();
        try {
            this.schema = Json.parse(spec.parameters());
        } catch (JsonException e) {
            throw new IllegalStateException("broken schema of " + spec.name(), e);
        }
    }

    /** The arguments as a record; a {@link ToolException} says what is wrong with them. */
    public static <A extends Record> A bind(ToolSpec spec, Class<A> type, String json)
            throws ToolException {
        ArgumentBinder binder = new ArgumentBinder(spec);
        return binder.record(type, binder.schema, binder.parse(json));
    }

    private JsonValue parse(String json) throws ToolException {
        if (isTooLong(json)) {
            throw refusal("they are longer than " + MAX_BYTES + " bytes, send smaller pieces");
        }
        if (json.isBlank() && schema.at("required").items().isEmpty()) {
            return new JsonValue(Map.of());
        }
        try {
            JsonValue given = Json.parse(json);
            if (!given.isObject()) {
                throw refusal("expected a JSON object, not " + kind(given));
            }
            return given;
        } catch (JsonException e) {
            throw refusal("not valid JSON: " + e.getMessage());
        }
    }

    private static boolean isTooLong(String json) {
        return json.length() > MAX_BYTES / 3
                && json.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES;
    }

    private <R extends Record> R record(Class<R> type, JsonValue objectSchema, JsonValue given)
            throws ToolException {
        @Nullable Object[] values = values(type, objectSchema, given, "");
        if (!problems.isEmpty()) {
            throw refusal(String.join("; ", problems));
        }
        try {
            return construct(type, values);
        } catch (IllegalArgumentException e) { // from the record's own constructor
            throw refusal(String.valueOf(e.getMessage()));
        }
    }

    private @Nullable Object[] values(
            Class<?> type, JsonValue objectSchema, JsonValue given, String prefix) {
        refuseUnknown(objectSchema.at("properties").keys(), given, prefix);
        RecordComponent[] components = type.getRecordComponents();
        Set<String> required = required(objectSchema);
        @Nullable Object[] values = new @Nullable Object[components.length];
        for (int i = 0; i < components.length; i++) {
            String name = SchemaWriter.parameterName(components[i].getName());
            JsonValue value = given.at(name);
            if (!value.isNull()) {
                JsonValue property = objectSchema.at("properties").at(name);
                values[i] = convert(components[i], property, value, prefix + name);
            } else if (required.contains(name)) {
                problems.add("missing \"" + prefix + name + '"');
            }
        }
        return values;
    }

    private void refuseUnknown(Set<String> known, JsonValue given, String prefix) {
        for (String key : given.keys()) {
            if (!known.contains(key)) {
                List<String> near = Similar.to(key, known, 1);
                String hint = near.isEmpty() ? "" : ", did you mean \"" + near.getFirst() + "\"?";
                problems.add("unknown parameter \"" + prefix + key + '"' + hint);
            }
        }
    }

    private static Set<String> required(JsonValue objectSchema) {
        return objectSchema.at("required").items().stream()
                .map(JsonValue::text)
                .collect(Collectors.toSet());
    }

    private @Nullable Object convert(
            RecordComponent component, JsonValue property, JsonValue value, String name) {
        Class<?> type = component.getType();
        Object converted = null;
        if (type == List.class) {
            converted = list(component, property, value, name);
        } else if (type == String.class) {
            converted = value.isText() ? value.text() : null;
        } else if (type == Boolean.class || type == boolean.class) {
            converted = truth(value);
        } else {
            converted = integer(type, value);
        }
        if (converted == null) {
            String wanted = property.at("type").text();
            problems.add("\"%s\" must be %s, not %s".formatted(name, article(wanted), kind(value)));
        } else {
            checkAllowed(property, converted, name);
        }
        return converted;
    }

    private void checkAllowed(JsonValue property, Object value, String name) {
        List<String> allowed = property.at("enum").items().stream().map(JsonValue::text).toList();
        if (!allowed.isEmpty() && !allowed.contains(value.toString())) {
            problems.add("\"%s\" must be one of %s".formatted(name, String.join(", ", allowed)));
        }
    }

    private static @Nullable Boolean truth(JsonValue value) {
        if (value.raw() instanceof Boolean truth) {
            return truth;
        }
        return switch (value.text()) {
            case "true" -> Boolean.TRUE;
            case "false" -> Boolean.FALSE;
            default -> null;
        };
    }

    /** Models send 12 as "12" or 12.0; both mean one number. Anything else might not. */
    private static @Nullable Object integer(Class<?> type, JsonValue value) {
        Long number = null;
        if (value.raw() instanceof Integer || value.raw() instanceof Long) {
            number = value.asLong();
        } else if (value.raw() instanceof Number real && isWhole(real.doubleValue())) {
            number = real.longValue();
        } else if (value.text().matches("-?\\d{1,18}")) {
            number = Long.valueOf(value.text());
        }
        if (number == null || type == Long.class || type == long.class) {
            return number;
        }
        return number.intValue() == number ? (Object) number.intValue() : null;
    }

    private static boolean isWhole(double real) {
        return real == Math.rint(real) && Math.abs(real) < 1e15; // doubles are exact below 2^53
    }

    private @Nullable List<Object> list(
            RecordComponent component, JsonValue property, JsonValue value, String name) {
        if (!value.isArray()) {
            return null;
        }
        List<Object> items = new ArrayList<>();
        for (int i = 0; i < value.items().size(); i++) {
            Object item = item(component, property, value.at(i), name + "[" + i + "]");
            if (item != null) {
                items.add(item);
            }
        }
        return List.copyOf(items);
    }

    private @Nullable Object item(
            RecordComponent component, JsonValue property, JsonValue value, String name) {
        boolean ofRecords = property.at("items").at("type").text().equals("object");
        if (ofRecords ? !value.isObject() : !value.isText()) {
            String wanted = ofRecords ? "an object" : "a string";
            problems.add("\"%s\" must be %s, not %s".formatted(name, wanted, kind(value)));
            return null;
        }
        if (!ofRecords) {
            return value.text();
        }
        int before = problems.size();
        Class<? extends Record> type = itemType(component);
        @Nullable Object[] values = values(type, property.at("items"), value, name + ".");
        return problems.size() == before ? construct(type, values) : null;
    }

    private static Class<? extends Record> itemType(RecordComponent component) {
        var list = (ParameterizedType) component.getGenericType();
        return ((Class<?>) list.getActualTypeArguments()[0]).asSubclass(Record.class);
    }

    private static <R extends Record> R construct(Class<R> type, @Nullable Object[] values) {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        for (int i = 0; i < types.length; i++) {
            types[i] = components[i].getType();
        }
        try {
            Constructor<R> constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return constructor.newInstance(values);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof IllegalArgumentException refused) {
                throw refused;
            }
            throw new IllegalStateException("cannot make " + type, e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot make " + type, e);
        }
    }

    private ToolException refusal(String problem) {
        return ToolException.error(
                "Invalid arguments for %s: %s. Expected: %s. Nothing was done; call it again."
                        .formatted(toolName, problem, expected()));
    }

    private String expected() {
        Set<String> required = required(schema);
        JsonValue properties = schema.at("properties");
        if (properties.keys().isEmpty()) {
            return "{} without parameters";
        }
        return properties.keys().stream()
                .map(name -> describe(name, properties.at(name), required.contains(name)))
                .collect(Collectors.joining(", "));
    }

    private static String describe(String name, JsonValue property, boolean required) {
        String allowed =
                property.at("enum").items().stream()
                        .map(JsonValue::text)
                        .collect(Collectors.joining("|"));
        String type = allowed.isEmpty() ? property.at("type").text() : allowed;
        return name + (required ? "" : "?") + " (" + type + ")";
    }

    private static String article(String type) {
        return (type.matches("[aeiou].*") ? "an " : "a ") + type;
    }

    private static String kind(JsonValue value) {
        return switch (value.raw()) {
            case null -> "null";
            case String _ -> "a string";
            case Boolean _ -> "a boolean";
            case Number number -> "the number " + number;
            case List<?> _ -> "an array";
            default -> "an object";
        };
    }
}
