package dev.agentloop.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.World;
import dev.agentloop.durable.engine.DurableEngine;
import dev.agentloop.durable.engine.DurableObjects;
import dev.agentloop.durable.engine.DurableObjects.Operation;
import dev.agentloop.durable.engine.LocalEngine;
import dev.agentloop.durable.engine.ObjectLogic;
import dev.agentloop.json.Json;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the commands about submitted tasks say, without a worker. */
class TaskCommandsScenarioTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String RESULT =
            """
            {"type":"result","status":"%s","stop_reason":"%s","exit_code":%d,"result":"Half.",\
            "errors":[],"cost":{"usd":0.48,"cap_usd":0.5}}\
            """;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--max-steps=many | --max-steps: \"many\" is not a whole number",
                "--timeout=x | --timeout: \"x\" is not a duration",
                "--step-timeout=x | --step-timeout: \"x\" is not a duration",
                "--budget=y | --budget: \"y\" is not an amount of US dollars",
                "--effort=y | --effort: \"y\" is not known",
                "--deny=x( | --deny: \"x(\" is not a rule",
            })
    @Tag("D77")
    @DisplayName("submit refuses what its run would refuse, in the same words, with 3")
    void submitChecksItsOptions(String option, String problem) {
        try (var world = World.withoutModel()) {
            Ended submitted = world.inside("submit", "--id", "t", option, "hello");

            assertEquals(3, submitted.exitCode(), submitted::toString);
            assertTrue(submitted.err().contains(problem), submitted::toString);
            assertEquals(world.runInside(option, "hello").err(), submitted.err());
            assertEquals(1, world.inside("status", "t").exitCode(), "nothing was submitted");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--allow=x( | --allow: \"x(\" is not a rule",
                "--sandbox=maybe | --sandbox: \"maybe\" is not known",
                "--confirm=maybe | --confirm: \"maybe\" is not known",
                "--config=nosuch.yaml | nosuch.yaml: does not exist",
            })
    @DisplayName("A worker's own slip is told when it starts, not by one task after another")
    void workerChecksItsOptions(String option, String problem) {
        try (var world = World.withoutModel()) {
            Ended worker = world.inside("worker", "--root", ".", option);

            assertEquals(3, worker.exitCode(), worker::toString);
            assertTrue(worker.err().contains(problem), worker::toString);
            assertFalse(worker.err().contains("is ready"), worker::toString);
        }
    }

    @Test
    @DisplayName("Help says of an option that it is repeatable only where it is")
    void repeatable() {
        try (var world = World.withoutModel()) {
            String help = world.inside("help", "worker").out();
            assertTrue(help.contains("[--allow=RULE]..."), help);
            assertTrue(help.contains("[--sandbox=MODE]"), help);
            assertFalse(help.contains("[--sandbox=MODE]..."), help);
        }
    }

    @Test
    @Tag("row-67")
    @DisplayName("with --json what cannot be is one object; it tells three kinds of 1 apart")
    void failuresAsJson() throws Exception {
        try (var world = World.withoutModel()) {
            assertError(world.inside("result", "--json", "no"), 1, "unknown_task");
            assertError(world.inside("status", "--json", "no"), 1, "unknown_task");
            String[] group = {"status", "--json", "--budget-group", "no"};
            assertError(world.inside(group), 1, "unknown_group");
            assertError(world.inside("signal", "--json", "no", "go"), 1, "unknown_task");
            world.inside("submit", "--id", "t", "hello");
            assertError(world.inside("result", "--json", "t"), 1, "not_done");
            assertError(world.inside("submit", "--json", "--id", "t", "other"), 1, "id_taken");
            world.file("no-folder", "");
            String there = "--address=" + world.workspace().resolve("no-folder");
            assertError(world.inside("result", "--json", there, "t"), 1, "engine_error");
            assertError(world.inside("result", "--json"), 3, "config_error");
            assertError(world.inside("status", "--json", "--jsn", "t"), 3, "config_error");
            assertError(world.inside("submit", "--json"), 3, "config_error");
            assertError(world.inside("status", "--json", "--engine=foo", "t"), 3, "config_error");
            Ended sent = world.inside("signal", "--json", "t", "go");
            assertEquals("{\"id\":\"t\",\"signal\":\"go\"}\n", sent.out(), sent::toString);
        }
    }

    @Test
    @DisplayName("An engine that is not there is named once, with where it was looked for")
    void unknownEngine() {
        try (var world = World.withoutModel()) {
            String beside =
                    errorOf(world, "foo").replaceFirst("(?s)^.*\\(no (.*)foo.jar\\).*$", "$1");
            world.env("AGENT_ENGINES", beside + "../engines");
            assertEquals(
                    "agent: There is no engine \"foo\" (no "
                            + beside
                            + "foo.jar). Known: local, restate, temporal.\n",
                    errorOf(world, "foo"));
            assertTrue(errorOf(world, "restate").contains("scripts/engines"));
        }
    }

    private static String errorOf(World world, String engine) {
        Ended ended = world.inside("status", "--engine", engine, "t");
        assertEquals(3, ended.exitCode(), ended::toString);
        return ended.err();
    }

    private static void assertError(Ended ended, int code, String kind) throws Exception {
        JsonNode error = JSON.readTree(ended.out()).path("error");
        assertEquals(kind, error.path("code").asText(), ended::toString);
        assertEquals(code, ended.exitCode(), ended::toString);
        assertTrue(ended.err().contains(error.path("message").asText()), ended::toString);
    }

    @Test
    @Tag("row-84")
    @DisplayName("a task that ended early is partial; its result says how much money, and whose")
    void endedEarly() throws Exception {
        try (var world = World.withoutModel()) {
            world.inside("submit", "--id=t", "--budget-group=g", "--budget=2", "--share=0.5", "x");
            JsonNode before = JSON.readTree(world.inside("status", "--json", "t").out());
            assertFalse(before.has("millis"), "it has not ended: " + before);
            end(world, 2, RESULT.formatted("partial", "budget_exceeded", 2));

            Ended status = world.inside("status", "t");
            assertTrue(
                    status.out().startsWith("t: partial (budget_exceeded), exit code 2, "),
                    status::toString);
            JsonNode after = JSON.readTree(world.inside("status", "--json", "t").out());
            assertEquals("partial", after.path("state").asText());
            assertTrue(after.has("millis"), after::toString);
            Ended result = world.inside("result", "t");
            assertEquals("Half.\n", result.out());
            assertEquals(
                    "agent: task t ended early: budget_exceeded, 0.48 of 0.5 USD spent, its share of"
                            + " the budget of group g. Submit it under a new id with a larger --share,"
                            + " or to another group.\n",
                    result.err());
        }
    }

    @Test
    @Tag("row-84")
    @DisplayName("a task for which no money was left has a whole result, with its error")
    void notBegun() throws Exception {
        try (var world = World.withoutModel()) {
            world.inside("submit", "--id=t", "x");
            end(world, 2, "");

            Ended result = world.inside("result", "--json", "t");
            assertEquals(2, result.exitCode(), result::toString);
            assertEquals("budget_exceeded", result.result("stop_reason"));
            JsonNode error = result.result().path("errors").path(0);
            assertEquals("budget_exceeded", error.path("code").asText(), result::toString);
            assertEquals("All is spent.", error.path("message").asText(), result::toString);
            assertEquals("agent: All is spent.\n", world.inside("result", "t").err());
        }
    }

    /** As a worker would. */
    private static void end(World world, int exitCode, String result) throws Exception {
        Path folder = world.root().resolve("state/agent/durable/objects");
        DurableEngine.Settings settings =
                new DurableEngine.Settings("", Map.of(), Duration.ofSeconds(1));
        try (DurableObjects objects = new LocalEngine(folder).open(settings)) {
            objects.apply(
                    new Operation(
                            ObjectLogic.TASK, "t", "open", "{\"attempt\":1,\"worker\":\"w\"}"));
            String outcome =
                    "{\"exit_code\":"
                            + exitCode
                            + ",\"result\":"
                            + Json.quote(result)
                            + ",\"error\":\"All is spent.\"}";
            objects.apply(
                    new Operation(
                            ObjectLogic.TASK,
                            "t",
                            "store",
                            "{\"attempt\":1,\"n\":0,\"piece\":\"\",\"step\":1,\"outcome\":"
                                    + Json.quote(outcome)
                                    + "}"));
        }
    }
}
