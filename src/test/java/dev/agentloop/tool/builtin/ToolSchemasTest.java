package dev.agentloop.tool.builtin;

import static java.util.Map.entry;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.tool.Effect;
import dev.agentloop.tool.ToolSpec;
import dev.agentloop.tool.ToolSpecs;
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
import dev.agentloop.tool.call.SchemaWriter;
import dev.agentloop.web.WebFetchTool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ToolSchemasTest {
    private static final Path RESOURCES = Path.of("src/main/resources/schemas/tools");
    private static final int BUDGET = 7_000; // bytes, with what a person's terminal adds

    private static final Map<String, Class<? extends Record>> TOOLS =
            new TreeMap<>(
                    Map.ofEntries(
                            entry("read_file", ReadFileTool.Args.class),
                            entry("list_files", ListFilesTool.Args.class),
                            entry("find_files", FindFilesTool.Args.class),
                            entry("grep", GrepTool.Args.class),
                            entry("search_code", SearchCodeTool.Args.class),
                            entry("write_file", WriteFileTool.Args.class),
                            entry("edit_file", EditFileTool.Args.class),
                            entry("apply_patch", ApplyPatchTool.Args.class),
                            entry("delete_file", DeleteFileTool.Args.class),
                            entry("move_file", MoveFileTool.Args.class),
                            entry("run_command", RunCommandTool.Args.class),
                            entry("command_output", CommandOutputTool.Args.class),
                            entry("command_input", CommandInputTool.Args.class),
                            entry("stop_command", StopCommandTool.Args.class),
                            entry("web_fetch", WebFetchTool.Args.class),
                            entry("todo_write", TodoWriteTool.Args.class),
                            entry("ask_user", AskUserTool.Args.class),
                            entry("view_image", ViewImageTool.Args.class)));

    @Test
    void theSchemasAreThoseOfTheArgumentRecords() throws IOException {
        for (var tool : TOOLS.entrySet()) {
            String schema = SchemaWriter.schemaOf(tool.getValue()) + "\n";
            Path file = RESOURCES.resolve(tool.getKey() + ".json");
            if (Boolean.getBoolean("golden.update")) {
                Files.writeString(file, schema);
            }
            assertEquals(schema, Files.readString(file), tool.getKey());
        }
    }

    @Test
    void allToolsTogetherFitTheBudgetOfAFirstRequest() {
        int bytes = 0;
        for (String name : TOOLS.keySet()) {
            ToolSpec spec = ToolSpecs.load(name, Effect.PURE);
            String sent = spec.name() + spec.description() + spec.parameters();
            bytes += sent.getBytes(StandardCharsets.UTF_8).length;
        }
        assertTrue(bytes < BUDGET, bytes + " bytes");
    }
}
