package dev.agentloop.tool.call;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonValue;
import dev.agentloop.tool.Doc;
import dev.agentloop.tool.ToolSpecs;
import java.lang.annotation.Annotation;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes the JSON schema of an arguments record. For the program's own tools in the build only:
 * reading annotations costs 15 to 40 ms in a fresh JVM, so it loads the text from a resource
 * ({@link ToolSpecs}). Whoever embeds the agent has it written when the tool is made.
 *
 * <p>It does not rule out other properties: that would be 30 bytes of every tool in every request,
 * for what {@link ArgumentBinder} refuses in any case, with words.
 */
public final class SchemaWriter {
    private SchemaWriter() {}

    /** The schema as compact JSON text; properties in the order of the components. */
    public static String schemaOf(Class<? extends Record> arguments) {
        byte[] utf8 = Json.bytes(new JsonValue(object(arguments))::writeTo);
        return new String(utf8, StandardCharsets.UTF_8);
    }

    /** The parameter that a component stands for: {@code filePath} is {@code file_path}. */
    static String parameterName(String component) {
        StringBuilder name = new StringBuilder(component.length() + 4);
        for (char c : component.toCharArray()) {
            if (Character.isUpperCase(c)) {
                name.append('_');
            }
            name.append(Character.toLowerCase(c));
        }
        return name.toString();
    }

    private static Map<String, @Nullable Object> object(Class<?> type) {
        Map<String, @Nullable Object> properties = new LinkedHashMap<>();
        List<@Nullable Object> required = new ArrayList<>();
        for (RecordComponent component : type.getRecordComponents()) {
            String name = parameterName(component.getName());
            Doc doc = component.getAnnotation(Doc.class);
            properties.put(name, property(component, doc));
            if (isRequired(component, doc)) {
                required.add(name);
            }
        }
        Map<String, @Nullable Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        schema.put("properties", properties);
        if (!required.isEmpty()) {
            schema.put("required", required);
        }
        return schema;
    }

    private static boolean isRequired(RecordComponent component, @Nullable Doc doc) {
        boolean optional = doc != null && doc.optional();
        return !optional
                && component.getType() != Optional.class
                && !isNullable(component.getAnnotatedType().getAnnotations())
                && !isNullable(component.getAnnotations());
    }

    /** By its name: there are many annotations that say so, and none of the JDK's. */
    private static boolean isNullable(Annotation[] annotations) {
        return Arrays.stream(annotations)
                .anyMatch(each -> each.annotationType().getSimpleName().equals("Nullable"));
    }

    private static Map<String, @Nullable Object> property(
            RecordComponent component, @Nullable Doc doc) {
        Map<String, @Nullable Object> property = new LinkedHashMap<>();
        try {
            property.putAll(ofType(component.getGenericType()));
        } catch (IllegalArgumentException e) {
            String where = component.getDeclaringRecord().getSimpleName();
            throw new IllegalArgumentException(
                    where + "." + component.getName() + ": " + e.getMessage(), e);
        }
        if (doc != null && !doc.value().isEmpty()) {
            property.put("description", doc.value());
        }
        if (doc != null && doc.oneOf().length > 0) {
            property.put("enum", List.<@Nullable Object>of((Object[]) doc.oneOf()));
        }
        return property;
    }

    /** What JSON calls values of a type. */
    static String typeName(Type type) {
        return String.valueOf(ofType(type).get("type"));
    }

    private static Map<String, @Nullable Object> ofType(Type type) {
        if (type instanceof ParameterizedType list && list.getRawType() == List.class) {
            Map<String, @Nullable Object> array = new LinkedHashMap<>();
            array.put("type", "array");
            array.put("items", ofType(list.getActualTypeArguments()[0]));
            return array;
        }
        if (type instanceof ParameterizedType maybe && maybe.getRawType() == Optional.class) {
            return ofType(maybe.getActualTypeArguments()[0]);
        }
        if (type instanceof Class<?> record && record.isRecord()) {
            return object(record);
        }
        if (type instanceof Class<?> choice && choice.isEnum()) {
            Map<String, @Nullable Object> values = new LinkedHashMap<>();
            values.put("type", "string");
            values.put(
                    "enum",
                    Arrays.stream(choice.getEnumConstants())
                            .<@Nullable Object>map(each -> wireName((Enum<?>) each))
                            .toList());
            return values;
        }
        return Map.of("type", scalar(type));
    }

    private static String scalar(Type type) {
        return switch (type.getTypeName()) {
            case "java.lang.String" -> "string";
            case "int", "java.lang.Integer", "long", "java.lang.Long" -> "integer";
            case "boolean", "java.lang.Boolean" -> "boolean";
            default -> {
                if (type instanceof Class<?> number && isReal(number)) {
                    yield "number";
                }
                throw new IllegalArgumentException(
                        "no parameter type for "
                                + type
                                + "; there are String, int, long, double, float, BigDecimal,"
                                + " boolean, enums, records, and List or Optional of these");
            }
        };
    }

    /** Whether numbers of this type may have a fraction. */
    static boolean isReal(Class<?> type) {
        return type == double.class
                || type == Double.class
                || type == float.class
                || type == Float.class
                || type == BigDecimal.class;
    }

    /** The constant that the model calls so; null if there is none. */
    static @Nullable Object constant(Class<?> type, String name) {
        for (Object each : type.getEnumConstants()) {
            if (wireName((Enum<?>) each).equalsIgnoreCase(name)) {
                return each;
            }
        }
        return null;
    }

    private static String wireName(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
