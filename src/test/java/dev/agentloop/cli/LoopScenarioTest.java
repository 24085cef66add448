package dev.agentloop.cli;

import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.Faults;
import dev.agentloop.blackbox.Protocol;
import dev.agentloop.blackbox.Reply;
import dev.agentloop.blackbox.Reply.Finish;
import dev.agentloop.blackbox.ScriptedServer;
import dev.agentloop.blackbox.WholeTask;
import dev.agentloop.blackbox.World;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How runs end and what the model is asked on the way. */
class LoopScenarioTest {
    @ParameterizedTest
    @EnumSource
    @Tag("row-1")
    @Tag("row-2")
    @Tag("row-24")
    @Tag("row-68")
    @DisplayName("read, edit twice, run, answer; on each protocol, streaming or not")
    void aWholeTask(Protocol protocol) {
        for (String option : List.of("--parallel-tools", "--no-stream")) {
            try (var model = WholeTask.model(protocol);
                    var world = WholeTask.world(model)) {
                WholeTask.check(world.runInside(WholeTask.words(option)), world, model);
            }
        }
    }

    private static BigDecimal cost(String usd) {
        return new BigDecimal(usd);
    }

    private static BigDecimal usd(Ended ended) {
        return new BigDecimal(ended.result().path("cost").path("usd").asText());
    }

    @Test
    @Tag("row-4")
    @DisplayName("--max-steps 0 asks for a summary only; 5: when that fails, a line stands in")
    void noSteps() {
        try (var model = ScriptedServer.chat(says("Nothing was done."), Faults.status(400));
                var world = World.with(model)) {
            Ended ended = world.runInside("--json", "--max-steps", "0", "go");
            assertEquals(2, ended.exitCode(), ended::toString);
            assertEquals("Nothing was done.", ended.result("result"));
            assertTrue(model.request(0).forbidsTools());

            Ended text = world.runInside("--max-steps", "0", "go");
            assertEquals(2, text.exitCode(), text::toString);
            assertEquals("The agent stopped (max_steps).\n", text.out());
        }
    }

    @Test
    @Tag("row-6")
    @Tag("row-67")
    @DisplayName("an error in the second call is exit code 1 without a closing call")
    void errorInTheSecondCall() {
        try (var model = ScriptedServer.chat(calls("list_files"), Faults.status(400));
                var world = World.with(model).file("a", "")) {
            Ended ended = world.runInside("--json", "go");
            assertEquals(1, ended.exitCode(), ended::toString);
            assertEquals("llm_error", ended.result("stop_reason"));
            assertTrue(
                    ended.result("result").startsWith("Unrecoverable LLM error: "),
                    ended::toString);
            assertTrue(ended.errorMessage().contains("scripted 400"), ended::toString);
            assertEquals(1, ended.result().path("steps").asInt());
            assertEquals(1, world.records("result").size());
        }
    }

    @Test
    @Tag("row-11")
    @Tag("G12")
    @DisplayName("the reply that breaks the budget does not act, and its cost is counted")
    void budget() {
        Reply write = calls("write_file", "file_path", "x", "content", "y");
        try (var model = ScriptedServer.chat(write.atItsLimits());
                var world = World.with(model)) {
            Ended ended =
                    world.runInside(
                            "--json", "--yolo", "--sandbox=off", "--budget", "0.2", "write x");
            assertEquals(2, ended.exitCode(), ended::toString);
            assertEquals("budget_exceeded", ended.result("stop_reason"));
            assertFalse(world.exists("x"));
            assertTrue(usd(ended).compareTo(cost("0.18")) > 0, ended::toString);
            assertEquals(
                    cost("0.2"),
                    new BigDecimal(ended.result().path("cost").path("cap_usd").asText()));
            assertEquals("The agent stopped (budget_exceeded).", ended.result("result"));
        }
    }

    @Test
    @Tag("E04")
    @DisplayName("prices from a --config file make a budget possible")
    void pricesFromAFile() {
        String prices = "providers: {canary: {models: {other: {price: {input: 1, output: 2}}}}}\n";
        try (var model = ScriptedServer.chat(says("ok"), says("ok"));
                var world = World.with(model).file("prices.yaml", prices)) {
            Ended priced =
                    world.runInside(
                            "--json",
                            "--config=prices.yaml",
                            "-m=canary/other",
                            "--budget=1",
                            "hi");
            assertEquals(0, priced.exitCode(), priced::toString);
            assertEquals("config", priced.result().path("cost").path("basis").asText());
            assertEquals(cost("0.00012"), usd(priced));

            Ended unknown = world.runInside("--json", "-m=canary/other", "hi");
            assertTrue(unknown.result().path("cost").path("usd").isNull(), unknown::toString);
            assertEquals(100, unknown.result().path("usage").path("input_tokens").asInt());
        }
    }

    @Test
    @Tag("row-12")
    @DisplayName("a cut answer is continued twice and joined; the cap of continuations is 2")
    void continuations() {
        Reply cut = says("A").ending(Finish.LENGTH);
        try (var model = ScriptedServer.chat(cut, says("B").ending(Finish.LENGTH), says("C"));
                var world = World.with(model)) {
            Ended ended = world.runInside("--json", "spell");
            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals("ABC", ended.result("result"));
            assertEquals(
                    model.request(1).lastText(), model.request(2).lastText(), "the same request");
        }
        try (var model = ScriptedServer.chat(cut, cut, cut, cut);
                var world = World.with(model)) {
            Ended ended = world.runInside("--json", "spell");
            assertEquals(2, ended.exitCode(), ended::toString);
            assertEquals("output_limit", ended.result("stop_reason"));
            assertEquals("AAAA", ended.result("result"));
        }
    }

    @Test
    @Tag("row-13")
    @Tag("row-27")
    @DisplayName("half a call and arguments that are no JSON are not run; the run goes on")
    void brokenCalls() {
        var half =
                calls(new Reply.Call("write_file", "{\"file_path\":\"x\",\"content\":\"ab"))
                        .ending(Finish.LENGTH);
        var bad = calls(new Reply.Call("write_file", "file_path=x"));
        try (var model = ScriptedServer.chat(half, bad, says("I give up."));
                var world = World.with(model)) {
            Ended ended = world.runInside("--json", "--yolo", "--sandbox=off", "write");
            assertEquals(0, ended.exitCode(), ended::toString);
            assertFalse(world.exists("x"));
            assertEquals(2, model.lastRequest().toolResults().size());
            assertEquals(2, ended.result().path("tools_used").path(0).path("failures").asInt());
        }
    }

    @Test
    @Tag("row-14")
    @DisplayName("an empty answer is nudged once; 15: a refusal is not repeated")
    void emptyAndRefused() {
        try (var model = ScriptedServer.chat(says(""), says("Here it is."), says(""), says(""));
                var world = World.with(model)) {
            assertEquals("Here it is.\n", world.runInside("go").out());
            Ended empty = world.runInside("--json", "go");
            assertEquals(2, empty.exitCode(), empty::toString);
            assertEquals("empty_response", empty.result("stop_reason"));
        }
        try (var model = ScriptedServer.chat(says("I will not.").ending(Finish.REFUSAL));
                var world = World.with(model)) {
            Ended refused = world.runInside("--json", "go");
            assertEquals(2, refused.exitCode(), refused::toString);
            assertEquals("refused", refused.result("stop_reason"));
            assertEquals("I will not.", refused.result("result"));
        }
    }

    @Test
    @Tag("row-16")
    @DisplayName("calls that come with finish \"stop\" are run")
    void callsWithStop() {
        try (var model = ScriptedServer.chat(calls("list_files").ending(Finish.STOP), says("ok"));
                var world = World.with(model).file("here.txt", "")) {
            assertEquals(0, world.runInside("go").exitCode());
            assertTrue(model.lastRequest().lastToolResult().contains("here.txt"));
        }
    }

    @Test
    @Tag("row-26")
    @DisplayName("an unknown tool is an error result that names the tools there are")
    void unknownTool() {
        try (var model = ScriptedServer.chat(calls("fly", "to", "moon"), says("ok"));
                var world = World.with(model)) {
            Ended ended = world.runInside("go");
            assertEquals(0, ended.exitCode(), ended::toString);
            assertTrue(model.lastRequest().lastToolResult().contains("read_file"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"--exit-code-on-partial=0", "--exit-code-on-partial=42"})
    @Tag("row-3")
    @DisplayName("--exit-code-on-partial changes the code of partial runs and nothing else")
    void exitCodeOnPartial(String option) {
        int expected = Integer.parseInt(option.substring(option.indexOf('=') + 1));
        try (var model = ScriptedServer.chat(says("Summary."), Faults.status(400));
                var world = World.with(model)) {
            Ended partial = world.runInside("--json", option, "--max-steps", "0", "go");
            assertEquals(expected, partial.exitCode(), partial::toString);
            assertEquals("partial", partial.result("status"));
            assertEquals(1, world.runInside(option, "go").exitCode(), "a failure stays one");
        }
    }

    @Test
    @DisplayName("--max-tokens-total is a hard cap")
    void tokenCap() {
        try (var model = ScriptedServer.chat(calls("list_files").counting(5_000, 2_000));
                var world = World.with(model)) {
            Ended ended = world.runInside("--json", "--max-tokens-total", "13000", "go");
            assertEquals(2, ended.exitCode(), ended::toString);
            assertEquals("budget_exceeded", ended.result("stop_reason"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"--json", "--output-format=stream-json"})
    @Tag("E19")
    @DisplayName("an answer of 10 MB is told whole, in one object or line by line")
    void aLargeAnswer(String format) {
        StringBuilder text = new StringBuilder();
        for (int line = 0; text.length() < 10_000_000; line++) {
            text.append("Line ").append(line).append(" of a very long answer.\n");
        }
        try (var model = ScriptedServer.chat(says(text.toString()));
                var world = World.with(model)) {
            Ended ended = world.runInside(format, "--quiet", "go");
            assertEquals(0, ended.exitCode(), () -> "exit code " + ended.exitCode());
            assertTrue(ended.result("result").contentEquals(text), "the whole answer");
        }
    }

    @Test
    @DisplayName("text goes to stdout once, the log to stderr; -o writes the answer as well")
    void whatGoesWhere() {
        try (var model = ScriptedServer.chat(calls("list_files"), says("Answer."), says("Quiet."));
                var world = World.with(model)) {
            Ended ended = world.runInside("-o", "answer.txt", "go");
            assertEquals("Answer.\n", ended.out());
            assertEquals("Answer.\n", world.read("answer.txt"));
            for (String part :
                    List.of("Step 1", "list_files", "✓ OK", "✅ Agent completed (2 steps)")) {
                assertTrue(ended.err().contains(part), ended::toString);
            }
            Ended quiet = world.runInside("--quiet", "go");
            assertEquals("Quiet.\n", quiet.out());
            assertEquals("", quiet.err());
        }
    }
}
