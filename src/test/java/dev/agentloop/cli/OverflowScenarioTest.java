package dev.agentloop.cli;

import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentloop.blackbox.Asked;
import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.Faults;
import dev.agentloop.blackbox.Protocol;
import dev.agentloop.blackbox.Script;
import dev.agentloop.blackbox.ScriptedServer;
import dev.agentloop.blackbox.World;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A server that finds the history too long. */
class OverflowScenarioTest {
    private static final String PLACEHOLDER = "was removed to make room";
    private static final Script SUMMARY = Script.shortening(says("Six files read."));

    @ParameterizedTest(name = "A61: {0}: too long once, old results are left out, the task goes on")
    @EnumSource
    void goesOn(Protocol protocol) {
        try (var model =
                        reads(
                                9,
                                protocol,
                                Faults.tooLong(),
                                calls("read_file", "file_path", "9.txt"));
                var world = files(model)) {
            model.then(says("done"));
            Ended ended = world.runInside("--output-format=stream-json", "go");
            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals(12, model.requests().size());
            List<String> before = model.request(9).toolResults();
            List<String> after = model.request(10).toolResults();
            for (int i = 0; i < 9; i++) {
                String was = before.get(i);
                String is = after.get(i);
                assertTrue(i < 5 ? is.contains(PLACEHOLDER) : is.equals(was), is);
            }
            assertEquals(after, model.request(11).toolResults().subList(0, 9));
            List<JsonNode> events = ended.events("context.compacted");
            assertEquals(1, events.size());
            assertEquals("clearing", events.getFirst().path("by").asText());
            assertTrue(
                    events.getFirst().path("new_tokens").asInt()
                            < events.getFirst().path("old_tokens").asInt());
        }
    }

    @ParameterizedTest(
            name = "A61 Scenario 59: {0}: too long once, the model sums up, the task goes on")
    @EnumSource
    void sumsUp(Protocol protocol) {
        try (var model = reads(6, protocol, Faults.tooLong(), SUMMARY, says("done"));
                var world = files(model)) {
            Ended ended = world.runInside("--output-format=stream-json", "go");
            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals(9, model.requests().size());
            Asked asking = model.request(7);
            assertTrue(asking.lastText().contains("Do not call tools"), asking::toString);
            assertEquals(model.request(6).tools(), asking.tools());
            Asked shorter = model.request(8);
            assertTrue(shorter.raw().contains("[Summary of previous steps]\\nSix files read."));
            assertTrue(shorter.messages().size() < model.request(6).messages().size());
            JsonNode costs = ended.events("result").getFirst().path("cost").path("breakdown");
            assertTrue(costs.findValuesAsText("source").contains("compaction"), costs::toString);
        }
    }

    @ParameterizedTest(name = "A63: arguments of 1 MB, for {0}: they are left out, the run goes on")
    @ValueSource(strings = {"read_file", "no_such_tool"})
    void longArguments(String tool) {
        String path = "x".repeat(1 << 20);
        try (var model = reads(0, Protocol.CHAT, calls(tool, "file_path", path), says("done"));
                var world = files(model).config("context: {max_context_tokens: 100000}")) {
            Ended ended = world.runInside("--output-format=stream-json", "go");
            assertEquals(0, ended.exitCode(), ended::toString);
            String sent = model.lastRequest().raw();
            assertTrue(sent.length() < 200_000, () -> sent.length() + " characters were sent");
            assertTrue(sent.contains("characters of arguments were removed"), sent);
            assertEquals(
                    "arguments", ended.events("context.compacted").getLast().path("by").asText());
            model.then(says("done again"));
            Ended again = world.inside("resume", "--last", "--json", "go on");
            assertEquals("done again", again.result("result"), again::toString);
            assertTrue(model.lastRequest().raw().contains("arguments were removed"));
        }
    }

    @Test
    @Tag("A62")
    @DisplayName("too long again after old results were left out is exit code 2, context_full")
    void stillTooLong() {
        try (var model = reads(9, Protocol.CHAT).thenForEver(Faults.tooLong());
                var world = files(model)) {
            Ended ended = world.runInside("--json", "go");
            assertEquals(2, ended.exitCode(), ended::toString);
            assertEquals("context_full", ended.result("stop_reason"));
            assertEquals(11, model.requests().size());
        }
    }

    @Test
    @Tag("A62")
    @DisplayName("if the request for a summary is too long as well, two more calls are made")
    void summaryTooLong() {
        try (var model = reads(6, Protocol.CHAT).thenForEver(Faults.tooLong());
                var world = files(model)) {
            Ended ended = world.runInside("--json", "go");
            assertEquals(2, ended.exitCode(), ended::toString);
            assertEquals("context_full", ended.result("stop_reason"));
            assertEquals(6 + 1 + 2, model.requests().size());
            String sent = model.lastRequest().raw();
            assertTrue(sent.contains("Tools called: read_file"), sent);
        }
    }

    @ParameterizedTest(name = "A63: instead of a summary {0}: a list of tools and files stands in")
    @MethodSource
    void badSummary(String what, Script answer) {
        try (var model =
                        reads(
                                6,
                                Protocol.CHAT,
                                Faults.tooLong(),
                                Script.shortening(answer),
                                says("done"));
                var world = files(model)) {
            Ended ended = world.runInside("--json", "go");
            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals("done", ended.result("result"));
            assertEquals(9, model.requests().size());
            String sent = model.lastRequest().raw();
            assertTrue(sent.contains("Tools called: read_file (2)."), sent);
            assertTrue(sent.contains("looked at: 0.txt, 1.txt."), sent);
            assertFalse(world.exists("made"));
        }
    }

    static Stream<Arguments> badSummary() {
        return Stream.of(
                Arguments.of("nothing", says("")),
                Arguments.of("a tool call", calls("run_command", "command", "touch made")),
                Arguments.of("more than there was", says("more and more ".repeat(4000))));
    }

    @Test
    @Tag("A61")
    @DisplayName("in a short history the results before the newest step are left out")
    void fewSteps() {
        try (var model = reads(2, Protocol.CHAT, Faults.tooLong(), says("done"));
                var world = files(model)) {
            Ended ended = world.runInside("--json", "go");
            assertEquals(0, ended.exitCode(), ended::toString);
            List<String> sent = model.lastRequest().toolResults();
            assertTrue(sent.getFirst().contains(PLACEHOLDER), sent::toString);
            assertTrue(sent.getLast().contains("file 1"), sent::toString);
        }
    }

    @Test
    @Tag("A61")
    @DisplayName("text shown before the provider found the history too long is withdrawn")
    void tooLongAfterText() {
        try (var model =
                        reads(
                                9,
                                Protocol.MESSAGES,
                                Faults.tooLongAfter(says("half an answer")),
                                says("done"));
                var world = files(model)) {
            Ended ended = world.runInside("--output-format=stream-json", "go");
            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals("done", ended.events("result").getFirst().path("result").asText());
            List<JsonNode> retries = ended.events("llm.retry");
            assertEquals(1, retries.size(), ended::toString);
            assertTrue(retries.getFirst().path("text_withdrawn").asBoolean(), ended::toString);
        }
    }

    @Test
    @Tag("A61")
    @DisplayName("a resumed session sends the shorter history, the transcript has all of it")
    void resumed() {
        try (var model = reads(6, Protocol.CHAT, Faults.tooLong(), SUMMARY, says("done"));
                var world = files(model)) {
            assertEquals(0, world.runInside("--json", "go").exitCode());
            model.then(says("done again"));
            Ended ended = world.inside("resume", "--last", "--json", "go on");
            assertEquals("done again", ended.result("result"), ended::toString);
            List<JsonNode> before = model.request(8).messages();
            assertEquals(before, model.request(9).messages().subList(0, before.size()));
            String shown = world.inside("sessions", "show", ended.result("session_id")).out();
            for (int i = 0; i < 6; i++) {
                assertTrue(shown.contains("file " + i + ", a line"), shown);
            }
        }
    }

    private static ScriptedServer reads(int files, Protocol protocol, Script... then) {
        ScriptedServer model = ScriptedServer.start(protocol);
        for (int i = 0; i < files; i++) {
            model.then(calls("read_file", "file_path", i + ".txt"));
        }
        for (Script script : then) {
            model.then(script);
        }
        return model;
    }

    private static World files(ScriptedServer model) {
        World world = World.with(model);
        for (int i = 0; i < 10; i++) {
            world.file(i + ".txt", ("file " + i + ", a line of some length\n").repeat(200));
        }
        return world;
    }
}
