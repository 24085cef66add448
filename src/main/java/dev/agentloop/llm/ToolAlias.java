package dev.agentloop.llm;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import dev.agentloop.tool.ToolSpec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Another name of one of our tools. Arguments that are no JSON object stay as they are: whoever
 * runs the call says what is wrong with them.
 *
 * @param parameters our names of parameters to the other ones, also of objects in lists
 * @param milliseconds our parameter in seconds that the other tool counts in milliseconds; or empty
 * @param habits parameters of the other tool that ours can do without
 */
public record ToolAlias(
        String own,
        String other,
        Map<String, String> parameters,
        String milliseconds,
        Set<String> habits) {
    private static final int MILLIS = 1_000;

    static ToolAlias of(String own, String other) {
        return new ToolAlias(own, other, Map.of(), "", Set.of());
    }

    ToolAlias with(Map<String, String> renamed) {
        return new ToolAlias(own, other, renamed, milliseconds, habits);
    }

    ToolAlias inMilliseconds(String parameter) {
        return new ToolAlias(own, other, parameters, parameter, habits);
    }

    ToolAlias without(String... unneeded) {
        return new ToolAlias(own, other, parameters, milliseconds, Set.of(unneeded));
    }

    /** Our call in the other tool's words. */
    public String toOther(String arguments) {
        return object(
                arguments,
                given -> {
                    Map<String, @Nullable Object> named = renamed(given, parameters);
                    String timed = parameters.getOrDefault(milliseconds, milliseconds);
                    Long seconds = number(named.get(timed));
                    if (seconds != null) {
                        named.put(timed, seconds * MILLIS);
                    }
                    return named;
                });
    }

    /** A call of the other tool in our words. */
    public String toOwn(String arguments) {
        Map<String, String> back = new HashMap<>();
        parameters.forEach((ours, theirs) -> back.put(theirs, ours));
        return object(
                arguments,
                given -> {
                    Map<String, @Nullable Object> named = renamed(given, back);
                    Long millis = number(named.get(milliseconds));
                    if (millis != null) {
                        named.put(milliseconds, Math.ceilDiv(millis, MILLIS));
                    }
                    return named;
                });
    }

    /** The declaration under the other name; the description keeps its words. */
    public ToolSpec declared(ToolSpec spec) {
        String schema = object(spec.parameters(), this::schema);
        return new ToolSpec(other, spec.description(), schema, spec.effect());
    }

    private Map<String, @Nullable Object> schema(Map<?, ?> schema) {
        Map<String, @Nullable Object> named = new LinkedHashMap<>();
        schema.forEach((key, value) ->
                named.put(
                        (String) key,
                        switch (value) {
                            case Map<?, ?> properties when key.equals("properties") ->
                                    properties(properties);
                            case Map<?, ?> items when key.equals("items") -> schema(items);
                            case List<?> required when key.equals("required") ->
                                    required.stream()
                                            .map(name ->
                                                    parameters.getOrDefault(
                                                            (String) name, (String) name))
                                            .toList();
                            case null, default -> value;
                        }));
        return named;
    }

    private Map<String, @Nullable Object> properties(Map<?, ?> properties) {
        Map<String, @Nullable Object> named = new LinkedHashMap<>();
        for (Map.Entry<?, ?> property : properties.entrySet()) {
            String name = (String) property.getKey();
            Map<String, @Nullable Object> schema = schema((Map<?, ?>) property.getValue());
            if (name.equals(milliseconds)) {
                schema.put("description", "Milliseconds, default 120000, at most 600000");
            }
            named.put(parameters.getOrDefault(name, name), schema);
        }
        return named;
    }

    /** Says an object in other words. */
    private interface Saying {
        Map<String, @Nullable Object> of(Map<?, ?> given);
    }

    private static String object(String json, Saying saying) {
        try {
            if (Json.parse(json).raw() instanceof Map<?, ?> given) {
                byte[] utf8 = Json.bytes(new JsonValue(saying.of(given))::writeTo);
                return new String(utf8, StandardCharsets.UTF_8);
            }
        } catch (JsonException e) {
            return json;
        }
        return json;
    }

    private Map<String, @Nullable Object> renamed(Map<?, ?> object, Map<String, String> names) {
        Map<String, @Nullable Object> named = new LinkedHashMap<>();
        for (Map.Entry<?, ?> member : object.entrySet()) {
            String name = (String) member.getKey();
            if (!habits.contains(name)) {
                named.put(names.getOrDefault(name, name), inLists(member.getValue(), names));
            }
        }
        return named;
    }

    private @Nullable Object inLists(@Nullable Object value, Map<String, String> names) {
        if (!(value instanceof List<?> list)) {
            return value;
        }
        List<@Nullable Object> items = new ArrayList<>();
        for (Object item : list) {
            items.add(item instanceof Map<?, ?> object ? renamed(object, names) : item);
        }
        return items;
    }

    private static @Nullable Long number(@Nullable Object value) {
        return value instanceof Integer || value instanceof Long
                ? Long.valueOf(((Number) value).longValue())
                : null;
    }
}
