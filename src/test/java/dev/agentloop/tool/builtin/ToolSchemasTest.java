package dev.agentloop.tool.builtin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.tool.Effect;
import dev.agentloop.tool.SchemaWriter;
import dev.agentloop.tool.ToolSpec;
import dev.agentloop.tool.ToolSpecs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ToolSchemasTest {
    private static final Path RESOURCES = Path.of("src/main/resources/schemas/tools");
    private static final int BUDGET = 5_200; // bytes; the whole first request stays below 8 kB

    private static final Map<String, Class<? extends Record>> TOOLS =
            new TreeMap<>(
                    Map.of(
                            "read_file", ReadFileTool.Args.class,
                            "list_files", ListFilesTool.Args.class,
                            "find_files", FindFilesTool.Args.class,
                            "grep", GrepTool.Args.class,
                            "search_code", SearchCodeTool.Args.class,
                            "write_file", WriteFileTool.Args.class,
                            "edit_file", EditFileTool.Args.class,
                            "run_command", RunCommandTool.Args.class));

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
