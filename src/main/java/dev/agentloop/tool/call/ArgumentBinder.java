package dev.agentloop.tool.call;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import dev.agentloop.tool.Similar;
import dev.agentloop.tool.ToolException;
import dev.agentloop.tool.ToolSpec;
import dev.agentloop.tool.call.RecordShape.Parameter;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Turns the JSON text of a tool's calls into the record that the tool takes. Strict, because what
 * is checked must be what runs; every refusal names all problems and the expected parameters.
 *
 * <p>Which parameters are required or limited to some values comes from the schema text, not from
 * the annotations: reading annotations costs 15 to 40 ms in a fresh JVM. Safe from any thread.
 */
final class ArgumentBinder<A extends Record> {
    private static final int MAX_BYTES = 1_000_000; // no sensible call is longer
    private static final int MAX_DIGITS = 40; // no sensible number has more

    private final String toolName;
    private final Class<A> type;
    private final RecordShape<A> shape;

    ArgumentBinder(ToolSpec spec, Class<A> type) {
        this.toolName = spec.name();
        this.type = type;
        try {
            this.shape =
                    RecordShape.of(
                            type,
                            type == GivenArguments.class
                                    ? new JsonValue(null)
                                    : Json.parse(spec.parameters()));
        } catch (JsonException e) {
            throw new IllegalStateException("broken schema of " + spec.name(), e);
        }
    }

    /** The arguments as a record; a {@link ToolException} says what is wrong with them. */
    A bind(String json) throws ToolException {
        JsonValue given = parse(json);
        if (type == GivenArguments.class) {
            return type.cast(new GivenArguments(given));
        }
        List<String> problems = new ArrayList<>();
        @Nullable Object[] values = values(shape, given, "", problems);
        if (!problems.isEmpty()) {
            throw refusal(String.join("; ", problems));
        }
        try {
            return shape.make(values);
        } catch (IllegalArgumentException e) { // from the record's own constructor
            throw refusal(String.valueOf(e.getMessage()));
        }
    }

    private JsonValue parse(String json) throws ToolException {
        if (isTooLong(json)) {
            throw refusal("they are longer than " + MAX_BYTES + " bytes, send smaller pieces");
        }
        if (json.isBlank() && shape.parameters().stream().noneMatch(Parameter::required)) {
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

    private static @Nullable Object[] values(
            RecordShape<?> shape, JsonValue given, String prefix, List<String> problems) {
        refuseUnknown(shape, given, prefix, problems);
        List<Parameter> parameters = shape.parameters();
        @Nullable Object[] values = new @Nullable Object[parameters.size()];
        for (int i = 0; i < values.length; i++) {
            Parameter parameter = parameters.get(i);
            JsonValue value = given.at(parameter.name());
            if (!value.isNull()) {
                values[i] = convert(parameter, value, prefix + parameter.name(), problems);
            } else if (parameter.required()) {
                problems.add("missing \"" + prefix + parameter.name() + '"');
            } else if (parameter.type() == Optional.class) {
                values[i] = Optional.empty();
            }
        }
        return values;
    }

    private static void refuseUnknown(
            RecordShape<?> shape, JsonValue given, String prefix, List<String> problems) {
        for (String key : given.keys()) {
            if (!shape.names().contains(key)) {
                List<String> near = Similar.to(key, offered(shape), 1);
                String hint = near.isEmpty() ? "" : ", did you mean \"" + near.getFirst() + "\"?";
                problems.add("unknown parameter \"" + prefix + key + '"' + hint);
            }
        }
    }

    private static List<String> offered(RecordShape<?> shape) {
        return shape.parameters().stream().filter(Parameter::offered).map(Parameter::name).toList();
    }

    private static @Nullable Object convert(
            Parameter parameter, JsonValue value, String name, List<String> problems) {
        if (parameter.type() == Optional.class && parameter.inner() != null) {
            return Optional.ofNullable(convert(parameter.inner(), value, name, problems));
        }
        int before = problems.size();
        Object converted =
                parameter.shape() == null
                        ? plain(parameter, value, name, problems)
                        : nested(parameter.shape(), value, name + ".", problems);
        if (problems.size() > before) {
            return converted; // what is inside it was wrong, which is said
        }
        if (converted == null) {
            String wanted = article(parameter.schemaType());
            problems.add(
                    parameter.type().isEnum() && value.isText()
                            ? oneOf(parameter, name)
                            : "\"%s\" must be %s, not %s".formatted(name, wanted, kind(value)));
        } else if (!parameter.allows(converted)) {
            problems.add(oneOf(parameter, name));
        }
        return converted;
    }

    private static String oneOf(Parameter parameter, String name) {
        return "\"%s\" must be one of %s".formatted(name, String.join(", ", parameter.allowed()));
    }

    private static @Nullable Object plain(
            Parameter parameter, JsonValue value, String name, List<String> problems) {
        Class<?> type = parameter.type();
        if (type == List.class) {
            return list(parameter, value, name, problems);
        }
        if (type == String.class) {
            return value.isText() ? value.text() : null;
        }
        if (type == Boolean.class || type == boolean.class) {
            return truth(value);
        }
        if (type.isEnum()) {
            return SchemaWriter.constant(type, value.text());
        }
        return SchemaWriter.isReal(type) ? real(type, value) : integer(type, value);
    }

    private static @Nullable Object nested(
            RecordShape<?> shape, JsonValue value, String prefix, List<String> problems) {
        if (!value.isObject()) {
            return null;
        }
        int before = problems.size();
        @Nullable Object[] values = values(shape, value, prefix, problems);
        if (problems.size() > before) {
            return null;
        }
        try {
            return shape.make(values);
        } catch (IllegalArgumentException e) { // from the record's own constructor
            problems.add("\"" + prefix.substring(0, prefix.length() - 1) + "\": " + e.getMessage());
            return null;
        }
    }

    private static @Nullable Object real(Class<?> type, JsonValue value) {
        BigDecimal number = decimal(value);
        if (number == null || type == BigDecimal.class) {
            return number;
        }
        double real = number.doubleValue();
        return type == float.class || type == Float.class ? (Object) (float) real : (Object) real;
    }

    private static @Nullable BigDecimal decimal(JsonValue value) {
        String text = value.raw() instanceof Number number ? number.toString() : value.text();
        try {
            return text.length() > MAX_DIGITS ? null : new BigDecimal(text);
        } catch (NumberFormatException e) {
            return null;
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

    private static @Nullable List<Object> list(
            Parameter parameter, JsonValue value, String name, List<String> problems) {
        Parameter inner = parameter.inner();
        if (!value.isArray() || inner == null) {
            return null;
        }
        List<Object> items = new ArrayList<>();
        for (int i = 0; i < value.items().size(); i++) {
            Object item = convert(inner, value.at(i), name + "[" + i + "]", problems);
            if (item != null) {
                items.add(item);
            }
        }
        return List.copyOf(items);
    }

    private ToolException refusal(String problem) {
        return ToolException.error(
                "Invalid arguments for %s: %s. Expected: %s. Nothing was done; call it again."
                        .formatted(toolName, problem, expected()));
    }

    private String expected() {
        if (type == GivenArguments.class) {
            return "an object as the tool's schema describes it";
        }
        return shape.parameters().isEmpty()
                ? "{} without parameters"
                : shape.parameters().stream()
                        .filter(Parameter::offered)
                        .map(Parameter::description)
                        .collect(Collectors.joining(", "));
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
