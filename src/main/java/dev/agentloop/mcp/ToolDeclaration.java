package dev.agentloop.mcp;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonValue;
import dev.agentloop.mcp.channel.CleanText;
import dev.agentloop.mcp.channel.McpException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A tool as its server declares it, made fit for a model.
 *
 * @param name as the server calls it
 * @param description at most 2 KB, without anything invisible
 * @param schema JSON schema of an object, as JSON text, without anything invisible
 * @param digest of all that the server says about it: what an approval is bound to
 */
record ToolDeclaration(String name, String description, String schema, String digest) {
    private static final int MAX_NAME = 1_000; // characters; longer ones are no names
    private static final int MAX_SCHEMA = 100_000; // bytes; ≈ 25k tokens, in every request

    /**
     * Makes it fit.
     *
     * @throws McpException if it has no name, or a schema that no provider would take
     */
    static ToolDeclaration of(JsonValue tool) throws McpException {
        String name = tool.at("name").text();
        if (name.isEmpty() || name.length() > MAX_NAME) {
            throw new McpException(name.isEmpty() ? "it has no name" : "its name is too long");
        }
        check(tool.at("inputSchema"));
        Object shown = CleanText.json(schema(tool.at("inputSchema")));
        String schema = Json.text(new JsonValue(shown)::writeTo);
        if (schema.getBytes(StandardCharsets.UTF_8).length > MAX_SCHEMA) {
            throw new McpException("its schema has more than 100 KB");
        }
        String words = CleanText.description(tool.at("description").text());
        String title = CleanText.oneLine(tool.at("title").text()).strip();
        String description = words.isEmpty() ? CleanText.description(title) : words;
        return new ToolDeclaration(name, description, schema, digest(tool));
    }

    /** A request with one tool that is nonsense is refused as a whole. */
    private static void check(JsonValue schema) throws McpException {
        JsonValue properties = schema.at("properties");
        JsonValue required = schema.at("required");
        boolean sound =
                (schema.isNull() || schema.isObject())
                        && (!schema.has("properties") || properties.isObject())
                        && (!schema.has("required") || required.isArray())
                        && required.items().stream().allMatch(JsonValue::isText)
                        && properties.keys().stream()
                                .map(properties::at)
                                .allMatch(ToolDeclaration::isSchema);
        if (!sound) {
            throw new McpException("its schema is not one of an object");
        }
    }

    private static boolean isSchema(JsonValue value) {
        return value.isObject() || value.raw() instanceof Boolean;
    }

    /** Providers take nothing but objects with properties, even if there is none. */
    private static Map<String, @Nullable Object> schema(JsonValue given) {
        Map<String, @Nullable Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        schema.put("properties", Map.of());
        for (String key : given.keys()) {
            schema.put(key, given.at(key).raw());
        }
        schema.put("type", "object");
        return schema;
    }

    private static String digest(JsonValue tool) {
        Map<String, @Nullable Object> said = new LinkedHashMap<>();
        String[] keys = {
            "name", "title", "description", "inputSchema", "outputSchema", "annotations"
        };
        for (String key : keys) {
            said.put(key, tool.at(key).raw());
        }
        return Digest.of(Json.text(new JsonValue(said)::writeTo));
    }
}
