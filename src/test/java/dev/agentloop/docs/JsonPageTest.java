package dev.agentloop.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toSet;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.agentloop.event.AgentEvent;
import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import dev.agentloop.output.EventJson;
import dev.agentloop.output.JsonLines;
import dev.agentloop.output.ResultJson;
import dev.agentloop.testing.Schemas;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class JsonPageTest {
    private static final Page PAGE = Page.of("docs/json-output.md");
    private static final Path SCHEMAS = Path.of("src/main/resources/schemas");
    private static final Set<String> ENVELOPE =
            Set.of("schema_version", "type", "session_id", "seq", "ts");

    @Test
    void thePageListsTheFieldsOfTheResult() throws IOException, JsonException {
        StringBuilder part = new StringBuilder("| field | type | meaning |\n|---|---|---|\n");
        rows(part, "", schema("result"), Set.of());

        PAGE.checkPart("result", part.toString());
    }

    @Test
    void thePageShowsAWholeResult() throws IOException {
        byte[] json = ResultJson.bytes(JsonExamples.SUMMARY);

        PAGE.checkPart("result example", fenced(new String(json, UTF_8)));
    }

    @Test
    void thePageListsEveryEventWithItsFieldsAndAnExample() throws IOException, JsonException {
        Map<String, String> examples = examples();
        StringBuilder part = new StringBuilder();
        for (JsonValue event : schema("events").at("oneOf").items()) {
            String type = event.at("title").text();
            part.append("### ").append(type).append("\n\n");
            part.append(event.at("description").text()).append("\n\n");
            if (type.equals("result")) {
                part.append("Its fields are those of [the result](#the-result-object).\n\n");
            } else {
                part.append("| field | type | meaning |\n|---|---|---|\n");
                rows(part, "", event, ENVELOPE);
                part.append('\n');
            }
            part.append(fenced(examples.getOrDefault(type, "no example"))).append('\n');
        }

        PAGE.checkPart("events", part.toString());
    }

    @Test
    void thePageListsWhatATestOfAModelPrints() throws IOException, JsonException {
        StringBuilder part = new StringBuilder();
        for (JsonValue shape : schema("models-test").at("oneOf").items()) {
            part.append(shape.at("description").text()).append("\n\n");
            part.append("| field | type | meaning |\n|---|---|---|\n");
            rows(part, "", shape, Set.of());
            part.append('\n');
        }

        PAGE.checkPart("models test", part.toString());
    }

    @Test
    void everyEventHasASchemaAndAnExample() throws IOException, JsonException {
        Set<String> inSchema =
                schema("events").at("oneOf").items().stream()
                        .map(event -> event.at("title").text())
                        .collect(toSet());

        assertEquals(inSchema, examples().keySet());
        assertEquals(
                Set.of(AgentEvent.class.getPermittedSubclasses()),
                JsonExamples.EVENTS.stream().map(Object::getClass).collect(toSet()));
    }

    @Test
    void everyExampleIsValid() throws IOException {
        for (String example : examples().values()) {
            assertEquals(List.of(), Schemas.problems("events", example));
        }
        String result = new String(ResultJson.bytes(JsonExamples.SUMMARY), UTF_8);
        assertEquals(List.of(), Schemas.problems("result", result));
    }

    private static Map<String, String> examples() {
        List<String> lines = new ArrayList<>();
        Instant time = Instant.parse("2026-03-01T12:00:00Z");
        JsonLines json = new JsonLines(line -> lines.add(new String(line, UTF_8)), () -> time);
        Map<String, String> byType = new LinkedHashMap<>();
        for (AgentEvent event : JsonExamples.EVENTS) {
            json.emit(event);
            byType.put(EventJson.type(event), lines.getLast().strip());
        }
        return byType;
    }

    private static JsonValue schema(String name) throws IOException, JsonException {
        return Json.parse(Files.readString(SCHEMAS.resolve(name + ".schema.json")));
    }

    /** A row for each field; fields of objects and of the objects of lists follow, indented. */
    private static void rows(
            StringBuilder part, String prefix, JsonValue object, Set<String> left) {
        Set<String> required =
                object.at("required").items().stream().map(JsonValue::text).collect(toSet());
        for (String name : object.at("properties").keys()) {
            JsonValue field = object.at("properties").at(name);
            if (left.contains(name)) {
                continue;
            }
            boolean list = field.has("items");
            String path = prefix + name + (list ? "[]" : "");
            part.append("| `").append(path).append(required.contains(name) ? "`" : "`, optional");
            part.append(" | ").append(type(list ? field.at("items") : field));
            part.append(" | ").append(meaning(field)).append(" |\n");
            JsonValue inner = list ? field.at("items") : field;
            if (inner.has("properties")) {
                rows(part, path + ".", inner, Set.of());
            }
        }
    }

    private static String meaning(JsonValue field) {
        return field.at("description").text().replace("|", "\\|");
    }

    private static String type(JsonValue field) {
        JsonValue type = field.at("type");
        String values =
                field.at("enum").items().stream()
                        .map(JsonValue::text)
                        .map(value -> "`" + value + "`")
                        .collect(Collectors.joining(", "));
        if (!values.isEmpty()) {
            return values;
        }
        return type.isArray()
                ? type.items().stream().map(JsonValue::text).collect(Collectors.joining(" or "))
                : type.textOr("`" + field.at("const").text() + "`");
    }

    private static String fenced(String json) {
        return "```json\n" + json + "\n```\n";
    }
}
