package dev.agentloop.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import dev.agentloop.config.key.Key;
import dev.agentloop.config.key.Keys;
import dev.agentloop.config.key.ValueType;
import dev.agentloop.config.key.Values;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

class ConfigSchemaTest {
    private static final Path FILE = Path.of("src/main/resources/config.schema.json");
    private static final ObjectMapper MAPPER = new ObjectMapper();

    @Test
    void theSchemaComesFromTheTableOfKeys() throws IOException {
        ObjectNode schema = MAPPER.createObjectNode();
        schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
        schema.put("title", "Configuration of agent");
        section(schema);
        for (Key key : Keys.ALL) {
            if (key.inFiles()) {
                ObjectNode parent = schema;
                for (String part : key.path().parts().subList(0, key.path().parts().size() - 1)) {
                    parent = child(parent, part);
                }
                describe(key, leaf(parent, key.name()));
            }
        }

        String text = MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(schema) + "\n";
        Golden.check(FILE, text);
    }

    @Test
    void theExampleAndTheTemplateSatisfyTheSchema() throws IOException {
        String example = Files.readString(Path.of("config/agent.example.yaml"));
        assertEquals(Set.of(), violations(example));
        assertEquals(Set.of(), violations(ConfigTemplateTest.uncommented()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "limits: {max_step: 5}",
                "limits: {max_steps: -1}",
                "limits: {timeout: 5x}",
                "llm: {model: x}",
                "llm: {base_url: \"http://x\"}",
                "llm: {effort: hihg}",
                "providers: {x: {price: 1}}",
                "hooks: {post_edit: [{name: x}]}",
                "telemetry: {}"
            })
    void whatTheLoaderRefusesTheSchemaRefuses(String yaml) throws IOException {
        assertFalse(violations(yaml).isEmpty());
    }

    private static Set<ValidationMessage> violations(String yaml) throws IOException {
        JsonNode schema = MAPPER.readTree(Files.readString(FILE));
        JsonNode document = MAPPER.valueToTree(new Yaml().load(yaml));
        return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                .getSchema(schema)
                .validate(document);
    }

    private static ObjectNode child(ObjectNode parent, String part) {
        if (part.equals("*")) {
            return parent.get("additionalProperties") instanceof ObjectNode there
                    ? there
                    : section(parent.putObject("additionalProperties"));
        }
        ObjectNode properties = (ObjectNode) parent.get("properties");
        return properties.get(part) instanceof ObjectNode there
                ? there
                : section(properties.putObject(part));
    }

    private static ObjectNode leaf(ObjectNode parent, String name) {
        return name.equals("*")
                ? parent.putObject("additionalProperties")
                : ((ObjectNode) parent.get("properties")).putObject(name);
    }

    private static ObjectNode section(ObjectNode node) {
        node.putArray("type").add("object").add("null");
        node.putObject("properties");
        node.put("additionalProperties", false);
        return node;
    }

    private static void describe(Key key, ObjectNode node) {
        node.put("description", key.meaning());
        if (key.preset() != null) {
            node.put("default", Values.show(key.preset()));
        }
        describe(key.type(), key.preset() == null && !key.required(), node);
    }

    private static void describe(ValueType type, boolean nullable, ObjectNode node) {
        switch (type) {
            case ValueType.Whole whole -> {
                types(node, nullable, "integer");
                node.put("minimum", whole.zeroIsNoLimit() ? 0 : whole.min());
                node.put("maximum", whole.max());
            }
            case ValueType.WholeOrAuto either -> either(either, node.putArray("oneOf"));
            case ValueType.Money _ -> {
                types(node, nullable, "number");
                node.put("minimum", 0).put("maximum", 1_000_000);
            }
            case ValueType.Decimal decimal -> {
                types(node, nullable, "number");
                node.put("minimum", decimal.min()).put("maximum", decimal.max());
            }
            case ValueType.Span _ -> {
                types(node, nullable, "integer", "string");
                node.put("minimum", 0);
                node.put("pattern", "^([0-9]+|([0-9]+h)?([0-9]+m)?([0-9]+s)?([0-9]+ms)?)$");
            }
            case ValueType.Flag _ -> types(node, nullable, "boolean");
            case ValueType.Choice choice -> words(choice, nullable, node.putArray("enum"));
            case ValueType.Text(ValueType.Form form) -> {
                types(node, nullable, "string");
                form(form, node);
            }
            case ValueType.Texts(ValueType.Form form) -> {
                types(node, nullable, "array");
                ObjectNode items = node.putObject("items");
                types(items, false, "string");
                form(form, items);
            }
            case ValueType.Maps maps -> {
                types(node, nullable, "array");
                maps(maps, section(node.putObject("items")));
            }
        }
    }

    private static void either(ValueType.WholeOrAuto either, ArrayNode forms) {
        forms.addObject().put("const", ValueType.WholeOrAuto.AUTO);
        forms.addObject().put("type", "integer").put("minimum", 0).put("maximum", either.max());
    }

    private static void maps(ValueType.Maps maps, ObjectNode items) {
        ArrayNode required = items.putArray("required");
        for (Key key : maps.keys()) {
            describe(key, ((ObjectNode) items.get("properties")).putObject(key.name()));
            if (key.required()) {
                required.add(key.name());
            }
        }
    }

    private static void types(ObjectNode node, boolean nullable, String... types) {
        ArrayNode array = node.putArray("type");
        for (String type : types) {
            array.add(type);
        }
        if (nullable) {
            array.add("null");
        }
    }

    /** Editors that read YAML 1.1 see false for off. */
    private static void words(ValueType.Choice choice, boolean nullable, ArrayNode node) {
        choice.words().forEach(node::add);
        if (choice.words().contains("off")) {
            node.add(false);
        }
        if (choice.words().contains("on")) {
            node.add(true);
        }
        if (nullable) {
            node.addNull();
        }
    }

    private static void form(ValueType.Form form, ObjectNode node) {
        switch (form) {
            case MODEL -> node.put("pattern", "^[^/ ]+/[^ ]+$");
            case URL -> node.put("pattern", "^[hH][tT][tT][pP][sS]?://[^@?#]+$");
            case VARIABLE -> node.put("pattern", "^[A-Za-z_][A-Za-z0-9_]*$");
            case HEADER -> node.put("pattern", "^[A-Za-z0-9_-]+$");
            case QUERY -> node.put("pattern", "^[^=&]+=[^&]*(&[^=&]+=[^&]*)*$");
            case EFFORT ->
                    node.putArray("enum")
                            .add("off")
                            .add("low")
                            .add("medium")
                            .add("high")
                            .add("max");
            case ANY, PATH -> node.put("minLength", 1);
        }
    }
}
