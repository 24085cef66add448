package dev.agentloop.blackbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One page of a Chromium without a window, by its DevTools protocol. */
final class Browser implements AutoCloseable, WebSocket.Listener {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long LONGEST_SECONDS = 60; // for one answer

    private final Process process;
    private final HttpClient http = HttpClient.newHttpClient();
    private final WebSocket socket;
    private final Map<Integer, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();
    private final List<JsonNode> events = new CopyOnWriteArrayList<>();
    private final StringBuilder message = new StringBuilder();
    private int asked;

    /**
     * @param folder that is empty, for what it writes
     */
    Browser(Path folder) throws IOException {
        List<String> words =
                List.of(
                        "chromium",
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--no-first-run",
                        "--disable-dev-shm-usage",
                        "--disable-background-networking",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + folder,
                        "about:blank");
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
        builder.environment().put("HOME", folder.toString());
        builder.redirectInput(new File("/dev/null"));
        builder.redirectOutput(folder.resolve("log").toFile());
        process = builder.start();
        Path port = folder.resolve("DevToolsActivePort");
        Await.until("the browser", () -> WorldProcesses.text(port).contains("\n"));
        socket =
                http.newWebSocketBuilder()
                        .buildAsync(page(Files.readAllLines(port).getFirst()), this)
                        .join();
        for (String domain : List.of("Page", "Network", "Runtime", "Log")) {
            ask(domain + ".enable", Map.of());
        }
    }

    private URI page(String port) throws IOException {
        URI list = URI.create("http://127.0.0.1:" + port + "/json/list");
        String[] address = {""};
        Await.until(
                "its page",
                () -> {
                    for (JsonNode target : get(list)) {
                        if (target.path("type").asText().equals("page")) {
                            address[0] = target.path("webSocketDebuggerUrl").asText();
                        }
                    }
                    return !address[0].isEmpty();
                });
        return URI.create(address[0]);
    }

    private JsonNode get(URI address) {
        try {
            HttpRequest request = HttpRequest.newBuilder(address).build();
            return JSON.readTree(http.send(request, HttpResponse.BodyHandlers.ofString()).body());
        } catch (IOException e) {
            return JSON.createArrayNode();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    JsonNode ask(String method, Map<String, ?> parameters) {
        int id = ++asked;
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        answers.put(id, answer);
        try {
            Map<String, Object> question = Map.of("id", id, "method", method, "params", parameters);
            socket.sendText(JSON.writeValueAsString(question), true).join();
            JsonNode said = answer.get(LONGEST_SECONDS, TimeUnit.SECONDS);
            if (said.has("error")) {
                throw new AssertionError(method + ": " + said);
            }
            return said.path("result");
        } catch (Exception e) {
            throw new AssertionError(method, e);
        }
    }

    /** What the script comes to, also if it is only promised. */
    JsonNode run(String script) {
        JsonNode said =
                ask(
                        "Runtime.evaluate",
                        Map.of("expression", script, "returnByValue", true, "awaitPromise", true));
        if (said.has("exceptionDetails")) {
            throw new AssertionError(said.toString());
        }
        return said.path("result").path("value");
    }

    /** Opens a page, of which alone the events are from then on. */
    void open(URI address) {
        events.clear();
        ask("Page.navigate", Map.of("url", address.toString()));
        Await.until("the page", () -> !events("Page.loadEventFired").isEmpty());
    }

    List<JsonNode> events(String method) {
        return events.stream()
                .filter(event -> event.path("method").asText().equals(method))
                .map(event -> event.path("params"))
                .toList();
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
        message.append(part);
        if (last) {
            try {
                JsonNode whole = JSON.readTree(message.toString());
                CompletableFuture<JsonNode> answer = answers.remove(whole.path("id").asInt());
                if (answer == null) {
                    events.add(whole);
                } else {
                    answer.complete(whole);
                }
            } catch (IOException e) {
                throw new AssertionError(message.toString(), e);
            }
            message.setLength(0);
        }
        from.request(1);
        return null;
    }

    @Override
    public void close() {
        ask("Browser.close", Map.of());
        Await.until("the end of the browser", () -> !process.isAlive());
        socket.abort(); // else the client would wait for its end
        http.shutdownNow();
    }
}
