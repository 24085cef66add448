package dev.agentloop.testing;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The published schemas, as a stranger's validator reads them. */
public final class Schemas {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Map<String, JsonSchema> LOADED = new ConcurrentHashMap<>();

    private Schemas() {}

    /** What is wrong with a document; empty when it is valid. */
    public static List<String> problems(String schema, String json) throws IOException {
        JsonSchema loaded = LOADED.computeIfAbsent(schema, Schemas::load);
        return loaded.validate(MAPPER.readTree(json)).stream().map(Object::toString).toList();
    }

    private static JsonSchema load(String name) {
        try (InputStream in =
                Schemas.class.getResourceAsStream("/schemas/" + name + ".schema.json")) {
            return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                    .getSchema(MAPPER.readTree(in));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
