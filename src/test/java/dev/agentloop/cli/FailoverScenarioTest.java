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
import dev.agentloop.blackbox.ScriptedServer;
import dev.agentloop.blackbox.World;
import java.math.BigDecimal;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Runs that another model takes over. */
@DisplayName("--fallback-model")
class FailoverScenarioTest {
    private static World world(ScriptedServer first, ScriptedServer second) {
        return World.with(first).env("SECOND_API_KEY", "sk-second").provider("second", second);
    }

    private static ScriptedServer unavailableAfterOneStep() {
        return ScriptedServer.chat(
                calls("list_files", "path", "."), Faults.status(503), Faults.status(503));
    }

    @Test
    @DisplayName("takes over when a provider stays unavailable, keeps the history and its price")
    void takesOver() {
        try (var first = unavailableAfterOneStep();
                var second = ScriptedServer.start(Protocol.MESSAGES, says("done"));
                var world = world(first, second)) {
            Ended ended = world.runInside("--json", "--fallback-model", "second/model", "go");
            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals("done", ended.result("result"));
            assertEquals(3, first.requests().size());
            assertEquals(1, second.lastRequest().toolResults().size());
            assertFalse(second.lastRequest().raw().contains(world.key()), "G4");
            assertTrue(ended.result().path("warnings").toString().contains("takes over"));
            // first: 100 in at 10, 10 out at 30; second: 100 in at 1, 10 out at 2, per million
            assertEquals(
                    new BigDecimal("0.00142"),
                    ended.result().path("cost").path("usd").decimalValue());
        }
    }

    @Test
    @DisplayName("Gemini 3 takes over calls that it did not make: they go with the word for such")
    void geminiTakesOver() {
        try (var first = unavailableAfterOneStep();
                var second = ScriptedServer.start(Protocol.GEMINI, says("done"));
                var world = world(first, second)) {
            Ended ended =
                    world.runInside("--json", "--fallback-model", "second/gemini-3-pro", "go");
            assertEquals(0, ended.exitCode(), ended::toString);
            JsonNode call = second.lastRequest().messages().get(1).path("parts").get(0);
            assertEquals("list_files", call.at("/functionCall/name").asText());
            assertEquals(
                    "skip_thought_signature_validator", call.path("thoughtSignature").asText());
        }
    }

    @Test
    @DisplayName("text of the model that failed is withdrawn")
    void textIsWithdrawn() {
        try (var first =
                        ScriptedServer.chat(
                                Faults.cutAfter(says("half an ans")),
                                Faults.cutAfter(says("half an ans")));
                var second = ScriptedServer.start(Protocol.MESSAGES, says("whole"));
                var world = world(first, second)) {
            Ended ended = world.runInside("--json", "--fallback-model", "second/model", "go");
            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals("whole", ended.result("result"));
            assertFalse(second.lastRequest().raw().contains("half an ans"));
        }
    }

    @Test
    @DisplayName("does not hide a wrong key: 401 ends the run with exit code 4")
    void aWrongKeyIsNotHidden() {
        try (var first = ScriptedServer.chat(Faults.status(401));
                var second = ScriptedServer.start(Protocol.MESSAGES);
                var world = world(first, second)) {
            Ended ended = world.runInside("--json", "--fallback-model", "second/model", "go");
            assertEquals(4, ended.exitCode(), ended::toString);
            assertEquals(0, second.requests().size());
        }
    }

    @Test
    @DisplayName("the last one's failure is the run's: exit code 1")
    void allFail() {
        try (var first = ScriptedServer.chat(Faults.status(503), Faults.status(503));
                var second =
                        ScriptedServer.start(
                                Protocol.MESSAGES, Faults.status(529), Faults.status(529));
                var world = world(first, second)) {
            Ended ended = world.runInside("--json", "--fallback-model", "second/model", "go");
            assertEquals(1, ended.exitCode(), ended::toString);
            assertTrue(ended.errorMessage().contains("529"), ended::toString);
        }
    }

    @Test
    @DisplayName("a fallback without its key is refused before anything is sent: exit code 4")
    void withoutKey() {
        try (var first = ScriptedServer.chat();
                var second = ScriptedServer.start(Protocol.MESSAGES);
                var world = world(first, second).env("SECOND_API_KEY", null)) {
            Ended ended = world.runInside("--json", "--fallback-model", "anthropic/claude-x", "go");
            assertEquals(4, ended.exitCode(), ended::toString);
            assertTrue(ended.errorMessage().contains("ANTHROPIC_API_KEY"), ended::toString);
            Ended unknown = world.runInside("--json", "--fallback-model", "nobody/x", "go");
            assertEquals(3, unknown.exitCode(), unknown::toString);
        }
    }

    @Test
    @DisplayName("the result says who answered, how often and at which price")
    void saysWhoAnswered() {
        try (var first = unavailableAfterOneStep();
                var second = ScriptedServer.start(Protocol.MESSAGES, says("done"));
                var world = world(first, second)) {
            Ended ended = world.runInside("--json", "--fallback-model", "second/model", "go");
            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals("second/model", ended.result("model"));
            assertEquals("config", ended.result().at("/cost/basis").asText());
            String used =
                    "\"models_used\":[{\"model\":\"canary/model\",\"calls\":1,\"usd\":0.0013,"
                            + "\"tokens\":110,\"basis\":\"config\"},"
                            + "{\"model\":\"second/model\",\"calls\":1,\"usd\":0.00012,"
                            + "\"tokens\":110,\"basis\":\"config\"}]";
            assertTrue(ended.out().contains(used), ended::toString);
        }
    }

    @Test
    @DisplayName("one price unknown: no sum, no basis; what is known stands with its model")
    void onePriceUnknown() {
        try (var first = unavailableAfterOneStep();
                var second = ScriptedServer.chat(says("done"));
                var world = World.with(first).config(third(second, ""))) {
            Ended ended = world.runInside("--json", "--fallback-model", "third/model", "go");
            assertEquals(0, ended.exitCode(), ended::toString);
            JsonNode cost = ended.result().path("cost");
            assertTrue(cost.path("usd").isNull(), ended::toString);
            assertEquals("unknown", cost.path("basis").asText());
            assertTrue(cost.at("/breakdown/0/usd").isNull(), ended::toString);
            assertEquals(220, cost.at("/breakdown/0/tokens").asInt());
            JsonNode used = ended.result().path("models_used");
            assertEquals(new BigDecimal("0.0013"), used.at("/0/usd").decimalValue());
            assertEquals("config", used.at("/0/basis").asText());
            assertTrue(used.at("/1/usd").isNull(), ended::toString);
            assertEquals("unknown", used.at("/1/basis").asText());
        }
    }

    @Test
    @DisplayName("a fallback without tools is refused before anything is sent: exit code 3")
    void withoutTools() {
        try (var first = ScriptedServer.chat();
                var second = ScriptedServer.chat();
                var world =
                        World.with(first).config(third(second, "{capabilities: {tools: false}}"))) {
            Ended ended = world.runInside("--json", "--fallback-model", "third/model", "go");
            assertEquals(3, ended.exitCode(), ended::toString);
            assertTrue(ended.errorMessage().contains("--fallback-model"), ended::toString);
            assertTrue(ended.errorMessage().contains("third/model"), ended::toString);
            assertTrue(ended.errorMessage().contains("tools"), ended::toString);
        }
    }

    @Test
    @DisplayName("what is wrong with a fallback is said of --fallback-model, not of the model")
    void namesTheFallback() {
        try (var first = ScriptedServer.chat();
                var world = World.with(first)) {
            Ended unknown = world.runInside("--json", "--fallback-model", "nobody/x", "go");
            assertEquals(3, unknown.exitCode(), unknown::toString);
            assertTrue(unknown.errorMessage().contains("--fallback-model"), unknown::toString);
            assertFalse(unknown.errorMessage().contains("llm.model"), unknown::toString);
            assertEquals("canary/model", unknown.result("model"));

            world.llm("fallback_models: [anthropic/claude-x]");
            Ended noKey = world.runInside("--json", "go");
            assertEquals(4, noKey.exitCode(), noKey::toString);
            assertTrue(noKey.errorMessage().contains("llm.fallback_models"), noKey::toString);
            assertTrue(noKey.errorMessage().contains("Set ANTHROPIC_API_KEY"), noKey::toString);
            assertFalse(noKey.errorMessage().contains("demo/scripted"), noKey::toString);
            assertEquals("canary/model", noKey.result("model"));

            Ended budget =
                    world.env("ANTHROPIC_API_KEY", "sk-anthropic")
                            .runInside("--json", "--budget", "1", "go");
            assertEquals(3, budget.exitCode(), budget::toString);
            assertTrue(budget.errorMessage().contains("llm.fallback_models"), budget::toString);
        }
    }

    /** One more provider, whose model is described so or not at all. */
    private static String third(ScriptedServer server, String model) {
        return """
        # one more provider
          third:
            base_url: "%s"
            models: {model: %s}
        """
                .formatted(server.baseUrl(), model.isEmpty() ? "{}" : model);
    }
}
