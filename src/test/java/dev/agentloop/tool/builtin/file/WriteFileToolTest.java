package dev.agentloop.tool.builtin.file;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentloop.message.FileChange;
import dev.agentloop.message.ToolResult;
import dev.agentloop.testing.ToolFixture;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WriteFileToolTest {
    @TempDir Path root;
    private ToolFixture tools;

    @BeforeEach
    void prepare() {
        tools = ToolFixture.in(root);
    }

    @Test
    void aNewFileIsCreatedWithItsFolders() {
        assertEquals(
                ToolResult.ok("Created a/b/c.txt: 6 bytes, +2 -0 lines.")
                        .withChanges(
                                List.of(new FileChange("a/b/c.txt", FileChange.Kind.ADDED, 2, 0))),
                write("a/b/c.txt", "é\nxy\n"));
        assertEquals("é\nxy\n", tools.content("a/b/c.txt"));
    }

    @Test
    void anOldFileIsReplacedAndTheChangeIsCounted() {
        tools.write("a", "1\n2\n3\n");
        assertEquals(
                ToolResult.ok("Wrote a: 8 bytes, +2 -1 lines.")
                        .withChanges(List.of(new FileChange("a", FileChange.Kind.MODIFIED, 2, 1))),
                write("a", "1\nx\ny\n3\n"));
        assertEquals(List.of("a"), tools.names());
        assertEquals("a already has this content; not written.", write("a", "1\nx\ny\n3\n").text());
    }

    @Test
    void appendingKeepsTheEncodingOfTheFile() {
        tools.write("wide", "\uFEFFé\n".getBytes(StandardCharsets.UTF_16LE));
        append("wide", "ü\n");
        assertArrayEquals("\uFEFFé\nü\n".getBytes(StandardCharsets.UTF_16LE), tools.bytes("wide"));
        tools.write("latin", "é\n".getBytes(StandardCharsets.ISO_8859_1));
        assertTrue(append("latin", "€").text().contains("cannot express"));
        append("new.txt", "x");
        assertEquals("x", tools.content("new.txt"));
    }

    @Test
    @Tag("B20")
    @DisplayName("mode, links and owner are kept; hard links are refused")
    void modeAndLinksAreKept() throws IOException {
        Path script = tools.write("script", "old");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-x--x"));
        Files.createSymbolicLink(tools.path("link"), Path.of("script"));
        write("link", "new");
        assertTrue(Files.isSymbolicLink(tools.path("link")));
        assertEquals("new", Files.readString(script));
        assertEquals(
                "rwxr-x--x", PosixFilePermissions.toString(Files.getPosixFilePermissions(script)));
        Files.createLink(tools.path("twin"), script);
        assertTrue(write("twin", "x").text().contains("2 hard links"));
        assertEquals("new", Files.readString(script));
    }

    @Test
    @Tag("B20")
    @DisplayName("the owner of a file is kept")
    void theOwnerOfAFileIsKept() throws IOException {
        Path file = tools.write("a", "old");
        assumeTrue("root".equals(System.getProperty("user.name")), "only root gives files away");
        Files.setAttribute(file, "unix:uid", 12_345);
        Files.setAttribute(file, "unix:gid", 54_321);
        write("a", "new");
        assertEquals(12_345, Files.getAttribute(file, "unix:uid"));
        assertEquals(54_321, Files.getAttribute(file, "unix:gid"));
    }

    @Test
    @Tag("scenario-47")
    @DisplayName("a file that changed since it was read is not overwritten")
    void aFileThatChangedSinceItWasReadIsNotOverwritten() {
        tools.write("a", "mine");
        tools.call("read_file", "file_path", "a");
        tools.write("a", "theirs");
        assertTrue(write("a", "new").text().startsWith("a changed on disk since you last read it"));
        assertEquals("theirs", tools.content("a"));
        tools.call("read_file", "file_path", "a");
        assertEquals(ToolResult.Kind.OK, write("a", "new").kind());
        assertEquals(ToolResult.Kind.OK, write("a", "newer").kind());
    }

    @Test
    @Tag("B36")
    @Tag("scenario-50")
    @DisplayName("a full disk leaves the old content and no other file")
    void aFullDiskLeavesTheOldContent() throws Exception {
        Path disk = Files.createDirectory(root.resolve("disk"));
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=64k", "none", disk.toString()) == 0,
                "may not mount");
        try {
            ToolFixture small = ToolFixture.in(disk);
            small.write("a", "old");
            ToolResult result =
                    small.call("write_file", "file_path", "a", "content", "x".repeat(500_000));
            assertEquals(
                    ToolResult.error("a: no space left on device. Free some space first."), result);
            assertEquals("old", small.content("a"));
            assertEquals(List.of("a"), small.names());
        } finally {
            run("umount", disk.toString());
        }
    }

    @Test
    @Tag("B38")
    @DisplayName("a read-only file system is named")
    void aReadOnlyFileSystemIsNamed() throws Exception {
        Path disk = Files.createDirectory(root.resolve("disk"));
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "ro", "none", disk.toString()) == 0,
                "may not mount");
        try {
            String text =
                    ToolFixture.in(disk)
                            .call("write_file", "file_path", "a", "content", "x")
                            .text();
            assertTrue(text.contains("read-only file system"), text);
        } finally {
            run("umount", disk.toString());
        }
    }

    @Test
    void whatCannotBeAFileIsRefused() throws Exception {
        tools.write("dir/a", "");
        assertTrue(write("dir", "x").text().startsWith("dir is a directory"));
        assertTrue(write("dir/a/b", "x").isError());
        assertTrue(write("~/notes", "x").text().contains("not expanded"));
        run("mkfifo", tools.path("pipe").toString());
        assertTrue(write("pipe", "x").text().startsWith("pipe is a named pipe"));
        assertTrue(write("half", "\uD83D").text().contains("surrogate"));
        assertEquals(List.of("dir", "pipe"), tools.names());
    }

    private ToolResult write(String path, String content) {
        return tools.call("write_file", "file_path", path, "content", content);
    }

    private ToolResult append(String path, String content) {
        return tools.call("write_file", "file_path", path, "content", content, "mode", "append");
    }

    private static int run(String... command) throws Exception {
        return new ProcessBuilder(command).start().waitFor();
    }
}
