package dev.agentloop.llm;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the libraries of OpenAI and Anthropic kept of a request without knowing what it is. */
public final class AdditionalFields {
    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private final List<String> found = new ArrayList<>();

    private AdditionalFields() {}

    /** Fields that some object of the request has and the library does not know. */
    public static List<String> in(Object body) {
        AdditionalFields fields = new AdditionalFields();
        fields.walk(body);
        fields.found.remove("Body.stream"); // the library adds it itself when it streams
        return fields.found;
    }

    private void walk(Object value) {
        switch (value) {
            case Optional<?> some -> some.ifPresent(this::walk);
            case Collection<?> items -> items.forEach(this::walk);
            default -> {
                String type = value.getClass().getName();
                boolean theirs = type.startsWith("com.") && !type.contains(".JsonValue");
                if (theirs && seen.add(value) && !type.contains("Schema")) {
                    fieldsOf(value);
                }
            }
        }
    }

    private void fieldsOf(Object object) {
        boolean free = true; // an object of nothing but additional fields is a free map
        for (Class<?> c = object.getClass(); c != null; c = c.getSuperclass()) {
            for (Field field : c.getDeclaredFields()) {
                boolean skipped = Modifier.isStatic(field.getModifiers());
                Object value = skipped ? null : value(field, object);
                boolean known = value != null && value.getClass().getName().contains(".Json");
                free &= !known;
                if (value != null
                        && !field.getName().equals("additionalProperties")
                        && !field.getName().equals("_json")) {
                    walk(value);
                }
            }
        }
        if (!free) {
            for (String name : additional(object)) {
                found.add(object.getClass().getSimpleName() + "." + name);
            }
        }
    }

    private static Set<String> additional(Object object) {
        try {
            Object map = object.getClass().getMethod("_additionalProperties").invoke(object);
            return map instanceof Map<?, ?> some
                    ? Set.copyOf(some.keySet().stream().map(String::valueOf).toList())
                    : Set.of();
        } catch (NoSuchMethodException e) {
            return Set.of();
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static @Nullable Object value(Field field, Object object) {
        try {
            field.setAccessible(true);
            return field.get(object);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }
}
