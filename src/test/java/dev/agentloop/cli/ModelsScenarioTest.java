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

/** Tests of one model; {@link ModelListScenarioTest} has the lists. */
class ModelsScenarioTest {
    /** What the object says, after it was held against its schema. */
    private static JsonNode tested(Ended ended) throws IOException {
        assertEquals(1, ended.out().lines().count(), ended::toString);
        assertEquals(List.of(), Schemas.problems("models-test", ended.out()));
        return ended.result();
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
}
