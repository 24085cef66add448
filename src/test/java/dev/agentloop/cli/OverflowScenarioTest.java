package dev.agentloop.cli;

import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.Faults;
import dev.agentloop.blackbox.Protocol;
import dev.agentloop.blackbox.Script;
import dev.agentloop.blackbox.ScriptedServer;
import dev.agentloop.blackbox.World;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server that finds the history too long. */
class OverflowScenarioTest {
    private static final String PLACEHOLDER = "was removed to make room";

    @ParameterizedTest(name = "A61: {0}: too long once, old results are left out, the task goes on")
    @EnumSource
    void goesOn(Protocol protocol) {
        try (var model =
                        readsSix(
                                protocol,
                                Faults.tooLong(),
                                calls("read_file", "file_path", "6.txt"));
                var world = sixFiles(model)) {
            model.then(says("done"));
            Ended ended = world.runInside("--output-format=stream-json", "go");
            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals(9, model.requests().size());
            List<String> before = model.request(6).toolResults();
            List<String> after = model.request(7).toolResults();
            for (int i = 0; i < 6; i++) {
                String was = before.get(i);
                String is = after.get(i);
                assertTrue(i < 2 ? is.contains(PLACEHOLDER) : is.equals(was), is);
            }
            assertEquals(after, model.request(8).toolResults().subList(0, 6));
            List<JsonNode> events = ended.events("context.compacted");
            assertEquals(1, events.size());
            assertTrue(
                    events.getFirst().path("new_tokens").asInt()
                            < events.getFirst().path("old_tokens").asInt());
        }
    }

    @Test
    @DisplayName("A62: too long again after old results were left out is exit code 2, context_full")
    void stillTooLong() {
        try (var model = readsSix(Protocol.CHAT).thenForEver(Faults.tooLong());
                var world = sixFiles(model)) {
            Ended ended = world.runInside("--json", "go");
            assertEquals(2, ended.exitCode(), ended::toString);
            assertEquals("context_full", ended.result("stop_reason"));
            assertEquals(8, model.requests().size());
        }
    }

    @Test
    @DisplayName("A61: in a short history the results before the newest step are left out")
    void fewSteps() {
        try (var model =
                        ScriptedServer.chat(
                                calls("read_file", "file_path", "0.txt"),
                                calls("read_file", "file_path", "1.txt"),
                                Faults.tooLong(),
                                says("done"));
                var world = sixFiles(model)) {
            Ended ended = world.runInside("--json", "go");
            assertEquals(0, ended.exitCode(), ended::toString);
            List<String> sent = model.lastRequest().toolResults();
            assertTrue(sent.getFirst().contains(PLACEHOLDER), sent::toString);
            assertTrue(sent.getLast().contains("file 1"), sent::toString);
        }
    }

    @Test
    @DisplayName("A61: text shown before the provider found the history too long is withdrawn")
    void tooLongAfterText() {
        try (var model =
                        readsSix(
                                Protocol.MESSAGES,
                                Faults.tooLongAfter(says("half an answer")),
                                says("done"));
                var world = sixFiles(model)) {
            Ended ended = world.runInside("--output-format=stream-json", "go");
            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals("done", ended.events("result").getFirst().path("result").asText());
            List<JsonNode> retries = ended.events("llm.retry");
            assertEquals(1, retries.size(), ended::toString);
            assertTrue(retries.getFirst().path("text_withdrawn").asBoolean(), ended::toString);
        }
    }

    @Test
    @DisplayName("A61: a resumed session still has the whole results, and gives them up again")
    void resumed() {
        try (var model = readsSix(Protocol.CHAT, Faults.tooLong(), says("done"));
                var world = sixFiles(model)) {
            assertEquals(0, world.runInside("--json", "go").exitCode());
            model.expectAnotherBeginning();
            model.then(Faults.tooLong());
            model.then(says("done again"));
            Ended ended = world.inside("resume", "--last", "--json", "go on");
            assertEquals("done again", ended.result("result"), ended::toString);
            assertTrue(model.request(8).toolResults().getFirst().contains("file 0"));
            assertTrue(model.request(9).toolResults().getFirst().contains(PLACEHOLDER));
        }
    }

    private static ScriptedServer readsSix(Protocol protocol, Script... then) {
        ScriptedServer model = ScriptedServer.start(protocol);
        for (int i = 0; i < 6; i++) {
            model.then(calls("read_file", "file_path", i + ".txt"));
        }
        for (Script script : then) {
            model.then(script);
        }
        return model;
    }

    private static World sixFiles(ScriptedServer model) {
        World world = World.with(model);
        for (int i = 0; i < 7; i++) {
            world.file(i + ".txt", ("file " + i + ", a line of some length\n").repeat(20));
        }
        return world;
    }
}
