package dev.agentloop.llm.openai;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import dev.agentloop.llm.CallIds;
import dev.agentloop.llm.Capabilities;
import dev.agentloop.llm.Effort;
import dev.agentloop.llm.Generation;
import dev.agentloop.llm.LlmRequest;
import dev.agentloop.llm.LlmResponse;
import dev.agentloop.llm.ModelInfo;
import dev.agentloop.llm.RequestContract;
import dev.agentloop.llm.ToolNames;
import dev.agentloop.llm.Wire;
import dev.agentloop.llm.provider.WireRequests;
import dev.agentloop.message.Block;
import dev.agentloop.message.Image;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import dev.agentloop.testing.RawServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ResponsesRequestTest extends RequestContract {
    private static final String THOUGHT =
            """
            {"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"hm"}],\
            "encrypted_content":"gAAA+/="}\
            """;

    private static final Image PIXEL = new Image("image/png", "iVBORw0KGgo=");

    ResponsesRequestTest() {
        super(new ResponsesSubject());
    }

    @Override
    protected String looked() {
        return """
        {"type":"function_call_output","call_id":"look_7","output":[\
        {"type":"input_text","text":"[a.png]"},\
        {"type":"input_image","image_url":"data:image/png;base64,iV7","detail":"auto"}]},\
        {"type":"function_call_output","call_id":"read_7","output":"text"}\
        """;
    }

    @Override
    protected List<String> callsIn(JsonValue request) throws JsonException {
        List<String> calls = new ArrayList<>();
        for (JsonValue item : request.at("input").items()) {
            if (item.at("type").text().equals("function_call")) {
                JsonValue arguments = Json.parse(item.at("arguments").text());
                calls.add(item.at("name").text() + " " + arguments.raw());
            }
        }
        return calls;
    }

    @Test
    void theWholeRequest() {
        assertEquals(
                """
                {"model":"m-1","stream":true,"store":false,\
                "include":["reasoning.encrypted_content"],\
                "tools":[{"type":"function","name":"read_file","description":"Reads a file",\
                "parameters":{"type":"object","properties":{"file_path":{"type":"string"}}},\
                "strict":false}],"instructions":"Be brief.","input":[\
                {"type":"message","role":"user","content":[\
                {"type":"input_text","text":"One \\"ü\\""},{"type":"input_text","text":"two"},\
                {"type":"input_image","image_url":"data:image/png;base64,iVBORw0KGgo=",\
                "detail":"auto"}]},\
                """
                        + THOUGHT
                        + """
                        ,{"type":"message","role":"assistant","content":"Look"},\
                        {"type":"function_call","call_id":"a","name":"read_file",\
                        "arguments":"{\\"x\\":1}"},\
                        {"type":"function_call","call_id":"b","name":"read_file",\
                        "arguments":"{}"},\
                        {"type":"function_call_output","call_id":"a","output":"fine"},\
                        {"type":"function_call_output","call_id":"b","output":"no such file"},\
                        {"type":"message","role":"assistant","content":"Done."}]}\
                        """,
                sent(work(), true));
    }

    private static List<Message> work() {
        return List.of(
                new Message.System("Be brief."),
                new Message.User("One \"ü\""),
                new Message.User("two", List.of(PIXEL)),
                new Message.Assistant(
                        List.of(
                                new Block.Reasoning("hm", THOUGHT),
                                new Block.Reasoning("foreign", "{\"type\":\"thinking\"}"),
                                new Block.Text("Look"),
                                new Block.Call(new ToolCall("a", "read_file", "{\"x\":1}")),
                                new Block.Call(new ToolCall("b", "read_file", "")))),
                new Message.Tool("a", ToolResult.ok("fine")),
                new Message.Tool("b", ToolResult.error("no such file")),
                new Message.Assistant(List.of(new Block.Text("Done."), new Block.Text(""))));
    }

    @Test
    void everySettingHasItsMember() {
        Generation generation =
                new Generation(Effort.MAX, 0.5, "{\"type\":\"object\"}", "session-1");

        assertEquals(
                """
                {"model":"m","stream":false,"store":false,\
                "include":["reasoning.encrypted_content"],"max_output_tokens":77,\
                "reasoning":{"effort":"xhigh","summary":"auto"},"temperature":0.5,\
                "text":{"format":{"type":"json_schema","name":"answer",\
                "schema":{"type":"object"},"strict":false}},"prompt_cache_key":"session-1",\
                "input":[{"type":"message","role":"user","content":[\
                {"type":"input_text","text":"x"}]}]}\
                """,
                written(
                        Capabilities.UNKNOWN,
                        new LlmRequest(
                                List.of(new Message.User("x")),
                                List.of(),
                                true,
                                77,
                                false,
                                generation)));
    }

    @Test
    void aModelIsNotAskedForWhatItCannotDo() {
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
        Generation generation = new Generation(Effort.HIGH, 0.5, "{}", "");
        List<Message> history = List.of(new Message.User("x", List.of(PIXEL)));

        assertEquals(
                """
                {"model":"m","stream":true,"store":false,"input":[\
                {"type":"message","role":"user","content":[{"type":"input_text",\
                "text":"x\\n\\n[images left out: this model takes none]"}]}]}\
                """,
                written(none, new LlmRequest(history, List.of(READ), false, 0, true, generation)));
    }

    @Test
    void oneCallAtATimeWhereTheModelKnowsNoMore() {
        Capabilities one = new Capabilities(true, true, Set.of(), false, true, false);

        assertTrue(
                written(one, request(true)).contains("\"parallel_tool_calls\":false,\"tools\":["));
    }

    @ParameterizedTest(name = "{0} at a model that knows {1} is {2}")
    @CsvSource({
        "OFF, OFF LOW HIGH, none",
        "OFF, LOW HIGH, low",
        "LOW, LOW HIGH, low",
        "MEDIUM, LOW MEDIUM HIGH, medium",
        "MEDIUM, LOW HIGH, low",
        "HIGH, MAX, xhigh",
        "MAX, LOW HIGH, high",
        ", LOW HIGH, ''",
        "HIGH, '', ''",
    })
    void effortIsTheNearestKnownLevel(Effort wanted, String known, String word) {
        List<Effort> levels =
                known.isEmpty()
                        ? List.of()
                        : List.of(known.split(" ")).stream().map(Effort::valueOf).toList();
        Capabilities model = new Capabilities(true, true, Set.copyOf(levels), true, true, false);

        assertEquals(word, OpenAiWords.effort(wanted, model).orElse(""));
    }

    @Test
    void reasoningGoesBackVerbatimAndInItsPlace() {
        Wire w = wire();
        LlmResponse reply =
                ask(
                        w.start()
                                + w.reasoning("I\nth", "ink")
                                + w.text("Look")
                                + w.reasoning("more")
                                + w.call(0, "id_1", "read_file", "{}")
                                + w.finish(w.toolUse(), USAGE));
        String first = thought("item_0", "I\\nthink");
        String second = thought("item_2", "more");
        assertEquals(
                List.of(
                        new Block.Reasoning("I\nthink", first),
                        new Block.Text("Look"),
                        new Block.Reasoning("more", second),
                        new Block.Call(new ToolCall("id_1", "read_file", "{}"))),
                reply.message().blocks());

        String text = sentAfter(reply);
        String look = "{\"type\":\"message\",\"role\":\"assistant\",\"content\":\"Look\"}";
        assertTrue(
                text.contains("," + first + "," + look + "," + second + ",{\"type\":\"function_c"),
                text);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("the phase of each message goes back with it, a message without one goes without")
    void phasesGoBackVerbatim(boolean streamed) {
        String preamble = message(",\"phase\":\"commentary\"", "I look.");
        String other = message("", "Hm.");
        String answer = message(",\"phase\":\"final_answer\"", "Red.");
        String whole =
                "{\"object\":\"response\",\"status\":\"completed\",\"output\":["
                        + String.join(",", preamble, other, answer)
                        + "]}";
        StringBuilder events = new StringBuilder();
        for (String item : List.of(preamble, other, answer)) {
            events.append(ResponsesWire.event("response.output_item.done", "\"item\":" + item));
        }
        events.append(ResponsesWire.event("response.completed", "\"response\":{\"output\":[]}"));
        RawServer.Script script =
                streamed
                        ? RawServer.events(events.toString())
                        : RawServer.answer(200, "Content-Type: application/json\r\n", whole);

        LlmResponse reply = at(server(script)).complete(request(streamed), heard, cancellation);

        assertEquals("I look.Hm.Red.", reply.message().text());
        assertEquals("", heard.thinking.toString());
        List<Message> history = new ArrayList<>(history());
        history.add(reply.message());
        String said = "{\"type\":\"message\",\"role\":\"assistant\",%s\"content\":\"%s\"}";
        String sent = sent(history, true);
        assertTrue(
                sent.endsWith(
                        said.formatted("\"phase\":\"commentary\",", "I look.")
                                + ","
                                + said.formatted("", "Hm.")
                                + ","
                                + said.formatted("\"phase\":\"final_answer\",", "Red.")
                                + "]}"),
                sent);
    }

    private static String message(String members, String text) {
        return "{\"type\":\"message\",\"role\":\"assistant\"%s,\"content\":[{\"type\":\"output_text\",\"text\":\"%s\"}]}"
                .formatted(members, text);
    }

    @Test
    @DisplayName("reasoning behind which nothing came would be refused, so it does not go back")
    void reasoningOfACutReply() {
        List<Message> history = new ArrayList<>(history());
        history.add(
                new Message.Assistant(
                        List.of(new Block.Text("So"), new Block.Reasoning("hm", THOUGHT))));
        history.add(new Message.Assistant(List.of(new Block.Reasoning("hm", THOUGHT))));
        history.add(new Message.User("go on"));

        String text = sent(history, true);
        assertFalse(text.contains("rs_1"), text);
        assertTrue(text.contains("\"content\":\"So\"},{\"type\":\"message\",\"role\":\"us"), text);
    }

    private static String thought(String id, String summary) {
        return """
        {"type":"reasoning","id":"%s","summary":[{"type":"summary_text","text":"%s"}],\
        "encrypted_content":"gAAA+/="}\
        """
                .formatted(id, summary);
    }

    private static String written(Capabilities capabilities, LlmRequest request) {
        ModelInfo model = new ModelInfo("p", "m", 0, 0, capabilities);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            new WireRequests(new ResponsesDialect(model, new CallIds())).of(request).writeTo(out);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return out.toString(StandardCharsets.UTF_8);
    }
}
