package dev.agentloop.tool.call;

import dev.agentloop.json.JsonValue;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A record of arguments beside its schema, looked at once: reflection and the schema's text are too
 * slow to be asked at each call.
 *
 * @param parameters in the order of the record's components
 * @param names of the parameters, in that order
 */
record RecordShape<R extends Record>(
        List<Parameter> parameters, Set<String> names, Constructor<R> constructor) {

    /**
     * One component.
     *
     * @param offered whether the schema names it; what it does not name is understood all the same
     * @param allowed the only values; empty for any
     * @param shape of the parameter's record; null if it is none
     * @param inner what a list or an optional holds; null if it is neither
     */
    record Parameter(
            String name,
            Class<?> type,
            String schemaType,
            boolean offered,
            boolean required,
            List<String> allowed,
            @Nullable RecordShape<?> shape,
            @Nullable Parameter inner) {
        boolean allows(Object value) {
            return allowed.isEmpty() || type.isEnum() || allowed.contains(value.toString());
        }

        /** For people and models: {@code limit? (integer)}. */
        String description() {
            String values = allowed.isEmpty() ? schemaType : String.join("|", allowed);
            return name + (required ? "" : "?") + " (" + values + ")";
        }
    }

    /**
     * @param schema of an object with a property for each component
     */
    static <R extends Record> RecordShape<R> of(Class<R> type, JsonValue schema) {
        Set<String> required = texts(schema.at("required"));
        List<Parameter> parameters = new ArrayList<>();
        Set<String> names = new LinkedHashSet<>();
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        for (int i = 0; i < components.length; i++) {
            types[i] = components[i].getType();
            String name = SchemaWriter.parameterName(components[i].getName());
            JsonValue property = schema.at("properties").at(name);
            names.add(name);
            boolean wanted = required.contains(name);
            boolean offered = schema.isNull() || schema.at("properties").has(name);
            parameters.add(
                    parameter(name, components[i].getGenericType(), property, offered, wanted));
        }
        try {
            Constructor<R> constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return new RecordShape<>(List.copyOf(parameters), names, constructor);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("no constructor of " + type, e);
        }
    }

    /**
     * The record.
     *
     * @throws IllegalArgumentException if its own constructor refuses the values
     */
    R make(@Nullable Object[] values) {
        try {
            return constructor.newInstance(values);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof IllegalArgumentException refused) {
                throw refused;
            }
            throw new IllegalStateException("cannot make " + constructor, e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot make " + constructor, e);
        }
    }

    private static Parameter parameter(
            String name, Type type, JsonValue schema, boolean offered, boolean required) {
        Class<?> raw = (Class<?>) (type instanceof ParameterizedType of ? of.getRawType() : type);
        Parameter inner = null;
        if (type instanceof ParameterizedType of) {
            JsonValue held = raw == List.class ? schema.at("items") : schema;
            inner = parameter(name, of.getActualTypeArguments()[0], held, offered, true);
        }
        return new Parameter(
                name,
                raw,
                offered ? schema.at("type").text() : SchemaWriter.typeName(type),
                offered,
                required,
                List.copyOf(texts(schema.at("enum"))),
                raw.isRecord() ? of(raw.asSubclass(Record.class), schema) : null,
                inner);
    }

    private static Set<String> texts(JsonValue array) {
        Set<String> texts = new LinkedHashSet<>();
        for (JsonValue item : array.items()) {
            texts.add(item.text());
        }
        return texts;
    }
}
