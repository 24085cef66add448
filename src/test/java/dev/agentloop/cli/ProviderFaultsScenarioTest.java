package dev.agentloop.cli;

import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.Faults;
import dev.agentloop.blackbox.Protocol;
import dev.agentloop.blackbox.Reply;
import dev.agentloop.blackbox.Script;
import dev.agentloop.blackbox.ScriptedServer;
import dev.agentloop.blackbox.World;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What runs make of providers that fail. */
class ProviderFaultsScenarioTest {
    private static final String HTML = "Content-Type: text/html";

    @ParameterizedTest
    @ValueSource(ints = {500, 502, 503, 504, 529})
    @Tag("A22")
    @DisplayName("a server's error is tried again, and the run succeeds")
    void serverErrors(int code) {
        try (var model = ScriptedServer.chat(Faults.status(code), says("ok"));
                var world = World.with(model)) {
            Ended ended = world.runInside("--json", "go");
            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals(1, ended.result().path("retries").asInt());
            assertTrue(ended.err().contains("retry 1 in"), ended::toString);
        }
    }

    @Test
    @Tag("A24")
    @Tag("row-6")
    @Tag("row-67")
    @DisplayName("errors for ever are exit code 1; the session can be resumed")
    void errorsForEver() {
        try (var model = ScriptedServer.chat(Faults.status(503), Faults.status(503), says("ok"));
                var world = World.with(model)) {
            Ended ended = world.runInside("--json", "the task");
            assertEquals(1, ended.exitCode(), ended::toString);
            assertEquals("llm_error", ended.result("stop_reason"));
            assertEquals(2, model.requests().size());
            assertTrue(ended.errorMessage().contains("503"), ended::toString);

            Ended resumed = world.inside("resume", "--last", "--json");
            assertEquals(0, resumed.exitCode(), resumed::toString);
            assertTrue(model.lastRequest().raw().contains("the task"));
        }
    }

    @Test
    @Tag("A17")
    @Tag("row-7")
    @DisplayName("429 with Retry-After is waited for as long as it says")
    void retryAfter() {
        Script later = Faults.status(429, "Retry-After: 2", Faults429.BODY);
        try (var model = ScriptedServer.chat(later, says("ok"));
                var world = World.with(model)) {
            Ended ended = world.runInside("--json", "go");
            assertEquals(0, ended.exitCode(), ended::toString);
            Duration wait = Duration.between(model.request(0).at(), model.request(1).at());
            assertTrue(wait.compareTo(Duration.ofMillis(1950)) >= 0, wait::toString);
        }
        Script tomorrow = Faults.status(429, "Retry-After: 86400", Faults429.BODY);
        try (var model = ScriptedServer.chat(tomorrow);
                var world = World.with(model)) {
            Ended ended = world.runInside("--json", "go");
            assertEquals(1, ended.exitCode(), ended::toString);
            assertTrue(ended.errorMessage().contains("24 h"), ended::toString);
        }
    }

    private static final class Faults429 {
        private static final String BODY = "{\"error\":{\"message\":\"slow down\"}}";
    }

    @Test
    @Tag("A09")
    @DisplayName("a bad request is not repeated and shows what the provider says")
    void badRequest() {
        String body = "{\"error\":{\"message\":\"the tool schema \\u001b[31mis bad\"}}";
        try (var model = ScriptedServer.chat(Faults.status(400, "X-Request-Id: req_77", body));
                var world = World.with(model)) {
            Ended ended = world.runInside("--json", "go");
            assertEquals(1, ended.exitCode(), ended::toString);
            assertTrue(ended.errorMessage().contains("is bad"), ended::toString);
            assertTrue(ended.errorMessage().contains("req_77"), ended::toString);
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("row-7")
    @Tag("A10")
    @Tag("A11")
    @DisplayName("401 and 403 are exit code 4, even with HTML from a proxy")
    void refused(Protocol protocol) {
        String page = "<html><body><h1>Blocked</h1>" + "x".repeat(5000) + "</body></html>";
        try (var model =
                        ScriptedServer.start(
                                protocol, Faults.status(401), Faults.status(403, HTML, page));
                var world = World.with(model)) {
            Ended first = world.runInside("--json", "go");
            assertEquals(4, first.exitCode(), first::toString);
            assertTrue(first.errorMessage().contains("CANARY_API_KEY"), first::toString);
            Ended second = world.runInside("--json", "go");
            assertEquals(4, second.exitCode(), second::toString);
            assertEquals("auth_error", second.result("stop_reason"));
            assertFalse(second.errorMessage().contains("<h1>"), second::toString);
            assertTrue(second.errorMessage().length() < 1000, second::toString);
        }
    }

    static Stream<Arguments> cutStreams() {
        var text = says("Half an ans");
        var write = calls("write_file", "file_path", "x", "content", "y");
        return Stream.of(
                Arguments.of("A28 reset in the text", Faults.resetAfter(text)),
                Arguments.of("A29 reset after a whole call", Faults.resetAfter(write)),
                Arguments.of("A32 no finish reason", Faults.endlessAfter(text)),
                Arguments.of("A33 cut transfer", Faults.cutAfter(write)),
                Arguments.of("A34 silence in the text", Faults.stallAfter("Half an ans")),
                Arguments.of("A47 HTML", Faults.status(200, HTML, "<html>login</html>")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cutStreams")
    @Tag("row-8")
    @DisplayName("a reply that is not whole does nothing, is withdrawn and asked for again")
    void cutStream(String name, Script cut) {
        for (Protocol protocol : Protocol.values()) {
            try (var model = ScriptedServer.start(protocol, cut, says("The whole answer."));
                    var world = World.with(model).llm("max_retries: 1\nidle_timeout: 500ms")) {
                Ended ended = world.runInside("--json", "--yolo", "--sandbox=off", "go");
                assertEquals(0, ended.exitCode(), ended::toString);
                assertEquals("The whole answer.", ended.result("result"));
                assertFalse(world.exists("x"), name);
                assertEquals(1, ended.result().path("retries").asInt());
            }
        }
    }

    @Test
    @Tag("row-8")
    @DisplayName("a withdrawn text is said to be withdrawn")
    void withdrawnText() {
        try (var model = ScriptedServer.chat(Faults.resetAfter(says("Half")), says("Whole."));
                var world = World.with(model)) {
            Ended ended = world.runInside("--output-format=stream-json", "go");
            var retry = ended.events("llm.retry").getFirst();
            assertTrue(retry.path("text_withdrawn").asBoolean(), ended::toString);
            assertEquals("Whole.", ended.result("result"));
        }
    }

    @Test
    @Tag("A06")
    @DisplayName("a server that never answers is given up on, and asked again, by --step-timeout")
    void neverAnswers() {
        try (var model = ScriptedServer.chat(Faults.silence(), says("Time was short."));
                var world = World.with(model)) {
            Ended ended = world.runInside("--json", "--step-timeout", "1", "go");
            assertEquals(5, ended.exitCode(), ended::toString);
            assertEquals("timeout", ended.result("stop_reason"));
        }
    }

    @Test
    @DisplayName("what failed again and again until the time was over is among the errors")
    void failsUntilTheTimeIsOver() {
        try (var model = ScriptedServer.chat().thenForEver(Faults.status(503));
                var world = World.with(model).llm("max_retries: 9")) {
            Ended ended = world.runInside("--json", "--step-timeout", "1", "go");
            assertEquals(5, ended.exitCode(), ended::toString);
            assertEquals("timeout", ended.result("stop_reason"), ended::toString);
            assertTrue(ended.result().path("errors").toString().contains("503"), ended::toString);
        }
    }

    @Test
    @Tag("row-10")
    @DisplayName("a model that stalls in the text is cut off by --step-timeout, exit code 5")
    void stalls() {
        try (var model =
                        ScriptedServer.start(
                                Protocol.MESSAGES, Faults.stallAfter("Half"), Faults.silence());
                var world = World.with(model)) {
            Ended ended = world.runInside("--json", "--step-timeout", "1", "go");
            assertEquals(5, ended.exitCode(), ended::toString);
            assertTrue(ended.took().compareTo(Duration.ofSeconds(40)) < 0, ended::toString);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {503, 404, 307})
    @DisplayName("an error of a server names its port where it is not the usual one")
    void namesThePort(int code) {
        try (var model = ScriptedServer.chat(Faults.status(code));
                var world = World.with(model).llm("max_retries: 0")) {
            Ended ended = world.runInside("--json", "go");
            assertEquals(1, ended.exitCode(), ended::toString);
            String server = URI.create(model.baseUrl()).getAuthority();
            String message = ended.errorMessage().replace("http://" + server, "");
            assertTrue(message.contains(server), ended::toString);
        }
    }

    @Test
    @DisplayName("a closing call that fails leaves an error; the run stays what it was")
    void closingFails() {
        try (var world = World.withoutModel().llm("max_retries: 0")) {
            Ended ended = world.runInside("--json", "--max-steps", "0", "go");
            assertEquals(2, ended.exitCode(), ended::toString);
            assertEquals("max_steps", ended.result("stop_reason"));
            assertEquals("The agent stopped (max_steps).", ended.result("result"));
            assertEquals("provider_unavailable", ended.result().at("/errors/0/code").asText());
            assertTrue(ended.errorMessage().contains("summary"), ended::toString);
            assertTrue(ended.errorMessage().contains("127.0.0.1:9"), ended::toString);
        }
    }

    @Test
    @DisplayName("a closing reply without words leaves an error that says so")
    void closingSaysNothing() {
        for (Reply reply : List.of(calls("list_files", "path", "."), says(" \n"))) {
            try (var model = ScriptedServer.chat(calls("list_files", "path", "."), reply);
                    var world = World.with(model)) {
                Ended ended = world.runInside("--json", "--max-steps", "1", "go");
                assertEquals(2, ended.exitCode(), ended::toString);
                assertEquals("The agent stopped (max_steps).", ended.result("result"));
                assertEquals("empty_response", ended.result().at("/errors/0/code").asText());
                assertTrue(ended.errorMessage().contains("no closing summary: "));
            }
        }
    }

    @Test
    @DisplayName("a closing call that is too slow leaves an error as well")
    void closingIsTooSlow() {
        try (var model = ScriptedServer.chat(Faults.silence(), Faults.silence());
                var world = World.with(model)) {
            Ended ended = world.runInside("--json", "--step-timeout", "1", "go");
            assertEquals(5, ended.exitCode(), ended::toString);
            assertEquals("cancelled", ended.result().at("/errors/0/code").asText());
            assertTrue(ended.errorMessage().contains("1 s"), ended::toString);
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("llm.request_timeout ends one attempt, whatever arrives; then it is tried again")
    void requestTimeout(Protocol protocol) {
        try (var model =
                        ScriptedServer.start(
                                protocol,
                                Faults.silence(),
                                Faults.stallAfter("Half"),
                                says("Whole."));
                var world = World.with(model).llm("max_retries: 2\nrequest_timeout: 1s")) {
            Ended ended = world.runInside("--json", "go");
            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals("Whole.", ended.result("result"));
            assertEquals(2, ended.result().path("retries").asInt());
            assertEquals("[]", ended.result().path("warnings").toString());
        }
    }

    @Test
    @DisplayName("llm.request_timeout over and over: exit code 1, the limit and the part that came")
    void requestTimeoutForEver() {
        try (var model = ScriptedServer.chat(Faults.silence(), Faults.stallAfter("Half"));
                var world = World.with(model).llm("max_retries: 1\nrequest_timeout: 1500ms")) {
            Ended ended = world.runInside("--json", "go");
            assertEquals(1, ended.exitCode(), ended::toString);
            assertEquals("llm_error", ended.result("stop_reason"));
            assertEquals("broken_reply", ended.result().at("/errors/0/code").asText());
            assertTrue(ended.result().at("/errors/0/retryable").asBoolean(), ended::toString);
            assertTrue(ended.errorMessage().contains("llm.request_timeout"), ended::toString);
            assertTrue(ended.errorMessage().contains("1.5 s"), ended::toString);
            assertEquals("Half", ended.result("partial_output"));
            assertTrue(ended.took().compareTo(Duration.ofSeconds(40)) < 0, ended::toString);
        }
    }

    @Test
    @DisplayName("--step-timeout below llm.request_timeout wins: exit code 5")
    void stepTimeoutWins() {
        try (var model = ScriptedServer.chat(Faults.silence(), says("Time was short."));
                var world = World.with(model).llm("request_timeout: 30s")) {
            Ended ended = world.runInside("--json", "--step-timeout", "1", "go");
            assertEquals(5, ended.exitCode(), ended::toString);
            assertEquals("Time was short.", ended.result("result"));
        }
    }
}
