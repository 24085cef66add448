package dev.agentloop.cli;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.Reply;
import dev.agentloop.blackbox.ScriptedServer;
import dev.agentloop.blackbox.World;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Exit codes 3 and 4 before anything starts: said in lines for people and in one JSON object. */
class ConfigErrorsScenarioTest {
    static Stream<Arguments> wrongCommandLines() {
        return Stream.of(
                wrong("Unknown option", "--no-such-option", "hello"),
                wrong("here it is --yolo", "--dangerously-skip-permissions", "hello"),
                wrong("here: --agent plan, --confirm", "--permission-mode=plan", "hello"),
                wrong("agent run prints the answer", "--print", "hello"),
                wrong("--continue goes on with", "-c", "go on"),
                wrong("--max-steps", "--max-steps", "many", "hello"),
                wrong("no/such/folder", "-C", "no/such/folder", "hello"),
                wrong("missing.txt", "--prompt-file", "missing.txt"),
                wrong("given twice", "-p", "one", "two"),
                wrong("rule", "--allow", "run_command(git", "hello"),
                wrong("rule", "--deny", "(x)", "hello"),
                wrong("no agent named", "--agent", "nobody", "hello"),
                wrong("only mode", "--mode", "turbo", "hello"),
                wrong("0 to 255", "--exit-code-on-partial", "999", "hello"),
                wrong("confirm", "--confirm", "sometimes", "hello"),
                wrong("nope.yaml", "--config", "nope.yaml", "hello"),
                wrong("--timeout", "--timeout", "soon", "hello"),
                wrong("no/such/folder/x", "-o", "no/such/folder/x", "hello"),
                wrong("--model: unknown provider", "--model", "canery/model", "hello"),
                wrong("--allow: \"reed_file\" names no tool", "--allow", "reed_file", "hello"),
                wrong("run_command(git *)?", "--allow", "Bash(git:*)", "hello"),
                wrong("web_fetch(a.example)?", "--deny", "WebFetch(domain:a.example)", "hello"),
                wrong(
                        "--budget cannot be kept: the price",
                        "--model",
                        "canary/other",
                        "--budget",
                        "1",
                        "hello"));
    }

    private static Arguments wrong(String expected, String... words) {
        return Arguments.of(expected, List.of(words));
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("wrongCommandLines")
    @Tag("row-67")
    @Tag("E04")
    @Tag("D53")
    @DisplayName("what cannot be run is exit code 3 and says what is wrong")
    void exitCodeThree(String expected, List<String> words) {
        try (var world = World.withoutModel()) {
            Ended text = world.runInside(words.toArray(String[]::new));
            Ended json = world.runInside(with("--json", words));
            Ended stream = world.runInside(with("--output-format=stream-json", words));
            assertAll(
                    () -> assertEquals(3, text.exitCode(), text::toString),
                    () -> assertEquals("", text.out()),
                    () -> assertTrue(text.err().contains(expected), text::err),
                    () -> assertTrue(text.err().lines().count() <= 4, text::err),
                    () -> assertEquals("config_error", json.result("stop_reason")),
                    () -> assertTrue(json.errorMessage().contains(expected), json::toString),
                    () -> assertEquals("failed", json.result("status")),
                    () -> assertEquals(3, stream.exitCode(), stream::toString),
                    () -> assertEquals(List.of(), world.journals(), "a refusal is no session"));
        }
    }

    private static String[] with(String first, List<String> words) {
        String[] all = new String[words.size() + 1];
        all[0] = first;
        for (int i = 0; i < words.size(); i++) {
            all[i + 1] = words.get(i);
        }
        return all;
    }

    static Stream<Arguments> wrongFiles() {
        return Stream.of(
                Arguments.of("limits:\n  max_stepps: 3\n", List.of("bad.yaml:2", "max_steps")),
                Arguments.of("limits: {max_steps: [1]}\n", List.of("bad.yaml:1", "max_steps")),
                Arguments.of("limits: {max_steps: 3\nx", List.of("bad.yaml:2")),
                Arguments.of("limits:\n\tmax_steps: 3\n", List.of("bad.yaml:2")),
                Arguments.of(
                        "permissions:\n  deny: [\"run_command(\"]\n",
                        List.of("permissions.deny", "run_command(")),
                Arguments.of("llm: {api_key: sk-123}\n", List.of("bad.yaml:1", "api_key")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("wrongFiles")
    @Tag("row-67")
    @DisplayName("a bad configuration file is exit code 3 with file, line and suggestion")
    void badFile(String yaml, List<String> expected) {
        try (var world = World.withoutModel().file("bad.yaml", yaml)) {
            Ended ended = world.runInside("--json", "--config", "bad.yaml", "hello");
            assertEquals(3, ended.exitCode(), ended::toString);
            for (String part : expected) {
                assertTrue(ended.errorMessage().contains(part), ended::toString);
                assertTrue(ended.err().contains(part), ended::toString);
            }
            Ended check = world.inside("config", "validate", "--config", "bad.yaml");
            assertEquals(3, check.exitCode(), check::toString);
        }
    }

    @Test
    @Tag("row-67")
    @DisplayName("a value of a file or variable is blamed there, not at an option nobody gave")
    void blamedWhereItStands() {
        try (var world =
                World.withoutModel()
                        .file("c.yaml", "llm: {model: canary/other}\nlimits:\n  budget: 1\n")) {
            Ended budget = world.runInside("--json", "--config", "c.yaml", "hello");
            assertEquals(3, budget.exitCode(), budget::toString);
            String at = "c.yaml:3: limits.budget cannot be kept";
            assertTrue(budget.errorMessage().contains(at), budget::toString);

            world.file(
                    "a.yaml",
                    "llm: {model: canary/model}\nagents:\n  plan: {model: canery/model}\n");
            Ended agent = world.runInside("--json", "--config", "a.yaml", "-a", "plan", "hello");
            assertEquals(3, agent.exitCode(), agent::toString);
            String profile = "a.yaml:3: agents.plan.model: unknown provider";
            assertTrue(agent.errorMessage().contains(profile), agent::toString);

            Ended model = world.env("AGENT_MODEL", "canery/model").runInside("--json", "hello");
            assertEquals(3, model.exitCode(), model::toString);
            assertTrue(model.errorMessage().contains("AGENT_MODEL: "), model::toString);
        }
    }

    @Test
    @Tag("row-67")
    @DisplayName("--json is obeyed even when --output-format is wrong")
    void wrongFormat() {
        try (var world = World.withoutModel()) {
            Ended ended = world.runInside("--json", "--output-format", "xml", "hello");
            assertEquals(3, ended.exitCode(), ended::toString);
            assertTrue(ended.errorMessage().contains("xml"), ended::toString);
        }
    }

    @Test
    @Tag("row-67")
    @DisplayName("no task at all is exit code 3")
    void noTask() {
        try (var world = World.withoutModel()) {
            Ended ended = world.runInside("--json");
            assertEquals(3, ended.exitCode(), ended::toString);
            assertTrue(ended.errorMessage().contains("no task"), ended::toString);
        }
    }

    @Test
    @Tag("B14")
    @DisplayName("a prompt file of more than 10 MB is refused by its size")
    void longPromptFile() {
        try (var world = World.withoutModel().file("long.txt", "x".repeat(10_000_001))) {
            Ended ended = world.runInside("--json", "--prompt-file", "long.txt");
            assertEquals(3, ended.exitCode());
            assertTrue(ended.errorMessage().contains("10 MB"), ended::toString);
            assertEquals(3, world.runInside("--prompt-file", "/dev/zero").exitCode());
        }
    }

    @Test
    @DisplayName("no key at all is exit code 4 with ways to go on, one of them the demo")
    void noKey() {
        try (var world = World.withoutModel().env("CANARY_API_KEY", null)) {
            Ended remote =
                    world.runInside(
                            "--json",
                            "--model",
                            "openai/gpt-5.5",
                            "--base-url=https://x.invalid/v1",
                            "hi");
            assertEquals(4, remote.exitCode(), remote::toString);
            assertEquals("auth_error", remote.result("stop_reason"));
            assertTrue(remote.errorMessage().contains("OPENAI_API_KEY"), remote::toString);
            assertTrue(remote.err().contains("demo/scripted"), remote::err);
        }
    }

    @Test
    @Tag("D53")
    @DisplayName("nothing inside the prompt is an option, and @file stays as it is")
    void promptsAreNotParsed() {
        try (var model = ScriptedServer.chat(Reply.says("a"), Reply.says("b"), Reply.says("c"));
                var world = World.with(model).file("args", "--yolo\n")) {
            world.runInside("@args", "is", "a", "file");
            assertEquals("@args is a file", model.request(0).lastTask());
            world.runInside("--", "--yolo", "--config=x", "@args");
            assertEquals("--yolo --config=x @args", model.request(1).lastTask());
            Ended ended = world.runInside("-p", "--max-steps 0 --yolo");
            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals("--max-steps 0 --yolo", model.request(2).lastTask());
        }
    }
}
