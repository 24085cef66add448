package dev.agentloop.wiring;

import dev.agentloop.config.McpServerConfig;
import dev.agentloop.control.Cancellation;
import dev.agentloop.json.JsonValue;
import dev.agentloop.mcp.McpServer;
import dev.agentloop.mcp.Probe;
import dev.agentloop.mcp.ServerSurroundings;
import dev.agentloop.mcp.channel.McpException;
import dev.agentloop.mcp.channel.ServerSpec;
import dev.agentloop.wiring.mcp.McpGate;
import dev.agentloop.wiring.mcp.McpLaunch;
import dev.agentloop.wiring.mcp.McpSpecs;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One MCP server that a person has named: tried out, or approved as it is now. */
public final class McpProbe {
    private static final Duration LOGIN = Duration.ofMinutes(6); // more than the login itself waits

    private final McpServerConfig config;
    private final McpLaunch.Parts parts;

    public McpProbe(McpServerConfig config, McpLaunch.Parts parts) {
        McpLaunch.check(config);
        this.config = config;
        this.parts = parts;
    }

    /**
     * Tries it out.
     *
     * @param forms whether a server that asks the person gets the defaults of its form
     * @param lines takes the fields of one line for each step
     * @return whether everything was answered
     */
    public boolean probe(
            Map<String, JsonValue> calls,
            boolean forms,
            Consumer<Map<String, @Nullable Object>> lines,
            Cancellation cancellation) {
        try {
            ServerSpec spec = new McpSpecs(parts).of(config);
            ServerSurroundings around = McpLaunch.surroundings(parts);
            return new Probe(
                            spec,
                            forms ? around.takingDefaults() : around,
                            patience(),
                            (tool, given) -> Policies.denies(parts.config(), tool, given),
                            lines)
                    .run(calls, cancellation);
        } catch (McpException e) {
            Map<String, @Nullable Object> line = new LinkedHashMap<>();
            line.put("step", "start");
            line.put("ok", false);
            line.put("error", e.problem());
            lines.accept(line);
            return false;
        }
    }

    /** Where a person may have to log in first, that takes a person's time. */
    private Duration patience() {
        boolean login = config.url().isPresent() && parts.logins().page().isPresent();
        return login ? LOGIN : config.startTimeout();
    }

    /**
     * What was approved.
     *
     * @param problem why nothing was; empty if it was
     * @param description the command line and the tools
     */
    public record Approved(String problem, String description) {}

    /** Approves the server with the tools that it has now. */
    public Approved approve(Cancellation cancellation) throws IOException {
        try {
            ServerSpec spec = new McpSpecs(parts).of(config);
            McpGate.Candidate candidate = McpLaunch.candidate(config, spec, parts);
            try (McpServer server = new McpServer(spec, McpLaunch.surroundings(parts))) {
                server.start(patience(), cancellation);
                parts.gate().approve(candidate, server.digests());
                StringBuilder text = new StringBuilder(candidate.commandLine());
                text.append("  tools: ");
                text.append(
                        String.join(
                                ", ",
                                server.digests().keySet().stream().map(McpLaunch::plain).toList()));
                return new Approved("", text.append('\n').toString());
            }
        } catch (McpException e) {
            return new Approved(e.problem(), "");
        }
    }
}
