package dev.agentloop.loop;

import static dev.agentloop.testing.ScriptedLlm.calls;
import static dev.agentloop.testing.ScriptedLlm.says;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.agentloop.loop.run.StopReason;
import dev.agentloop.message.ToolResult;
import dev.agentloop.testing.AgentFixture;
import dev.agentloop.testing.FakeTool;
import dev.agentloop.testing.MemoryJournal;
import dev.agentloop.testing.ScriptedLlm;
import dev.agentloop.tool.Effect;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class UnsavedChangesTest {
    @Test
    @Tag("C36")
    @DisplayName("a command whose intent cannot be saved does not run, and its run has failed")
    void withoutItsIntentNoCommandRuns() {
        List<String> done = new ArrayList<>();
        FakeTool command =
                new FakeTool(
                        "command",
                        Effect.OPAQUE,
                        (path, _) -> {
                            done.add(path);
                            return ToolResult.ok(path);
                        });
        ScriptedLlm llm = ScriptedLlm.of(calls("command", "{\"path\":\"b\"}"), says("done"));
        AgentFixture agent =
                AgentFixture.with(llm)
                        .tool(command)
                        .journal(new MemoryJournal().failingAfter(3)); // the request, the reply, it

        assertEquals(StopReason.SESSION_ERROR, agent.run("go").stopReason());
        assertEquals(List.of(), done);
    }
}
