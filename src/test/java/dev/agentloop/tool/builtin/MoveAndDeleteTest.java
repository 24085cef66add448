package dev.agentloop.tool.builtin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.message.FileChange;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import dev.agentloop.permission.Circumstances;
import dev.agentloop.permission.ConfirmPreset;
import dev.agentloop.permission.Guardrails;
import dev.agentloop.permission.PermissionPolicy;
import dev.agentloop.permission.Rule;
import dev.agentloop.permission.Supervision;
import dev.agentloop.permission.Verdict;
import dev.agentloop.testing.ToolFixture;
import dev.agentloop.tool.call.PreparedCall;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MoveAndDeleteTest {
    @TempDir Path root;
    private ToolFixture tools;

    @BeforeEach
    void prepare() {
        tools = ToolFixture.in(root);
    }

    @Test
    @DisplayName("a file gets its new name with its mode, and may be edited there at once")
    void moves() throws IOException {
        Path script = tools.write("run.sh", "echo\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-x---"));
        tools.call("read_file", "file_path", "run.sh");
        Files.createDirectory(tools.path("bin"));
        ToolResult result = move("run.sh", "bin");
        assertEquals("Moved run.sh to bin/run.sh.", result.text());
        assertEquals(
                List.of(new FileChange("bin/run.sh", FileChange.Kind.MOVED, 0, 0)),
                result.changes());
        assertEquals("echo\n", tools.content("bin/run.sh"));
        assertTrue(Files.isExecutable(tools.path("bin/run.sh")));
        assertEquals("Moved bin/run.sh to go.", move("bin/run.sh", "./bin/../go").text());
        ToolResult edit =
                tools.call(
                        "edit_file", "file_path", "go", "old_string", "echo", "new_string", "date");
        assertFalse(edit.isError(), edit.text());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a|missing/a|There is no folder missing to move it into. Nothing was moved.",
                "a|missing/|There is no folder missing. Nothing was moved.",
                "a|b|b exists already and is not overwritten.",
                "a|folder|folder/a exists already and is not overwritten.",
                "a|a|It has this name already.",
                "none|c|No such file: none",
                "folder|c|folder is a directory.",
                "a|../c|../c is outside the workspace",
                "../x|c|../x is outside the workspace",
                "a|.git/hooks/x|.git/hooks/x belongs to .git",
                ".git/config|c|.git/config belongs to .git",
                "pipe|c|pipe is a named pipe, not a regular file."
            })
    @Tag("B07")
    @DisplayName("what has no folder to go to, or would take another's name, stays")
    void refusedMoves(String from, String to, String start) throws Exception {
        tools.write("a", "1\n");
        tools.write("b", "2\n");
        tools.write("folder/a", "3\n");
        tools.write(".git/config", "x\n");
        new ProcessBuilder("mkfifo", tools.path("pipe").toString()).start().waitFor();
        ToolResult result = move(from, to);
        assertTrue(result.isError(), result.text());
        assertTrue(result.text().startsWith(start), result.text());
        assertEquals(List.of(".git", "a", "b", "folder", "pipe"), tools.names());
        assertEquals("2\n", tools.content("b"));
    }

    @Test
    @DisplayName("a link is moved and deleted itself, not what it leads to")
    void links() throws IOException {
        tools.write("real", "1\n");
        Files.createSymbolicLink(tools.path("link"), Path.of("real"));
        assertEquals("Moved link to other.", move("link", "other").text());
        assertEquals(Path.of("real"), Files.readSymbolicLink(tools.path("other")));
        assertEquals("Deleted the symbolic link other (it led to real).", delete("other").text());
        assertFalse(Files.exists(tools.path("other"), LinkOption.NOFOLLOW_LINKS));
        assertEquals("1\n", tools.content("real"));
    }

    @Test
    @DisplayName("deleting says what went; a file that changed since it was read stays")
    void deletes() throws IOException {
        tools.write("a", "1\n2\n");
        ToolResult result = delete("a");
        assertEquals("Deleted a: 4 bytes.", result.text());
        assertEquals(List.of(new FileChange("a", FileChange.Kind.DELETED, 0, 2)), result.changes());
        tools.write("b", "1\n");
        tools.call("read_file", "file_path", "b");
        tools.write("b", "2\n");
        assertTrue(delete("b").text().startsWith("b changed on disk since you last read it."));
        assertTrue(delete("none").text().startsWith("No such file: none"));
        Files.createDirectory(tools.path("d"));
        assertTrue(delete("d").text().startsWith("d is a directory."));
        assertEquals(List.of("b", "d"), tools.names());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "write_file(secret/*)|move_file|{'source_path':'a','destination_path':'secret'}",
                "write_file(secret/*)|move_file|{'source_path':'a/.','destination_path':'secret'}",
                "write_file(secret/*)|move_file|{'source_path':'a//','destination_path':'secret/'}",
                "write_file(secret/*)|move_file|{'source_path':'x/../a','destination_path':'secret'}",
                "read_file(secret/*)|move_file|{'source_path':'secret/s','destination_path':'b'}",
                "read_file(a)|edit_file|{'file_path':'a','old_string':'x','new_string':'y'}",
                "grep(*)|search_code|{'query':'x'}",
                "edit_file(secret/*)|move_file|{'source_path':'secret/s','destination_path':'b'}",
                "delete_file(a)|move_file|{'source_path':'./a','destination_path':'b'}",
                "move_file(b)|move_file|{'source_path':'a','destination_path':'b'}",
                "edit_file(a)|delete_file|{'file_path':'x/../a'}",
                "delete_file(link)|delete_file|{'file_path':'link'}"
            })
    @DisplayName("rules for one way of changing a file bind the other ways")
    void rules(String rule, String tool, String json) throws IOException {
        tools.write("a", "1\n");
        tools.write("secret/s", "2\n");
        Files.createSymbolicLink(tools.path("link"), Path.of("a"));
        PreparedCall prepared =
                tools.registry.prepare(new ToolCall("1", tool, json.replace('\'', '"')), false);
        PermissionPolicy policy =
                new PermissionPolicy(
                        List.of(Rule.parse(rule, Verdict.DENY).orElseThrow()),
                        ConfirmPreset.YOLO,
                        Circumstances.plain(
                                Supervision.UNTRUSTED_TERMINAL, tools.path("").toAbsolutePath()),
                        Guardrails.NONE);
        assertEquals(Verdict.DENY, policy.decide((PreparedCall.Ready<?>) prepared).verdict());
    }

    private ToolResult move(String from, String to) {
        return tools.call("move_file", "source_path", from, "destination_path", to);
    }

    private ToolResult delete(String path) {
        return tools.call("delete_file", "file_path", path);
    }
}
