package dev.agentloop.testing;

import dev.agentloop.json.Json;
import dev.agentloop.json.JsonValue;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The MCP server of {@code mcp/server.py}: a real child process with faults to choose from. */
public final class FakeMcp {
    private FakeMcp() {}

    /** Its command line. */
    public static List<String> argv(String... faults) {
        List<String> argv = new ArrayList<>(List.of("python3", script().toString()));
        argv.addAll(List.of(faults));
        return argv;
    }

    /** A section of a configuration with this one server. */
    public static String yaml(String name, String... faults) {
        return "mcp_servers:\n  " + name + ": " + json(faults) + "\n"; // JSON is YAML
    }

    /** A file as other programs have it. */
    public static String file(String name, String... faults) {
        return "{\"mcpServers\": {" + Json.quote(name) + ": " + json(faults) + "}}";
    }

    private static String json(String... faults) {
        List<String> argv = argv(faults);
        Map<String, Object> server = new LinkedHashMap<>();
        server.put("command", argv.getFirst());
        server.put("args", argv.subList(1, argv.size()));
        return Json.text(new JsonValue(server)::writeTo);
    }

    public static Path script() {
        try {
            return Path.of(
                    Objects.requireNonNull(FakeMcp.class.getResource("/mcp/server.py")).toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
