package dev.agentloop.mcp;

import dev.agentloop.control.Cancellation;
import dev.agentloop.json.Json;
import dev.agentloop.mcp.channel.McpException;
import dev.agentloop.mcp.channel.ServerSpec;
import dev.agentloop.message.ToolResult;
import dev.agentloop.process.ProcessRunner;
import dev.agentloop.testing.FakeMcp;
import dev.agentloop.testing.ToolFixture;
import dev.agentloop.tool.Tool;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The server of {@code mcp/server.py} as a child process, with our client before it. */
final class FakeServer implements AutoCloseable {
    final ProcessRunner processes;
    final McpServer server;
    final ToolFixture fixture;

    private FakeServer(ProcessRunner processes, McpServer server, ToolFixture fixture) {
        this.processes = processes;
        this.server = server;
        this.fixture = fixture;
    }

    static FakeServer started(Path workspace, String... faults) throws McpException {
        return started(workspace, Duration.ofSeconds(60), Map.of(), faults);
    }

    static FakeServer started(
            Path workspace, Duration callTimeout, Map<String, String> variables, String... faults)
            throws McpException {
        ProcessRunner processes = new ProcessRunner(System.getenv(), List.of());
        ServerSpec spec =
                new ServerSpec(
                        "fake",
                        new ServerSpec.Program(FakeMcp.argv(faults), variables),
                        List.of(),
                        callTimeout);
        McpServer server = server(spec, processes, workspace);
        try {
            server.start(Duration.ofSeconds(60), new Cancellation());
        } catch (McpException e) {
            processes.killAll();
            throw e;
        }
        return new FakeServer(processes, server, ToolFixture.with(workspace, server.tools()));
    }

    /** One that is not started, of a model that sees images. */
    static McpServer server(ServerSpec spec, ProcessRunner processes, Path workspace) {
        return new McpServer(
                spec,
                new ServerSurroundings(
                        processes,
                        workspace,
                        "1.0",
                        true,
                        FakeSite.network(),
                        FakeSite.nobody(),
                        false));
    }

    List<String> names() {
        return server.tools().stream().<String>map(tool -> tool.spec().name()).toList();
    }

    Tool<?> tool(String name) {
        return server.tools().stream()
                .filter(one -> one.spec().name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    ToolResult call(String tool, Object... arguments) {
        return fixture.call("mcp__fake__" + tool, arguments);
    }

    String said(String text) {
        return call("echo", "text", Json.wellFormed(text)).text();
    }

    @Override
    public void close() {
        server.close();
        processes.killAll();
    }
}
