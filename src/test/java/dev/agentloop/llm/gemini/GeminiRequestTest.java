package dev.agentloop.llm.gemini;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.control.SystemTime;
import dev.agentloop.json.JsonValue;
import dev.agentloop.llm.Capabilities;
import dev.agentloop.llm.Effort;
import dev.agentloop.llm.Generation;
import dev.agentloop.llm.LlmRequest;
import dev.agentloop.llm.LlmResponse;
import dev.agentloop.llm.ModelInfo;
import dev.agentloop.llm.RequestContract;
import dev.agentloop.llm.http.HttpLimits;
import dev.agentloop.llm.http.HttpTransport;
import dev.agentloop.llm.provider.ProviderEndpoint;
import dev.agentloop.message.Block;
import dev.agentloop.message.Image;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import dev.agentloop.testing.RawServer;
import dev.agentloop.tool.ToolSpec;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class GeminiRequestTest extends RequestContract {
    private static final String SCHEMA = "{\"type\":\"object\"}";

    GeminiRequestTest() {
        super(new GeminiSubject());
    }

    @Override
    protected String looked() {
        return """
        {"role":"user","parts":[\
        {"functionResponse":{"id":"look_7","name":"view_image",\
        "response":{"output":"[a.png]"}}},\
        {"functionResponse":{"id":"read_7","name":"read_file","response":{"output":"text"}}},\
        {"inlineData":{"mimeType":"image/png","data":"iV7"}},\
        {"text":"The images of the tool results above:"}]}\
        """;
    }

    @Override
    protected List<String> callsIn(JsonValue request) {
        List<String> calls = new ArrayList<>();
        for (JsonValue content : request.at("contents").items()) {
            for (JsonValue part : content.at("parts").items()) {
                JsonValue call = part.at("functionCall");
                if (call.isObject()) {
                    calls.add(call.at("name").text() + " " + call.at("args").raw());
                }
            }
        }
        return calls;
    }

    @Test
    void theWholeRequest() {
        List<Block> thoughts =
                List.of(
                        new Block.Reasoning("hm", ""),
                        new Block.Reasoning("hm", "{\"type\":\"thinking\"}"));
        List<Message> history = work(new Image("image/png", "iVBO"), thoughts, "fc-1", "call_7");

        assertEquals(
                """
                {"systemInstruction":{"parts":[{"text":"Be brief."}]},\
                "tools":[{"functionDeclarations":[{"name":"read_file",\
                "description":"Reads a file","parametersJsonSchema":\
                {"type":"object","properties":{"file_path":{"type":"string"}}}}]}],\
                "contents":[\
                {"role":"user","parts":[{"inlineData":{"mimeType":"image/png","data":"iVBO"}},\
                {"text":"One"},{"text":"two"}]},\
                {"role":"model","parts":[\
                {"functionCall":{"id":"fc-1","name":"read_file","args":{"x":1}}},\
                {"functionCall":{"name":"read_file","args":{}}}]},\
                {"role":"user","parts":[\
                {"functionResponse":{"id":"fc-1","name":"read_file",\
                "response":{"output":"fine"}}},\
                {"functionResponse":{"name":"read_file","response":{"error":"no such file"}}},\
                {"text":"go on"}]},\
                {"role":"model","parts":[{"text":"Done."}]}]}\
                """,
                sent(history, true));
    }

    @Test
    @DisplayName("each thought signature goes back on the very part that it came with")
    void signaturesGoBack() {
        String parts =
                """
                {"text":"I think","thought":true,"thoughtSignature":"s1+/="},\
                {"text":"Look: "},{"text":"there","thoughtSignature":"s2"},{"text":"!"},\
                {"functionCall":{"id":"f1","name":"read_file","args":{"file_path":"a"}},\
                "thoughtSignature":"s3"},\
                {"functionCall":{"id":"f2","name":"read_file","args":{}}},\
                {"text":"","thoughtSignature":"s4"}\
                """;
        StringBuilder stream =
                new StringBuilder(GeminiWire.part("{\"text\":\"un\",\"thought\":true}"));
        for (String part : parts.split("(?<=\\}),(?=\\{)")) {
            stream.append(GeminiWire.part(part));
        }
        LlmResponse reply = ask(stream + wire().finish("STOP", USAGE));
        assertEquals("Look: there!", reply.message().text());
        assertEquals("unI think", heard.thinking.toString());

        String text = sentAfter(reply);
        assertTrue(text.contains("{\"role\":\"model\",\"parts\":[" + parts + "]}"), text);
    }

    @Test
    @DisplayName("a signature whose part is gone is left out")
    void orphanedSignature() {
        List<Message> history = new ArrayList<>(history());
        String signature = "{\"thoughtSignature\":\"s\",\"part\":\"call\"}";
        history.add(
                new Message.Assistant(
                        List.of(
                                new Block.Reasoning("", signature),
                                new Block.Text("x"),
                                new Block.Reasoning("", "{\"thoughtSignature\":broken"),
                                new Block.Text("y"))));

        String text = sent(history, true);
        assertTrue(text.contains("\"parts\":[{\"text\":\"x\"},{\"text\":\"y\"}]"), text);
    }

    @ParameterizedTest(name = "{0}: signatures of calls that another model made: {1}")
    @CsvSource({
        "gemini-3-pro,2", "models/gemini-3.8-flash,2", "gemini-flash-latest,2",
        "gemini-2.5-pro,0", "gemini-1.5-pro,0", "gemma-3,0",
    })
    void foreignCalls(String model, int signatures) {
        List<Message> history = new ArrayList<>(history());
        history.addAll(step("a", new Block.Reasoning("hm", "{\"reasoning_content\":\"hm\"}")));
        history.addAll(step("b", new Block.Text("Next.")));
        String own = "{\"thoughtSignature\":\"own\",\"part\":\"call\"}";
        history.addAll(step("c", new Block.Reasoning("", own)));
        String text = sent(model, Capabilities.UNKNOWN, Generation.DEFAULT, List.of(READ), history);

        String signed = "\"args\":{}},\"thoughtSignature\":\"";
        assertEquals(signatures, count(text, signed + "skip_thought_signature_validator\""), text);
        assertEquals(signatures + 1, count(text, "\"thoughtSignature\":"), text);
        assertTrue(text.contains("\"id\":\"c1\",\"name\":\"t\"," + signed + "own\""), text);
    }

    private static int count(String text, String word) {
        return text.split(Pattern.quote(word), -1).length - 1;
    }

    /** Two calls side by side after what the model thought or said, and their results. */
    private static List<Message> step(String id, Block before) {
        return List.of(
                new Message.Assistant(
                        List.of(
                                before,
                                new Block.Call(new ToolCall(id + 1, "t", "{}")),
                                new Block.Call(new ToolCall(id + 2, "t", "{}")))),
                new Message.Tool(id + 1, ToolResult.ok("fine")),
                new Message.Tool(id + 2, ToolResult.ok("fine")));
    }

    @ParameterizedTest(name = "{0} asked for {1} of {2}: {3}")
    @CsvSource(
            delimiter = '|',
            value = {
                "gemini-3-pro|HIGH|OFF LOW MEDIUM HIGH|{\"includeThoughts\":true,\"thinkingLevel\":\"high\"}",
                "gemini-3-pro|MEDIUM|LOW HIGH|{\"includeThoughts\":true,\"thinkingLevel\":\"low\"}",
                "gemini-3-pro|MAX|LOW HIGH|{\"includeThoughts\":true,\"thinkingLevel\":\"high\"}",
                "gemini-3-pro|OFF|LOW HIGH|{\"includeThoughts\":true,\"thinkingLevel\":\"low\"}",
                "gemini-3-flash|OFF|OFF LOW|{\"includeThoughts\":false,\"thinkingLevel\":\"minimal\"}",
                "gemini-3-flash||OFF LOW|{\"includeThoughts\":true}",
                "gemini-2.5-flash|OFF|OFF LOW|{\"includeThoughts\":false,\"thinkingBudget\":0}",
                "gemini-2.5-pro|MAX|LOW MAX|{\"includeThoughts\":true,\"thinkingBudget\":24576}",
                "gemini-2.0-flash|HIGH|LOW HIGH|null",
                "gemini-3-flash|HIGH||null",
                "gemma-3||LOW|null",
            })
    void effort(String name, @Nullable Effort effort, @Nullable String known, String expected) {
        Set<Effort> efforts = EnumSet.noneOf(Effort.class);
        for (String word : known == null ? new String[0] : known.split(" ")) {
            efforts.add(Effort.valueOf(word));
        }
        Capabilities can = new Capabilities(true, true, efforts, true, true, false);
        String text = sent(name, can, new Generation(effort, null, null, ""), List.of(READ));

        assertEquals(
                expected.equals("null")
                        ? ""
                        : "\"generationConfig\":{\"thinkingConfig\":" + expected + "},",
                between(text, "]}],", "\"contents\""));
    }

    @Test
    @DisplayName("where the reply is limited, thoughts leave a part of it to the answer")
    void thoughtsLeaveRoomForTheAnswer() {
        Set<Effort> efforts = EnumSet.of(Effort.LOW, Effort.HIGH);
        Capabilities can = new Capabilities(true, true, efforts, true, true, false);
        Generation wanted = new Generation(Effort.HIGH, null, null, "");
        assertTrue( // without tools the test asks for at most 100 tokens
                sent("gemini-2.5-flash", can, wanted, List.of()).contains("\"thinkingBudget\":75"));
    }

    @Test
    @DisplayName("a schema of the answer is passed on when no tool is declared beside it")
    void answerSchema() {
        Generation wanted = new Generation(null, 0.5, SCHEMA, "");
        Capabilities cannot = new Capabilities(true, true, Set.of(), true, false, false);

        assertEquals(
                "{\"generationConfig\":{\"maxOutputTokens\":100,\"temperature\":0.5,\"responseMime"
                        + "Type\":\"application/json\",\"responseJsonSchema\":"
                        + SCHEMA
                        + "},\"contents\":[{\"role\":\"user\",\"parts\":[{\"text\":\"Hello\"}]}]}",
                sent("m", Capabilities.UNKNOWN, wanted, List.of()));
        assertTrue(!sent("m", Capabilities.UNKNOWN, wanted, List.of(READ)).contains("response"));
        assertTrue(!sent("m", cannot, wanted, List.of()).contains("response"));
    }

    @ParameterizedTest(name = "{0} {1}, stream {2}")
    @CsvSource({
        "'',gemini-3-pro,true,/v1beta/models/gemini-3-pro:streamGenerateContent?alt=sse",
        "/,gemini-3-pro,false,/v1beta/models/gemini-3-pro:generateContent",
        "/v1beta,a b?c/d,true,/v1beta/models/a%20b%3Fc%2Fd:streamGenerateContent?alt=sse",
        "/v1beta,models/m,true,/v1beta/models/m:streamGenerateContent?alt=sse",
        "/v1beta,models/../../m,false,/v1beta/models/..%2F..%2Fm:generateContent",
        "/v1beta,..,false,/v1beta/models/..:generateContent",
        "/v1alpha/?k=v,m,true,/v1alpha/models/m:streamGenerateContent?k=v&alt=sse",
        "/v1,tunedModels/m,false,/v1/tunedModels/m:generateContent",
    })
    void address(String base, String model, boolean stream, String expected) {
        RawServer server = server(RawServer.events(said("x")));
        try (GeminiAdapter adapter =
                adapter(server.url() + base, new ModelInfo("p", model, 0, 0))) {
            adapter.complete(request(stream), heard, cancellation);
        }

        assertEquals(
                "POST " + expected + " HTTP/1.1",
                server.lastRequest().head().lines().findFirst().orElse(""));
        assertEquals(KEY, server.lastRequest().header("x-goog-api-key"));
    }

    private String sent(
            String model, Capabilities can, Generation generation, List<ToolSpec> tools) {
        return sent(model, can, generation, tools, List.of(new Message.User("Hello")));
    }

    private String sent(
            String model,
            Capabilities can,
            Generation generation,
            List<ToolSpec> tools,
            List<Message> history) {
        RawServer server = server(RawServer.events(said("x")));
        ModelInfo info = new ModelInfo("p", model, 0, 0, can);
        try (GeminiAdapter adapter = adapter(server.url(), info)) {
            int most = tools.isEmpty() ? 100 : 0;
            adapter.complete(
                    new LlmRequest(history, tools, true, most, true, generation),
                    heard,
                    cancellation);
        }
        return server.lastRequest().text();
    }

    private static GeminiAdapter adapter(String base, ModelInfo model) {
        return new GeminiAdapter(
                new ProviderEndpoint("p", base, KEY, "", Map.of()),
                model,
                new HttpTransport(new SystemTime(), Map.of(), HttpLimits.DEFAULT));
    }

    private static String between(String text, String from, String to) {
        int start = text.indexOf(from) + from.length();
        return text.substring(start, text.indexOf(to));
    }
}
