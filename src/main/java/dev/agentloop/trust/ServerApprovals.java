package dev.agentloop.trust;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import dev.agentloop.storage.PrivateFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The MCP servers that were approved, each as it was then: how it is started, and what its tools
 * are. One file, {@code mcp.json}, beside that of the trusted workspaces.
 */
public final class ServerApprovals {
    private final PrivateFile file;

    /**
     * @param folder of the user's state, outside of every workspace; need not exist
     */
    public ServerApprovals(Path folder) {
        this.file = new PrivateFile(folder, "mcp.json");
    }

    /**
     * An approval.
     *
     * @param fingerprint of all that decides what is started or called
     * @param tools digest of each tool by its name
     */
    public record Approval(String fingerprint, Map<String, String> tools) {}

    /**
     * What was approved.
     *
     * @param workspace whose own server it is; empty for one of the user's
     * @throws IOException if the file is there but cannot be read or understood
     */
    public Optional<Approval> find(String server, String workspace) throws IOException {
        for (Entry entry : load()) {
            if (entry.server.equals(server) && entry.workspace.equals(workspace)) {
                return Optional.of(entry.approval);
            }
        }
        return Optional.empty();
    }

    /** Approves a server as it is now, in place of what it was. */
    public void approve(String server, String workspace, Approval approval) throws IOException {
        file.change(() -> {
            List<Entry> entries = load();
            entries.removeIf(
                    entry -> entry.server.equals(server) && entry.workspace.equals(workspace));
            entries.add(new Entry(server, workspace, approval));
            return text(entries);
        });
    }

    private record Entry(String server, String workspace, Approval approval) {}

    private List<Entry> load() throws IOException {
        List<Entry> entries = new ArrayList<>();
        String text = file.read();
        if (text.isEmpty()) {
            return entries;
        }
        try {
            for (JsonValue entry : Json.parse(text).at("servers").items()) {
                Map<String, String> tools = new TreeMap<>();
                JsonValue digests = entry.at("tools");
                digests.keys().forEach(name -> tools.put(name, digests.at(name).text()));
                entries.add(
                        new Entry(
                                entry.at("server").text(),
                                entry.at("workspace").text(),
                                new Approval(entry.at("fingerprint").text(), tools)));
            }
            return entries;
        } catch (JsonException e) {
            throw new IOException(file.path() + " is not JSON: " + e.getMessage(), e);
        }
    }

    private static String text(List<Entry> entries) {
        List<Object> servers = new ArrayList<>();
        for (Entry entry : entries) {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("server", entry.server);
            fields.put("workspace", entry.workspace);
            fields.put("fingerprint", entry.approval.fingerprint());
            fields.put("tools", new TreeMap<>(entry.approval.tools()));
            servers.add(fields);
        }
        return Json.text(new JsonValue(Map.of("servers", servers))::writeTo) + "\n";
    }
}
