package dev.agentloop.hook;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.agentloop.message.Block;
import dev.agentloop.message.FileChange;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import dev.agentloop.message.Usage;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class HookInputTest {
    @Test
    void aReplyIsToldWithItsToolsAndTokens() {
        Message.Assistant reply =
                new Message.Assistant(
                        List.of(
                                new Block.Text("I edit."),
                                new Block.Call(new ToolCall("c1", "edit", "{}")),
                                new Block.Call(new ToolCall("c2", "read", "{}"))));
        assertEquals(
                """
                {"schema_version":"1.0","event":"post_llm","session_id":"s1","cwd":"/ws",\
                "step":1,"text":"I edit.","tools":["edit","read"],"usage":{"input_tokens":1,\
                "output_tokens":2,"cache_read_tokens":3,"cache_write_tokens":4}}\
                """,
                told(new HookEvent.Replied(1, reply, new Usage(1, 2, 3, 4, 0, false))));
    }

    @Test
    void aCallIsToldWithWhatCameOfIt() {
        ToolResult result =
                ToolResult.ok("done")
                        .withExitCode(7)
                        .withChanges(List.of(new FileChange("a", FileChange.Kind.ADDED, 1, 0)));
        assertEquals(
                """
                {"schema_version":"1.0","event":"post_tool","hook_event_name":"PostToolUse",\
                "session_id":"s1","cwd":"/ws","tool_name":"edit","tool_use_id":"c1",\
                "tool_input":{"path":"a"},"tool_response":{"kind":"ok","is_error":false,\
                "text":"done","changes":[{"path":"a","kind":"added"}],"exit_code":7}}\
                """,
                told(
                        new HookEvent.ToolEnded(
                                new ToolCall("c1", "edit", "{\"path\":\"a\"}"), result)));
    }

    @Test
    void argumentsThatAreNoJsonAreToldAsTheyAre() {
        assertEquals(
                """
                {"schema_version":"1.0","event":"pre_tool","hook_event_name":"PreToolUse",\
                "session_id":"s1","cwd":"/ws","tool_name":"edit","tool_use_id":"c1",\
                "tool_input":"{'path':"}\
                """,
                told(new HookEvent.ToolReady(new ToolCall("c1", "edit", "{'path':"))));
    }

    private static String told(HookEvent event) {
        return HookInput.of(event, new ShellHook.Place(Path.of("/ws"), "s1"));
    }
}
