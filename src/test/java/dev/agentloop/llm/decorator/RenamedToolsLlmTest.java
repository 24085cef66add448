package dev.agentloop.llm.decorator;

import static dev.agentloop.testing.ScriptedLlm.calls;
import static dev.agentloop.testing.ScriptedLlm.cutCall;
import static dev.agentloop.testing.ScriptedLlm.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.control.Cancellation;
import dev.agentloop.llm.Heard;
import dev.agentloop.llm.LlmRequest;
import dev.agentloop.llm.LlmResponse;
import dev.agentloop.llm.ToolNames;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import dev.agentloop.testing.ScriptedLlm;
import dev.agentloop.tool.Effect;
import dev.agentloop.tool.ToolSpec;
import dev.agentloop.tool.ToolSpecs;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RenamedToolsLlmTest {
    private static final List<ToolSpec> TOOLS =
            Stream.of(
                            "read_file",
                            "edit_file",
                            "write_file",
                            "run_command",
                            "todo_write",
                            "ask_user")
                    .map(name -> ToolSpecs.load(name, Effect.PURE))
                    .toList();

    private static LlmResponse ask(RenamedToolsLlm llm, List<Message> history) {
        LlmRequest request = new LlmRequest(List.copyOf(history), TOOLS, true, 0, true);
        return llm.complete(request, new Heard(), new Cancellation());
    }

    private static List<Message> task() {
        return new ArrayList<>(
                List.of(
                        new Message.System("Use read_file, never cat. grep is a word."),
                        new Message.User("What is read_file?")));
    }

    @ParameterizedTest
    @DisplayName("a call in the words of another program is a call in ours")
    @CsvSource(
            delimiter = ';',
            value = {
                "CLAUDE; Read; {\"file_path\":\"a\",\"offset\":2}; read_file; {\"file_path\":\"a\",\"offset\":2}",
                "CLAUDE; Bash; {\"command\":\"ls\",\"timeout\":1500,\"description\":\"d\"}; run_command; {\"command\":\"ls\",\"timeout\":2}",
                "CLAUDE; TodoWrite; {\"todos\":[{\"content\":\"a\",\"status\":\"pending\",\"activeForm\":\"b\"}]}; todo_write; {\"todos\":[{\"content\":\"a\",\"status\":\"pending\"}]}",
                "CODEX; shell_command; {\"command\":\"ls\",\"workdir\":\"src\",\"timeout_ms\":9000}; run_command; {\"command\":\"ls\",\"cwd\":\"src\",\"timeout\":9}",
                "CODEX; update_plan; {\"plan\":[{\"step\":\"a\",\"status\":\"pending\"}]}; todo_write; {\"todos\":[{\"content\":\"a\",\"status\":\"pending\"}]}",
                "CLAUDE; ask_user; {\"question\":\"q\"}; ask_user; {\"question\":\"q\"}",
                "CLAUDE; read_file; {\"file_path\":\"a\"}; read_file; {\"file_path\":\"a\"}",
                "CLAUDE; Bash; [1]; run_command; [1]",
            })
    void callsBecomeOurs(ToolNames names, String tool, String json, String own, String ownJson) {
        var llm = new RenamedToolsLlm(ScriptedLlm.of(calls(tool, json)), names);

        ToolCall call = ask(llm, task()).toolCalls().getFirst();

        assertEquals(own, call.name());
        assertEquals(ownJson, call.arguments());
    }

    @Test
    @DisplayName("tools are declared in the other words, with the schema that fits them")
    void declarations() {
        var model = ScriptedLlm.of(says("x"), says("y"));
        var llm = new RenamedToolsLlm(model, ToolNames.CODEX);
        ask(llm, task());
        ask(llm, task());

        List<ToolSpec> told = model.requests().getFirst().tools();
        assertSame(told, model.requests().getLast().tools());
        assertEquals(
                List.of(
                        "read_file",
                        "edit_file",
                        "write_file",
                        "shell_command",
                        "update_plan",
                        "ask_user"),
                told.stream().map(ToolSpec::name).toList());
        String shell = told.get(3).parameters();
        assertTrue(
                shell.contains(
                        "\"timeout_ms\":{\"type\":\"integer\",\"description\":\"Milliseconds"),
                shell);
        String plan = told.get(4).parameters();
        assertTrue(plan.contains("\"required\":[\"step\",\"status\"]"), plan);
        assertTrue(plan.endsWith("\"required\":[\"plan\"]}"), plan);
    }

    @Test
    @DisplayName(
            "instructions name the tools as they are declared; what people and files say stays")
    void instructions() {
        var model = ScriptedLlm.of(says("x"));
        ask(new RenamedToolsLlm(model, ToolNames.CLAUDE), task());

        assertEquals(
                List.of(
                        new Message.System("Use Read, never cat. grep is a word."),
                        new Message.User("What is read_file?")),
                model.messagesOf(0));
        String write = model.requests().getFirst().tools().get(2).description();
        assertTrue(write.contains("use Edit.") && !write.contains("edit_file"), write);
    }

    @Test
    @DisplayName("a session of any names goes on with any: the history is ours, the request is not")
    void history() {
        String json = "{ \"command\" : \"ls\", \"timeout\" : 1500 }";
        var model = ScriptedLlm.of(calls("Bash", json), says("x"));
        var llm = new RenamedToolsLlm(model, ToolNames.CLAUDE);
        List<Message> history = task();
        LlmResponse reply = ask(llm, history);
        history.add(reply.message());
        history.add(
                new Message.Tool(reply.toolCalls().getFirst().id(), ToolResult.ok("read_file")));

        ask(llm, history);
        ToolCall again = ((Message.Assistant) model.messagesOf(1).get(2)).toolCalls().getFirst();
        assertEquals(new ToolCall(again.id(), "Bash", json), again);
        assertEquals(history.getLast(), model.messagesOf(1).getLast());

        var codex = ScriptedLlm.of(says("x"), says("y"));
        var resumed = new RenamedToolsLlm(codex, ToolNames.CODEX);
        ask(resumed, history);
        ask(resumed, history);
        Message.Assistant told = (Message.Assistant) codex.messagesOf(0).get(2);
        assertEquals("shell_command", told.toolCalls().getFirst().name());
        assertEquals(
                "{\"command\":\"ls\",\"timeout_ms\":2000}",
                told.toolCalls().getFirst().arguments());
        assertSame(told, codex.messagesOf(1).get(2));
    }

    @Test
    void aCutCallStaysCut() {
        var llm =
                new RenamedToolsLlm(
                        ScriptedLlm.of(cutCall("Bash", "{\"command\":\"l")), ToolNames.CLAUDE);

        LlmResponse reply = ask(llm, task());

        ToolCall call = reply.toolCalls().getFirst();
        assertEquals("run_command", call.name());
        assertEquals("{\"command\":\"l", call.arguments());
        assertFalse(reply.cutCalls().isEmpty());
    }
}
