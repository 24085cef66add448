package dev.agentloop.testing;

import dev.agentloop.control.Cancellation;
import dev.agentloop.json.Json;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import dev.agentloop.process.ProcessRunner;
import dev.agentloop.tool.SeenFiles;
import dev.agentloop.tool.Tool;
import dev.agentloop.tool.ToolContext;
import dev.agentloop.tool.Workspace;
import dev.agentloop.tool.builtin.command.CommandInputTool;
import dev.agentloop.tool.builtin.command.CommandOutputTool;
import dev.agentloop.tool.builtin.command.RunCommandTool;
import dev.agentloop.tool.builtin.command.StopCommandTool;
import dev.agentloop.tool.builtin.file.ApplyPatchTool;
import dev.agentloop.tool.builtin.file.DeleteFileTool;
import dev.agentloop.tool.builtin.file.EditFileTool;
import dev.agentloop.tool.builtin.file.MoveFileTool;
import dev.agentloop.tool.builtin.file.ReadFileTool;
import dev.agentloop.tool.builtin.file.ViewImageTool;
import dev.agentloop.tool.builtin.file.WriteFileTool;
import dev.agentloop.tool.builtin.search.FindFilesTool;
import dev.agentloop.tool.builtin.search.GrepTool;
import dev.agentloop.tool.builtin.search.ListFilesTool;
import dev.agentloop.tool.builtin.search.SearchCodeTool;
import dev.agentloop.tool.call.PreparedCall;
import dev.agentloop.tool.call.ToolRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A workspace with the built-in tools, called as the loop calls them: prepared, then invoked. */
public final class ToolFixture {
    public final Workspace workspace;
    public final SeenFiles seen = new SeenFiles();
    public final Cancellation cancellation = new Cancellation();
    public final List<String> progress = new CopyOnWriteArrayList<>(); // what was told of calls
    public final ProcessRunner runner = new ProcessRunner(System.getenv(), List.of());
    public final ToolRegistry registry;

    private ToolFixture(Path root, List<Tool<?>> more) throws IOException {
        this.workspace = new Workspace(root, List.of(runner.outputFolder()));
        this.registry = new ToolRegistry(more.isEmpty() ? builtin(runner) : more, workspace);
    }

    public static ToolFixture in(Path root) {
        return with(root, List.of());
    }

    public static ToolFixture with(Path root, List<Tool<?>> tools) {
        try {
            return new ToolFixture(root, tools);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static List<Tool<?>> builtin(ProcessRunner runner) {
        return List.of(
                new ReadFileTool(true, runner),
                new ListFilesTool(),
                new FindFilesTool(runner, ""),
                new GrepTool(runner, ""),
                new SearchCodeTool(runner, ""),
                new WriteFileTool(),
                new EditFileTool(),
                new ApplyPatchTool(),
                new DeleteFileTool(),
                new MoveFileTool(),
                new RunCommandTool(runner, Duration.ofSeconds(120)),
                new CommandOutputTool(runner.background()),
                new CommandInputTool(runner.background()),
                new StopCommandTool(runner.background()),
                new ViewImageTool(true));
    }

    /**
     * Calls a tool with {@code name, value, name, value…}; strings are quoted, others as they are.
     */
    public ToolResult call(String tool, Object... arguments) {
        StringBuilder json = new StringBuilder("{");
        for (int i = 0; i < arguments.length; i += 2) {
            Object value = arguments[i + 1];
            json.append(i > 0 ? "," : "").append(Json.quote((String) arguments[i])).append(':');
            json.append(value instanceof String text ? Json.quote(text) : value);
        }
        return callRaw(tool, json.append('}').toString());
    }

    public ToolResult callRaw(String tool, String json) {
        return callRaw(tool, json, ToolContext.Barrier.OPEN);
    }

    public ToolResult callRaw(String tool, String json, ToolContext.Barrier intent) {
        PreparedCall prepared = registry.prepare(new ToolCall("call_1", tool, json), false);
        return switch (prepared) {
            case PreparedCall.Refused refused -> refused.result();
            case PreparedCall.Ready<?> ready -> registry.invoke(ready, context(intent));
        };
    }

    private ToolContext context(ToolContext.Barrier intent) {
        return new ToolContext(workspace, cancellation, seen, intent, progress::add, "call_1");
    }

    public Path path(String name) {
        return workspace.root().resolve(name);
    }

    public Path write(String name, String content) {
        return write(name, content.getBytes(StandardCharsets.UTF_8));
    }

    public Path write(String name, byte[] content) {
        try {
            Path file = path(name);
            Files.createDirectories(file.getParent());
            return Files.write(file, content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public String content(String name) {
        return new String(bytes(name), StandardCharsets.UTF_8);
    }

    public byte[] bytes(String name) {
        try {
            return Files.readAllBytes(path(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public List<String> names() {
        try (var files = Files.list(workspace.root())) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
