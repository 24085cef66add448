package dev.agentloop.blackbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The published schemas, applied to everything that any test sees. */
final class Schemas {
    private static final Map<String, Optional<JsonSchema>> LOADED = new ConcurrentHashMap<>();

    private Schemas() {}

    /** What {@code node} violates; {@code name} is result or events. */
    static List<String> violations(String name, JsonNode node) {
        return LOADED.computeIfAbsent(name, Schemas::load).stream()
                .flatMap(schema -> schema.validate(node).stream())
                .map(Object::toString)
                .toList();
    }

    private static Optional<JsonSchema> load(String name) {
        InputStream in = Schemas.class.getResourceAsStream("/schemas/" + name + ".schema.json");
        return Optional.ofNullable(in)
                .map(JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)::getSchema);
    }
}
