package dev.agentloop.tool.builtin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.message.ToolResult;
import dev.agentloop.testing.ToolFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PathSafetyTest {
    @TempDir Path parent;
    private ToolFixture tools;
    private Path outside;

    @BeforeEach
    void prepare() throws IOException {
        tools = ToolFixture.in(Files.createDirectory(parent.resolve("ws")));
        outside = Files.createDirectories(parent.resolve("outside"));
        Files.writeString(outside.resolve("secret"), "secret");
        Files.createDirectory(parent.resolve("ws2"));
    }

    @Test
    @Tag("D01")
    @Tag("D02")
    @DisplayName("no way of writing a path leads out")
    void noWayOfWritingAPathLeadsOut() {
        tools.write("a/x", "");
        for (String path :
                List.of(
                        "../outside/secret",
                        "a/../../outside/secret",
                        outside + "/secret",
                        "./a/./../..//outside/secret",
                        "../ws2/x",
                        "../ws/../ws2/x")) {
            refusesBoth(path);
        }
    }

    @Test
    @Tag("D05")
    @Tag("D06")
    @Tag("D07")
    @Tag("scenario-45")
    @DisplayName("links are judged by where they lead")
    void linksAreJudgedByWhereTheyLead() throws IOException {
        Files.createSymbolicLink(tools.path("file"), outside.resolve("secret"));
        Files.createSymbolicLink(tools.path("new"), outside.resolve("new"));
        Files.createSymbolicLink(tools.path("dir"), outside);
        Files.createSymbolicLink(tools.path("up"), Path.of("../outside"));
        Files.createSymbolicLink(tools.path("l1"), Path.of("l2"));
        Files.createSymbolicLink(tools.path("l2"), Path.of("l3"));
        Files.createSymbolicLink(tools.path("l3"), Path.of("up/secret"));
        for (String path : List.of("file", "new", "dir/secret", "dir/new", "up/new", "l1")) {
            refusesBoth(path);
        }
        assertEquals("secret", Files.readString(outside.resolve("secret")));
        assertFalse(Files.exists(outside.resolve("new")));
    }

    @Test
    @Tag("D04")
    @DisplayName("control folders are never written, however they are spelt")
    void controlFoldersAreNeverWritten() throws IOException {
        Files.createDirectories(tools.path(".git/hooks"));
        tools.write(".agent/config.yaml", "a: 1");
        Files.createSymbolicLink(tools.path("innocent"), Path.of(".git"));
        for (String path :
                List.of(
                        ".git/hooks/pre-commit",
                        ".GIT/hooks/x",
                        ".Agent/config.yaml",
                        ".git./config",
                        ".git /config",
                        ".g\u200Cit/config",
                        "\uFF0Egit/config",
                        "sub/.git/config",
                        "innocent/hooks/x",
                        ".git")) {
            ToolResult result = tools.call("write_file", "file_path", path, "content", "x");
            assertTrue(result.text().contains("file tools never change"), path + result.text());
        }
        ToolResult edit =
                tools.call(
                        "edit_file",
                        "file_path",
                        ".agent/config.yaml",
                        "old_string",
                        "1",
                        "new_string",
                        "2");
        assertTrue(edit.isError());
        assertEquals("a: 1", tools.content(".agent/config.yaml"));
        assertFalse(tools.call("write_file", "file_path", ".gitignore", "content", "x").isError());
    }

    private void refusesBoth(String path) {
        for (ToolResult result :
                List.of(
                        tools.call("read_file", "file_path", path),
                        tools.call("write_file", "file_path", path, "content", "changed"))) {
            assertTrue(result.text().contains("outside the workspace"), path + result.text());
        }
    }
}
