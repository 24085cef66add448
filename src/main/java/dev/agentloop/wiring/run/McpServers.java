package dev.agentloop.wiring.run;

import dev.agentloop.tool.Tool;
import java.util.List;

/**
 * The MCP servers of a run that have started. Without any, nothing of their client is loaded.
 *
 * @param tools of all servers
 * @param warnings what a person should know, one line each, also about servers that are not there
 * @param end closes the servers
 */
public record McpServers(List<Tool<?>> tools, List<String> warnings, Runnable end)
        implements AutoCloseable {
    public static final McpServers NONE = new McpServers(List.of(), List.of(), () -> {});

    public McpServers {
        tools = List.copyOf(tools);
        warnings = List.copyOf(warnings);
    }

    @Override
    public void close() {
        end.run();
    }
}
