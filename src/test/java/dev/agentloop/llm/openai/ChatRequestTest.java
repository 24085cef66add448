package dev.agentloop.llm.openai;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import dev.agentloop.llm.CallIds;
import dev.agentloop.llm.Capabilities;
import dev.agentloop.llm.Effort;
import dev.agentloop.llm.Generation;
import dev.agentloop.llm.LlmRequest;
import dev.agentloop.llm.ModelInfo;
import dev.agentloop.llm.RequestContract;
import dev.agentloop.llm.ToolNames;
import dev.agentloop.message.Block;
import dev.agentloop.message.Image;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

final class ChatRequestTest extends RequestContract {
    private static final Image PIXEL = new Image("image/png", "iVBORw0KGgo=");

    ChatRequestTest() {
        super(new ChatSubject());
    }

    @Override
    protected String looked() {
        return """
        {"role":"tool","tool_call_id":"look_7","content":"[a.png]"},\
        {"role":"tool","tool_call_id":"read_7","content":"text"},\
        {"role":"user","content":[\
        {"type":"text","text":"The images of the tool results above:"},\
        {"type":"image_url","image_url":{"url":"data:image/png;base64,iV7"}}]}\
        """;
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
                        new ChatDialect(new ModelInfo("p", "m", 0, 0), false, new CallIds())
                                .head(request),
                        StandardCharsets.UTF_8));
    }

    @Test
    void everySettingHasItsMember() {
        Generation generation =
                new Generation(Effort.OFF, 0.5, "{\"type\":\"object\"}", "session-1");
        LlmRequest request = new LlmRequest(List.of(), List.of(READ), true, 77, true, generation);
        String open =
                "{\"model\":\"m\",\"stream\":true,\"stream_options\":{\"include_usage\":true},";
        String settings =
                """
                "reasoning_effort":"none","temperature":0.5,"response_format":\
                {"type":"json_schema","json_schema":{"name":"answer",\
                "schema":{"type":"object"},"strict":false}},\
                """;
        String end =
                """
                "tools":[{"type":"function","function":{"name":"read_file",\
                "description":"Reads a file","parameters":{"type":"object","properties":\
                {"file_path":{"type":"string"}}}}}],"messages":[\
                """;

        assertEquals(
                open
                        + "\"max_completion_tokens\":77,"
                        + settings
                        + "\"prompt_cache_key\":\"session-1\","
                        + end,
                head(request, Capabilities.UNKNOWN, true));
        assertEquals(
                open + "\"max_tokens\":77," + settings + end,
                head(request, Capabilities.UNKNOWN, false));
    }

    @Test
    void aModelIsNotAskedForWhatItCannotDo() {
        Generation generation = new Generation(Effort.HIGH, 0.5, "{}", "");
        LlmRequest request = new LlmRequest(List.of(), List.of(READ), false, 0, false, generation);
        Capabilities none =
                new Capabilities(
                        false,
                        false,
                        Set.of(),
                        false,
                        false,
                        false,
                        false,
                        false,
                        false,
                        ToolNames.OWN);
        ChatDialect dialect = dialect(none, true);
        Message.User picture = new Message.User("see", List.of(PIXEL));

        assertEquals("{\"model\":\"m\",\"stream\":false,\"messages\":[", head(request, none, true));
        assertEquals("]}", new String(dialect.tail(request), StandardCharsets.UTF_8));
        assertEquals("see\\n\\n[images left out: this model takes none]", piece(dialect, picture));
        assertEquals(dialect.frame(new Message.User("x")), dialect.frame(picture));
    }

    @Test
    void aModelThatSeesNothingIsToldThatAResultHadAnImage() {
        Capabilities blind = new Capabilities(true, false, Set.of(), true, true, false);
        ChatDialect dialect = dialect(blind, true);

        assertEquals(
                """
                {"role":"tool","tool_call_id":"look_1",\
                "content":"[a.png]\\n\\n[images left out: this model takes none]"}\
                """,
                piece(dialect, look(1).get(1)));
        assertTrue(dialect.resultsCarryImages());
    }

    @Test
    void oneCallAtATimeWhereTheModelKnowsNoMore() {
        Capabilities one = new Capabilities(true, true, Set.of(), false, true, false);
        LlmRequest request = new LlmRequest(List.of(), List.of(READ), true, 0, false);

        assertTrue(head(request, one, false).contains("\"parallel_tool_calls\":false,\"tools\":["));
    }

    @Test
    void imagesAreParts() {
        List<Message> history =
                List.of(
                        new Message.User("one"),
                        new Message.User("two", List.of(PIXEL, PIXEL)),
                        new Message.User("three"),
                        new Message.User("", List.of(PIXEL)));
        String image =
                """
                {"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgo="}}\
                """;

        String text = sent(history, true);
        assertEquals(
                """
                [{"role":"user","content":"one"},\
                {"role":"user","content":[{"type":"text","text":"two"},%s,%s]},\
                {"role":"user","content":"three"},\
                {"role":"user","content":[%s]}]}\
                """
                        .formatted(image, image, image),
                text.substring(text.indexOf("\"messages\":") + "\"messages\":".length()));
    }

    @Test
    @DisplayName("an id that is no text in UTF-8 does not end the run")
    void halfACharacterAsId() {
        List<Message> history =
                List.of(
                        new Message.Assistant(
                                List.of(new Block.Call(new ToolCall("\uD83D", "t", "{}")))),
                        new Message.Tool("\uD83D", ToolResult.ok("x")));

        String text = sent(history, true);
        assertTrue(text.contains("\"id\":\"\uFFFD\""), text);
        assertTrue(text.contains("\"tool_call_id\":\"\uFFFD\""), text);
    }

    private static String head(LlmRequest request, Capabilities capabilities, boolean original) {
        byte[] head = dialect(capabilities, original).head(request);
        return new String(head, StandardCharsets.UTF_8);
    }

    private static String piece(ChatDialect dialect, Message message) {
        return new String(dialect.piece(message), StandardCharsets.UTF_8);
    }

    private static ChatDialect dialect(Capabilities capabilities, boolean original) {
        ModelInfo model = new ModelInfo("p", "m", 0, 0, capabilities);
        return new ChatDialect(model, original, new CallIds());
    }
}
