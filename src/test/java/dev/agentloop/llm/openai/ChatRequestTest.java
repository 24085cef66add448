package dev.agentloop.llm.openai;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import dev.agentloop.llm.CallIds;
import dev.agentloop.llm.LlmRequest;
import dev.agentloop.llm.RequestContract;
import dev.agentloop.message.Block;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ChatRequestTest extends RequestContract {
    ChatRequestTest() {
        super(new ChatSubject());
    }

    @Override
    protected List<String> callsIn(JsonValue request) throws JsonException {
        List<String> calls = new ArrayList<>();
        for (JsonValue message : request.at("messages").items()) {
            for (JsonValue call : message.at("tool_calls").items()) {
                JsonValue function = call.at("function");
                calls.add(
                        function.at("name").text()
                                + " "
                                + Json.parse(function.at("arguments").text()).raw());
            }
        }
        return calls;
    }

    @Test
    void theWholeRequest() {
        List<Message> history =
                List.of(
                        new Message.System("Be brief."),
                        new Message.User("One \"ü\""),
                        new Message.User("two"),
                        new Message.Assistant(
                                List.of(
                                        new Block.Reasoning("hm", "{\"type\":\"thinking\"}"),
                                        new Block.Text("Look"),
                                        new Block.Call(new ToolCall("a", "read_file", "{\"x\":1}")),
                                        new Block.Call(new ToolCall("b", "read_file", "")))),
                        new Message.Tool("a", ToolResult.ok("fine")),
                        new Message.Tool("b", ToolResult.error("no such file")),
                        new Message.Assistant(
                                List.of(new Block.Call(new ToolCall("c", "read_file", "{}")))),
                        new Message.Tool("c", ToolResult.ok("")));

        assertEquals(
                """
                {"model":"m-1","stream":true,"stream_options":{"include_usage":true},\
                "tools":[{"type":"function","function":{"name":"read_file",\
                "description":"Reads a file","parameters":{"type":"object","properties":\
                {"file_path":{"type":"string"}}}}}],"messages":[\
                {"role":"system","content":"Be brief."},\
                {"role":"user","content":"One \\"ü\\"\\n\\ntwo"},\
                {"role":"assistant","content":"Look","tool_calls":[\
                {"id":"a","type":"function","function":\
                {"name":"read_file","arguments":"{\\"x\\":1}"}},\
                {"id":"b","type":"function","function":{"name":"read_file","arguments":"{}"}}]},\
                {"role":"tool","tool_call_id":"a","content":"fine"},\
                {"role":"tool","tool_call_id":"b","content":"no such file"},\
                {"role":"assistant","content":null,"tool_calls":[\
                {"id":"c","type":"function","function":{"name":"read_file","arguments":"{}"}}]},\
                {"role":"tool","tool_call_id":"c","content":""}]}\
                """,
                sent(history, true));
    }

    @Test
    void limitsAndTheOneAnswerForm() {
        LlmRequest request = new LlmRequest(List.of(), List.of(), true, 77, false);

        assertEquals(
                "{\"model\":\"m\",\"stream\":false,\"max_tokens\":77,\"messages\":[",
                new String(
                        new ChatDialect("m", "max_tokens", new CallIds()).head(request),
                        StandardCharsets.UTF_8));
    }
}
