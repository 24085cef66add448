package dev.agentloop.mcp;

import dev.agentloop.control.Cancellation;
import dev.agentloop.json.Json;
import dev.agentloop.json.JsonValue;
import dev.agentloop.mcp.channel.CleanText;
import dev.agentloop.mcp.channel.McpException;
import dev.agentloop.mcp.channel.RequestDeadline;
import dev.agentloop.mcp.channel.RpcConnection;
import dev.agentloop.mcp.channel.RpcError;
import dev.agentloop.mcp.channel.ServerSpec;
import dev.agentloop.message.ToolResult;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tries a server out: agrees with it, lists what it has, calls each tool that needs no argument,
 * and closes. One line for each of these; a tool that is denied is reported, not called.
 */
public final class Probe {
    private static final int MAX_SHOWN = 2_000; // characters of one result

    private final ServerSpec spec;
    private final ServerSurroundings around;
    private final Duration startTimeout;
    private final BiPredicate<String, String> denied;
    private final Consumer<Map<String, @Nullable Object>> lines;
    private boolean failed;

    /**
     * @param denied whether a call may not be made, by our name of the tool and its arguments as
     *     JSON text
     * @param lines takes the fields of each line
     */
    public Probe(
            ServerSpec spec,
            ServerSurroundings around,
            Duration startTimeout,
            BiPredicate<String, String> denied,
            Consumer<Map<String, @Nullable Object>> lines) {
        this.spec = spec;
        this.around = around;
        this.startTimeout = startTimeout;
        this.denied = denied;
        this.lines = lines;
    }

    /**
     * Does all of it.
     *
     * @param calls arguments for tools by their names; those are called as well
     * @return whether everything was answered; what a tool says of itself does not count
     */
    public boolean run(Map<String, JsonValue> calls, Cancellation cancellation) {
        ServerRequests requests = new ServerRequests(around.workspace(), around.elicitor());
        try (McpSession session =
                McpSession.open(
                        around.channel(spec),
                        requests,
                        around.version(),
                        RequestDeadline.in(startTimeout),
                        cancellation)) {
            welcome(session.welcome());
            list(session, "prompts", cancellation);
            list(session, "resources", cancellation);
            List<JsonValue> tools = list(session, "tools", cancellation);
            for (JsonValue tool : tools) {
                JsonValue given = calls.get(tool.at("name").text());
                boolean free = tool.at("inputSchema").at("required").items().isEmpty();
                if (given != null || free) {
                    JsonValue arguments = given == null ? new JsonValue(Map.of()) : given;
                    call(session, tool.at("name").text(), arguments, cancellation);
                }
            }
            List<String> names = tools.stream().map(tool -> tool.at("name").text()).toList();
            calls.keySet().stream().filter(name -> !names.contains(name)).forEach(this::unknown);
        } catch (McpException e) {
            trouble("initialize", e.problem());
            return false;
        }
        line("close", Map.of());
        return !failed;
    }

    private void welcome(JsonValue welcome) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("protocol_version", welcome.at("protocolVersion").text());
        JsonValue server = welcome.at("serverInfo");
        fields.put("server", shown(server.at("name").text() + " " + server.at("version").text()));
        fields.put("capabilities", List.copyOf(welcome.at("capabilities").keys()));
        line("initialize", fields);
    }

    private List<JsonValue> list(McpSession session, String what, Cancellation cancellation) {
        if (!session.offers(what)) {
            return List.of();
        }
        String method = what + "/list";
        try {
            List<JsonValue> items =
                    session.list(
                            method, what, RequestDeadline.in(spec.callTimeout()), cancellation);
            List<String> names = items.stream().map(item -> shown(name(item))).toList();
            line(method, Map.of(what, names));
            return items;
        } catch (McpException e) {
            trouble(method, e.problem());
            return List.of();
        }
    }

    private static String name(JsonValue item) {
        return item.has("uri") ? item.at("uri").text() : item.at("name").text();
    }

    private void call(
            McpSession session, String name, JsonValue arguments, Cancellation cancellation) {
        String ours = ToolNaming.of(spec.name(), List.of(name)).getOrDefault(name, "");
        if (denied.test(ours, Json.text(arguments::writeTo))) {
            Map<String, @Nullable Object> refused = new LinkedHashMap<>();
            refused.put("tool", shown(name));
            refused.put("denied", true);
            line("tools/call", refused);
            return;
        }
        RpcConnection.Question question =
                new RpcConnection.Question(
                        "tools/call",
                        McpSession.named(name, arguments.raw()),
                        RequestDeadline.in(spec.callTimeout()),
                        true,
                        _ -> {});
        long start = System.nanoTime();
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("tool", shown(name));
        try {
            ToolResult result = ContentText.ofCall(session.ask(question, cancellation), true);
            fields.put("is_error", result.isError());
            fields.put("text", shown(result.text()));
        } catch (RpcError e) {
            fields.put("is_error", true);
            fields.put("text", shown(e.text()));
        } catch (McpException e) {
            failed = true;
            fields.put("error", shown(e.problem()));
        }
        fields.put("duration_ms", (System.nanoTime() - start) / 1_000_000);
        line("tools/call", fields);
    }

    /** A misspelt name must not look like a call that was answered. */
    private void unknown(String tool) {
        failed = true;
        String problem = "the server has no tool of this name";
        line("tools/call", Map.of("tool", shown(tool), "error", problem));
    }

    private void trouble(String step, String problem) {
        failed = true;
        line(step, Map.of("error", shown(problem)));
    }

    private void line(String step, Map<String, ? extends @Nullable Object> fields) {
        Map<String, @Nullable Object> line = new LinkedHashMap<>();
        line.put("step", step);
        line.put("ok", !fields.containsKey("error"));
        line.putAll(fields);
        lines.accept(line);
    }

    private static String shown(String text) {
        String clean = CleanText.of(text);
        return clean.length() <= MAX_SHOWN ? clean : clean.substring(0, MAX_SHOWN - 1) + "…";
    }
}
