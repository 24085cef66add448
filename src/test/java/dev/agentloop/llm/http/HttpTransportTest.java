package dev.agentloop.llm.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.control.Cancellation;
import dev.agentloop.control.Cause;
import dev.agentloop.control.SystemTime;
import dev.agentloop.llm.LlmException;
import dev.agentloop.llm.LlmListener;
import dev.agentloop.llm.LlmRequest;
import dev.agentloop.llm.LlmResponse;
import dev.agentloop.llm.ModelInfo;
import dev.agentloop.llm.openai.OpenAiChatAdapter;
import dev.agentloop.llm.provider.ProviderEndpoint;
import dev.agentloop.message.Message;
import dev.agentloop.testing.RawServer;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import okhttp3.Dns;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(20)
final class HttpTransportTest {
    private static final String KEY = "sk-canary-Zm9v/YmFy+123456";
    private static final String ANSWER =
            "data: {\"choices\":[{\"delta\":{\"content\":\"hi\"},\"finish_reason\":\"stop\"}]}\n\n"
                    + "data: [DONE]\n\n";
    private static final HttpLimits LIMITS =
            new HttpLimits(
                    Duration.ofMillis(700),
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(5),
                    1 << 20,
                    1 << 20);

    private final RawServer server = RawServer.start(RawServer.events(ANSWER));
    private final Cancellation cancellation = new Cancellation();

    @AfterEach
    void stop() {
        server.close();
    }

    private LlmResponse ask(String baseUrl, Map<String, String> environment, Dns names) {
        HttpTransport transport =
                new HttpTransport(
                        new SystemTime(), environment, LIMITS, () -> TrustedCas.SYSTEM, names);
        ProviderEndpoint endpoint =
                new ProviderEndpoint("p", baseUrl, KEY, "CANARY", Map.of("X-Team", "blue-team"));
        try (OpenAiChatAdapter adapter =
                new OpenAiChatAdapter(endpoint, new ModelInfo("p", "m", 0, 0), transport)) {
            LlmRequest request =
                    new LlmRequest(List.of(new Message.User("x")), List.of(), true, 0, true);
            return adapter.complete(request, LlmListener.NONE, cancellation);
        }
    }

    private String at(String host) {
        return "http://" + host + ":" + server.port() + "/v1";
    }

    @ParameterizedTest
    @ValueSource(strings = {"http", "https"})
    @Tag("A04")
    @DisplayName("a name server that never answers does not hold the call beyond its limit")
    void stalledNameServer(String scheme) {
        String address = at("slow.test").replace("http:", scheme + ":");
        LlmException.Unavailable failure =
                assertThrows(
                        LlmException.Unavailable.class, () -> ask(address, Map.of(), stalled()));

        assertTrue(
                failure.getMessage().startsWith("cannot resolve slow.test:"), failure.getMessage());
    }

    @Test
    @Tag("A04")
    @DisplayName("nor beyond a cancellation")
    void cancelledWhileTheNameServerStalls() {
        new SystemTime()
                .alarm(
                        Duration.ofMillis(200),
                        () -> cancellation.cancel(new Cause.Interrupt("INT")));
        long start = System.nanoTime();
        assertThrows(LlmException.Cancelled.class, () -> ask(at("slow.test"), Map.of(), stalled()));
        long millis = (System.nanoTime() - start) / 1_000_000;

        assertTrue(millis < 600, millis + " ms");
    }

    @Test
    @Tag("A05")
    @DisplayName("of two addresses the one that works is used, with one request")
    void secondAddress() throws UnknownHostException {
        List<InetAddress> both =
                List.of(InetAddress.ofLiteral("127.0.0.9"), InetAddress.ofLiteral("127.0.0.1"));

        assertEquals("hi", ask(at("two.test"), Map.of(), _ -> both).message().text());
        assertEquals(1, server.requests().size());
    }

    @Test
    @Tag("A08")
    @DisplayName("https to a plain server: 'not a TLS server'")
    void plainServer() {
        long start = System.nanoTime();
        RawServer plain = RawServer.start(RawServer.answer(400, "", "this is plain HTTP"));
        LlmException.Unavailable failure =
                assertThrows(
                        LlmException.Unavailable.class,
                        () -> ask("https://127.0.0.1:" + plain.port(), Map.of(), Dns.SYSTEM));

        long millis = (System.nanoTime() - start) / 1_000_000;
        assertTrue(failure.getMessage().contains("not a TLS server"), failure.getMessage());
        assertTrue(millis < 3_000, millis + " ms; a connection may take 700 ms");
    }

    @Test
    void theKeyAndOwnHeadersGoWithTheRequest() {
        ask(at("127.0.0.1"), Map.of(), Dns.SYSTEM);

        assertEquals("Bearer " + KEY, server.lastRequest().header("Authorization"));
        assertEquals("blue-team", server.lastRequest().header("X-Team"));
        assertEquals("application/json", server.lastRequest().header("Content-Type"));
        assertTrue(server.lastRequest().head().startsWith("POST /v1/chat/completions HTTP/1.1"));
    }

    @Test
    @Tag("A66")
    @DisplayName("a proxy gets the request, its own password, and no name lookup happens")
    void throughAProxy() {
        Map<String, String> environment =
                Map.of("HTTP_PROXY", "http://me:secret@127.0.0.1:" + server.port());
        ask(
                "http://api.test/v1",
                environment,
                host -> {
                    if (host.equals("127.0.0.1")) {
                        return Dns.SYSTEM.lookup(host);
                    }
                    throw new UnknownHostException(host);
                });

        RawServer.Request request = server.lastRequest();
        assertTrue(request.head().startsWith("POST http://api.test/v1/chat/completions "));
        assertEquals("Basic bWU6c2VjcmV0", request.header("Proxy-Authorization"));
    }

    @Test
    @Tag("A67")
    @DisplayName("a proxy that refuses is named as the proxy")
    void proxyRefuses() {
        server.then(RawServer.answer(407, "Proxy-Authenticate: Basic\r\n", "no"));
        Map<String, String> environment = Map.of("HTTP_PROXY", "http://127.0.0.1:" + server.port());
        LlmException.Unauthorized failure =
                assertThrows(
                        LlmException.Unauthorized.class,
                        () -> ask("http://api.test/v1", environment, Dns.SYSTEM));

        assertEquals(
                "HTTP 407 from proxy 127.0.0.1:" + server.port() + ": no", failure.getMessage());
    }

    @Test
    @Tag("A66")
    @DisplayName("a proxy that is down is named without its user and password")
    void proxyIsDown() {
        Map<String, String> environment = Map.of("HTTPS_PROXY", "http://me:secret@127.0.0.1:1");
        LlmException failure =
                assertThrows(
                        LlmException.Unavailable.class,
                        () -> ask("https://api.test/v1", environment, Dns.SYSTEM));

        assertEquals(
                "proxy 127.0.0.1:1 (on the way to api.test:443): connection refused",
                failure.getMessage());
    }

    @Test
    @Tag("A67")
    @DisplayName("a proxy that answers CONNECT with 502, HTML or 407 is named as the proxy")
    void proxyRefusesATunnel() {
        String proxy = "127.0.0.1:" + server.port();
        Map<String, String> environment = Map.of("HTTPS_PROXY", "http://" + proxy);
        server.then(RawServer.answer(502, "", "bad gateway"));
        LlmException bad =
                assertThrows(
                        LlmException.Unavailable.class,
                        () -> ask("https://api.test/v1", environment, Dns.SYSTEM));
        assertTrue(bad.getMessage().startsWith("proxy " + proxy + " (on the way to api.test:443)"));

        server.then(RawServer.answer(200, "Content-Type: text/html\r\n", "<html>login</html>"));
        LlmException html =
                assertThrows(
                        LlmException.Unavailable.class,
                        () -> ask("https://api.test/v1", environment, Dns.SYSTEM));
        assertTrue(html.getMessage().contains("proxy " + proxy), html.getMessage());

        server.then(RawServer.answer(407, "Proxy-Authenticate: Basic\r\n", ""));
        LlmException refused =
                assertThrows(
                        LlmException.Unauthorized.class,
                        () -> ask("https://api.test/v1", environment, Dns.SYSTEM));
        assertTrue(refused.getMessage().startsWith("proxy " + proxy), refused.getMessage());
        for (RawServer.Request request : server.requests()) {
            assertFalse((request.head() + request.text()).contains("canary"), request.head());
        }
    }

    @Test
    void aKeyThatNoHeaderCanCarryIsNamedNotShown() {
        HttpTransport transport = new HttpTransport(new SystemTime(), Map.of(), LIMITS);
        ProviderEndpoint endpoint =
                new ProviderEndpoint(
                        "p", at("127.0.0.1"), "sk-canary-\nx-hidden", "CANARY", Map.of());
        try (OpenAiChatAdapter adapter =
                new OpenAiChatAdapter(endpoint, new ModelInfo("p", "m", 0, 0), transport)) {
            LlmRequest request = new LlmRequest(List.of(), List.of(), true, 0, true);
            LlmException.Unauthorized failure =
                    assertThrows(
                            LlmException.Unauthorized.class,
                            () -> adapter.complete(request, LlmListener.NONE, cancellation));

            assertTrue(failure.getMessage().contains("CANARY"), failure.getMessage());
            assertFalse(failure.getMessage().contains("x-hidden"), failure.getMessage());
        }
        assertFalse(endpoint.toString().contains("x-hidden"));
    }

    @Test
    void anAddressThatIsNoneIsABadRequest() {
        assertThrows(LlmException.BadRequest.class, () -> ask("nonsense", Map.of(), Dns.SYSTEM));
    }

    @Test
    void secretsGoToTheirOwnerOnly() {
        okhttp3.HttpUrl owner = okhttp3.HttpUrl.get("https://api.x/v1");
        KeyHeaders secrets = new KeyHeaders(owner, Map.of("x-api-key", KEY));
        for (String other : List.of("http://api.x/", "https://api.y/", "https://api.x:444/")) {
            okhttp3.Request request = new okhttp3.Request.Builder().url(other).build();
            assertEquals(0, secrets.addTo(request).headers().size());
        }
        okhttp3.Request own = new okhttp3.Request.Builder().url("https://api.x/v2").build();
        assertEquals(1, secrets.addTo(own).headers().size());
    }

    private static Dns stalled() {
        return _ -> {
            RawServer.pause(5_000);
            return List.of();
        };
    }
}
