package dev.agentloop.cli;

import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.Protocol;
import dev.agentloop.blackbox.ScriptedServer;
import dev.agentloop.blackbox.World;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LoopDetectionScenarioTest {
    @ParameterizedTest
    @EnumSource
    @Tag("row-76")
    @Tag("E08")
    @DisplayName("the same call five times is loop_detected, exit code 2, on each protocol")
    void theSameCallFiveTimes(Protocol protocol) {
        var again = calls("list_files");
        try (var model =
                        ScriptedServer.start(
                                protocol, again, again, again, again, again, says("Stuck."));
                var world = World.with(model)) {
            Ended ended = world.runInside("--json", "go");
            assertEquals(2, ended.exitCode(), ended::toString);
            assertEquals("loop_detected", ended.result("stop_reason"));
            assertEquals("Stuck.", ended.result("result"));
            assertEquals(5, ended.result().path("steps").asInt());
            assertEquals(1, ended.result().path("warnings").size(), ended::toString);
        }
    }

    @Test
    @Tag("E07")
    @DisplayName("--max-tool-calls ends a run that wants more, with a summary")
    void toolCalls() {
        var call = calls("list_files");
        try (var model = ScriptedServer.chat(call, call, says("One was enough."));
                var world = World.with(model)) {
            Ended ended = world.runInside("--json", "--max-tool-calls", "1", "go");
            assertEquals(2, ended.exitCode(), ended::toString);
            assertEquals("max_tool_calls", ended.result("stop_reason"));
            assertEquals("One was enough.", ended.result("result"));
            assertTrue(ended.err().contains("Limit of tool calls reached (1)"), ended::toString);
        }
    }
}
