package dev.agentloop.tool;

import dev.agentloop.json.JsonValue;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
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
     * @param allowed the only values; empty for any
     * @param items shape of a list's items; null if they are strings, or there is no list
     */
    record Parameter(
            String name,
            Class<?> type,
            String schemaType,
            boolean required,
            List<String> allowed,
            @Nullable RecordShape<?> items) {
        boolean allows(Object value) {
            return allowed.isEmpty() || allowed.contains(value.toString());
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
            parameters.add(
                    new Parameter(
                            name,
                            types[i],
                            property.at("type").text(),
                            required.contains(name),
                            List.copyOf(texts(property.at("enum"))),
                            items(components[i], property.at("items"))));
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

    private static @Nullable RecordShape<?> items(RecordComponent component, JsonValue schema) {
        if (!schema.at("type").text().equals("object")) {
            return null;
        }
        var list = (ParameterizedType) component.getGenericType();
        Class<?> item = (Class<?>) list.getActualTypeArguments()[0];
        return of(item.asSubclass(Record.class), schema);
    }

    private static Set<String> texts(JsonValue array) {
        Set<String> texts = new LinkedHashSet<>();
        for (JsonValue item : array.items()) {
            texts.add(item.text());
        }
        return texts;
    }
}
