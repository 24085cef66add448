package dev.agentloop.json.schema;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import dev.harrel.jsonschema.JsonNode;
import dev.harrel.jsonschema.JsonNodeFactory;
import dev.harrel.jsonschema.SimpleType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Our JSON values as the schema library sees them. */
record ValueNode(JsonValue value, String pointer) implements JsonNode {
    static final JsonNodeFactory FACTORY =
            new JsonNodeFactory() {
                @Override
                public JsonNode wrap(Object node) {
                    return node instanceof JsonNode known
                            ? known
                            : new ValueNode(new JsonValue(node), "");
                }

                @Override
                public JsonNode create(String json) {
                    try {
                        return new ValueNode(Json.parse(json), "");
                    } catch (JsonException e) {
                        throw new IllegalArgumentException(e);
                    }
                }
            };

    @Override
    public String getJsonPointer() {
        return pointer;
    }

    @Override
    public SimpleType getNodeType() {
        return switch (value.raw()) {
            case null -> SimpleType.NULL;
            case Boolean _ -> SimpleType.BOOLEAN;
            case String _ -> SimpleType.STRING;
            case Number _ -> // 1.0 is an integer for a schema
                    asNumber().scale() <= 0 ? SimpleType.INTEGER : SimpleType.NUMBER;
            case List<?> _ -> SimpleType.ARRAY;
            default -> SimpleType.OBJECT;
        };
    }

    @Override
    public boolean asBoolean() {
        return value.isTrue();
    }

    @Override
    public String asString() {
        return value.text();
    }

    @Override
    public BigInteger asInteger() {
        return asNumber().toBigInteger();
    }

    /** Without trailing zeros, because the library compares digits: 1.50 is 1.5 for a schema. */
    @Override
    public BigDecimal asNumber() {
        return new BigDecimal(String.valueOf(value.raw())).stripTrailingZeros();
    }

    /** What an error message quotes. */
    @Override
    public String toPrintableString() {
        return Json.text(value::writeTo);
    }

    @Override
    public List<JsonNode> asArray() {
        List<JsonNode> items = new ArrayList<>();
        for (JsonValue item : value.items()) {
            items.add(new ValueNode(item, pointer + "/" + items.size()));
        }
        return items;
    }

    @Override
    public Map<String, JsonNode> asObject() {
        Map<String, JsonNode> members = new LinkedHashMap<>();
        for (String key : value.keys()) {
            members.put(
                    key,
                    new ValueNode(value.at(key), pointer + "/" + JsonNode.encodeJsonPointer(key)));
        }
        return members;
    }
}
