package dev.agentloop.mcp;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A tool as its server declares it, made fit for a model.
 *
 * @param name as the server calls it
 * @param description at most 2 KB, without anything invisible
 * @param schema JSON schema of an object, as JSON text; otherwise as the server sent it
 * @param digest of all that the server says about it: what an approval is bound to
 */
record ToolDeclaration(String name, String description, String schema, String digest) {
    private static final int MAX_NAME = 1_000; // characters; longer ones are no names
    private static final int MAX_SCHEMA = 100_000; // bytes; ≈ 25k tokens, in every request

    /** Empty for what cannot be offered: without a name, or with a schema nobody could send. */
    static Optional<ToolDeclaration> of(JsonValue tool) {
        String name = tool.at("name").text();
        if (name.isEmpty() || name.length() > MAX_NAME) {
            return Optional.empty();
        }
        String schema = Json.text(new JsonValue(schema(tool.at("inputSchema")))::writeTo);
        if (schema.getBytes(StandardCharsets.UTF_8).length > MAX_SCHEMA) {
            return Optional.empty();
        }
        String words = CleanText.description(tool.at("description").text());
        String title = CleanText.oneLine(tool.at("title").text()).strip();
        String description = words.isEmpty() ? CleanText.description(title) : words;
        return Optional.of(new ToolDeclaration(name, description, schema, digest(tool)));
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
