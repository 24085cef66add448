package dev.agentloop.cli;

import static dev.agentloop.blackbox.Reply.call;
import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.ScriptedServer;
import dev.agentloop.blackbox.World;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Models that know our tools by other names. */
class ToolNamesScenarioTest {
    @Test
    @DisplayName("a model of other tool names is told those; rules and results have ours")
    void otherNames() {
        var calls =
                calls(
                        call("Write", "file_path", "x", "content", "y"),
                        call("Bash", "command", "echo $((1+1)) is two"));
        try (var model = ScriptedServer.chat(calls, says("ok"));
                var world =
                        World.with(model)
                                .config(
                                        """
                                        # one more provider
                                          other:
                                            base_url: "%s"
                                            models: {model: {capabilities: {tool_names: claude}}}
                                        """
                                                .formatted(model.baseUrl()))) {
            Ended ended =
                    world.runInside(
                            "--json",
                            "-m",
                            "other/model",
                            "--allow=write_file",
                            "--allow=run_command(*)",
                            "--deny=write_file(z)",
                            "go");
            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals("y", world.read("x"));
            assertTrue(model.lastRequest().raw().contains("\"name\":\"Bash\""));
            assertTrue(model.lastRequest().lastToolResult().contains("2 is two"));
            assertEquals(
                    "write_file",
                    ended.result().at("/tools_used/0/name").asText(),
                    ended::toString);
        }
    }
}
