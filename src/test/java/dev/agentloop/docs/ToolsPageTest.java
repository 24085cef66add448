package dev.agentloop.docs;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.agentloop.config.ConfigLoader;
import dev.agentloop.config.ConfigSources;
import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import dev.agentloop.process.ProcessRunner;
import dev.agentloop.tool.Effect;
import dev.agentloop.tool.Person;
import dev.agentloop.tool.ToolSpec;
import dev.agentloop.tool.Workspace;
import dev.agentloop.wiring.Tools;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ToolsPageTest {
    @Test
    void thePageListsEveryToolWithItsParameters(@TempDir Path folder)
            throws IOException, JsonException {
        Tools.Parts parts =
                new Tools.Parts(
                        ConfigLoader.load(ConfigSources.of(Map.of(), folder, folder)).config(),
                        new ProcessRunner(Map.of(), List.of()),
                        Map.of(),
                        Person.NOBODY,
                        true,
                        List.of());
        List<ToolSpec> specs = Tools.builtin(parts, new Workspace(folder)).known();
        StringBuilder part = new StringBuilder();
        for (ToolSpec spec : specs) {
            describe(part, spec);
        }

        Page.of("docs/tools.md").checkPart("tools", part.toString());
    }

    private static void describe(StringBuilder part, ToolSpec spec)
            throws IOException, JsonException {
        part.append("### ").append(spec.name()).append("\n\n");
        part.append(resource("/prompts/tools/" + spec.name() + ".md").strip()).append("\n\n");
        part.append("Effect: ").append(effect(spec.effect())).append("\n\n");
        JsonValue schema = Json.parse(resource("/schemas/tools/" + spec.name() + ".json"));
        Set<String> required =
                schema.at("required").items().stream()
                        .map(JsonValue::text)
                        .collect(Collectors.toSet());
        JsonValue properties = schema.at("properties");
        for (String name : properties.keys()) {
            JsonValue property = properties.at(name);
            String meaning = property.at("description").text();
            part.append("- `").append(name).append(required.contains(name) ? "`" : "?`");
            part.append(" (").append(type(property)).append(')');
            part.append(meaning.isEmpty() ? "" : ": " + meaning).append('\n');
        }
        part.append('\n');
    }

    private static String type(JsonValue property) {
        String values =
                property.at("enum").items().stream()
                        .map(JsonValue::text)
                        .collect(Collectors.joining(" or "));
        return values.isEmpty() ? property.at("type").text() : values;
    }

    private static String effect(Effect effect) {
        return switch (effect) {
            case PURE -> "pure: changes nothing; asked about where it reads a secret or outside.";
            case FILE -> "file: changes a file of the workspace; rules see its path.";
            case IDEMPOTENT -> "idempotent: may be repeated.";
            case OPAQUE -> "opaque: may do anything; rules see the command or the server.";
        };
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(Page.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }
}
