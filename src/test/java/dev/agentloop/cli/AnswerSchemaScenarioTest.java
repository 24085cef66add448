package dev.agentloop.cli;

import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.ScriptedServer;
import dev.agentloop.blackbox.World;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs whose answer must be JSON of a schema. */
@DisplayName("--json-schema")
class AnswerSchemaScenarioTest {
    private static final String SCHEMA =
            "{\"type\":\"object\",\"required\":[\"count\"],\"additionalProperties\":false,"
                    + "\"properties\":{\"count\":{\"type\":\"integer\",\"minimum\":1}}}";

    @ParameterizedTest
    @ValueSource(strings = {"{\"count\": 3}", "```json\n{\"count\": 3}\n```", " {\"count\":3.0} "})
    @DisplayName("an answer that fits is structured_output, with or without a fence")
    void fits(String answer) {
        try (var model = ScriptedServer.chat(says(answer));
                var world = World.with(model)) {
            Ended ended = world.runInside("--json", "--json-schema", SCHEMA, "count");
            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals(3, ended.result().path("structured_output").path("count").asInt());
            assertTrue(model.lastRequest().raw().contains("nothing but JSON"), ended::toString);
        }
    }

    @Test
    @DisplayName("an answer that does not fit goes back with the problem, and the run goes on")
    void corrected() {
        try (var model =
                        ScriptedServer.chat(
                                calls("list_files", "path", "."),
                                says("There are three."),
                                says("{\"count\": 0, \"why\": 1}"),
                                says("{\"count\": 3}"));
                var world = World.with(model).file("schema.json", SCHEMA)) {
            Ended ended = world.runInside("--json", "--json-schema", "schema.json", "count");
            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals("{\"count\": 3}", ended.result("result"));
            assertEquals(4, ended.result().path("steps").asInt());
            assertTrue(model.requests().get(2).lastText().contains("it is not JSON"));
            String problem = model.requests().get(3).lastText();
            assertTrue(problem.contains("/count") && problem.contains("/why"), problem);
            List<String> told =
                    ended.err().lines().filter(line -> line.contains("sent back")).toList();
            assertEquals(2, told.size(), ended::toString);
            assertTrue(told.getFirst().contains("it is not JSON"), ended::toString);
            assertTrue(told.getLast().contains("/count"), ended::toString);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[1e400]",
                "{\"count\":1e999999999}",
                "[1e-999999999]",
                "{\"count\":0e99999999999}",
                "[0e-99999999999]",
                "LONG",
                "DEEP"
            })
    @DisplayName("numbers and nesting that no program can hold are a problem of the answer")
    void monsters(String word) {
        String answer =
                switch (word) {
                    case "LONG" -> "{\"count\":" + "1".repeat(5000) + "}";
                    case "DEEP" -> "[".repeat(2000) + "]".repeat(2000);
                    default -> word;
                };
        try (var model = ScriptedServer.chat(says(answer), says("{\"count\":1}"));
                var world = World.with(model)) {
            Ended ended = world.runInside("--json", "--json-schema", SCHEMA, "count");
            assertEquals(0, ended.exitCode(), ended::toString);
            String problem = model.lastRequest().lastText();
            assertTrue(problem.contains("it cannot be read: "), problem);
            assertFalse(problem.contains("()"), problem); // no name of a method
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"properties\":{\"count\":{\"pattern\":\"[\"}}}",
                "{\"$ref\":\"#/$defs/a\",\"$defs\":{\"a\":{\"patternProperties\":{\"(\":{}}}}}"
            })
    @DisplayName("a pattern that nobody understands is refused before a model is asked")
    void badPattern(String schema) {
        try (var model = ScriptedServer.chat();
                var world = World.with(model)) {
            Ended ended = world.runInside("--json", "--json-schema", schema, "go");
            assertEquals(3, ended.exitCode(), ended::toString);
            assertTrue(ended.errorMessage().contains("--json-schema"), ended::toString);
            assertTrue(ended.errorMessage().contains("the pattern \""), ended::toString);
        }
    }

    @Test
    @DisplayName("an answer that never fits ends partial after two corrections, and says so")
    void neverFits() {
        try (var model = ScriptedServer.chat(says("a"), says("b"), says("c"));
                var world = World.with(model)) {
            Ended ended = world.runInside("--json", "--json-schema", SCHEMA, "count");
            assertEquals(2, ended.exitCode(), ended::toString);
            assertEquals("schema_mismatch", ended.result("stop_reason"));
            assertEquals("c", ended.result("result"));
            assertFalse(ended.result().has("structured_output"), ended::toString);
            assertEquals(1, ended.result().path("errors").size(), ended::toString);
            assertEquals("schema_mismatch", ended.result().at("/errors/0/code").asText());
            assertTrue(ended.errorMessage().contains("it is not JSON"), ended::toString);
            assertFalse(ended.err().contains("LLM error"), ended::toString);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"type\":",
                "{\"type\":\"nothing\"}",
                "{\"$ref\":\"http://127.0.0.1:9/schema.json\"}",
                "missing.json"
            })
    @DisplayName(
            "a schema that is none, or leads out of itself, is refused before anything is sent")
    void badSchema(String schema) {
        try (var world = World.withoutModel()) {
            Ended ended = world.runInside("--json", "--json-schema", schema, "count");
            assertEquals(3, ended.exitCode(), ended::toString);
            assertTrue(ended.errorMessage().contains("--json-schema"), ended::toString);
        }
    }

    @Test
    @DisplayName("in mixed mode the plan is free, the answer is not")
    void mixed() {
        try (var model = ScriptedServer.chat(says("1. count"), says("{\"count\": 1}"));
                var world = World.with(model)) {
            Ended ended =
                    world.runInside("--json", "--mode", "mixed", "--json-schema", SCHEMA, "count");
            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals(1, ended.result().path("structured_output").path("count").asInt());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"json", "stream-json"})
    @DisplayName("numbers stay as the model wrote them, however long they are")
    void numbers(String format) {
        String answer = "{\"a\":0.1234567890123456789012345,\"b\":1.10,\"c\":2.5E-30,\"d\":-0.0}";
        try (var model = ScriptedServer.chat(says("no"), says(answer));
                var world = World.with(model)) {
            Ended ended =
                    world.runInside(
                            "--output-format=" + format,
                            "--json-schema",
                            "{\"type\":\"object\"}",
                            "go");
            assertEquals(0, ended.exitCode(), ended::toString);
            String result = ended.out().lines().toList().getLast();
            assertTrue(result.contains("\"structured_output\":" + answer), ended::toString);
        }
    }

    @Test
    @DisplayName("a long number is checked exactly, too")
    void exactCheck() {
        String schema = "{\"properties\":{\"a\":{\"maximum\":0.3}}}";
        try (var model =
                        ScriptedServer.chat(
                                says("{\"a\":0.3000000000000000000001}"), says("{\"a\":0.3}"));
                var world = World.with(model)) {
            Ended ended = world.runInside("--json", "--json-schema", schema, "go");
            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals("{\"a\":0.3}", ended.result("result"));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"properties\":{\"a\":{\"enum\":[1.5,2.5]}}}|{\"a\":1.50}",
                "{\"properties\":{\"a\":{\"const\":0.25}}}|{\"a\":25E-2}",
                "{\"properties\":{\"a\":{\"const\":[0]}}}|{\"a\":[0e999999999]}",
                "{\"properties\":{\"a\":{\"enum\":[100]}}}|{\"a\":1e2}"
            })
    @DisplayName("numbers are compared by value, not by their digits")
    void equalNumbers(String schema, String answer) {
        try (var model = ScriptedServer.chat(says(answer));
                var world = World.with(model)) {
            Ended ended = world.runInside("--json", "--json-schema", schema, "go");
            assertEquals(0, ended.exitCode(), ended::toString);
            assertTrue(ended.out().contains("\"structured_output\":" + answer), ended::toString);
        }
    }

    @Test
    @DisplayName("two numbers of one value are not unique, and what was expected is told as JSON")
    void problemsWithNumbers() {
        String schema =
                "{\"properties\":{\"a\":{\"uniqueItems\":true},"
                        + "\"b\":{\"enum\":[1.5,\"x\",null,{\"k\":[2]}]}}}";
        try (var model =
                        ScriptedServer.chat(
                                says("{\"a\":[1.5,1.50],\"b\":3}"),
                                says("{\"a\":[1.5],\"b\":1.5}"));
                var world = World.with(model)) {
            Ended ended = world.runInside("--json", "--json-schema", schema, "go");
            assertEquals(0, ended.exitCode(), ended::toString);
            String problem = model.lastRequest().lastText();
            assertTrue(problem.contains("/a: "), problem);
            assertTrue(problem.contains("1.5, \"x\", null, {\"k\":[2]}"), problem);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "#/$defs/b|{\"$defs\":{\"a\":{}},\"properties\":{\"x\":{\"$ref\":\"#/$defs/b\"}}}",
                "#/definitions/item|{\"items\":{\"$ref\":\"#/definitions/item\"}}",
                "#name|{\"items\":{\"$ref\":\"#name\"}}",
                "item.json|{\"items\":{\"$ref\":\"item.json\"}}",
                "#|{\"$ref\":\"#\"}",
                "#nowhere|{\"$dynamicRef\":\"#nowhere\"}",
                "https://json-schema.org/nowhere|{\"$ref\":\"https://json-schema.org/nowhere\"}",
                "http://json-schema.org/draft-07/schema#/definitions/none|{\"$ref\":"
                        + "\"http://json-schema.org/draft-07/schema#/definitions/none\"}",
                "#/no|{\"$ref\":\"#/x\",\"x\":{\"contains\":{\"$ref\":\"#/no\"}}}",
                "#/$defs/a|{\"$ref\":\"#/$defs/a\",\"$defs\":{\"a\":{\"$ref\":\"#/$defs/a\"}}}",
                "#|{\"allOf\":[{\"$ref\":\"#/$defs/a\"}],\"$defs\":{"
                        + "\"a\":{\"anyOf\":[{\"$ref\":\"#/$defs/b\"}]},\"b\":{\"not\":{\"$ref\":\"#\"}}}}"
            })
    @DisplayName(
            "a reference that leads nowhere, or in a circle, is refused before a model is asked")
    void deadReference(String reference, String schema) {
        try (var model = ScriptedServer.chat();
                var world = World.with(model)) {
            Ended ended = world.runInside("--json", "--json-schema", schema, "go");
            assertEquals(3, ended.exitCode(), ended::toString);
            assertTrue(ended.errorMessage().contains("--json-schema"), ended::toString);
            assertTrue(
                    ended.errorMessage().contains("the reference " + reference + " "),
                    ended::toString);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"type\":\"object\",\"properties\":{\"count\":{\"$ref\":\"#/$defs/a~1b%20c\"}},"
                        + "\"$defs\":{\"a/b c\":{\"type\":\"integer\"}}}",
                "{\"properties\":{\"count\":{\"type\":\"integer\"},\"next\":{\"$ref\":\"#\"}}}",
                "{\"properties\":{\"count\":{\"$ref\":\"#n\"}},\"$defs\":{\"x\":{\"$anchor\":\"n\"}}}",
                "{\"properties\":{\"count\":{\"$ref\":\"number\"}},"
                        + "\"$defs\":{\"x\":{\"$id\":\"number\",\"type\":\"integer\"}}}",
                "{\"$id\":\"https://example.com/a\",\"properties\":{\"count\":"
                        + "{\"$ref\":\"https://example.com/a#/$defs/n\"}},\"$defs\":{\"n\":{}}}",
                "{\"default\":{\"$ref\":\"#/nowhere\"},\"properties\":{\"count\":{\"enum\":[3,"
                        + "{\"$ref\":\"#/nowhere\"}]}}}",
                "{\"$defs\":{\"unused\":{\"$ref\":\"https://example.com/x\"},"
                        + "\"self\":{\"$ref\":\"#/$defs/self\"}}}",
                "{\"x-note\":{\"$ref\":\"some words\"},\"contains\":{\"x-n\":[{\"$ref\":\"#/no\"}]}}",
                "{\"$schema\":\"http://json-schema.org/draft-07/schema#\",\"definitions\":{\"x\":{"
                        + "\"$id\":\"http://other/\",\"$ref\":\"#/definitions/y\",\"anyOf\":["
                        + "{\"$ref\":\"#/definitions/x\"},{\"$ref\":\"#/no\"}]},\"y\":{}},"
                        + "\"allOf\":[{\"$ref\":\"#/definitions/x\"}]}",
                "{\"properties\":{\"count\":{\"$ref\":\"http://json-schema.org/draft-07/schema#"
                        + "/definitions/nonNegativeInteger\"}}}",
                "{\"$dynamicRef\":\"#n\",\"$defs\":{\"n\":{\"$dynamicAnchor\":\"n\"}}}",
                "{\"allOf\":[{\"$ref\":\"#/$defs/n\"},{\"$ref\":\"#/$defs/n\"}],\"$defs\":{\"n\":{}}}",
                "{\"properties\":{\"count\":{\"$ref\":\"https://json-schema.org/draft/2020-12/schema\"}"
                        + ",\"x\":{}}}"
            })
    @DisplayName("references that lead somewhere in the schema are followed")
    void livingReference(String schema) {
        String answer = schema.contains("2020-12/schema") ? "{\"count\":true}" : "{\"count\":3}";
        try (var model = ScriptedServer.chat(says(answer));
                var world = World.with(model)) {
            Ended ended = world.runInside("--json", "--json-schema", schema, "go");
            assertEquals(0, ended.exitCode(), ended::toString);
            assertTrue(ended.result().has("structured_output"), ended::toString);
        }
    }

    @Test
    @DisplayName("what is wrong with a schema is said by its place in the user's file")
    void placeInTheSchema() {
        try (var world =
                World.withoutModel()
                        .file("s.json", "{\"properties\":{\"a\":{\"type\":\"nothing\"}}}")) {
            Ended ended = world.runInside("--json", "--json-schema", "s.json", "go");
            assertEquals(3, ended.exitCode(), ended::toString);
            assertTrue(ended.errorMessage().contains("s.json"), ended::toString);
            assertTrue(ended.errorMessage().contains("/properties/a/type"), ended::toString);
            assertFalse(ended.errorMessage().contains("://"), ended::toString);
        }
    }
}
