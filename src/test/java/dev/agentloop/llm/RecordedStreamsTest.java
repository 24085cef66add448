package dev.agentloop.llm;

import static dev.agentloop.testing.RawServer.begin;
import static dev.agentloop.testing.RawServer.hangUp;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.agentloop.control.Cancellation;
import dev.agentloop.control.SystemTime;
import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import dev.agentloop.llm.anthropic.AnthropicAdapter;
import dev.agentloop.llm.gemini.GeminiAdapter;
import dev.agentloop.llm.http.HttpLimits;
import dev.agentloop.llm.http.HttpTransport;
import dev.agentloop.llm.openai.OpenAiChatAdapter;
import dev.agentloop.llm.openai.OpenAiResponsesAdapter;
import dev.agentloop.llm.provider.ProviderEndpoint;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.testing.RawServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Real answers of real providers, if the folder that {@code AGENT_STREAMS} names is there: one
 * {@code .sse} file a stream, and {@code expected.jsonl} with what the providers' own libraries
 * make of each.
 */
@EnabledIfEnvironmentVariable(named = "AGENT_STREAMS", matches = ".+")
final class RecordedStreamsTest {
    private record Recorded(String id, byte[] bytes, JsonValue expected) {
        @Override
        public String toString() {
            return id;
        }
    }

    static Stream<Recorded> streams() throws IOException, JsonException {
        String folder = System.getenv("AGENT_STREAMS");
        if (folder == null || !Files.isDirectory(Path.of(folder))) {
            return Stream.empty();
        }
        List<Recorded> all = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of(folder, "expected.jsonl"))) {
            JsonValue expected = Json.parse(line);
            String id = expected.at("id").text();
            if (!id.startsWith("errors/")) {
                all.add(
                        new Recorded(
                                id, Files.readAllBytes(Path.of(folder, id + ".sse")), expected));
            }
        }
        return all.stream();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("streams")
    void meansWhatTheProvidersLibrarySays(Recorded recorded) throws JsonException {
        String stream = new String(recorded.bytes(), StandardCharsets.UTF_8);
        List<RawServer.Script> forms =
                List.of(
                        begin(stream, hangUp()),
                        RawServer.byteByByte(recorded.bytes()),
                        begin(stream.replace("\n", "\r\n"), hangUp()),
                        begin(stream.replace("\n\n", "\n\n: comment\n\n"), hangUp()));
        for (RawServer.Script form : forms) {
            if (isNoReply(recorded)) {
                assertThrows(LlmException.class, () -> reply(recorded, form));
            } else {
                check(recorded.expected(), reply(recorded, form));
            }
        }
    }

    /** An error inside the stream, or a stream of Gemini's Live API, which has no finish reason. */
    private static boolean isNoReply(Recorded recorded) {
        boolean live =
                recorded.id().startsWith("gemini/") && !recorded.expected().at("stop").isText();
        return live || !recorded.expected().at("error").isNull();
    }

    private static void check(JsonValue expected, LlmResponse reply) throws JsonException {
        String text = expected.at("text").text().replace("[object Object]", ""); // their bug
        assertEquals(text, reply.message().text());
        List<String> calls = new ArrayList<>();
        List<String> wanted = new ArrayList<>();
        boolean pieces = false;
        for (JsonValue call : expected.at("toolCalls").items()) {
            // their library takes each piece of Gemini's arguments for a call of its own
            pieces |= !call.at("name").isText();
        }
        for (JsonValue call : expected.at("toolCalls").items()) {
            if (call.at("name").isText()) {
                wanted.add(call.at("name").text() + (pieces ? "" : " " + call.at("args").raw()));
            }
        }
        for (ToolCall call : reply.toolCalls()) {
            Object arguments = Json.parse(call.arguments()).raw();
            calls.add(call.name() + (pieces ? "" : " " + arguments));
        }
        assertEquals(wanted, calls);
    }

    private static LlmResponse reply(Recorded recorded, RawServer.Script script) {
        try (RawServer server = RawServer.start(script);
                LlmAdapter adapter = adapter(recorded.id(), server.url())) {
            LlmRequest request =
                    new LlmRequest(List.of(new Message.User("x")), List.of(), true, 0, true);
            return adapter.complete(request, LlmListener.NONE, new Cancellation());
        }
    }

    private static LlmAdapter adapter(String id, String url) {
        HttpTransport transport = new HttpTransport(new SystemTime(), Map.of(), HttpLimits.DEFAULT);
        ProviderEndpoint endpoint = new ProviderEndpoint("p", url, null, "", Map.of());
        ModelInfo model = new ModelInfo("p", "m", 0, 0);
        return switch (id.substring(0, id.indexOf('/'))) {
            case "chat" -> new OpenAiChatAdapter(endpoint, model, transport);
            case "responses" -> new OpenAiResponsesAdapter(endpoint, model, transport);
            case "gemini" -> new GeminiAdapter(endpoint, model, transport);
            case "anthropic" -> new AnthropicAdapter(endpoint, model, transport);
            default -> throw new IllegalArgumentException(id);
        };
    }
}
