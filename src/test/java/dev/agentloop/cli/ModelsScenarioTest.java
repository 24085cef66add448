package dev.agentloop.cli;

import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.Faults;
import dev.agentloop.blackbox.Protocol;
import dev.agentloop.blackbox.Reply;
import dev.agentloop.blackbox.ScriptedServer;
import dev.agentloop.blackbox.World;
import dev.agentloop.testing.RawServer;
import dev.agentloop.testing.Schemas;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists of models, and tests of one. */
class ModelsScenarioTest {
    private static final String JSON = "Content-Type: application/json\r\n";

    private static RawServer listing(String body) {
        return RawServer.start(RawServer.answer(200, JSON, body));
    }

    /** What the object says, after it was held against its schema. */
    private static JsonNode tested(Ended ended) throws IOException {
        assertEquals(1, ended.out().lines().count(), ended::toString);
        assertEquals(List.of(), Schemas.problems("models-test", ended.out()));
        return ended.result();
    }

    private static List<String> ids(Ended ended) {
        List<String> ids = new ArrayList<>();
        ended.result().path("models").forEach(model -> ids.add(model.path("id").asText()));
        return ids;
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    @DisplayName("models test: text, calls and tokens of one reply, as one JSON object")
    void test(Protocol protocol) throws IOException {
        Reply reply = calls("current_time", "zone", "UTC").saying("Hello.");
        try (var model = ScriptedServer.start(protocol, reply, reply);
                var world = World.with(model)) {
            JsonNode json = tested(world.inside("models", "test", "canary/model", "--json"));
            assertEquals("Hello.", json.path("text").asText());
            assertEquals("current_time", json.at("/tool_calls/0/name").asText());
            assertEquals("UTC", json.at("/tool_calls/0/args/zone").asText());
            assertEquals("tool_use", json.path("stop").asText());
            assertEquals(100, json.at("/usage/input").asInt());
            assertTrue(model.lastRequest().isStream());

            Ended text = world.inside("models", "test", "canary/model");
            assertEquals(0, text.exitCode(), text::toString);
            assertTrue(text.out().contains("text       Hello.\n"), text::toString);
            assertTrue(text.out().contains("call       current_time {\"zone\""), text::toString);
            assertTrue(text.out().contains("stop       tool_use\n"), text::toString);
        }
    }

    @Test
    @DisplayName("models test: any loopback address, any protocol, no key")
    void anyAddress() throws IOException {
        try (var model = ScriptedServer.start(Protocol.MESSAGES, says("Here."));
                var world = World.withoutModel()) {
            Ended ended =
                    world.inside(
                            "models",
                            "test",
                            "office/coder",
                            "--base-url",
                            model.baseUrl(),
                            "--protocol",
                            "anthropic",
                            "--json");
            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals("Here.", tested(ended).path("text").asText());
            assertFalse(model.lastRequest().headers().containsKey("x-api-key"));
        }
    }

    @ParameterizedTest
    @CsvSource({"401, 4, auth_error, false", "400, 1, bad_request, false", "500, 1, , true"})
    @DisplayName("models test: one attempt; its failure is an object and an exit code")
    void failures(int status, int exit, String code, boolean retryable) throws IOException {
        try (var model = ScriptedServer.chat(Faults.status(status));
                var world = World.with(model)) {
            Ended ended = world.inside("models", "test", "canary/model", "--json");
            assertEquals(exit, ended.exitCode(), ended::toString);
            JsonNode error = tested(ended).path("error");
            String expected = code == null ? "provider_unavailable" : code;
            assertEquals(expected, error.path("code").asText());
            assertEquals(retryable, error.path("retryable").asBoolean());
            assertTrue(error.path("retry_after_s").isNull());
            assertTrue(ended.err().contains("scripted " + status), ended::toString);
        }
    }

    @Test
    @DisplayName("models test: how long to wait is passed on, not waited for")
    void retryAfter() throws IOException {
        var busy = Faults.status(429, "Retry-After: 20", "{\"error\":{\"message\":\"busy\"}}");
        try (var model = ScriptedServer.chat(busy);
                var world = World.with(model)) {
            Ended ended = world.inside("models", "test", "canary/model", "--json");
            assertEquals(1, ended.exitCode(), ended::toString);
            assertEquals(20, tested(ended).at("/error/retry_after_s").asInt());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "nobody/x, '', 3",
        "x, '', 3",
        "azure/x, '', 3",
        "canary/model, --protocol=telnet, 3",
        "canary/model, --live, 3",
        "openai/gpt-5.5, '', 4",
        "canary/model, --api-key-env=NO_SUCH, 4"
    })
    @DisplayName("models test: what cannot be sent is refused before anything is")
    void refused(String model, String option, int exit) throws IOException {
        try (var world = World.withoutModel()) {
            List<String> words = new ArrayList<>(List.of("models", "test", model, "--json"));
            if (!option.isEmpty()) {
                words.add(option);
            }
            Ended ended = world.inside(words.toArray(String[]::new));
            assertEquals(exit, ended.exitCode(), ended::toString);
            String code = exit == 3 ? "config_error" : "auth_error";
            assertEquals(code, tested(ended).at("/error/code").asText());
        }
    }

    @Test
    @DisplayName("models test: a call in the text of a model that writes them there is a call")
    void textCalls() throws IOException {
        String call = "<tool_call>{\"name\":\"current_time\",\"arguments\":{}}</tool_call>";
        try (var model = ScriptedServer.chat(says("Wait. " + call), says("Wait. " + call));
                var world = World.withoutModel()) {
            String[] words = {
                "models", "test", "ollama/qwen3", "--json", "--base-url", model.baseUrl()
            };
            JsonNode read = tested(world.inside(words));
            assertEquals("Wait.", read.path("text").asText());
            assertEquals("current_time", read.at("/tool_calls/0/name").asText());
            assertEquals("tool_use", read.path("stop").asText());

            words[2] = "office/qwen3";
            JsonNode left = tested(world.inside(words));
            assertEquals("Wait. " + call, left.path("text").asText());
            assertEquals("end_turn", left.path("stop").asText());
        }
    }

    @Test
    @DisplayName("a key goes into the header, and a query into the address, that are configured")
    void azure() {
        String reply = "data: {\"choices\":[{\"delta\":{\"content\":\"hi\"},\"index\":0,";
        String events = reply + "\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
        try (var server = RawServer.start(RawServer.events(events));
                var world = World.withoutModel()) {
            world.env("AZURE_OPENAI_API_KEY", "azure-secret-1")
                    .env("AGENT_BASE_URL", server.url() + "/openai/v1")
                    .config("# one more provider\n  azure: {query: \"api-version=preview\"}");
            Ended ended = world.inside("models", "test", "azure/mine");
            assertEquals(0, ended.exitCode(), ended::toString);
            String head = server.lastRequest().head();
            assertTrue(
                    head.startsWith("POST /openai/v1/chat/completions?api-version=preview "), head);
            assertEquals("azure-secret-1", server.lastRequest().header("api-key"));
            assertEquals("", server.lastRequest().header("authorization"));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"data\":[{\"id\":\"model\"},{\"id\":\"new\\u001b[2Jone\"}]}",
                "{\"models\":[{\"name\":\"models/model\"},{\"name\":\"new\\u001b[2Jone\"}]}"
            })
    @DisplayName("models list --live: the provider's own list, each known or not, made harmless")
    void live(String body) {
        try (var server = listing(body);
                var world = World.withoutModel()) {
            world.config(
                    "# one more provider\n  live: {base_url: \""
                            + server.url()
                            + "/v1\", models:"
                            + " {model: {context_window: 5}}}");
            Ended ended = world.inside("models", "list", "live", "--live");
            assertEquals(0, ended.exitCode(), ended::toString);
            List<String> lines = ended.out().lines().toList();
            assertEquals(2, lines.size(), ended::toString);
            assertTrue(lines.getFirst().startsWith("live/model  context 5,"), ended::toString);
            assertTrue(lines.getFirst().endsWith("; live, known"), ended::toString);
            assertTrue(lines.getLast().startsWith("live/new\\u{1b}[2Jone  context unknown"));
            assertTrue(lines.getLast().endsWith("; live, unknown"), ended::toString);
            assertTrue(server.lastRequest().head().startsWith("GET /v1/models "));
        }
    }

    @Test
    @DisplayName("models test: a configuration file of its own, as every run may have one")
    void config() throws IOException {
        try (var model = ScriptedServer.chat(says("Here."));
                var world = World.withoutModel()) {
            world.file("more.yaml", "providers: {office: {base_url: \"" + model.baseUrl() + "\"}}");
            Ended ended = world.inside("models", "test", "office/x", "-c", "more.yaml", "--json");
            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals("Here.", tested(ended).path("text").asText());
            Ended missing = world.inside("models", "test", "office/x", "--config", "no.yaml");
            assertEquals(3, missing.exitCode(), missing::toString);
            assertTrue(missing.err().contains("no.yaml"), missing::toString);
        }
    }

    @Test
    @DisplayName("models test: what is wrong is said in the words of this command")
    void wording() {
        try (var world = World.withoutModel()) {
            String protocol =
                    world.inside("models", "test", "canary/model", "--protocol=soap").err();
            assertTrue(
                    protocol.contains("openai-chat, openai-responses, anthropic, gemini"),
                    protocol);
            String nothing = world.inside("models", "test").err();
            assertTrue(nothing.contains("agent models test PROVIDER/MODEL"), nothing);
            assertFalse(nothing.contains("(not"), nothing);
            for (String name : new String[] {"x", "nobody/x"}) {
                String wrong = world.inside("models", "test", name).err();
                assertTrue(wrong.startsWith("agent: models test " + name + ": "), wrong);
                assertFalse(wrong.contains("llm.model"), wrong);
            }
            String run = world.runInside("-m", "x", "go").err();
            assertTrue(run.startsWith("agent: --model: \"x\" names no provider"), run);
        }
    }

    @Test
    @DisplayName("models list --live asks Anthropic in its manner, with the key")
    void liveAnthropic() {
        try (var server = listing("{\"data\":[{\"id\":\"claude-opus-5\"}]}");
                var world = World.withoutModel()) {
            world.env("ANTHROPIC_BASE_URL", server.url())
                    .env("ANTHROPIC_API_KEY", "anthropic-secret");
            Ended ended = world.inside("models", "list", "anthropic", "--live", "--json");
            assertEquals(List.of("anthropic/claude-opus-5"), ids(ended));
            JsonNode model = ended.result().at("/models/0");
            assertTrue(model.path("known").asBoolean());
            assertEquals(1_000_000, model.path("context_window").asInt());
            assertEquals(25, model.at("/price/output").asInt());
            assertTrue(server.lastRequest().head().startsWith("GET /v1/models?limit=1000 "));
            assertEquals("anthropic-secret", server.lastRequest().header("x-api-key"));
            assertEquals("2023-06-01", server.lastRequest().header("anthropic-version"));
        }
    }

    @ParameterizedTest
    @CsvSource({"'', /v1beta", "/v1beta/, /v1beta", "/v1, /v1", "/v1alpha, /v1alpha"})
    @DisplayName("models list --live asks Gemini in its manner, under the version of its address")
    void liveGemini(String base, String version) {
        try (var server = listing("{\"models\":[{\"name\":\"models/gemini-2.5-pro\"}]}");
                var world = World.withoutModel()) {
            world.env("GOOGLE_GEMINI_BASE_URL", server.url() + base)
                    .env("GEMINI_API_KEY", "gemini-secret");
            Ended ended = world.inside("models", "list", "gemini", "--live", "--json");
            assertEquals(List.of("gemini/gemini-2.5-pro"), ids(ended), ended::toString);
            assertTrue(ended.result().at("/models/0/known").asBoolean());
            String asked = "GET " + version + "/models?pageSize=1000 ";
            assertTrue(server.lastRequest().head().startsWith(asked), server.lastRequest().head());
            assertEquals("gemini-secret", server.lastRequest().header("x-goog-api-key"));
        }
    }

    @Test
    @DisplayName("models list: unknown provider 3, no key 4, unreachable 1 with the reason")
    void listFailures() {
        try (var world = World.withoutModel()) {
            Ended unknown = world.inside("models", "list", "opnai");
            assertEquals(3, unknown.exitCode(), unknown::toString);
            assertTrue(unknown.err().contains("did you mean \"openai\"?"), unknown::toString);
            Ended noKey = world.inside("models", "list", "mistral", "--live");
            assertEquals(4, noKey.exitCode(), noKey::toString);
            assertTrue(noKey.err().contains("MISTRAL_API_KEY"), noKey::toString);
            Ended down = world.inside("models", "list", "canary", "--live", "--json");
            assertEquals(1, down.exitCode(), down::toString);
            assertTrue(down.err().contains("127.0.0.1:9"), down::toString);
            assertEquals("provider_unavailable", down.result().at("/error/code").asText());
            assertEquals(3, world.inside("models", "list", "azure", "--live").exitCode());
            assertEquals(3, world.inside("models", "list", "--protocol", "x").exitCode());
            assertEquals(3, world.inside("models").exitCode());
        }
    }

    @Test
    @DisplayName("models list shows what runs on this machine, and what the models can do")
    void local() {
        try (var server = listing("{\"data\":[{\"id\":\"qwen3:8b\"},{\"id\":\"llama\"}]}");
                var world = World.withoutModel()) {
            world.config(
                    "# one more provider\n  ollama: {base_url: \""
                            + server.url()
                            + "/v1\", models:"
                            + " {\"qwen3:8b\": {capabilities: {efforts: [], images: false}}}}");
            Ended text = world.inside("models", "list", "ollama");
            assertEquals(
                    """
                    ollama/qwen3:8b  context unknown, output unknown, price unknown; tools,\
                     no images, no effort, answer schema, calls in text; runs on this machine
                    ollama/llama  context unknown, output unknown, price unknown; tools, images,\
                     effort off|low|medium|high|max, answer schema, calls in text; runs on this machine
                    """,
                    text.out());
            Ended json = world.inside("models", "list", "ollama", "--json");
            assertEquals(List.of("ollama/qwen3:8b", "ollama/llama"), ids(json));
            assertEquals("local", json.result().at("/models/0/source").asText());
            assertTrue(json.result().at("/models/0/context_window").isNull());
            assertTrue(json.result().at("/models/0/capabilities/text_calls").asBoolean());
            assertFalse(json.result().at("/models/0/capabilities/images").asBoolean());
        }
    }
}
