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
import dev.agentloop.blackbox.Script;
import dev.agentloop.blackbox.ScriptedServer;
import dev.agentloop.blackbox.World;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Replies that broke off are paid for, although no provider says how much. */
@DisplayName("what a reply that broke off has cost")
class LostRepliesScenarioTest {
    private static final String HALF = "The first half of an answer";
    private static final String MUCH = // 2500 tokens, at 30 a million: 0.075
            IntStream.range(1000, 3000).mapToObj(i -> i + " ").collect(Collectors.joining());

    @ParameterizedTest
    @EnumSource
    @Tag("A28")
    @DisplayName("is estimated, counted as retry, and marked as an estimate")
    void isCounted(Protocol protocol) {
        try (var model =
                        ScriptedServer.start(
                                protocol, Faults.resetAfter(says(MUCH)), says("Whole."));
                var world = World.with(model)) {
            Ended ended = world.runInside("--json", "go");
            assertEquals(0, ended.exitCode(), ended::toString);
            JsonNode lost = line(ended, "retry");
            JsonNode whole = line(ended, "agent");
            assertEquals(110, whole.path("tokens").asInt(), ended::toString);
            assertTrue(lost.path("tokens").asLong() > 2500, ended::toString);
            assertTrue(usd(lost).compareTo(new BigDecimal("0.075")) > 0, ended::toString);
            assertEquals(usd(whole).add(usd(lost)), usd(ended.result().path("cost")));
            JsonNode usage = ended.result().path("usage");
            assertTrue(usage.path("estimated").asBoolean(), ended::toString);
            assertTrue(usage.path("output_tokens").asInt() >= 2510, ended::toString);
            assertTrue(usage.path("input_tokens").asInt() > 100, ended::toString);
            assertEquals(1, ended.result().at("/models_used/0/calls").asInt());
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("is estimated with the tools of the request, of a reply in one piece as well")
    void ofAReplyInOnePiece(Protocol protocol) {
        try (var model =
                        ScriptedServer.start(
                                protocol,
                                Faults.halfBody(says(HALF)),
                                Faults.resetAfterHeaders(),
                                says("Whole."));
                var world = World.with(model).llm("max_retries: 2")) {
            Ended ended = world.runInside("--json", "--no-stream", "go");
            assertEquals(0, ended.exitCode(), ended::toString);
            long bytes = model.requests().getFirst().raw().length();
            long tokens = line(ended, "retry").path("tokens").asLong();
            assertEquals(2 * (bytes / 4), tokens, bytes / 4.0, ended::toString);
            assertTrue(tokens >= 2 * (bytes / 5), ended::toString);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "application/json|{\"choices\":[",
                "text/event-stream|data: {\"choices\":\\n\\n"
            })
    @DisplayName("is estimated for an answer, or its first event, that is no whole JSON")
    void ofHalfAnAnswer(String type, String body) {
        Script half = Faults.status(200, "Content-Type: " + type, body.translateEscapes());
        try (var model = ScriptedServer.chat(half, says("Whole."));
                var world = World.with(model)) {
            Ended ended = world.runInside("--json", "go");
            assertEquals(0, ended.exitCode(), ended::toString);
            assertTrue(line(ended, "retry").path("tokens").asInt() > 100, ended::toString);
        }
    }

    @Test
    @DisplayName("the closing call is estimated by what the last one used: no budget is overrun")
    void theClosingCallFits() {
        try (var model = ScriptedServer.chat(calls("list_files").counting(40_000, 10));
                var world = World.with(model)) {
            String longTask = "word ".repeat(8_000);
            String[] words = {"--json", "--max-steps", "1", "--budget", "0.6", longTask};
            Ended ended = world.runInside(words);
            assertEquals(2, ended.exitCode(), ended::toString);
            assertEquals(List.of("agent"), sources(ended));
        }
    }

    @Test
    @DisplayName("errors before any reply cost nothing and leave the figures exact")
    void refusalsAreFree() {
        try (var model = ScriptedServer.chat(Faults.status(503), Faults.status(529), says("ok"));
                var world = World.with(model).llm("max_retries: 2")) {
            Ended ended = world.runInside("--json", "go");
            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals(2, ended.result().path("retries").asInt());
            assertEquals(List.of("agent"), sources(ended));
            assertFalse(ended.result().at("/usage/estimated").asBoolean());
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("counts against --budget: no further attempt when it is spent, exit code 2")
    void countsAgainstTheBudget(Protocol protocol) {
        try (var model = ScriptedServer.start(protocol, Faults.resetAfter(says(MUCH)));
                var world = World.with(model).llm("max_retries: 4")) {
            Ended ended = world.runInside("--json", "--budget", "0.4", "go");
            assertEquals(2, ended.exitCode(), ended::toString);
            assertEquals("budget_exceeded", ended.result("stop_reason"));
            assertEquals(1, model.requests().size());
            assertEquals(MUCH, ended.result("partial_output"));
            assertEquals(0, ended.result().path("retries").asInt());
            JsonNode error = ended.result().at("/errors/0");
            assertEquals("broken_reply", error.path("code").asText(), ended::toString);
            assertTrue(error.path("message").asText().contains("the budget is spent"));
            JsonNode failed = world.records("llm_fail").getFirst().path("d");
            assertFalse(failed.path("will_retry").asBoolean(), failed::toString);
            assertEquals("agent", failed.path("source").asText(), failed::toString);
            assertEquals(List.of("agent"), sources(ended));
        }
    }

    @Test
    @DisplayName("no fallback takes over what is no longer paid for")
    void noFallback() {
        try (var first = ScriptedServer.chat(Faults.resetAfter(says(MUCH)));
                var second = ScriptedServer.start(Protocol.MESSAGES);
                var world =
                        World.with(first)
                                .env("SECOND_API_KEY", "sk-second")
                                .provider("second", second)
                                .llm("max_retries: 0")) {
            Ended ended =
                    world.runInside(
                            "--json", "--budget", "0.4", "--fallback-model", "second/model", "go");
            assertEquals(2, ended.exitCode(), ended::toString);
            assertEquals(0, second.requests().size());
        }
    }

    @Test
    @DisplayName("is at the price of the model that lost it, whoever takes over")
    void atItsModelsPrice() {
        try (var first = ScriptedServer.chat(Faults.resetAfter(says(MUCH)));
                var second = ScriptedServer.start(Protocol.MESSAGES, says("done"));
                var world =
                        World.with(first)
                                .env("SECOND_API_KEY", "sk-second")
                                .provider("second", second)
                                .llm("max_retries: 0")) {
            Ended ended = world.runInside("--json", "--fallback-model", "second/model", "go");
            assertEquals(0, ended.exitCode(), ended::toString);
            JsonNode used = ended.result().path("models_used");
            assertEquals("canary/model", used.at("/0/model").asText(), ended::toString);
            assertEquals(0, used.at("/0/calls").asInt(), ended::toString);
            assertEquals(1, ended.result().path("retries").asInt(), ended::toString);
            assertEquals(usd(line(ended, "retry")), usd(used.path(0)));
            assertEquals(new BigDecimal("0.00012"), usd(used.path(1)));
        }
    }

    @Test
    @DisplayName("is the run's own when no attempt follows, also of a reply that we stopped")
    void ofTheLastAttempt() {
        try (var model =
                        ScriptedServer.chat(
                                Faults.cutAfter(says(HALF)), Faults.silence(), says("ok"));
                var world = World.with(model).llm("max_retries: 0")) {
            Ended cut = world.runInside("--json", "go");
            assertEquals(1, cut.exitCode(), cut::toString);
            assertEquals(List.of("agent"), sources(cut));
            assertTrue(cut.result().at("/usage/estimated").asBoolean());

            Ended slow = world.runInside("--json", "--timeout", "1", "go");
            assertEquals(5, slow.exitCode(), slow::toString);
            assertEquals(List.of("agent", "close"), sources(slow));
            assertTrue(line(slow, "agent").path("tokens").asInt() > 100, slow::toString);
        }
    }

    @Test
    @DisplayName("a request that nobody took costs nothing")
    void unsentIsFree() {
        try (var world = World.withoutModel()) {
            Ended ended = world.runInside("--json", "go");
            assertEquals(1, ended.exitCode(), ended::toString);
            assertEquals(0, ended.result().at("/usage/input_tokens").asInt());
            assertEquals(List.of(), sources(ended));
        }
    }

    @Test
    @DisplayName("is remembered by the session that is resumed")
    void isRemembered() {
        try (var model =
                        ScriptedServer.chat(
                                Faults.resetAfter(says(MUCH)),
                                calls("list_files"),
                                says("ok"),
                                says("again"));
                var world = World.with(model)) {
            Ended first = world.runInside("--json", "go");
            assertEquals(0, first.exitCode(), first::toString);
            Ended second = world.inside("resume", "--last", "--json", "more");
            assertEquals(0, second.exitCode(), second::toString);
            JsonNode earlier = line(second, "earlier");
            assertEquals(usd(first.result().path("cost")), usd(earlier), second::toString);
            assertTrue(second.result().at("/usage/estimated").asBoolean());
        }
    }

    @Test
    @DisplayName("a budget is refused where nobody knows what the session has cost so far")
    void unknownSoFar() {
        try (var model = ScriptedServer.chat(says("ok"));
                var world = World.with(model)) {
            Ended first = world.runInside("--json", "-m", "canary/other", "go");
            assertEquals(0, first.exitCode(), first::toString);
            assertTrue(first.result().at("/cost/usd").isNull(), first::toString);
            Ended second =
                    world.inside(
                            "resume",
                            "--last",
                            "--json",
                            "-m",
                            "canary/model",
                            "--budget",
                            "1",
                            "more");
            assertEquals(3, second.exitCode(), second::toString);
            assertTrue(second.errorMessage().contains("so far is unknown"), second::toString);
        }
    }

    private static JsonNode line(Ended ended, String source) {
        for (JsonNode line : ended.result().at("/cost/breakdown")) {
            if (line.path("source").asText().equals(source)) {
                return line;
            }
        }
        throw new AssertionError("no cost of " + source + ": " + ended);
    }

    private static List<String> sources(Ended ended) {
        List<String> sources = new ArrayList<>();
        ended.result()
                .at("/cost/breakdown")
                .forEach(line -> sources.add(line.path("source").asText()));
        return sources;
    }

    private static BigDecimal usd(JsonNode line) {
        return line.path("usd").decimalValue().stripTrailingZeros();
    }
}
