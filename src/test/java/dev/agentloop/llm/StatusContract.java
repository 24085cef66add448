package dev.agentloop.llm;

import static dev.agentloop.testing.RawServer.SSE;
import static dev.agentloop.testing.RawServer.answer;
import static dev.agentloop.testing.RawServer.events;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.llm.LlmException.BadRequest;
import dev.agentloop.llm.LlmException.BrokenReply;
import dev.agentloop.llm.LlmException.ContextOverflow;
import dev.agentloop.llm.LlmException.Unauthorized;
import dev.agentloop.llm.LlmException.Unavailable;
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

/** What every adapter makes of answers that are not what was asked for. */
@Timeout(30)
public abstract class StatusContract extends AdapterFixture {
    protected StatusContract(Subject subject) {
        super(subject);
    }

    @Test
    @Tag("A09")
    @DisplayName("a 400 shows the provider's message, cleaned, and the request id")
    void badRequest() {
        String body = wire().errorBody("invalid_request_error", "no\u001b[31m such\nfield " + KEY);
        BadRequest failure =
                fails(BadRequest.class, answer(400, JSON + "x-request-id: req_9\r\n", body));

        assertEquals(
                "HTTP 400 from "
                        + peer()
                        + ": no[31m such field [redacted:CANARY_API_KEY] (request req_9)",
                failure.getMessage());
    }

    @Test
    @Tag("A09")
    @DisplayName("a long message is cut at 2 KB")
    void longMessageIsCut() {
        String body = wire().errorBody("invalid_request_error", "x".repeat(50_000));
        BadRequest failure = fails(BadRequest.class, answer(400, JSON, body));

        assertTrue(failure.getMessage().length() < 2200, failure.getMessage());
    }

    @ParameterizedTest(name = "A10 {0} names the variable that holds the key")
    @ValueSource(ints = {401, 403})
    void unauthorized(int status) {
        String body = wire().errorBody("authentication_error", "invalid x-api-key " + KEY);
        Unauthorized failure = fails(Unauthorized.class, answer(status, JSON, body));

        assertEquals(
                ("HTTP %d from %s: invalid x-api-key [redacted:CANARY_API_KEY]. The key came from"
                                + " CANARY_API_KEY")
                        .formatted(status, peer()),
                failure.getMessage());
    }

    @Test
    @Tag("A11")
    @DisplayName("a 403 with HTML hints at a proxy and shows at most 200 characters")
    void htmlFromProxy() {
        String html =
                "<html><head><title>t</title></head><body><h1>Denied</h1>"
                        + "by policy ".repeat(100)
                        + "</body></html>";
        Unauthorized failure =
                fails(Unauthorized.class, answer(403, "Content-Type: text/html\r\n", html));

        assertTrue(
                failure.getMessage()
                        .startsWith(
                                "HTTP 403 from "
                                        + peer()
                                        + ": an HTML page, from a proxy? Denied by"),
                failure.getMessage());
        assertTrue(failure.getMessage().length() < 350, failure.getMessage());
    }

    @Test
    @Tag("A12")
    @DisplayName("a 404 tells the address that was tried")
    void notFound() {
        RawServer server =
                server(answer(404, JSON, wire().errorBody("not_found_error", "model: m-1")));
        BadRequest failure = fails(BadRequest.class, at(server));

        assertTrue(failure.getMessage().contains("model: m-1"), failure.getMessage());
        assertTrue(
                failure.getMessage().contains("(tried " + server.url() + "/v1/"),
                failure.getMessage());
    }

    @ParameterizedTest(name = "A13 A14 A22 {0} may pass, and is sent once only")
    @ValueSource(ints = {408, 409, 425, 429, 500, 502, 503, 504, 529})
    void passingStatus(int status) {
        RawServer server = server(answer(status, JSON, wire().errorBody("api_error", "busy")));
        Unavailable failure = fails(Unavailable.class, at(server));

        assertEquals("HTTP " + status + " from " + peer() + ": busy", failure.getMessage());
        assertEquals(1, server.requests().size());
    }

    @ParameterizedTest(name = "A15 {0} {1} '{2}' is a context overflow")
    @CsvSource({
        "413,request_too_large,Request exceeds the maximum size",
        "400,context_length_exceeded,This model's maximum context length is 8 tokens",
        "400,invalid_request_error,prompt is too long: 210000 tokens > 200000 maximum",
        "429,request_too_large,Request too large for this model",
    })
    void contextOverflow(int status, String type, String message) {
        fails(ContextOverflow.class, answer(status, JSON, wire().errorBody(type, message)));
    }

    @ParameterizedTest(name = "A17 a 429 ''{1}'' with headers ''{0}'' passes, and is no overflow")
    @CsvSource({
        "'','Request too large for m on tokens per min (TPM): Limit 30000, Requested 40000'",
        "'','Request too large: the TPM limit is reached'",
        "'Retry-After: 2\r\n','Request too large, slow down'",
    })
    void tokensPerMinute(String headers, String message) {
        String body = wire().errorBody("rate_limit_error", message);
        fails(Unavailable.class, answer(429, JSON + headers, body));
    }

    @Test
    @Tag("A16")
    @DisplayName("a 422 is permanent")
    void unprocessable() {
        fails(BadRequest.class, answer(422, JSON, "{\"detail\":[{\"msg\":\"bad field\"}]}"));
    }

    @ParameterizedTest(name = "A17 A19 Retry-After ''{0}'' asks for {1} ms")
    @CsvSource({
        "2,2000",
        "0,0",
        "1.5,1500",
        "soon,",
        "-4,",
        "'Thu, 01 Jan 1970 00:00:00 GMT',",
        "'Wed, 21 Oct 2065 07:28:03 GMT',3000",
    })
    void retryAfter(String header, Long millis) {
        String headers =
                JSON + "Date: Wed, 21 Oct 2065 07:28:00 GMT\r\nRetry-After: " + header + "\r\n";
        Unavailable failure =
                fails(
                        Unavailable.class,
                        answer(429, headers, wire().errorBody("rate_limit_error", "slow down")));

        assertEquals(Optional.ofNullable(millis).map(Duration::ofMillis), failure.retryAfter());
    }

    @ParameterizedTest(name = "A21 {0} {1} '{2}' is permanent")
    @CsvSource({
        "429,insufficient_quota,You exceeded your current quota",
        "400,invalid_request_error,Your credit balance is too low to access the API",
        "402,payment_required,Pay first",
        "403,billing_not_active,Your account is not active",
    })
    void spentQuota(int status, String type, String message) {
        fails(BadRequest.class, answer(status, JSON, wire().errorBody(type, message)));
    }

    @Test
    @Tag("A23")
    @DisplayName("a 503 with Retry-After: 0 is not sent again behind our back")
    void noHiddenResend() {
        RawServer server = server(answer(503, "Retry-After: 0\r\n", ""), events(said("x")));
        Unavailable failure = fails(Unavailable.class, at(server));

        assertEquals(1, server.requests().size());
        assertEquals(Optional.of(Duration.ZERO), failure.retryAfter());
    }

    @Test
    @Tag("A47")
    @DisplayName("HTML, nothing, 204 and foreign JSON: 'gateway changed the response'")
    void gatewayChanged() {
        List<RawServer.Script> answers =
                List.of(
                        answer(200, "Content-Type: text/html\r\n", "<html>login</html>"),
                        answer(200, SSE, ""),
                        answer(200, JSON, ""),
                        answer(200, "", ""),
                        answer(200, JSON, "{\"status\":\"ok\"}"),
                        answer(200, "Content-Type: text/plain\r\n", "hello"),
                        (_, out) -> {
                            out.write(RawServer.head(204, ""));
                            return true;
                        });
        for (RawServer.Script answer : answers) {
            BrokenReply failure = fails(BrokenReply.class, answer);
            assertTrue(
                    failure.getMessage().startsWith("gateway changed the response ("),
                    failure.getMessage());
            assertEquals(1, failure.worthwhileRetries());
        }
    }

    @ParameterizedTest(name = "A68 a {0} to another host is not followed")
    @ValueSource(ints = {301, 302, 307, 308})
    void redirect(int status) {
        RawServer other = server(events(said("stolen")));
        BadRequest failure =
                fails(
                        BadRequest.class,
                        answer(status, "Location: " + other.url() + "/there\r\n", ""));

        assertTrue(failure.getMessage().contains(other.url() + "/there"), failure.getMessage());
        assertEquals(0, other.connections());
    }
}
