package dev.agentloop.tool;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonValue;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes the JSON schema of an arguments record. Runs in the build only: reading annotations costs
 * 15 to 40 ms in a fresh JVM, so the program loads the text from a resource ({@link ToolSpecs}).
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
            properties.put(name, property(component.getGenericType(), doc));
            if (doc == null || !doc.optional()) {
                required.add(name);
            }
        }
        Map<String, @Nullable Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        schema.put("properties", properties);
        if (!required.isEmpty()) {
            schema.put("required", required);
        }
        schema.put("additionalProperties", false);
        return schema;
    }

    private static Map<String, @Nullable Object> property(Type type, @Nullable Doc doc) {
        Map<String, @Nullable Object> property = new LinkedHashMap<>(ofType(type));
        if (doc != null && !doc.value().isEmpty()) {
            property.put("description", doc.value());
        }
        if (doc != null && doc.oneOf().length > 0) {
            property.put("enum", List.<@Nullable Object>of((Object[]) doc.oneOf()));
        }
        return property;
    }

    private static Map<String, @Nullable Object> ofType(Type type) {
        if (type instanceof ParameterizedType list && list.getRawType() == List.class) {
            Map<String, @Nullable Object> array = new LinkedHashMap<>();
            array.put("type", "array");
            array.put("items", ofType(list.getActualTypeArguments()[0]));
            return array;
        }
        if (type instanceof Class<?> record && record.isRecord()) {
            return object(record);
        }
        return Map.of("type", scalar(type));
    }

    private static String scalar(Type type) {
        return switch (type.getTypeName()) {
            case "java.lang.String" -> "string";
            case "int", "java.lang.Integer", "long", "java.lang.Long" -> "integer";
            case "boolean", "java.lang.Boolean" -> "boolean";
            default -> throw new IllegalArgumentException("no parameter type for " + type);
        };
    }
}
