package dev.agentloop.mcp;

import dev.agentloop.json.JsonValue;
import dev.agentloop.mcp.channel.CleanText;
import dev.agentloop.mcp.channel.RpcConnection;
import dev.agentloop.mcp.channel.RpcError;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** What servers may ask of us: whether we are there, and which folder it is about. */
final class ServerRequests implements RpcConnection.Listener {
    private final Path workspace;
    private final Optional<Elicitor> elicitor;
    private final AtomicBoolean toolsChanged = new AtomicBoolean();

    ServerRequests(Path workspace, Optional<Elicitor> elicitor) {
        this.workspace = workspace;
        this.elicitor = elicitor;
    }

    /** What we tell the server that it may ask. */
    Map<String, Object> capabilities() {
        Map<String, Object> capabilities = new LinkedHashMap<>();
        capabilities.put("roots", Map.of());
        if (elicitor.isPresent()) {
            capabilities.put("elicitation", Map.of("form", Map.of("applyDefaults", true)));
        }
        return capabilities;
    }

    /** Whether the list of tools has become another one since this was asked last. */
    boolean takeToolsChanged() {
        return toolsChanged.getAndSet(false);
    }

    /** Whoever took the word could not find out what it means. */
    void toolsMayHaveChanged() {
        toolsChanged.set(true);
    }

    @Override
    public Map<String, @Nullable Object> answer(String method, JsonValue params) throws RpcError {
        return switch (method) {
            case "ping" -> Map.of();
            case "roots/list" ->
                    Map.of(
                            "roots",
                            List.of(
                                    Map.of(
                                            "uri",
                                            workspace.toUri().toString(),
                                            "name",
                                            String.valueOf(workspace.getFileName()))));
            case "elicitation/create" ->
                    elicitor.orElseThrow(() -> unsupported(method)).answer(params);
            default -> throw unsupported(method);
        };
    }

    private static RpcError unsupported(String method) {
        return new RpcError(
                RpcError.METHOD_NOT_FOUND, CleanText.oneLine(method) + " is not supported");
    }

    @Override
    public void notified(String method, JsonValue params) {
        if (method.equals("notifications/tools/list_changed")) {
            toolsChanged.set(true);
        }
    }
}
