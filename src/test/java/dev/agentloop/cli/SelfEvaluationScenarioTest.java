package dev.agentloop.cli;

import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.Protocol;
import dev.agentloop.blackbox.ScriptedServer;
import dev.agentloop.blackbox.World;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SelfEvaluationScenarioTest {
    private static final String FAILS =
            "I looked {closely}:\n{\"completed\": false, \"confidence\": 0.9,"
                    + " \"issues\": [\"x says {y}\"], \"suggestion\": \"\"}\nThat is all.";
    private static final String PASSES =
            "```json\n{\"completed\": true, \"confidence\": 0.95, \"issues\": [],"
                    + " \"suggestion\": \"\"}\n```";
    private static final String GATE =
            """
            guardrails:
              quality_gates:
                - {name: exists, command: "test -f x && echo it is there"}
            """;

    @ParameterizedTest
    @EnumSource
    @Tag("row-82")
    @Tag("S0-47")
    @DisplayName("the judge sees diff and checks; prose around its answer does not matter")
    void basic(Protocol protocol) {
        var write = calls("write_file", "file_path", "x", "content", "one\ntwo\n");
        try (var model = ScriptedServer.start(protocol, write, says("Done."), says(FAILS));
                var world = World.with(model).config(GATE)) {
            Ended ended =
                    world.runInside(
                            "--json", "--yolo", "--sandbox=off", "--self-eval=basic", "write x");
            assertEquals(2, ended.exitCode(), ended::toString);
            assertEquals("llm_done", ended.result("stop_reason"));
            assertEquals("partial", ended.result("status"));
            assertEquals("Done.", ended.result("result"));
            JsonNode evaluation = ended.result().path("evaluation");
            assertFalse(evaluation.path("passed").asBoolean(), ended::toString);
            assertEquals("x says {y}", evaluation.at("/issues/0").asText());
            assertEquals("eval", ended.result().at("/cost/breakdown/1/source").asText());
            String asked = model.requests().getLast().raw();
            assertTrue(asked.contains("+one\\n+two"), asked);
            assertTrue(asked.contains("exists: passed\\nit is there"), asked);
            assertTrue(ended.err().contains("its self-evaluation does not pass"), ended::toString);
        }
    }

    @Test
    @Tag("S0-48")
    @DisplayName("full corrects and passes; only the agent's words are the answer")
    void full() {
        try (var model =
                        ScriptedServer.chat(
                                says("Done."), says(FAILS), says("Now really."), says(PASSES));
                var world = World.with(model)) {
            Ended ended = world.runInside("--self-eval", "full", "write x");
            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals("Now really.\n", ended.out());
            assertFalse(ended.err().contains("\"completed\""), ended::toString);
        }
    }

    @Test
    @Tag("S0-46")
    @DisplayName("the demo cannot judge itself")
    void notTheDemo() {
        try (var world = World.withoutModel()) {
            Ended ended = world.runInside("--json", "-m=demo/scripted", "--self-eval=full", "go");
            assertEquals(3, ended.exitCode(), ended::toString);
        }
    }
}
