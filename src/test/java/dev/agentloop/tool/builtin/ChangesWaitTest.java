package dev.agentloop.tool.builtin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.message.ToolResult;
import dev.agentloop.process.ProcessRunner;
import dev.agentloop.testing.ToolFixture;
import dev.agentloop.tool.Effect;
import dev.agentloop.tool.Tool;
import dev.agentloop.tool.ToolContext;
import dev.agentloop.tool.ToolException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A tool that changes files does so only when the record of its intent is on the disk. */
@Tag("C21")
@DisplayName("a change waits for its intent")
final class ChangesWaitTest {
    @TempDir Path root;

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "write_file|{'file_path':'new/deep.txt','content':'x'}",
                "write_file|{'file_path':'a.txt','content':'x'}",
                "write_file|{'file_path':'a.txt','content':'x','mode':'append'}",
                "edit_file|{'file_path':'a.txt','old_string':'old','new_string':'new'}",
                "apply_patch|{'patch':'*** Begin Patch\\n*** Add File: new/x\\n+x\\n*** Update File:"
                        + " a.txt\\n-old\\n+new\\n*** End Patch'}",
                "delete_file|{'file_path':'a.txt'}",
                "move_file|{'source_path':'a.txt','destination_path':'new'}",
            })
    void nothingIsThereBefore(String tool, String arguments) throws Exception {
        ToolFixture tools = ToolFixture.in(root);
        tools.write("a.txt", "old\n");
        String json = arguments.replace('\'', '"');
        ToolContext.Barrier failed =
                _ -> {
                    throw ToolException.denied("the disk is full");
                };

        assertEquals(ToolResult.Kind.DENIED, tools.callRaw(tool, json, failed).kind());
        assertEquals(List.of("a.txt"), tools.names());
        assertEquals("old\n", tools.content("a.txt"));

        boolean[] asked = {false};
        ToolResult result = tools.callRaw(tool, json, _ -> asked[0] |= untouched(tools));
        assertFalse(result.isError(), result.text());
        assertTrue(asked[0], "the barrier was asked while nothing had changed");
    }

    /** Whoever adds a tool that changes files must add it above. */
    @Test
    void allToolsThatChangeFilesAreTriedHere() throws Exception {
        Set<String> changing = new TreeSet<>();
        for (Tool<?> tool : ToolFixture.builtin(new ProcessRunner(System.getenv(), List.of()))) {
            if (tool.spec().effect() == Effect.FILE) {
                changing.add(tool.spec().name());
            }
        }

        assertEquals(
                Set.of("write_file", "edit_file", "apply_patch", "delete_file", "move_file"),
                changing);
    }

    private static boolean untouched(ToolFixture tools) {
        return tools.content("a.txt").equals("old\n") && !Files.exists(tools.path("new"));
    }
}
