package dev.agentloop.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Arguments of a tool in which one place holds a hostile value, made from the tool's schema. */
public final class HostileCalls {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String HERE = "@here@";

    private final JsonNode schema;

    /**
     * @param schema of the tool's parameters
     */
    public HostileCalls(JsonNode schema) {
        this.schema = schema;
    }

    public HostileCalls(String schema) {
        this(read(schema));
    }

    private static JsonNode read(String json) {
        try {
            return JSON.readTree(json);
        } catch (java.io.IOException e) {
            throw new AssertionError("not JSON: " + json, e);
        }
    }

    /** Every value in one place each, the places in turn, and what is no arguments at all. */
    public List<String> inTurn() {
        List<String> calls = new ArrayList<>(HostileValues.wholes());
        List<List<Object>> places = places(schema, List.of());
        List<String> values = values();
        values.addAll(HostileValues.longTexts());
        for (int i = 0; i < values.size() && !places.isEmpty(); i++) {
            calls.add(arguments(places.get(i % places.size()), values.get(i)));
        }
        return calls;
    }

    private static List<String> values() {
        List<String> values = new ArrayList<>(HostileValues.texts());
        values.addAll(HostileValues.others());
        return values;
    }

    private String arguments(List<Object> place, String value) {
        return sample(schema, place).toString().replace("\"" + HERE + "\"", value);
    }

    /** All places of a value, in objects and lists within each other. */
    private static List<List<Object>> places(JsonNode schema, List<Object> above) {
        List<List<Object>> places = new ArrayList<>();
        if (!above.isEmpty()) {
            places.add(above);
        }
        for (Map.Entry<String, JsonNode> of : schema.path("properties").properties()) {
            places.addAll(places(of.getValue(), and(above, of.getKey())));
        }
        if (schema.has("items")) {
            places.addAll(places(schema.path("items"), and(above, 0)));
        }
        return places;
    }

    private static List<Object> and(List<Object> above, Object step) {
        List<Object> all = new ArrayList<>(above);
        all.add(step);
        return all;
    }

    /** A valid value in which one place is marked. */
    private static JsonNode sample(JsonNode schema, List<Object> mark) {
        if (mark.isEmpty()) {
            return JSON.getNodeFactory().textNode(HERE);
        }
        List<Object> below = mark.subList(1, mark.size());
        if (schema.has("items")) {
            return JSON.createArrayNode().add(sample(schema.path("items"), below));
        }
        ObjectNode object = JSON.createObjectNode();
        for (Map.Entry<String, JsonNode> of : schema.path("properties").properties()) {
            if (of.getKey().equals(mark.getFirst())) {
                object.set(of.getKey(), sample(of.getValue(), below));
            } else if (isRequired(schema, of.getKey())) {
                object.set(of.getKey(), plain(of.getValue()));
            }
        }
        return object;
    }

    private static boolean isRequired(JsonNode schema, String name) {
        for (JsonNode required : schema.path("required")) {
            if (required.asText().equals(name)) {
                return true;
            }
        }
        return false;
    }

    private static JsonNode plain(JsonNode schema) {
        if (schema.has("enum")) {
            return schema.path("enum").get(0);
        }
        return switch (schema.path("type").asText()) {
            case "array" -> JSON.createArrayNode().add(plain(schema.path("items")));
            case "boolean" -> JSON.getNodeFactory().booleanNode(true);
            case "integer", "number" -> JSON.getNodeFactory().numberNode(1);
            case "object" -> {
                ObjectNode object = JSON.createObjectNode();
                for (Map.Entry<String, JsonNode> of : schema.path("properties").properties()) {
                    object.set(of.getKey(), plain(of.getValue()));
                }
                yield object;
            }
            default -> JSON.getNodeFactory().textNode("x");
        };
    }
}
