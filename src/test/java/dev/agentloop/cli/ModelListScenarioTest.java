package dev.agentloop.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.World;
import dev.agentloop.testing.RawServer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists of models: of the catalog, of this machine, of the providers themselves. */
class ModelListScenarioTest {
    private static final String JSON = "Content-Type: application/json\r\n";

    private static RawServer listing(String body) {
        return RawServer.start(RawServer.answer(200, JSON, body));
    }

    private static List<String> ids(Ended ended) {
        List<String> ids = new ArrayList<>();
        ended.result().path("models").forEach(model -> ids.add(model.path("id").asText()));
        return ids;
    }

    @Test
    @DisplayName(
            "models list --live: a server of the configuration that wants no key is asked, too")
    void withoutKey() {
        try (var world = World.withoutModel().env("CANARY_API_KEY", null)) {
            world.config("# one more\n  down: {base_url: \"http://127.0.0.1:1/v1\"}");
            Ended ended = world.inside("models", "list", "--live", "--json");
            assertEquals(1, ended.exitCode(), ended::toString);
            JsonNode problem = ended.result().at("/problems/0");
            assertEquals("down", problem.path("provider").asText(), ended::toString);
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

    private static String problem(Ended ended, int index, String field) {
        return ended.result().path("problems").path(index).path(field).asText();
    }

    @Test
    @DisplayName("models list --live: who did not answer is in the object, beside what others have")
    void liveProblems() {
        try (var up = listing("{\"data\":[{\"id\":\"new\"}]}");
                var down = RawServer.start(RawServer.answer(503, JSON, "{}"));
                var world = World.withoutModel()) {
            world.env("ANTHROPIC_BASE_URL", up.url()).env("ANTHROPIC_API_KEY", "k");
            Ended some = world.inside("models", "list", "--live", "--json");
            assertEquals(1, some.exitCode(), some::toString);
            assertEquals(List.of("anthropic/new"), ids(some));
            assertEquals(1, some.result().path("problems").size(), some::toString);
            assertEquals("canary", problem(some, 0, "provider"));
            assertEquals("provider_unavailable", problem(some, 0, "code"));
            assertTrue(problem(some, 0, "message").contains("127.0.0.1:9"), some::toString);
            assertTrue(some.err().startsWith("canary: "), some::toString);

            world.env("ANTHROPIC_BASE_URL", down.url());
            Ended none = world.inside("models", "list", "--live", "--json");
            assertEquals(1, none.exitCode(), none::toString);
            assertEquals("provider_unavailable", none.result().at("/error/code").asText());
            assertEquals("anthropic", problem(none, 0, "provider"), none::toString);
            assertTrue(problem(none, 0, "message").contains("503"), none::toString);
            assertEquals("canary", problem(none, 1, "provider"), none::toString);
            assertEquals(2, none.err().lines().count(), none::toString);

            Ended one = world.inside("models", "list", "canary", "--live", "--json");
            assertEquals("canary", problem(one, 0, "provider"), one::toString);
            Ended offline = world.inside("models", "list", "canary", "--json");
            assertTrue(offline.result().path("problems").isEmpty(), offline::toString);
            assertTrue(offline.result().path("problems").isArray(), offline::toString);
        }
    }

    @Test
    @DisplayName("models list --live: a provider that is set up wrongly does not hide the others")
    void liveConfigurationProblems() {
        try (var server = listing("{\"data\":[{\"id\":\"new\"}]}");
                var world = World.withoutModel().env("CANARY_API_KEY", null)) {
            world.env("GOOGLE_GEMINI_BASE_URL", server.url() + "/v1beta/openai")
                    .env("GEMINI_API_KEY", "k");
            Ended named = world.inside("models", "list", "gemini", "--live", "--json");
            assertEquals(3, named.exitCode(), named::toString);
            assertEquals("config_error", named.result().at("/error/code").asText());
            assertTrue(named.err().contains("Drop /openai"), named::toString);
            assertEquals(0, server.requests().size());

            world.env("ANTHROPIC_BASE_URL", server.url())
                    .env("ANTHROPIC_API_KEY", "k")
                    .env("OPENAI_BASE_URL", "nonsense")
                    .env("OPENAI_API_KEY", "k")
                    .env("MISTRAL_API_KEY", "k")
                    .env("SSL_CERT_FILE", "/nowhere/ca.pem");
            Ended all = world.inside("models", "list", "--live", "--json");
            assertEquals(3, all.exitCode(), all::toString);
            assertEquals(List.of("anthropic/new"), ids(all), all::toString);
            List<String> providers = new ArrayList<>();
            for (JsonNode problem : all.result().path("problems")) {
                assertEquals("config_error", problem.path("code").asText(), all::toString);
                providers.add(problem.path("provider").asText());
            }
            assertEquals(List.of("gemini", "mistral", "openai"), providers);
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
