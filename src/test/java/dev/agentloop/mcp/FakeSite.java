package dev.agentloop.mcp;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import dev.agentloop.llm.http.TrustedCas;
import dev.agentloop.mcp.channel.HttpNetwork;
import dev.agentloop.mcp.channel.ServerSpec;
import dev.agentloop.mcp.oauth.Browser;
import dev.agentloop.mcp.oauth.LoginPlace;
import dev.agentloop.mcp.oauth.TokenStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A server of the web that speaks MCP as a test tells it to. */
final class FakeSite implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Asked> asked = new CopyOnWriteArrayList<>();
    private final Answering answering;

    /** One request. */
    record Asked(HttpExchange exchange, String body, JsonValue message) {
        String httpMethod() {
            return exchange.getRequestMethod();
        }

        String method() {
            return message.at("method").text();
        }

        String header(String name) {
            String value = exchange.getRequestHeaders().getFirst(name);
            return value == null ? "" : value;
        }

        void answer(int status, String type, String body) throws IOException {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            if (!type.isEmpty()) {
                exchange.getResponseHeaders().set("Content-Type", type);
            }
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        }

        /** Begins an answer of which more is to come. */
        void begin(String type, String first) throws IOException {
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write(first.getBytes(StandardCharsets.UTF_8));
            exchange.getResponseBody().flush();
        }

        void end(String last) throws IOException {
            exchange.getResponseBody().write(last.getBytes(StandardCharsets.UTF_8));
            exchange.close();
        }

        void result(String result) throws IOException {
            answer(200, "application/json", response(result));
        }

        String response(String result) {
            return "{\"jsonrpc\":\"2.0\",\"id\":"
                    + message.at("id").raw()
                    + ",\"result\":"
                    + result
                    + "}";
        }

        void header(String name, String value) {
            exchange.getResponseHeaders().set(name, value);
        }
    }

    /** What the server does with a request that is not about the beginning. */
    interface Answering {
        /** Whether it has answered. */
        boolean answer(Asked asked) throws IOException;
    }

    FakeSite(Answering answering) {
        this.answering = answering;
        try {
            InetAddress here = InetAddress.ofLiteral("127.0.0.1");
            server = HttpServer.create(new InetSocketAddress(here, 0), 50);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::handle);
        server.setExecutor(threads);
        server.start();
    }

    String origin() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    URI url() {
        return URI.create(origin() + "/mcp");
    }

    List<Asked> asked() {
        return asked;
    }

    /** All requests of a method of the protocol, or of HTTP. */
    List<Asked> asked(String method) {
        return asked.stream()
                .filter(one -> one.method().equals(method) || one.httpMethod().equals(method))
                .toList();
    }

    ServerSpec spec(Map<String, String> headers, Optional<String> token) {
        return new ServerSpec(
                "fake",
                new ServerSpec.Remote(url(), headers, token, ServerSpec.Client.UNKNOWN, true),
                List.of(),
                Duration.ofSeconds(5));
    }

    static HttpNetwork network() {
        return new HttpNetwork(Map.of(), () -> TrustedCas.SYSTEM);
    }

    /** No login and nobody who could. */
    static LoginPlace nobody() {
        return new LoginPlace(new TokenStore(Path.of("/nonexistent")), Browser.NONE, (_, _) -> {});
    }

    static String text(String words) {
        return "{\"content\":[{\"type\":\"text\",\"text\":" + Json.quote(words) + "}]}";
    }

    static String events(String... events) {
        return String.join("\n\n", events) + "\n\n";
    }

    private void handle(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        JsonValue message = new JsonValue(null);
        if (body.length > 0 && body[0] == '{') {
            try {
                message = Json.parse(body);
            } catch (JsonException e) {
                throw new IOException(e);
            }
        }
        Asked one = new Asked(exchange, new String(body, StandardCharsets.UTF_8), message);
        asked.add(one);
        if (answering.answer(one)) {
            return;
        }
        switch (one.method()) {
            case "initialize" -> {
                exchange.getResponseHeaders().set("Mcp-Session-Id", "session-1");
                one.result(
                        "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}},"
                                + "\"serverInfo\":{\"name\":\"site\",\"version\":\"1\"}}");
            }
            case "tools/list" ->
                    one.result(
                            "{\"tools\":[{\"name\":\"echo\",\"description\":\"Says it.\","
                                    + "\"inputSchema\":{\"type\":\"object\"}}]}");
            case "tools/call" -> one.result(text("echoed"));
            default -> one.answer(one.httpMethod().equals("GET") ? 405 : 202, "", "");
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
