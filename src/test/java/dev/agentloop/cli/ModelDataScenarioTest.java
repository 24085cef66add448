package dev.agentloop.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.World;
import dev.agentloop.testing.RawServer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the catalog or the user says about a model decides how it is asked. */
class ModelDataScenarioTest {
    private static final String THOUGHT_AND_CALL =
            chunk("{\"reasoning_content\":\"hm\"}", "null")
                    + chunk(
                            "{\"tool_calls\":[{\"index\":0,\"id\":\"c\",\"function\":"
                                    + "{\"name\":\"list_files\",\"arguments\":\"{}\"}}]}",
                            "\"tool_calls\"");
    private static final String ANSWER = chunk("{\"content\":\"Done.\"}", "\"stop\"");

    private static String chunk(String delta, String finish) {
        return "data: {\"choices\":[{\"index\":0,\"delta\":"
                + delta
                + ",\"finish_reason\":"
                + finish
                + "}]}\n\n";
    }

    @ParameterizedTest
    @CsvSource({
        "deepseek/deepseek-flash, true",
        "deepseek/deepseek-next, true",
        "office/thinker, true",
        "office/other, false"
    })
    @DisplayName("reasoning goes back to the models that refuse a history without it")
    void reasoningGoesBack(String model, boolean expected) {
        try (RawServer server =
                        RawServer.start(
                                RawServer.events(THOUGHT_AND_CALL), RawServer.events(ANSWER));
                var world = World.withoutModel()) {
            world.file(
                    "own.yaml",
                    "providers: {office: {models: {thinker: {capabilities:"
                            + " {reasoning_goes_back: true}}}}}");
            String url = server.url() + "/v1";

            Ended ended =
                    world.inside("run", "-c", "own.yaml", "-m", model, "--base-url", url, "go");

            assertEquals("Done.\n", ended.out(), ended::toString);
            String sent = server.requests().get(1).text();
            assertTrue(sent.contains("\"tool_calls\""), sent);
            assertEquals(expected, sent.contains("\"reasoning_content\":\"hm\""), sent);
        }
    }

    @Test
    @DisplayName("gemini is asked in its own protocol, under the address of its variable")
    void geminiSpeaksItsOwnProtocol() {
        String answer =
                "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"Done.\"}]},"
                        + "\"finishReason\":\"STOP\"}]}\n\n";
        try (RawServer server = RawServer.start(RawServer.events(answer));
                var world = World.withoutModel()) {
            world.env("GOOGLE_GEMINI_BASE_URL", server.url()).env("GEMINI_API_KEY", "k");

            Ended ended = world.inside("run", "-m", "gemini/gemini-3.8-flash", "go");

            assertEquals("Done.\n", ended.out(), ended::toString);
            String address = "/v1beta/models/gemini-3.8-flash:streamGenerateContent?alt=sse";
            assertTrue(server.lastRequest().head().startsWith("POST " + address + " "));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1beta/openai", "/v1beta/openai/"})
    @DisplayName("Gemini's address for Chat Completions is no address of Gemini's own protocol")
    void addressOfAnotherProtocol(String path) {
        try (RawServer server = RawServer.start(RawServer.events(ANSWER));
                var world = World.withoutModel().env("GEMINI_API_KEY", "k")) {
            String[] words = {"gemini/gemini-3.8-flash", "--base-url", server.url() + path};
            Ended run = world.inside("run", "-m", words[0], words[1], words[2], "go");
            Ended test = world.inside("models", "test", words[0], words[1], words[2]);
            for (Ended ended : new Ended[] {run, test}) {
                assertEquals(3, ended.exitCode(), ended::toString);
                assertTrue(ended.err().contains("Drop /openai"), ended::toString);
                assertTrue(
                        ended.err().contains("set providers.gemini.protocol: openai-chat"),
                        ended::toString);
            }
            assertEquals(0, server.requests().size());

            world.inside(
                    "models", "test", words[0], words[1], words[2], "--protocol", "openai-chat");
            String asked = "POST /v1beta/openai/chat/completions ";
            assertTrue(server.lastRequest().head().startsWith(asked), server.lastRequest().head());
        }
    }

    @Test
    @DisplayName("the limit of a reply has the name that the vendor knows")
    void nameOfTheLimit() {
        try (RawServer server = RawServer.start(RawServer.events(ANSWER));
                var world = World.withoutModel().llm("max_output_tokens: 77")) {
            for (String model : new String[] {"azure/mine", "vllm/qwen"}) {
                world.inside("run", "-m", model, "--base-url", server.url() + "/v1", "go");
            }

            String azure = server.requests().get(0).text();
            assertTrue(azure.contains("\"max_completion_tokens\":77"), azure);
            assertFalse(azure.contains("\"max_tokens\""), azure);
            String other = server.requests().get(1).text();
            assertTrue(other.contains("\"max_tokens\":77"), other);
        }
    }
}
