package dev.agentloop.cli;

import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.Faults;
import dev.agentloop.blackbox.ScriptedServer;
import dev.agentloop.blackbox.World;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Behaviours of the seeds that show only in a whole run. */
class SeedsScenarioTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String FAILS =
            "{\"completed\": false, \"confidence\": 1, \"issues\": [\"no x\"], \"suggestion\": \"\"}";
    private static final String PASSES =
            "{\"completed\": true, \"confidence\": 1, \"issues\": [], \"suggestion\": \"\"}";

    @Test
    @Tag("S0-52")
    @Tag("S1-2")
    @DisplayName("one message of the agent with the project, one of the person")
    void theFirstRequest() {
        String task = "  Fix \"ñ\" – now\n\nand  nothing else ";
        try (var model = ScriptedServer.chat(says("Done."));
                var world = World.with(model).file("src/main.py", "x = 1\n")) {
            assertEquals(0, world.runInside("-p", task).exitCode());

            List<JsonNode> sent = model.request(0).messages();
            assertEquals(2, sent.size());
            String system = model.request(0).system();
            int project = system.indexOf("## Project Structure\n");
            assertTrue(system.startsWith("You are agent, a coding agent") && project > 0, system);
            assertTrue(system.indexOf("main.py", project) > 0, system);
            assertEquals(task, model.request(0).lastTask());
        }
    }

    @Test
    @Tag("S0-2")
    @Tag("S1-3")
    @DisplayName("an agent that names no tools has all of them, as schemas")
    void noNamesAreAllTools() {
        try (var model = ScriptedServer.chat(says("1"), says("2"), says("3"));
                var world =
                        World.with(model)
                                .config("agents: {all: {tools: []}, one: {tools: [grep]}}")) {
            world.runInside("go");
            world.runInside("-a", "all", "go");
            world.runInside("-a", "one", "go");

            assertTrue(model.request(0).tools().contains("edit_file"));
            assertEquals(model.request(0).tools(), model.request(1).tools());
            assertEquals(List.of("grep"), model.request(2).tools());
            JsonNode grep = model.request(2).body().path("tools").path(0);
            assertEquals("function", grep.path("type").asText());
            JsonNode schema = grep.path("function").path("parameters");
            assertEquals("object", schema.path("type").asText());
            assertTrue(schema.path("properties").has("pattern"), schema::toString);
        }
    }

    @Test
    @Tag("S0-23")
    @Tag("S0-27")
    @DisplayName("hooks follow the three tools that edit; a disabled one does not")
    void hooksFollowEdits() {
        String patch = "*** Begin Patch\n*** Update File: a.py\n@@\n-y\n+z\n*** End Patch";
        var batch =
                List.of(
                        calls("write_file", "file_path", "a.py", "content", "x\n"),
                        calls(
                                "edit_file",
                                "file_path",
                                "a.py",
                                "old_string",
                                "x",
                                "new_string",
                                "y"),
                        calls("apply_patch", "patch", patch),
                        calls("read_file", "file_path", "a.py"),
                        calls("write_file", "file_path", "a.md", "content", "x\n"),
                        calls("delete_file", "file_path", "a.py"));
        try (var model = ScriptedServer.chat();
                var world =
                        World.with(model)
                                .config(
                                        """
                                        hooks:
                                          post_edit:
                                            - {name: py, command: "echo ran", file_patterns: ["*.py"]}
                                            - {name: off, command: "echo never", enabled: false}
                                        """)) {
            batch.forEach(model::then);
            model.then(says("Done."));
            Ended ended = world.runInside("--json", "--yolo", "--sandbox=off", "go");

            assertEquals(0, ended.exitCode(), ended::toString);
            List<Boolean> hooked =
                    model.lastRequest().toolResults().stream()
                            .map(result -> result.endsWith("[Hook py: OK]\nran"))
                            .toList();
            assertEquals(List.of(true, true, true, false, false, false), hooked);
            assertEquals(3, ended.result().path("hooks").size(), ended::toString);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Tag("S0-11")
    @DisplayName("sessions.auto_save: each step is kept, or nothing is")
    void autoSave(boolean kept) {
        try (var model = ScriptedServer.chat(calls("list_files"), Faults.status(400));
                var world = World.with(model).config("sessions: {auto_save: " + kept + "}\n")) {
            assertEquals(1, world.runInside("go").exitCode());

            assertEquals(kept ? 1 : 0, world.journals().size());
            if (kept) {
                assertEquals(1, world.records("result").size());
            }
        }
    }

    @Test
    @Tag("S0-41")
    @Tag("S0-42")
    @DisplayName("HUMAN is 25; the file has it, the technical console does not")
    void levels() throws Exception {
        try (var model = ScriptedServer.chat(calls("list_files"), says("Done."));
                var world = World.with(model)) {
            Ended ended = world.runInside("-v", "--log-file", "log.jsonl", "go");

            Map<String, Integer> levels = new TreeMap<>();
            for (String line : world.read("log.jsonl").lines().toList()) {
                JsonNode event = JSON.readTree(line);
                levels.put(event.path("type").asText(), event.path("level_no").asInt());
            }
            assertEquals(25, levels.get("llm.request"), levels::toString);
            assertEquals(25, levels.get("tool.finished"), levels::toString);
            assertEquals(20, levels.get("usage"), levels::toString);
            assertEquals(10, levels.get("text.delta"), levels::toString);
            assertTrue(ended.err().contains("INFO  usage "), ended::err);
            assertFalse(ended.err().contains("INFO  tool.finished"), ended::err);
            assertFalse(ended.err().contains("llm.request"), ended::err);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "--parallel-tools, true",
        "--no-stream, false",
        "--quiet, false",
        "--json, false",
    })
    @Tag("S0-54")
    @Tag("S0-55")
    @Tag("S1-17")
    @Tag("S1-18")
    @DisplayName("text is shown as it comes, unless nobody watches it")
    void liveText(String option, boolean live) {
        try (var model = ScriptedServer.chat(calls("list_files").saying("I look."), says("Done."));
                var world = World.with(model)) {
            Ended ended = world.runInside(option, "go");

            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals(live, ended.err().contains("I look."), ended::toString);
            assertEquals(live, ended.err().contains("Done."), ended::toString);
            assertFalse(ended.err().contains("tool_calls"), ended::toString);
            assertEquals(!option.equals("--no-stream"), model.request(0).isStream());
        }
    }

    @Test
    @Tag("S0-55")
    @Tag("S1-18")
    @DisplayName("a plan is not streamed: its text comes whole, that of the answer not")
    void aPlanComesWhole() {
        String plan = "First this, then that, and then something else.";
        try (var model = ScriptedServer.chat(says(plan), says("Built it, tested it, done."));
                var world = World.with(model)) {
            Ended ended = world.runInside("--output-format=stream-json", "--mode=mixed", "go");

            List<String> texts = texts(ended);
            assertEquals(plan, texts.getFirst());
            assertTrue(texts.size() > 2, texts::toString);
            assertEquals(plan + "Built it, tested it, done.", String.join("", texts));
        }
    }

    @Test
    @Tag("S0-55")
    @DisplayName("the corrections of an evaluation are not streamed either")
    void correctionsComeWhole() {
        try (var model =
                        ScriptedServer.chat(
                                says("Done, I think, or so it seems."),
                                says(FAILS),
                                says("Now x is there, as it should be."),
                                says(PASSES));
                var world = World.with(model)) {
            Ended ended =
                    world.runInside("--output-format=stream-json", "--self-eval=full", "write x");

            assertEquals("Now x is there, as it should be.", ended.result("result"));
            List<String> texts = texts(ended);
            assertTrue(texts.size() > 2, texts::toString);
            assertEquals("Now x is there, as it should be.", texts.getLast());
        }
    }

    private static List<String> texts(Ended ended) {
        return ended.events("text.delta").stream().map(it -> it.path("text").asText()).toList();
    }

    @Test
    @Tag("S0-7")
    @Tag("S0-22")
    @Tag("S0-43")
    @DisplayName("the human log names a failure, and a limit with its end")
    void troubleInTheHumanLog() {
        try (var model =
                        ScriptedServer.chat(
                                Faults.status(400), calls("list_files"), says("So far."));
                var world = World.with(model)) {
            Ended failed = world.runInside("go");
            assertEquals(1, failed.exitCode(), failed::toString);
            assertTrue(failed.err().contains("❌ LLM error: "), failed::err);
            assertTrue(failed.err().contains("❌ Agent failed (0 steps)"), failed::err);

            Ended partial = world.runInside("--max-steps", "1", "go");
            assertEquals(2, partial.exitCode(), partial::toString);
            assertEquals(
                    List.of(
                            "⚠️ Step limit reached (1)…",
                            "🔄 Closing (max_steps, 1 step)",
                            "⚠️ Agent stopped before it was done (1 step)",
                            "   Reason: step limit reached (raise it with --max-steps)",
                            "  (1 step, 1 tool call)"),
                    partial.err()
                            .lines()
                            .filter(line -> line.matches("(⚠️|🔄 Cl| +Reason| +\\(1).*"))
                            .toList());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"--step-timeout=0", "--timeout=0"})
    @Tag("S0-58")
    @Tag("S1-20")
    @DisplayName("a limit of 0 is none")
    void zeroIsNoTimeLimit(String option) {
        try (var model = ScriptedServer.chat(calls("list_files"), says("Done."));
                var world = World.with(model)) {
            Ended ended = world.runInside(option, "go");
            assertEquals("Done.\n", ended.out(), ended::toString);
        }
    }

    @Test
    @Tag("S1-21")
    @DisplayName("nothing is built on a plan that was cut")
    void nothingIsBuiltOnHalfAPlan() {
        try (var model = ScriptedServer.chat(calls("list_files"), says("Half a plan."));
                var world = World.with(model)) {
            Ended ended = world.runInside("--json", "--mode=mixed", "--max-steps=1", "make x");

            assertEquals(2, ended.exitCode(), ended::toString);
            assertEquals("max_steps", ended.result("stop_reason"));
            assertEquals("Half a plan.", ended.result("result"));
            assertEquals(2, model.requests().size());
            assertFalse(model.lastRequest().tools().contains("write_file"));
        }
    }

    @ParameterizedTest
    @CsvSource({"build, false", "accept-edits, false", "auto-approve, true"})
    @Tag("S4-3")
    @DisplayName("whether anybody is asked is the profile's to say")
    void whoIsAsked(String agent, boolean runs) {
        var command = calls("run_command", "command", "touch x; sh -c 'touch y'");
        try (var model = ScriptedServer.chat(command, says("Done."));
                var world = World.with(model)) {
            Ended ended = world.runInside("--json", "--sandbox", "off", "-a", agent, "go");

            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals(runs, world.exists("y"), ended::toString);
            assertEquals(runs ? 0 : 1, ended.result().path("denials").size(), ended::toString);
        }
    }

    @Test
    @Tag("S4-5")
    @DisplayName("the person's message first, then step by step, the result last; all kept")
    void aConversationInOrder() {
        try (var model = ScriptedServer.chat(calls("list_files"), says("Done."));
                var world = World.with(model)) {
            Ended ended = world.runInside("--output-format=stream-json", "go");

            List<String> parts =
                    List.of(
                            "session.started",
                            "user.message",
                            "step.started",
                            "tool.finished",
                            "result");
            List<String> types =
                    ended.events().stream()
                            .map(event -> event.path("type").asText())
                            .filter(parts::contains)
                            .toList();
            assertEquals(
                    List.of(
                            "session.started",
                            "user.message",
                            "step.started",
                            "tool.finished",
                            "step.started",
                            "result"),
                    types);
            assertEquals("success", world.records("end").getLast().at("/d/status").asText());
        }
    }
}
