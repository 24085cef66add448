package dev.agentloop.blackbox;

import static dev.agentloop.blackbox.Reply.calls;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentloop.testing.RawServer;
import dev.agentloop.testing.Schemas;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code agent models test} of the real process: how a stream is checked from outside. */
@Tag("side-by-side")
class ModelsIT {
    private static JsonNode tested(Ended ended) throws IOException {
        assertEquals(1, ended.out().lines().count(), ended::toString);
        assertEquals(List.of(), Schemas.problems("models-test", ended.out()));
        return ended.result();
    }

    @Test
    @DisplayName("a reply is one object: text, calls with their arguments as JSON, stop, tokens")
    void reply() throws IOException {
        Reply reply = calls("get_weather", "city", "Zürich \"ZH\"").saying("Grüezi.");
        try (var model = ScriptedServer.chat(reply.counting(91, 17));
                var world = World.withoutModel().ordinary()) {
            Ended ended =
                    world.agent(
                            "models", "test", "any/model", "--base-url", model.baseUrl(), "--json");
            assertEquals(0, ended.exitCode(), ended::toString);
            JsonNode json = tested(ended);
            assertEquals("Grüezi.", json.path("text").asText());
            assertEquals("get_weather", json.at("/tool_calls/0/name").asText());
            assertEquals("Zürich \"ZH\"", json.at("/tool_calls/0/args/city").asText());
            assertEquals("tool_use", json.path("stop").asText());
            assertEquals(91, json.at("/usage/input").asInt());
            assertEquals(17, json.at("/usage/output").asInt());
            assertEquals("", ended.err());
        }
    }

    @Test
    @DisplayName("arguments that are no JSON stand there as they came; a cut stream is an error")
    void oddReplies() throws IOException {
        Reply odd =
                new Reply("", List.of(new Reply.Call("f", "{\"a\":")), Reply.Finish.TOOLS, 1, 1);
        try (var model = ScriptedServer.chat(odd, Faults.cutAfter(Reply.says("Half")));
                var world = World.with(model).ordinary()) {
            Ended whole = world.agent("models", "test", "canary/model", "--json");
            assertEquals("{\"a\":", tested(whole).at("/tool_calls/0/args").asText());
            Ended cut = world.agent("models", "test", "canary/model", "--json");
            assertEquals(1, cut.exitCode(), cut::toString);
            assertTrue(tested(cut).at("/error/retryable").asBoolean(), cut::toString);
        }
    }

    @Test
    @DisplayName("errors are an object and an exit code: 4 for the key, 1 for the server, 3 for us")
    void errors() throws IOException {
        try (var model = ScriptedServer.chat(Faults.status(401));
                var world = World.with(model).ordinary()) {
            Ended auth = world.agent("models", "test", "canary/model", "--json");
            assertEquals(4, auth.exitCode(), auth::toString);
            assertEquals("auth_error", tested(auth).at("/error/code").asText());
        }
        try (var world = World.withoutModel().ordinary()) {
            Ended down = world.agent("models", "test", "canary/model", "--json");
            assertEquals(1, down.exitCode(), down::toString);
            assertEquals("provider_unavailable", tested(down).at("/error/code").asText());
            Ended unknown = world.agent("models", "test", "cnary/model", "--json");
            assertEquals(3, unknown.exitCode(), unknown::toString);
            assertEquals("config_error", tested(unknown).at("/error/code").asText());
            Ended option = world.agent("models", "test", "canary/model", "--json", "--jsno");
            assertEquals(3, option.exitCode(), option::toString);
            assertEquals("config_error", tested(option).at("/error/code").asText());
        }
    }

    @ParameterizedTest(name = "C09: models test, SIG{0} while {1}: one error object, exit code 130")
    @CsvSource({"INT,HEADERS", "TERM,HEADERS", "HUP,HEADERS", "TERM,STREAMING"})
    void interrupted(String signal, Phase phase) throws IOException {
        try (var model = phase.model();
                var world = World.with(model).ordinary()) {
            AgentProcess process = world.launch().start("models", "test", "canary/model", "--json");
            model.awaitRequests(1);
            JsonNode error = cancelled(process, signal).path("error");
            assertEquals(List.of(), Schemas.problems("models-test", process.out()));
            assertFalse(error.path("retryable").asBoolean(), error::toString);
        }
    }

    @Test
    @Tag("C09")
    @DisplayName("models list --live, SIGTERM while it asks: one error object, exit code 130")
    void interruptedList() {
        try (var server = RawServer.start(RawServer.silence());
                var world = World.withoutModel().ordinary()) {
            world.config("# one more provider\n  slow: {base_url: \"" + server.url() + "\"}");
            AgentProcess process =
                    world.launch().start("models", "list", "slow", "--live", "--json");
            Await.until("the request", () -> !server.requests().isEmpty());
            cancelled(process, "TERM");
        }
    }

    private static JsonNode cancelled(AgentProcess process, String signal) {
        long sent = System.nanoTime();
        Ended ended = process.signal(signal).ended();
        Duration took = Duration.ofNanos(System.nanoTime() - sent);
        assertEquals(130, ended.exitCode(), ended::toString);
        assertEquals(1, ended.out().lines().count(), ended::toString);
        assertEquals("cancelled", ended.result().at("/error/code").asText(), ended::toString);
        assertTrue(ended.err().startsWith("agent: stopped by SIG" + signal), ended::toString);
        assertEquals(1, ended.err().lines().count(), ended::toString);
        assertTrue(
                took.compareTo(Duration.ofSeconds(20)) < 0,
                took::toString); // the list may take 30 s
        return ended.result();
    }
}
