package dev.agentloop.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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

/** What a server of the web can do to us, or make us do, if it wants to. */
@Timeout(60)
class HostileSiteTest {
    private static final String EVENTS = "text/event-stream";
    private static final byte[] ALIVE = ": still here\n\n".getBytes(StandardCharsets.UTF_8);

    @TempDir Path workspace;

    private McpServer server(FakeSite site, Map<String, String> headers, Duration callTimeout) {
        ServerSpec given = site.spec(headers, Optional.of("token-1"));
        ServerSpec spec = new ServerSpec("fake", given.way(), List.of(), callTimeout);
        return FakeServer.server(spec, new ProcessRunner(Map.of(), List.of()), workspace);
    }

    private McpServer started(FakeSite site, Duration callTimeout) throws McpException {
        McpServer server = server(site, Map.of(), callTimeout);
        server.start(Duration.ofSeconds(5), new Cancellation());
        return server;
    }

    private ToolResult call(McpServer server) {
        return ToolFixture.with(workspace, server.tools()).call("mcp__fake__echo", "text", "hello");
    }

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("mcp http"))
                .count();
    }

    @Test
    @Tag("D79")
    @DisplayName("a call whose connection breaks is not made again: it may have had its effect")
    void onceOnly() throws Exception {
        FakeSite.Answering breaking =
                asked -> {
                    boolean call = asked.method().equals("tools/call");
                    if (call) {
                        asked.exchange().close();
                    }
                    return call;
                };
        try (var site = new FakeSite(breaking);
                var server = started(site, Duration.ofSeconds(5))) {
            assertEquals(ToolResult.Kind.ERROR, call(server).kind());
            assertEquals(1, site.asked("tools/call").size());
        }
    }

    @Test
    @Tag("D78")
    @DisplayName("pages without end, each in time, do not stretch the start")
    void slowPages() throws Exception {
        AtomicInteger pages = new AtomicInteger();
        FakeSite.Answering paging =
                asked -> {
                    if (!asked.method().equals("tools/list")) {
                        return false;
                    }
                    wait(300);
                    asked.result(
                            "{\"tools\":[],\"nextCursor\":\"" + pages.incrementAndGet() + "\"}");
                    return true;
                };
        try (var site = new FakeSite(paging);
                var server = server(site, Map.of(), Duration.ofSeconds(5))) {
            McpException failed =
                    assertThrows(
                            McpException.class,
                            () -> server.start(Duration.ofSeconds(1), new Cancellation()));
            assertEquals("it did not answer tools/list within 1 s", failed.problem());
            assertTrue(pages.get() < 6, pages::toString);
        }
    }

    @Test
    @Tag("D78")
    @DisplayName("a server that holds back its word to our greeting fails within the start")
    void heldGreeting() throws Exception {
        FakeSite.Answering holding =
                asked -> {
                    boolean greeting = asked.method().equals("notifications/initialized");
                    if (greeting) {
                        wait(3_000);
                    }
                    return false;
                };
        try (var site = new FakeSite(holding);
                var server = server(site, Map.of(), Duration.ofSeconds(5))) {
            long begin = System.nanoTime();
            McpException failed =
                    assertThrows(
                            McpException.class,
                            () -> server.start(Duration.ofMillis(500), new Cancellation()));
            assertTrue(failed.problem().contains("notifications/initialized"), failed::problem);
            assertTrue(System.nanoTime() - begin < Duration.ofSeconds(2).toNanos());
        }
    }

    @Test
    @Tag("D79")
    @DisplayName("retry 0 and new ids without a message do not make us ask again at once")
    void noBrake() throws Exception {
        AtomicInteger streams = new AtomicInteger();
        FakeSite.Answering nagging =
                asked -> {
                    boolean get = asked.httpMethod().equals("GET");
                    if (get) {
                        asked.answer(200, EVENTS, emptyEvent(streams.incrementAndGet()));
                    }
                    return get;
                };
        try (var site = new FakeSite(nagging);
                var _ = started(site, Duration.ofSeconds(5))) {
            Thread.sleep(1_200);
            assertTrue(streams.get() <= 4, streams::toString);
        }
    }

    private static String emptyEvent(int id) {
        return "id: e-" + id + "\nretry: 0\ndata:\n\n";
    }

    @Test
    @Tag("D79")
    @DisplayName("a call that was given up is not followed any further")
    void givenUp() throws Exception {
        AtomicInteger streams = new AtomicInteger();
        FakeSite.Answering putOff =
                asked -> {
                    boolean call = asked.method().equals("tools/call");
                    boolean rest = !asked.header("Last-Event-ID").isEmpty();
                    if (call || rest) {
                        asked.answer(200, EVENTS, emptyEvent(streams.incrementAndGet()));
                    }
                    return call || rest;
                };
        try (var site = new FakeSite(putOff);
                var server = started(site, Duration.ofMillis(700))) {
            assertTrue(call(server).text().contains("did not answer tools/call within 0.7 s"));
            Thread.sleep(200); // a request that was on its way arrives
            int then = streams.get();
            Thread.sleep(1_200);
            assertEquals(then, streams.get());
        }
    }

    @Test
    @Tag("D79")
    @DisplayName("a flood of pings whose answers nobody takes holds few threads, and none after")
    void pings() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        FakeSite.Answering asking =
                asked -> {
                    if (asked.message().has("result")) {
                        await(over);
                        return true;
                    }
                    if (!asked.method().equals("tools/call")) {
                        return false;
                    }
                    StringBuilder events = new StringBuilder();
                    for (int i = 0; i < 900; i++) {
                        events.append("data: {\"jsonrpc\":\"2.0\",\"id\":").append(i);
                        events.append(",\"method\":\"ping\"}\n\n");
                    }
                    events.append("data: ").append(asked.response(FakeSite.text("done")));
                    asked.answer(200, EVENTS, events.append("\n\n").toString());
                    return true;
                };
        try (var site = new FakeSite(asking)) {
            long before = threads();
            var server = started(site, Duration.ofSeconds(20));
            assertEquals("done", call(server).text());
            assertTrue(threads() - before < 10, () -> threads() + " threads");
            server.close();
            for (int i = 0; i < 100 && threads() > before; i++) {
                Thread.sleep(20);
            }
            assertTrue(threads() <= before, () -> threads() + " threads");
            over.countDown();
        }
    }

    @Test
    @Tag("D79")
    @DisplayName("a stream for news that is open for long is closed with the server")
    void longStream() throws Exception {
        CountDownLatch gone = new CountDownLatch(1);
        FakeSite.Answering streaming =
                asked -> {
                    if (!asked.httpMethod().equals("GET")) {
                        return false;
                    }
                    asked.header("Content-Type", EVENTS);
                    asked.exchange().sendResponseHeaders(200, 0);
                    try {
                        while (true) {
                            asked.exchange().getResponseBody().write(ALIVE);
                            asked.exchange().getResponseBody().flush();
                            wait(50);
                        }
                    } finally {
                        gone.countDown();
                    }
                };
        try (var site = new FakeSite(streaming)) {
            var server = started(site, Duration.ofSeconds(5));
            for (int i = 0; i < 130; i++) {
                assertEquals("echoed", call(server).text());
            }
            server.close();
            assertTrue(gone.await(5, TimeUnit.SECONDS));
        }
    }

    @Test
    @Tag("D79")
    @DisplayName("an id of an event that could be no header is as if it was not there")
    void oddEventId() throws Exception {
        FakeSite.Answering odd =
                asked -> {
                    boolean call = asked.method().equals("tools/call");
                    if (call) {
                        asked.answer(200, EVENTS, "id: \u00e9\nretry: 1\ndata:\n\n");
                    }
                    return call;
                };
        try (var site = new FakeSite(odd);
                var server = started(site, Duration.ofSeconds(5))) {
            assertTrue(call(server).text().contains("its answer ended early"));
        }
    }

    @Test
    @Tag("D79")
    @DisplayName("a line end at the end of a header is left out, one inside fails without it")
    void headers() throws Exception {
        try (var site = new FakeSite(_ -> false)) {
            Duration patience = Duration.ofSeconds(5);
            try (var server = server(site, Map.of("X-Api-Key", "sk-secret\r\n"), patience)) {
                server.start(patience, new Cancellation());
            }
            assertEquals("sk-secret", site.asked("initialize").getFirst().header("X-Api-Key"));
            try (var server = server(site, Map.of("X-Api-Key", "sk-secret\nX-B: 1"), patience)) {
                McpException failed =
                        assertThrows(
                                McpException.class,
                                () -> server.start(patience, new Cancellation()));
                assertTrue(failed.problem().contains("X-Api-Key"), failed::problem);
                assertFalse(failed.problem().contains("sk-secret"), failed::problem);
            }
        }
    }

    private static void wait(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
