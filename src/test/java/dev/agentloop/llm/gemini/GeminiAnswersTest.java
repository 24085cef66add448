package dev.agentloop.llm.gemini;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.llm.AdapterFixture;
import dev.agentloop.llm.FinishReason;
import dev.agentloop.llm.LlmException.BrokenReply;
import dev.agentloop.llm.LlmException.ContextOverflow;
import dev.agentloop.llm.LlmException.Unauthorized;
import dev.agentloop.llm.LlmException.Unavailable;
import dev.agentloop.llm.LlmResponse;
import dev.agentloop.message.Usage;
import dev.agentloop.testing.RawServer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers that only this protocol knows. */
@Timeout(30)
final class GeminiAnswersTest extends AdapterFixture {

    GeminiAnswersTest() {
        super(new GeminiSubject());
    }

    @ParameterizedTest
    @ValueSource(strings = {"SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII"})
    void aFilterOfTheAnswerIsARefusalWithItsReason(String reason) {
        LlmResponse reply = ask(wire().text("I") + wire().finish(reason, USAGE));

        assertEquals(FinishReason.REFUSAL, reply.finish());
        assertTrue(heard.warnings.getFirst().contains(reason), heard.warnings.toString());
    }

    @Test
    void aBlockedPromptIsARefusalWithItsReason() {
        LlmResponse reply =
                ask(
                        GeminiWire.event(
                                "{\"promptFeedback\":{\"blockReason\":\"PROHIBITED_CONTENT\"},"
                                        + "\"usageMetadata\":{\"promptTokenCount\":9}}"));

        assertEquals(FinishReason.REFUSAL, reply.finish());
        assertEquals(
                List.of("the provider refused the prompt: PROHIBITED_CONTENT"), heard.warnings);
        assertEquals(9, reply.usage().input());
    }

    @ParameterizedTest(name = "{0} is worth {1} more attempts")
    @CsvSource({"MALFORMED_FUNCTION_CALL,2147483647", "UNEXPECTED_TOOL_CALL,1"})
    void aCallThatIsNone(String reason, int attempts) {
        BrokenReply failure =
                fails(
                        BrokenReply.class,
                        RawServer.events(wire().text("x") + wire().finish(reason, USAGE)));

        assertEquals(attempts, failure.worthwhileRetries());
    }

    @Test
    @DisplayName("counts are for all so far: the last one that is told holds")
    void usageIsCumulative() {
        String first =
                "{\"usageMetadata\":{\"promptTokenCount\":169,\"thoughtsTokenCount\":30,"
                        + "\"candidatesTokenCount\":1}}";
        String last =
                "{\"candidates\":[{\"finishReason\":\"STOP\"}],\"usageMetadata\":{\"prompt"
                        + "TokenCount\":79,\"candidatesTokenCount\":12}}";
        LlmResponse reply =
                ask(wire().text("hi") + GeminiWire.event(first) + GeminiWire.event(last));

        assertEquals(new Usage(79, 42, 0, 0, 30, false), reply.usage());
    }

    @Test
    @DisplayName("a call without arguments has an empty object of them")
    void callWithoutArguments() {
        LlmResponse reply = ask(wire().call(0, "f", "now") + wire().finish("STOP", USAGE));

        assertEquals(List.of("{}"), arguments(reply));
    }

    @Test
    @DisplayName("arguments that come value by value are put together")
    void argumentsInPieces() {
        String stream =
                call("\"id\":\"f\",\"name\":\"cook\",\"willContinue\":true")
                        + piece("$.a.list[0].name", "\"stringValue\":\"Egg\",\"willContinue\":true")
                        + piece("$.a.list[0].name", "\"stringValue\":\"s\"")
                        + call("\"willContinue\":true")
                        + piece("$.a.list[1].name", "\"stringValue\":\"Salt\"")
                        + piece("$.a.list[1].name", "\"stringValue\":\"Oil\"")
                        + piece("$.n", "\"numberValue\":1.5")
                        + piece("$['odd key']", "\"boolValue\":true")
                        + piece("$.none", "\"nullValue\":null")
                        + call("")
                        + wire().call(1, "g", "now", "{\"b\":2}")
                        + wire().finish("STOP", USAGE);

        assertEquals(
                List.of(
                        "{\"a\":{\"list\":[{\"name\":\"Eggs\"},{\"name\":\"Oil\"}]},\"n\":1.5,"
                                + "\"odd key\":true,\"none\":null}",
                        "{\"b\":2}"),
                arguments(ask(stream)));
    }

    @ParameterizedTest(name = "the path ''{0}'' is refused")
    @ValueSource(strings = {"", "$", "a", "$x", "$.a[", "$.a[-1]", "$[0]", "$.a[1]", "$.s.b", "D"})
    void argumentsWithAPathOfNoSense(String path) {
        String shown = path.equals("D") ? "$" + ".a".repeat(101) : path;
        String stream =
                call("\"name\":\"t\",\"willContinue\":true")
                        + piece("$.s", "\"stringValue\":\"x\"")
                        + piece(shown, "\"stringValue\":\"x\"")
                        + call("")
                        + wire().finish("STOP", USAGE);

        fails(BrokenReply.class, RawServer.events(stream));
    }

    @Test
    void aReplyThatEndsWithinACallIsBroken() {
        String stream = call("\"name\":\"t\",\"willContinue\":true") + wire().finish("STOP", USAGE);

        fails(BrokenReply.class, RawServer.events(stream));
    }

    @Test
    @Tag("A13")
    @DisplayName("a delay in the error itself counts as Retry-After does")
    void retryDelay() {
        String error =
                """
                {"error":{"code":429,"message":"You exceeded your current quota, please check \
                your plan and billing details.","status":"RESOURCE_EXHAUSTED","details":[\
                {"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{}]},\
                {"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"13.5s"}]}}\
                """;
        Optional<Duration> wait = Optional.of(Duration.ofMillis(13_500));

        for (RawServer.Script script :
                List.of(
                        RawServer.answer(429, JSON, error),
                        RawServer.answer(429, JSON, "[" + error + "]"),
                        RawServer.events(wire().text("x") + GeminiWire.event(error)))) {
            assertEquals(wait, fails(Unavailable.class, script).retryAfter());
        }
        String header = JSON + "Retry-After: 2\r\n";
        assertEquals(
                Optional.of(Duration.ofSeconds(2)),
                fails(Unavailable.class, RawServer.answer(429, header, error)).retryAfter());
    }

    @Test
    @Tag("A10")
    @DisplayName("a wrong key is told with status 400, and is still a wrong key")
    void wrongKey() {
        String error =
                """
                {"error":{"code":400,"message":"API key not valid. Please pass a valid API key.",\
                "status":"INVALID_ARGUMENT","details":[{"reason":"API_KEY_INVALID"}]}}\
                """;
        Unauthorized failure = fails(Unauthorized.class, RawServer.answer(400, JSON, error));

        assertEquals(
                "HTTP 400 from "
                        + peer()
                        + ": API key not valid. Please pass a valid API key."
                        + ". The key came from CANARY_API_KEY",
                failure.getMessage());
    }

    @Test
    void aPromptThatIsTooLong() {
        String error =
                GeminiWire.error(
                        400,
                        "INVALID_ARGUMENT",
                        "The input token count (1048577) exceeds the maximum number of tokens"
                                + " allowed (1048576).");

        fails(ContextOverflow.class, RawServer.answer(400, JSON, error));
    }

    @Test
    @Tag("A47")
    @DisplayName("a stream that comes as one list is read, and an error in it is found")
    void oneList() {
        String first = "{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"Hel\"}]}}]}";
        String last =
                "{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"lo\"}]},"
                        + "\"finishReason\":\"STOP\"}]}";
        String list = "[" + first + "," + last + "]";

        assertEquals("Hello", askWhole(list).message().text());
        fails(BrokenReply.class, RawServer.answer(200, JSON, "[" + first + "]"));
        fails(
                Unavailable.class,
                RawServer.answer(
                        200, JSON, "[" + GeminiWire.error(503, "UNAVAILABLE", "busy") + "]"));
    }

    private static String call(String members) {
        return GeminiWire.part("{\"functionCall\":{" + members + "}}");
    }

    private static String piece(String path, String value) {
        return call(
                "\"partialArgs\":[{\"jsonPath\":\""
                        + path
                        + "\","
                        + value
                        + "}],\"willContinue\":true");
    }
}
