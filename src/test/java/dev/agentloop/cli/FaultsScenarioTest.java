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
import dev.agentloop.testing.RawServer;
import dev.agentloop.testing.TlsCertificates;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a whole run makes of faults whose outcome no single class decides. */
class FaultsScenarioTest {
    private static final String JSON = "Content-Type: application/json";

    @Test
    @Tag("A07")
    @DisplayName("a certificate that is not trusted is exit code 1 at once, without the key")
    void untrustedCertificate() {
        TlsCertificates certificates = new TlsCertificates();
        try (var server =
                        RawServer.start(
                                TlsCertificates.sockets(certificates.of("127.0.0.1")),
                                RawServer.silence());
                var world = World.withoutModel()) {
            String url = "https://127.0.0.1:" + server.port() + "/v1";
            Ended ended = world.runInside("--json", "--base-url", url, "go");
            assertEquals(1, ended.exitCode(), ended::toString);
            assertEquals("llm_error", ended.result("stop_reason"));
            assertEquals(0, ended.result().path("retries").asInt());
            for (String part : List.of("Server 127.0.0.1", "Test Authority", "llm.ca_file")) {
                assertTrue(ended.errorMessage().contains(part), ended::toString);
            }
            assertEquals(List.of(), server.requests());
        }
    }

    @ParameterizedTest(name = "A07: once {0} names its authority, the server is called")
    @ValueSource(strings = {"llm.ca_file", "SSL_CERT_FILE"})
    void trustedByFile(String way) {
        TlsCertificates certificates = new TlsCertificates();
        String reply =
                "data: {\"choices\":[{\"delta\":{\"content\":\"hi\"},\"finish_reason\":\"stop\"}]}"
                        + "\n\ndata: [DONE]\n\n";
        try (var server =
                        RawServer.start(
                                TlsCertificates.sockets(certificates.of("127.0.0.1")),
                                RawServer.events(reply));
                var world = World.withoutModel()) {
            world.file("ca.pem", certificates.authorityPem());
            if (way.equals("SSL_CERT_FILE")) {
                world.env(way, world.workspace().resolve("ca.pem").toString());
            } else {
                world.llm("ca_file: ../../work/ca.pem"); // beside config/agent/config.yaml
            }
            String url = "https://127.0.0.1:" + server.port() + "/v1";
            Ended ended = world.runInside("--json", "--base-url", url, "go");
            assertEquals("hi", ended.result("result"), ended::toString);
            assertEquals("Bearer " + world.key(), server.lastRequest().header("Authorization"));
        }
    }

    @Test
    void aFileOfAuthoritiesThatIsNotThereIsAMistakeOfTheSetUp() {
        try (var world = World.withoutModel().env("SSL_CERT_FILE", "/nowhere/ca.pem")) {
            Ended ended = world.runInside("--json", "--base-url", "https://127.0.0.1:1/v1", "go");
            assertEquals(3, ended.exitCode(), ended::toString);
            assertTrue(ended.errorMessage().contains("SSL_CERT_FILE"), ended::toString);

            Ended local = world.runInside("--json", "go");
            assertEquals("llm_error", local.result("stop_reason"), "without TLS it is not read");
        }
    }

    @Test
    @Tag("A12")
    @DisplayName("a model that is not found is not asked for again; model and URL are told")
    void modelNotFound() {
        String body = "{\"error\":{\"message\":\"The model `model` does not exist\"}}";
        try (var model = ScriptedServer.chat(Faults.status(404, JSON, body));
                var world = World.with(model)) {
            Ended ended = world.runInside("--json", "go");
            assertEquals(1, ended.exitCode(), ended::toString);
            assertTrue(ended.errorMessage().contains("`model` does not exist"), ended::toString);
            assertTrue(
                    ended.errorMessage().contains(model.baseUrl() + "/chat/completions"),
                    ended::toString);
            assertEquals("canary/model", ended.result("model"));
        }
    }

    @ParameterizedTest(name = "A13 A14 A23: after {0} with {1} the server and the journal count 2")
    @CsvSource({"408,X: y", "409,X: y", "425,X: y", "503,Retry-After: 0", "429,Retry-After: 0"})
    void attemptsAreCounted(int status, String header) {
        try (var model = ScriptedServer.chat(Faults.status(status, header, "{}"), says("ok"));
                var world = World.with(model)) {
            Ended ended = world.runInside("--json", "go");
            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals(2, model.requests().size());
            assertEquals(1, world.records("llm_fail").size());
            assertEquals(1, world.records("llm_resp").size());
            assertEquals(1, ended.result().path("retries").asInt());
        }
    }

    @ParameterizedTest(name = "A15 A62: {0} {1} with nothing to give up is exit code 2")
    @CsvSource({
        "413,CHAT,request too large",
        "400,CHAT,maximum context length is 8 tokens",
        "413,MESSAGES,Request exceeds the maximum size",
        "400,MESSAGES,prompt is too long: 9 tokens > 8 maximum",
    })
    void contextOverflow(int status, Protocol protocol, String message) {
        String body =
                "{\"error\":{\"type\":\"invalid_request_error\",\"message\":\"%s\"}}"
                        .formatted(message);
        Script full = Faults.status(status, JSON, body);
        try (var model = ScriptedServer.start(protocol, calls("list_files")).thenForEver(full);
                var world = World.with(model)) {
            Ended ended = world.runInside("--json", "go");
            assertEquals(2, ended.exitCode(), ended::toString);
            assertEquals("context_full", ended.result("stop_reason"));
            assertEquals(
                    "context_overflow",
                    ended.result().path("errors").path(0).path("code").asText(),
                    ended::toString);
            assertTrue(model.requests().size() <= 2 + 3, model::toString);
            assertEquals(0, ended.result().path("retries").asInt());
        }
    }

    @Test
    @Tag("A20")
    @DisplayName("Retry-After: 3600 ends the run at once; the result says when to come back")
    void comeBackLater() {
        try (var model = ScriptedServer.chat(Faults.status(429, "Retry-After: 3600", "{}"));
                var world = World.with(model)) {
            Ended ended = world.runInside("--json", "go");
            assertEquals(1, ended.exitCode(), ended::toString);
            assertTrue(ended.errorMessage().contains("come back in 1 h"), ended::toString);
            var error = ended.result().path("errors").path(0);
            assertEquals(3600, error.path("retry_after_s").asInt());
            assertTrue(ended.took().compareTo(Duration.ofSeconds(30)) < 0, ended::toString);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {500, 502, 503, 504, 529})
    @Tag("A22")
    @DisplayName("two errors of a server, then a reply: three requests, exit code 0")
    void twoServerErrors(int code) {
        try (var model = ScriptedServer.chat(Faults.status(code), Faults.status(code), says("ok"));
                var world = World.with(model).llm("max_retries: 4")) {
            Ended ended = world.runInside("--json", "go");
            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals(3, model.requests().size());
            assertEquals(2, ended.result().path("retries").asInt());
        }
    }

    @Test
    @Tag("A25")
    @DisplayName("a deadline that falls into a wait ends the run then, not after the wait")
    void deadlineInAWait() {
        Script later = Faults.status(503, "Retry-After: 30", "{}");
        try (var model = ScriptedServer.chat(later, says("Nothing is done."));
                var world = World.with(model)) {
            Ended ended = world.runInside("--json", "--timeout", "3", "go");
            assertEquals(5, ended.exitCode(), ended::toString);
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("A28")
    @DisplayName("text that was cut off is in no message, the journal has its size")
    void cutTextIsForgotten(Protocol protocol) {
        try (var model =
                        ScriptedServer.start(
                                protocol,
                                Faults.resetAfter(says("The first half of")),
                                calls("list_files"),
                                says("Whole."));
                var world = World.with(model)) {
            Ended ended = world.runInside("--json", "go");
            assertEquals("Whole.", ended.result("result"), ended::toString);
            assertFalse(model.lastRequest().raw().contains("first half"));
            assertTrue(ended.err().contains("connection lost"), ended::err);
            var lost = world.records("llm_fail").getFirst().path("d").path("lost_tokens");
            assertEquals(4, lost.asInt());
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("A32")
    @DisplayName("text without any end, again and again, is exit code 1 and partial_output")
    void textWithoutEnd(Protocol protocol) {
        Script cut = Faults.endlessAfter(says("Half an answer"));
        try (var model = ScriptedServer.start(protocol, cut, cut);
                var world = World.with(model)) {
            Ended ended = world.runInside("--json", "go");
            assertEquals(1, ended.exitCode(), ended::toString);
            assertEquals("Half an answer", ended.result("partial_output"));
            assertFalse(ended.result("result").contains("Half"), ended::toString);
        }
    }

    @ParameterizedTest
    @EnumSource
    @Tag("A45")
    @DisplayName("malformed JSON in one event: no call of that reply is run, it is asked again")
    void malformedEvent(Protocol protocol) {
        Reply write = calls("write_file", "file_path", "x", "content", "y");
        try (var model = ScriptedServer.start(protocol, Faults.malformedIn(write), says("Fine."));
                var world = World.with(model)) {
            Ended ended = world.runInside("--json", "--yolo", "--sandbox=off", "go");
            assertEquals(1, ended.result().path("retries").asInt(), ended::toString);
            assertFalse(world.exists("x"));
        }
    }

    @ParameterizedTest(name = "A49: after a change ({0}) silence is exit code {1}")
    @CsvSource({"true,0", "false,2"})
    void silenceAtTheEnd(boolean changes, int code) {
        Reply work =
                changes
                        ? calls("write_file", "file_path", "x", "content", "y")
                        : calls("list_files");
        try (var model = ScriptedServer.chat(work, says("  \n"), says("\n"));
                var world = World.with(model)) {
            Ended ended = world.runInside("--json", "--yolo", "--sandbox=off", "go");
            assertEquals(code, ended.exitCode(), ended::toString);
            assertEquals(3, model.requests().size());
            assertEquals(changes, ended.result("result").contains("without a final answer"));
        }
    }
}
