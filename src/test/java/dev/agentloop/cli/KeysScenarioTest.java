package dev.agentloop.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.Reply;
import dev.agentloop.blackbox.ScriptedServer;
import dev.agentloop.blackbox.World;
import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys and certificates that are asked for and not there, and what an early end says. */
class KeysScenarioTest {
    private static JsonNode check(Ended doctor, String name) {
        for (JsonNode check : doctor.result().path("checks")) {
            if (check.path("name").asText().equals(name)) {
                return check;
            }
        }
        throw new AssertionError("no check of " + name + ": " + doctor);
    }

    @Test
    @DisplayName("a key that the configuration names must be there, for a server here as well")
    void namedKey() {
        try (var model = ScriptedServer.chat();
                var world = World.with(model).env("CANARY_API_KEY", null)) {
            Ended ended = world.runInside("--json", "go");
            assertEquals(4, ended.exitCode(), ended::toString);
            assertTrue(ended.errorMessage().contains("CANARY_API_KEY"), ended::toString);
            assertTrue(
                    ended.errorMessage().contains("providers.canary.api_key_env"), ended::toString);

            JsonNode check = check(world.inside("doctor", "--json"), "model");
            assertEquals("broken", check.path("state").asText(), check::toString);
            assertTrue(check.path("remedy").asText().contains("CANARY_API_KEY"), check::toString);
            assertEquals(4, world.inside("models", "test", "canary/model").exitCode());
        }
    }

    @Test
    @DisplayName("what named the missing key is called by its setting, wherever it was said")
    void namedBySetting() {
        try (var model = ScriptedServer.chat();
                var world = World.with(model).env("AGENT_API_KEY_ENV", "MY_VAR")) {
            Ended ended = world.runInside("--json", "go");
            assertEquals(4, ended.exitCode(), ended::toString);
            String message = ended.errorMessage();
            assertTrue(message.contains("llm.api_key_env names MY_VAR"), message);
            assertEquals(4, world.inside("models", "test", "canary/model").exitCode());
        }
    }

    @Test
    @DisplayName("a key that a local server may want is not asked for")
    void keyOfTheCatalog() {
        try (var model = ScriptedServer.chat(Reply.says("ok"));
                var world = World.withoutModel()) {
            Ended ended = world.runInside("--model=litellm/x", "--base-url", model.baseUrl(), "go");
            assertEquals(0, ended.exitCode(), ended::toString);
            assertFalse(model.lastRequest().headers().containsKey("authorization"));
        }
    }

    @Test
    @DisplayName("doctor: where no key is wanted, none is advised")
    void noRemedyWithoutTrouble() {
        try (var model = ScriptedServer.chat();
                var world = World.withoutModel()) {
            Ended doctor =
                    world.inside(
                            "doctor", "--json", "-m", "ollama/qwen", "--base-url", model.baseUrl());
            JsonNode check = check(doctor, "model");
            assertEquals("ok", check.path("state").asText(), check::toString);
            assertEquals("", check.path("remedy").asText());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"missing.pem", "words.pem", "."})
    @DisplayName("SSL_CERT_FILE that is no PEM file: exit code 3 with variable, path and remedy")
    void certificates(String name) throws IOException {
        try (var world = World.withoutModel().file("words.pem", "no certificate")) {
            String file = world.workspace().resolve(name).toString();
            world.env("SSL_CERT_FILE", file);
            Ended ended =
                    world.runInside(
                            "--json", "-m", "office/x", "--base-url=https://127.0.0.1:9/v1", "go");
            assertEquals(3, ended.exitCode(), ended::toString);
            String message = ended.errorMessage();
            assertTrue(message.startsWith("SSL_CERT_FILE"), message);
            assertTrue(message.contains(file), message);
            assertTrue(message.contains("unset"), message);
            assertFalse(message.contains("Exception"), message);
            if (Files.isDirectory(world.workspace().resolve(name))) {
                assertTrue(message.contains("folder"), message);
            }
            assertEquals("office/x", ended.result("model"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'--max-steps many', 3, ''",
        "'-m openai/gpt-5.5', 4, openai/gpt-5.5",
        "'--config nope.yaml -m office/x', 3, office/x",
        "'--config nope.yaml', 3, ''",
        "'--agent nobody', 3, canary/model"
    })
    @DisplayName("a run that does not begin names its model as far as it is known")
    void modelOfAnEarlyEnd(String options, int exit, String model) {
        try (var world = World.withoutModel()) {
            Ended ended = world.runInside(("--json " + options + " go").split(" "));
            assertEquals(exit, ended.exitCode(), ended::toString);
            assertEquals(model, ended.result("model"), ended::toString);
        }
    }
}
