package dev.agentloop.loop;

import static dev.agentloop.testing.ScriptedLlm.calls;
import static dev.agentloop.testing.ScriptedLlm.says;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.agentloop.message.ToolResult;
import dev.agentloop.testing.AgentFixture;
import dev.agentloop.testing.FakeTool;
import dev.agentloop.testing.ScriptedLlm;
import dev.agentloop.tool.Effect;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PathAtItsTurnTest {
    @Test
    @Tag("D09")
    @DisplayName("a link made by an earlier call of the reply is judged where it leads then")
    void aPathIsJudgedAtItsTurn(@TempDir Path folder) throws Exception {
        Files.writeString(folder.resolve(".env"), "SECRET");
        FakeTool link =
                new FakeTool(
                        "link",
                        Effect.OPAQUE,
                        (_, context) -> {
                            Files.createSymbolicLink(
                                    context.workspace().root().resolve("safe.txt"),
                                    Path.of(".env"));
                            return ToolResult.ok("linked");
                        });
        ScriptedLlm llm =
                ScriptedLlm.of(
                        calls("link", "{\"path\":\"x\"}", "read", "{\"path\":\"safe.txt\"}"),
                        says("done"));
        AgentFixture agent =
                AgentFixture.with(llm)
                        .in(folder)
                        .tool(link)
                        .tool(new FakeTool("read", Effect.PURE, (path, _) -> ToolResult.ok(path)))
                        .denying("read(**/.env)");

        agent.run("go");

        assertEquals(ToolResult.Kind.DENIED, agent.results().get(1).result().kind());
    }
}
