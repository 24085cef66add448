package dev.agentloop.blackbox;

import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.testing.FakeMcp;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** MCP servers of the packaged program; that none of their processes is left each run checks. */
class McpIT {
    @Test
    @Tag("B46")
    @DisplayName("a run uses one server while another ignores its end, and both are gone after it")
    void twoServers() {
        String servers =
                FakeMcp.yaml("fake")
                        + FakeMcp.yaml("stubborn", "stubborn").replace("mcp_servers:\n", "");
        try (var model =
                        ScriptedServer.chat(
                                calls("mcp__fake__echo", "text", "hello there"),
                                calls("mcp__stubborn__structured"),
                                says("Done."));
                var world = World.with(model).config(servers)) {
            Ended ended =
                    world.run(
                            "--json", "--allow=mcp__fake__*", "--allow=mcp__stubborn__*", "say it");

            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals("{\"degrees\":21}", model.lastRequest().lastToolResult());
        }
    }

    @Test
    @Tag("E09")
    @DisplayName("--timeout ends a run whose server hangs in its start, exit code 5")
    void timeoutInTheStart() {
        try (var model = ScriptedServer.chat(says("Done."));
                var world = World.with(model).config(FakeMcp.yaml("fake", "silent"))) {
            Ended ended = world.run("--json", "--timeout=2s", "--allow=mcp__fake__*", "go");

            assertEquals(5, ended.exitCode(), ended::toString);
            assertTrue(ended.took().toMillis() < 10_000, ended::toString);
        }
    }
}
