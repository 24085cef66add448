package dev.agentloop.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.Reply;
import dev.agentloop.blackbox.ScriptedServer;
import dev.agentloop.blackbox.World;
import dev.agentloop.testing.TlsCertificates;
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
    @DisplayName(
            "what named the missing key is called by the option and the variable that can do so")
    void namedBySetting() {
        try (var model = ScriptedServer.chat();
                var world = World.with(model).env("AGENT_API_KEY_ENV", "MY_VAR")) {
            Ended ended = world.runInside("--json", "go");
            assertEquals(4, ended.exitCode(), ended::toString);
            String message = ended.errorMessage();
            assertTrue(
                    message.contains("--api-key-env, or AGENT_API_KEY_ENV, names MY_VAR"), message);
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
        "SSL_CERT_FILE, missing.pem, does not exist",
        "SSL_CERT_FILE, words.pem, is no PEM file",
        "llm.ca_file, missing.pem, does not exist",
        "llm.ca_file, words.pem, is no PEM file"
    })
    @DisplayName("doctor: a file of CAs that would keep runs from beginning is broken, for TLS")
    void doctorReadsTheCertificates(String by, String name, String what) {
        try (var server = ScriptedServer.chat();
                var world = World.withoutModel().file("words.pem", "words")) {
            String file = world.workspace().resolve(name).toString();
            if (by.equals("llm.ca_file")) {
                world.llm("ca_file: " + file);
            } else {
                world.env(by, file);
            }
            String url = server.baseUrl();
            String[] words = {"doctor", "--json", "-m", "ollama/x", "--base-url", url};
            Ended plain = world.inside(words);
            assertEquals(0, plain.exitCode(), "without TLS no run reads it: " + plain);

            words[5] = url.replace("http:", "https:");
            Ended doctor = world.inside(words);
            assertEquals(1, doctor.exitCode(), doctor::toString);
            JsonNode check = check(doctor, "certificates");
            assertEquals("broken", check.path("state").asText(), check::toString);
            String detail = check.path("detail").asText();
            assertTrue(detail.startsWith(by + ": " + file + " "), detail);
            assertTrue(detail.contains(what), detail);
            assertTrue(check.path("remedy").asText().contains("a PEM file"), check::toString);
        }
    }

    @Test
    @DisplayName("doctor: a server with TLS and no wrong file has certificates that are ok")
    void certificatesThatAreFine() {
        try (var server = ScriptedServer.chat();
                var world = World.withoutModel()) {
            world.file("ca.pem", new TlsCertificates().authorityPem())
                    .env("SSL_CERT_FILE", world.workspace().resolve("ca.pem").toString());
            String url = server.baseUrl().replace("http:", "https:");
            Ended doctor = world.inside("doctor", "--json", "-m=ollama/x", "--base-url=" + url);
            assertEquals(0, doctor.exitCode(), doctor::toString);
            JsonNode check = check(doctor, "certificates");
            assertEquals("ok", check.path("state").asText(), check::toString);
            assertTrue(check.path("detail").asText().contains("SSL_CERT_FILE"), check::toString);
        }
    }

    @Test
    @DisplayName("doctor: an address that every run refuses is broken, with what to do")
    void doctorChecksTheAddress() {
        try (var server = ScriptedServer.chat();
                var world = World.withoutModel().env("GEMINI_API_KEY", "k")) {
            String url = server.baseUrl() + "/openai";
            Ended doctor =
                    world.inside("doctor", "--json", "-m=gemini/gemini-x", "--base-url=" + url);
            assertEquals(1, doctor.exitCode(), doctor::toString);
            JsonNode check = check(doctor, "provider");
            assertEquals("broken", check.path("state").asText(), check::toString);
            assertTrue(check.path("detail").asText().contains(url), check::toString);
            assertTrue(check.path("remedy").asText().startsWith("Drop /openai"), check::toString);
            assertEquals(0, server.requests().size());
        }
    }

    @Test
    @DisplayName("doctor: a fallback or a rule that no run takes is broken")
    void doctorChecksWhatElseARunReads() {
        try (var server = ScriptedServer.chat();
                var world = World.with(server)) {
            assertEquals(0, world.inside("doctor").exitCode());
            world.llm("fallback_models: [anthropic/claude-x]");
            Ended noKey = world.inside("doctor", "--json");
            assertEquals(1, noKey.exitCode(), noKey::toString);
            JsonNode fallbacks = check(noKey, "fallbacks");
            assertTrue(fallbacks.path("detail").asText().contains("claude-x"), noKey::toString);
            String remedy = fallbacks.path("remedy").asText();
            assertEquals("Set ANTHROPIC_API_KEY, or leave this model out.", remedy);

            world.llm("max_retries: 0").config("permissions: {deny: [\"run_command(\"]}");
            Ended rule = world.inside("doctor", "--json");
            assertEquals(1, rule.exitCode(), rule::toString);
            JsonNode configuration = check(rule, "configuration");
            assertEquals("broken", configuration.path("state").asText(), rule::toString);
        }
    }

    @Test
    @DisplayName("doctor -c FILE: the configuration that a run with this option would have")
    void doctorWithAFile() {
        try (var server = ScriptedServer.chat();
                var world = World.withoutModel()) {
            world.file(
                    "more.yaml",
                    "llm: {model: office/x}\nproviders: {office: {base_url: \""
                            + server.baseUrl()
                            + "\"}}");
            Ended doctor = world.inside("doctor", "-c", "more.yaml", "--json");
            assertEquals(0, doctor.exitCode(), doctor::toString);
            assertTrue(check(doctor, "model").path("detail").asText().startsWith("office/x "));
            Ended missing = world.inside("doctor", "--config=no.yaml", "--json");
            assertEquals(1, missing.exitCode(), missing::toString);
            JsonNode configuration = check(missing, "configuration");
            assertTrue(configuration.path("detail").asText().contains("no.yaml"), "" + missing);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'office/x', https, 3",
        "'office/x', http, 0",
        "'demo/scripted', https, 0",
        "'', https, 3",
    })
    @DisplayName("config validate: a ca_file that no run could read is exit code 3, key or no key")
    void validateReadsTheCertificates(String model, String scheme, int exit) {
        try (var world = World.withoutModel()) {
            world.env("XDG_CONFIG_HOME", world.root().resolve("empty").toString());
            String yaml = "llm:\n  ca_file: ours.pem\n";
            yaml += model.isEmpty() ? "" : "  model: " + model + "\n";
            yaml += "providers: {office: {base_url: \"" + scheme + "://h.invalid/v1\",";
            world.file("own.yaml", yaml + " api_key_env: NO_KEY}}\n");
            Ended ended = world.inside("config", "validate", "-c", "own.yaml");
            assertEquals(exit, ended.exitCode(), ended::toString);
            if (exit == 3) {
                assertTrue(ended.err().contains("own.yaml:2: llm.ca_file: "), ended::toString);
                assertTrue(ended.err().contains("ours.pem does not exist"), ended::toString);
                assertTrue(ended.err().contains("a PEM file"), ended::toString);
                assertEquals("", ended.out());
            }
            world.file("ours.pem", new TlsCertificates().authorityPem());
            Ended there = world.inside("config", "validate", "-c", "own.yaml");
            assertEquals(0, there.exitCode(), there::toString);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "llm: {model: nobody/x} | llm.model: unknown provider",
                "llm: {fallback_models: [nobody/x]} | --fallback-model (llm.fallback_models) nobody/x",
                "providers: {canary: {protocol: gemini, base_url: 'http://h/openai'}} | Drop /openai",
                "{llm: {model: canary/new}, limits: {budget: 1}} | the price of canary/new is unknown"
            })
    @DisplayName("config validate: what it says of models is refused where a run would refuse it")
    void validateLooksAtTheModels(String yaml, String expected) {
        try (var world = World.withoutModel().env("CANARY_API_KEY", null)) {
            world.file("own.yaml", yaml);
            Ended ended = world.inside("config", "validate", "-c", "own.yaml");
            assertEquals(3, ended.exitCode(), ended::toString);
            assertTrue(ended.err().contains(expected), ended::toString);
            world.env("CANARY_API_KEY", "k");
            assertEquals(3, world.runInside("-c=own.yaml", "go").exitCode());
        }
    }

    @Test
    @DisplayName("config validate: what only the environment says is the doctor's")
    void validateLeavesTheEnvironment() {
        try (var world =
                World.withoutModel()
                        .env("CANARY_API_KEY", null)
                        .env("SSL_CERT_FILE", "/nowhere/ca.pem")
                        .llm("fallback_models: [anthropic/claude-x]")) {
            Ended ended = world.inside("config", "validate");
            assertEquals(0, ended.exitCode(), ended::toString);
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
