package dev.agentloop.mcp.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.control.Cancellation;
import dev.agentloop.control.Cause;
import dev.agentloop.json.JsonValue;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The protocol, with a tool that does as it is told. */
@Timeout(30)
class StdioServerTest {
    private static final String HELLO =
            "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":"
                    + "{\"protocolVersion\":\"%s\"}}\n";
    private static final StdioServer.Limits SMALL =
            new StdioServer.Limits(1_000, 2, Duration.ofMillis(700));

    private static final String CANCEL =
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":"
                    + "{\"requestId\":1}}";
    private static final Cancellation NEVER = new Cancellation();

    /** Echoes; or waits until it is cancelled. */
    private static class Echo implements ServedTool {
        private final CountDownLatch cancelled = new CountDownLatch(1);
        private final CountDownLatch released = new CountDownLatch(1);

        @Override
        public String name() {
            return "echo";
        }

        @Override
        public Map<String, Object> declaration() {
            return Map.of("name", "echo", "inputSchema", Map.of("type", "object"));
        }

        @Override
        public Map<String, Object> call(
                JsonValue arguments, Cancellation cancellation, Consumer<String> progress) {
            if (arguments.has("wait")) {
                try {
                    cancellation.await(20_000);
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                cancelled.countDown();
            }
            if (arguments.has("hold")) { // whatever is cancelled
                try {
                    released.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
            if (arguments.has("break")) {
                throw new IllegalStateException("broken");
            }
            for (int i = 0; i < 1_000; i++) {
                progress.accept("line " + i);
            }
            if (arguments.has("slow")) { // what is said of a call goes no further than its end
                LockSupport.parkNanos(Duration.ofMillis(500).toNanos());
            }
            return Map.of("echo", arguments.at("text").text());
        }
    }

    /** A client that waits for an answer before it says more. */
    private static final class Client {
        private final PipedOutputStream in = new PipedOutputStream();
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();
        private final Cancellation stop = new Cancellation();
        private final Thread server;
        private volatile StdioServer.End end;

        Client(ServedTool tool) throws IOException {
            PipedInputStream read = new PipedInputStream(in, 1 << 20);
            server =
                    new Thread(() -> {
                        try {
                            end = server(tool).serve(read, out, stop);
                        } catch (IOException e) {
                            throw new AssertionError(e);
                        }
                    });
            server.setDaemon(true);
            server.start();
            say(HELLO.formatted("2025-06-18").strip());
        }

        void say(String line) throws IOException {
            in.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            in.flush();
        }

        /** The next answer with this id. */
        String ask(int id, String arguments) throws Exception {
            long before = count(id);
            say(call(id, arguments));
            while (count(id) == before) {
                Thread.sleep(2);
            }
            return answers(id).getLast();
        }

        /** The first answer that is not about calls that have not ended. */
        String askUntilFree(int id, String arguments) throws Exception {
            String answer = ask(id, arguments);
            while (answer.contains("under way") || answer.contains("has not ended")) {
                answer = ask(id, arguments);
            }
            return answer;
        }

        private long count(int id) {
            return answers(id).size();
        }

        private List<String> answers(int id) {
            return text(out).lines().filter(line -> line.contains("\"id\":" + id + ",")).toList();
        }

        /** It goes, and the server with it. */
        void goes() throws IOException, InterruptedException {
            in.close();
            server.join();
        }
    }

    private static StdioServer server(ServedTool tool) {
        return new StdioServer(new StdioServer.Offer("1", "Help.", List.of(tool), SMALL));
    }

    /** What is answered to these lines; the client stays until there are as many answers. */
    private static List<String> answers(int count, String... lines) throws Exception {
        return answers(new Echo(), count, lines);
    }

    private static List<String> answers(Echo tool, int count, String... lines) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (var client = new PipedOutputStream();
                var in = new PipedInputStream(client, 1 << 20)) {
            client.write(
                    (HELLO.formatted("2025-06-18") + String.join("\n", lines) + "\n")
                            .getBytes(StandardCharsets.UTF_8));
            client.flush();
            Thread closer =
                    new Thread(() -> {
                        try (client) {
                            while (text(out).lines().count() < count + 1) {
                                Thread.sleep(5);
                            }
                        } catch (IOException | InterruptedException e) {
                            throw new AssertionError(e);
                        }
                    });
            closer.start();
            assertEquals(StdioServer.End.CLOSED, server(tool).serve(in, out, NEVER));
        }
        return text(out).lines().skip(1).toList();
    }

    private static String text(ByteArrayOutputStream out) {
        return out.toString(StandardCharsets.UTF_8);
    }

    private static String request(Object id, String method, String params) {
        return "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"%s\",\"params\":%s}"
                .formatted(id, method, params);
    }

    private static String call(Object id, String arguments) {
        return request(id, "tools/call", "{\"name\":\"echo\",\"arguments\":" + arguments + "}");
    }

    @Test
    @DisplayName("a known version is agreed on; for any other one ours is offered")
    void versions() throws Exception {
        // a server that agrees to 2025-03-26 must take batches
        for (String asked : List.of("2024-11-05", "2025-11-25", "1999-01-01", "2025-03-26")) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            server(new Echo())
                    .serve(
                            new ByteArrayInputStream(
                                    HELLO.formatted(asked).getBytes(StandardCharsets.UTF_8)),
                            out,
                            NEVER);
            boolean known = !List.of("1999-01-01", "2025-03-26").contains(asked);
            String agreed = known ? asked : "2025-11-25";
            assertTrue(text(out).contains("\"protocolVersion\":\"" + agreed + "\""), text(out));
        }
    }

    @Test
    @DisplayName("what is no request of JSON-RPC has an error, and the next line is read")
    void noRequests() throws Exception {
        String deep = "[".repeat(5_000);
        List<String> answers =
                answers(
                        11,
                        "garbage",
                        "\"text\"",
                        "[{}]",
                        "{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}",
                        "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}",
                        "{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}",
                        "{\"jsonrpc\":\"2.0\",\"id\":2}",
                        "x".repeat(2_000),
                        deep.substring(0, 900),
                        request(3, "tools/list", "[]"),
                        "",
                        "{\"jsonrpc\":\"2.0\",\"id\":9,\"result\":{}}",
                        "{\"jsonrpc\":\"2.0\",\"method\":\"nonsense\"}",
                        request("\"last\"", "ping", "{}"));
        assertEquals(
                List.of(
                        "-32700", "-32600", "-32600", "-32600", "-32600", "-32600", "-32600",
                        "-32700", "-32700", "-32602", ""),
                answers.stream()
                        .map(line -> line.replaceFirst(".*\"code\":(-\\d+).*", "$1"))
                        .map(line -> line.startsWith("{") ? "" : line)
                        .toList());
        assertEquals("{\"jsonrpc\":\"2.0\",\"id\":\"last\",\"result\":{}}", answers.getLast());
    }

    @Test
    @DisplayName("before initialize there are no tools, and it comes once")
    void initializeFirst() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        String lines =
                request(1, "tools/list", "{}")
                        + "\n"
                        + call(2, "{}")
                        + "\n"
                        + request(3, "ping", "{}")
                        + "\n";
        server(new Echo())
                .serve(
                        new ByteArrayInputStream(lines.getBytes(StandardCharsets.UTF_8)),
                        out,
                        NEVER);
        assertEquals(2, text(out).split("initialize comes first", -1).length - 1, text(out));
        assertTrue(text(out).contains("{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{}}"));
        assertTrue(answers(1, HELLO.formatted("x").strip()).getFirst().contains("asked already"));
    }

    @Test
    @DisplayName("wrong params, unknown tools and methods are errors; ours are internal errors")
    void errors() throws Exception {
        List<String> answers =
                answers(
                        6,
                        request(1, "tools/call", "{}"),
                        request(2, "tools/call", "{\"name\":\"echo\",\"arguments\":[]}"),
                        request(3, "tools/call", "{\"name\":\"none\"}"),
                        request(4, "resources/list", "{}"),
                        request(5, "tools/list", "{\"cursor\":\"x\"}"),
                        call(6, "{\"break\":1}"));
        assertEquals(4, answers.stream().filter(line -> line.contains("-32602")).count());
        assertEquals(1, answers.stream().filter(line -> line.contains("-32601")).count());
        assertEquals(1, answers.stream().filter(line -> line.contains("-32603")).count());
    }

    @Test
    @DisplayName("a cancelled call is stopped and not answered; one too many, or twice, is refused")
    void cancelled() throws Exception {
        Echo tool = new Echo();
        Client client = new Client(tool);
        client.say(call(1, "{\"wait\":1}"));
        assertTrue(client.ask(1, "{}").contains("the id 1 is under way"));
        client.say(call("\"b\"", "{\"wait\":1}"));
        assertTrue(client.ask(3, "{}").contains("2 calls are under way"));

        client.say(CANCEL);
        assertTrue(tool.cancelled.await(20, TimeUnit.SECONDS));
        assertEquals(
                "{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":{\"echo\":\"hi\"}}",
                client.askUntilFree(4, "{\"text\":\"hi\"}"));
        client.goes();

        String all = text(client.out);
        assertFalse(all.contains("\"b\""), "the end stops what is under way: " + all);
        assertFalse(all.contains("\"id\":1,\"result\""), all);
    }

    @Test
    @DisplayName("a cancelled call that has not ended counts, and nobody else is given its id")
    void cancelledButNotEnded() throws Exception {
        Echo tool = new Echo();
        Client client = new Client(tool);
        client.say(call(1, "{\"hold\":1}"));
        client.say(CANCEL);
        assertTrue(client.ask(1, "{}").contains("the id 1 is cancelled, and has not ended"));
        client.say(call(2, "{\"wait\":1}"));
        assertTrue(client.ask(3, "{}").contains("2 calls are under way"));

        tool.released.countDown();
        assertTrue(client.askUntilFree(1, "{\"text\":\"new\"}").contains("\"new\""));
        client.goes();

        assertFalse(text(client.out).contains("{\"echo\":\"\"}"), text(client.out));
    }

    @Test
    @DisplayName("it is told to stop: what is under way is stopped, and the client need not go")
    void stopped() throws Exception {
        Echo tool = new Echo();
        Client client = new Client(tool);
        client.say(call(1, "{\"wait\":1}"));
        client.ask(1, "{}");
        client.stop.cancel(new Cause.Abort());
        client.server.join();
        assertEquals(StdioServer.End.STOPPED, client.end);
        assertEquals(0, tool.cancelled.getCount());
    }

    @Test
    @DisplayName("what breaks while a request is read is answered under its id")
    void brokenRequest() throws Exception {
        Echo broken =
                new Echo() {
                    @Override
                    public Map<String, Object> declaration() {
                        throw new OutOfMemoryError("too much");
                    }
                };
        String answer = answers(broken, 1, request(7, "tools/list", "{}")).getFirst();
        assertTrue(answer.contains("\"id\":7,\"error\":{\"code\":-32603"), answer);
    }

    @Test
    @DisplayName("progress is told to who asked for it, not faster than a person reads")
    void progress() throws Exception {
        String params =
                "{\"name\":\"echo\",\"arguments\":{\"slow\":1},\"_meta\":{\"progressToken\":%s}}";
        List<String> answers =
                answers(
                        4,
                        request(1, "tools/call", params.formatted("\"t\"")),
                        request(2, "tools/call", params.formatted("null")),
                        request(3, "ping", "{}"));
        long told =
                answers.stream().filter(line -> line.contains("\"progressToken\":\"t\"")).count();
        assertTrue(told >= 1 && told <= 3, "of 1,000 lines: " + told); // 3: a busy machine
    }

    @Test
    @DisplayName("a client that does not read is given up; one that went away is lost output")
    void noReader() throws Exception {
        OutputStream nobody =
                new OutputStream() {
                    @Override
                    public void write(int b) throws IOException {
                        try {
                            Thread.sleep(20_000);
                        } catch (InterruptedException e) {
                            throw new IOException(e);
                        }
                    }
                };
        try (var client = new PipedOutputStream();
                var in = new PipedInputStream(client)) {
            client.write(HELLO.formatted("2025-06-18").getBytes(StandardCharsets.UTF_8));
            assertEquals(StdioServer.End.STUCK, server(new Echo()).serve(in, nobody, NEVER));
        }
        OutputStream gone = OutputStream.nullOutputStream();
        gone.close();
        try (var client = new PipedOutputStream();
                var in = new PipedInputStream(client)) {
            client.write(HELLO.formatted("2025-06-18").getBytes(StandardCharsets.UTF_8));
            assertThrows(IOException.class, () -> server(new Echo()).serve(in, gone, NEVER));
        }
    }
}
