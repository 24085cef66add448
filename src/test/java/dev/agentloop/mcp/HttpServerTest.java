package dev.agentloop.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.control.Cancellation;
import dev.agentloop.mcp.channel.McpException;
import dev.agentloop.mcp.channel.ServerSpec;
import dev.agentloop.message.ToolResult;
import dev.agentloop.process.ProcessRunner;
import dev.agentloop.testing.ToolFixture;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server of the web: sessions, streams that end early, and those that lead elsewhere. */
@Timeout(60)
class HttpServerTest {
    @TempDir Path workspace;

    private McpServer server(ServerSpec spec) {
        return FakeServer.server(spec, new ProcessRunner(Map.of(), List.of()), workspace);
    }

    private McpServer started(FakeSite site) throws McpException {
        McpServer server = server(site.spec(Map.of("X-Team", "blue"), Optional.of("token-1")));
        server.start(Duration.ofSeconds(5), new Cancellation());
        return server;
    }

    private ToolResult call(McpServer server) {
        return ToolFixture.with(workspace, server.tools()).call("mcp__fake__echo", "text", "hello");
    }

    @Test
    @DisplayName("each request carries session, version, headers and token; the end says goodbye")
    void session() throws Exception {
        try (var site = new FakeSite(_ -> false)) {
            try (var server = started(site)) {
                assertEquals("echoed", call(server).text());
            }
            FakeSite.Asked call = site.asked("tools/call").getFirst();
            assertEquals("session-1", call.header("Mcp-Session-Id"));
            assertEquals("2025-11-25", call.header("MCP-Protocol-Version"));
            assertEquals("blue", call.header("X-Team"));
            assertEquals("Bearer token-1", call.header("Authorization"));
            assertEquals(1, site.asked("notifications/initialized").size());
            assertEquals(1, site.asked("DELETE").size());
        }
    }

    @Test
    @DisplayName("an answer in a stream may come after requests and notices of the server")
    void stream() throws Exception {
        FakeSite.Answering streaming =
                asked -> {
                    if (!asked.method().equals("tools/call")) {
                        return false;
                    }
                    asked.answer(
                            200,
                            "text/event-stream",
                            FakeSite.events(
                                    ": hello",
                                    "data: {\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"ping\"}",
                                    "event: message\ndata: {\"jsonrpc\":\"2.0\",\n"
                                            + "data: \"method\":\"notifications/message\"}",
                                    "data: " + asked.response(FakeSite.text("streamed"))));
                    return true;
                };
        try (var site = new FakeSite(streaming);
                var server = started(site)) {
            assertEquals("streamed", call(server).text());
            for (int i = 0;
                    i < 100 && site.asked("").stream().noneMatch(HttpServerTest::isPong);
                    i++) {
                Thread.sleep(20);
            }
            assertTrue(site.asked("").stream().anyMatch(HttpServerTest::isPong));
        }
    }

    @Test
    @DisplayName("an answer that got lost on its way to the server is sent once more")
    void answeredAgain() throws Exception {
        AtomicInteger lost = new AtomicInteger();
        CountDownLatch heard = new CountDownLatch(1);
        FakeSite.Answering asking =
                asked -> {
                    if (isPong(asked)) {
                        if (lost.getAndIncrement() == 0) {
                            asked.exchange().close(); // without a word
                            return true;
                        }
                        heard.countDown();
                        return false;
                    }
                    if (!asked.method().equals("tools/call")) {
                        return false;
                    }
                    String ping = "data: {\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"ping\"}";
                    asked.begin("text/event-stream", FakeSite.events(ping));
                    asked.end(heard(heard) ? FakeSite.events(echoed(asked)) : "");
                    return true;
                };
        try (var site = new FakeSite(asking);
                var server = started(site)) {
            assertEquals("after the answer", call(server).text());
            assertEquals(2, lost.get());
        }
    }

    @Test
    @DisplayName("an answer that the server has refused is not sent again")
    void notSentAgain() throws Exception {
        AtomicInteger pongs = new AtomicInteger();
        FakeSite.Answering refusing =
                asked -> {
                    if (isPong(asked)) {
                        pongs.getAndIncrement();
                        asked.answer(500, "text/plain", "no");
                        return true;
                    }
                    if (!asked.method().equals("tools/call")) {
                        return false;
                    }
                    String ping = "data: {\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"ping\"}";
                    asked.begin("text/event-stream", FakeSite.events(ping));
                    for (int i = 0; i < 100 && pongs.get() == 0; i++) {
                        pause(20);
                    }
                    pause(300); // for another one
                    asked.end(FakeSite.events(echoed(asked)));
                    return true;
                };
        try (var site = new FakeSite(refusing);
                var server = started(site)) {
            assertEquals("after the answer", call(server).text());
            assertEquals(1, pongs.get());
        }
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String echoed(FakeSite.Asked asked) {
        return "data: " + asked.response(FakeSite.text("after the answer"));
    }

    private static boolean heard(CountDownLatch latch) {
        try {
            return latch.await(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static boolean isPong(FakeSite.Asked asked) {
        return asked.message().has("result") && asked.message().at("id").asLong() == 0;
    }

    @Test
    @DisplayName(
            "a stream that ends early is taken up again where it ended, after the time it says")
    void resumed() throws Exception {
        AtomicInteger times = new AtomicInteger();
        StringBuilder answer = new StringBuilder();
        long[] ended = new long[2];
        FakeSite.Answering dropping =
                asked -> {
                    if (asked.method().equals("tools/call")) {
                        answer.append(asked.response(FakeSite.text("the rest")));
                        String begin = FakeSite.events("id: e-1\nretry: 300\ndata: ");
                        ended[0] = System.nanoTime();
                        asked.answer(200, "text/event-stream", begin);
                        return true;
                    }
                    if (asked.httpMethod().equals("GET")
                            && asked.header("Last-Event-ID").equals("e-1")) {
                        ended[1] = System.nanoTime();
                        boolean first = times.getAndIncrement() == 0;
                        String rest =
                                first ? ": nothing yet\n\n" : "id: e-2\ndata: " + answer + "\n\n";
                        asked.answer(200, "text/event-stream", rest);
                        return true;
                    }
                    return false;
                };
        try (var site = new FakeSite(dropping);
                var server = started(site)) {
            assertEquals("the rest", call(server).text());
            assertEquals(2, times.get());
            assertTrue(ended[1] - ended[0] >= Duration.ofMillis(600).toNanos());
        }
    }

    @Test
    @DisplayName(
            "a session that the server has forgotten is begun anew, and the call is made again")
    void forgotten() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        FakeSite.Answering forgetful =
                asked -> {
                    if (asked.method().equals("tools/call") && calls.getAndIncrement() == 0) {
                        asked.answer(404, "", "");
                        return true;
                    }
                    if (asked.method().equals("initialize") && calls.get() > 0) {
                        asked.header("Mcp-Session-Id", "session-2");
                        asked.result(
                                "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}}}");
                        return true;
                    }
                    return false;
                };
        try (var site = new FakeSite(forgetful);
                var server = started(site)) {
            assertEquals("echoed", call(server).text());
            assertEquals(2, site.asked("initialize").size());
            assertEquals(2, site.asked("notifications/initialized").size());
            assertEquals("session-2", site.asked("tools/call").getLast().header("Mcp-Session-Id"));
        }
    }

    @Test
    @Tag("D79")
    @DisplayName("a redirect to another server is not followed, and it gets no token")
    void redirected() throws Exception {
        try (var other = new FakeSite(_ -> false)) {
            FakeSite.Answering elsewhere =
                    asked -> {
                        asked.header("Location", other.url().toString());
                        asked.answer(307, "", "");
                        return true;
                    };
            try (var site = new FakeSite(elsewhere);
                    var server = server(site.spec(Map.of(), Optional.of("token-1")))) {
                McpException failed =
                        assertThrows(
                                McpException.class,
                                () -> server.start(Duration.ofSeconds(5), new Cancellation()));
                assertTrue(failed.problem().contains("redirects to " + other.url()));
            }
            assertTrue(other.asked().isEmpty());
        }
    }

    @Test
    @Tag("D79")
    @DisplayName("a redirect on the same server is followed with the same request")
    void movedOnTheServer() throws Exception {
        FakeSite.Answering moved =
                asked -> {
                    if (asked.exchange().getRequestURI().getPath().equals("/mcp")
                            && asked.httpMethod().equals("POST")) {
                        asked.header("Location", "/mcp/");
                        asked.answer(308, "", "");
                        return true;
                    }
                    return false;
                };
        try (var site = new FakeSite(moved);
                var server = started(site)) {
            assertEquals("echoed", call(server).text());
        }
    }

    @Test
    @Tag("D79")
    @DisplayName("an endless answer is cut at 8 MB, an endless stream by the time of the call")
    void endless() throws Exception {
        FakeSite.Answering flooding =
                asked -> {
                    if (!asked.method().equals("tools/call")) {
                        return false;
                    }
                    asked.header("Content-Type", "application/json");
                    asked.exchange().sendResponseHeaders(200, 0);
                    byte[] much = "x".repeat(1 << 20).getBytes(StandardCharsets.UTF_8);
                    while (true) { // until the client hangs up
                        asked.exchange().getResponseBody().write(much);
                    }
                };
        try (var site = new FakeSite(flooding);
                var server = started(site)) {
            ToolResult cut = call(server);
            assertTrue(cut.text().contains("more than 8 MB"), cut::text);
        }
    }

    @Test
    @Tag("D79")
    @DisplayName("a server that a project names must be public")
    void projectServer() throws Exception {
        try (var site = new FakeSite(_ -> false)) {
            var spec =
                    new ServerSpec(
                            "fake",
                            new ServerSpec.Remote(
                                    site.url(),
                                    Map.of(),
                                    Optional.empty(),
                                    ServerSpec.Client.UNKNOWN,
                                    false),
                            List.of(),
                            Duration.ofSeconds(5));
            try (var server = server(spec)) {
                McpException failed =
                        assertThrows(
                                McpException.class,
                                () -> server.start(Duration.ofSeconds(5), new Cancellation()));
                assertTrue(failed.problem().contains("no public address"), failed::problem);
            }
            assertTrue(site.asked().isEmpty());
        }
    }

    @Test
    @DisplayName(
            "a refusal without a way in, an error and an answer that is no JSON fail the start")
    void refused() throws Exception {
        Map<Integer, String> expected =
                Map.of(
                        401,
                        "does not accept the token",
                        500,
                        "HTTP 500: out of order",
                        200,
                        "not JSON");
        for (var entry : expected.entrySet()) {
            FakeSite.Answering refusing =
                    asked -> {
                        asked.answer(entry.getKey(), "text/plain", "out of order");
                        return true;
                    };
            try (var site = new FakeSite(refusing);
                    var server = server(site.spec(Map.of(), Optional.of("token-1")))) {
                McpException failed =
                        assertThrows(
                                McpException.class,
                                () -> server.start(Duration.ofSeconds(5), new Cancellation()));
                assertTrue(failed.problem().contains(entry.getValue()), failed::problem);
            }
        }
    }
}
