package dev.agentloop.tool.builtin.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.message.ToolResult;
import dev.agentloop.testing.ToolFixture;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadFileToolTest {
    @TempDir Path root;
    private ToolFixture tools;

    @BeforeEach
    void prepare() {
        tools = ToolFixture.in(root);
    }

    @Test
    void aFileIsShownAsItIs() {
        tools.write("a.txt", "one\n\ttwo ñ€\n");
        assertEquals(ToolResult.ok("one\n\ttwo ñ€\n"), read("a.txt"));
    }

    @Test
    void aPageSaysWhereItIsAndHowToGoOn() {
        tools.write("a.txt", "1\n2\n3\n4\n5\n");
        assertEquals(
                ToolResult.ok("[lines 2-3 of 5; continue with offset 4]\n2\n3\n")
                        .withText("[lines 2-3 of 5; continue with offset 4]\n2\n3\n", true),
                tools.call("read_file", "file_path", "a.txt", "offset", 2, "limit", 2));
        assertEquals(
                ToolResult.ok("[lines 4-5 of 5]\n4\n5\n"),
                tools.call("read_file", "file_path", "a.txt", "offset", 4));
        tools.write("long.txt", "x\n".repeat(5_000));
        assertTrue(
                read("long.txt")
                        .text()
                        .startsWith("[lines 1-2000 of 5000; continue with offset 2001]\nx\n"));
    }

    @Test
    @Tag("B01")
    @DisplayName("a missing file is answered with the nearest names")
    void aMissingFileIsAnsweredWithTheNearestNames() {
        tools.write("src/main.py", "");
        tools.write("src/maim.py", "");
        tools.write("src/other.txt", "");
        assertEquals(
                ToolResult.error(
                        "No such file: src/Main.py. Did you mean src/main.py, src/maim.py?"),
                read("src/Main.py"));
        assertEquals(
                ToolResult.error("No such file: nowhere/x. Use find_files to look for it."),
                read("nowhere/x"));
    }

    @Test
    @DisplayName("a path with a wrong folder is answered with the files of that name")
    void aWrongFolderIsAnsweredWithFilesOfThatName() {
        tools.write("shop.py", "");
        tools.write("old/lib/shop.py", "");
        tools.write(".gitignore", "build/\n");
        tools.write("build/shop.py", "");
        tools.write("lib/shop/x", "");
        for (String asked : List.of("src/shop.py", "old/shop.py")) {
            String text = read(asked).text();
            String expected = "No such file: %s. Did you mean old/lib/shop.py, shop.py?";
            assertEquals(expected.formatted(asked), text);
        }
        assertEquals(
                "No such file: src/shop. Did you mean lib/shop?",
                tools.call("list_files", "path", "src/shop").text());
    }

    @Test
    @DisplayName("a file of the very name stands before one whose name is like it, and only files")
    void theVeryNameFirst() throws IOException {
        tools.write("src/app.py", "");
        tools.write("lib/api.py", "");
        Files.createDirectories(tools.path("pkg/api.py"));
        Files.createSymbolicLink(tools.path("link"), Path.of("/etc"));
        assertEquals(
                "No such file: src/api.py. Did you mean lib/api.py, src/app.py?",
                read("src/api.py").text());
        assertEquals(
                "No such file: \"src/a\\nb\". Use find_files to look for it.",
                read("src/a\nb").text());
    }

    @Test
    @Tag("B02")
    @DisplayName("directory, empty file and offset beyond the end have their own messages")
    void directoryEmptyFileAndOffsetBeyondTheEndDiffer() {
        tools.write("src/a.txt", "1\n2");
        tools.write("empty", "");
        assertEquals(
                ToolResult.error("src is a directory. Use list_files to see inside."), read("src"));
        assertEquals(ToolResult.ok("empty is empty."), read("empty"));
        assertEquals(
                ToolResult.error("src/a.txt has only 2 lines; offset 9 is beyond its end."),
                tools.call("read_file", "file_path", "src/a.txt", "offset", 9));
        assertTrue(tools.call("read_file", "file_path", "src/a.txt", "offset", 0).isError());
    }

    @Test
    @Tag("B04")
    @DisplayName("pipes, devices and sockets are refused before they are opened")
    void specialFilesAreRefusedBeforeTheyAreOpened() throws Exception {
        run("mkfifo", "pipe");
        assertEquals(error("pipe is a named pipe, not a regular file."), readInTime("pipe"));
        try (var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(tools.path("socket")));
            assertEquals(error("socket is a socket, not a regular file."), readInTime("socket"));
        }
        Files.createSymbolicLink(tools.path("zero"), Path.of("/dev/zero"));
        assertTrue(readInTime("zero").text().contains("outside the workspace"));
        ToolFixture everything = ToolFixture.in(Path.of("/"));
        assertEquals(
                error("dev/zero is a character device, not a regular file."),
                everything.call("read_file", "file_path", "/dev/zero"));
    }

    @Test
    @Tag("B05")
    @DisplayName("a huge sparse file is refused as binary, a huge line is cut")
    void hugeFilesAreReadInPart() throws IOException {
        try (var sparse = new RandomAccessFile(tools.path("sparse").toFile(), "rw")) {
            sparse.setLength(2L << 30);
        }
        assertEquals(
                "sparse is binary, 2147483648 bytes, unknown type. Its content is not shown.",
                read("sparse").text());
        byte[] line = new byte[40_000_000];
        Arrays.fill(line, (byte) 'x');
        tools.write("line", line);
        ToolResult result = read("line");
        assertTrue(result.truncated());
        assertTrue(result.text().length() <= 50_000, () -> "" + result.text().length());
        assertTrue(
                result.text().startsWith("[lines 1-1 of a file of 40000000 bytes; line 1 is cut"));
        tools.write("many", "0123456789\n".repeat(2_000_000) + "end");
        String page =
                tools.call("read_file", "file_path", "many", "offset", 1_500_000, "limit", 2)
                        .text();
        assertEquals(
                "[lines 1500000-1500001 of a file of 22000003 bytes; continue with offset"
                        + " 1500002]\n"
                        + "0123456789\n"
                        + "0123456789\n",
                page);
        assertEquals(
                "[lines 2000000-2000001 of a file of 22000003 bytes; this is its end]\n"
                        + "0123456789\nend",
                tools.call("read_file", "file_path", "many", "offset", 2_000_000).text());
        assertEquals(
                ToolResult.error("many has only 2000001 lines; offset 3000000 is beyond its end."),
                tools.call("read_file", "file_path", "many", "offset", 3_000_000));
    }

    @Test
    @Tag("B05")
    @DisplayName("files of /proc, which have no size, are read")
    void filesWithoutASizeAreRead() {
        ToolFixture everything = ToolFixture.in(Path.of("/"));
        String text = everything.call("read_file", "file_path", "/proc/self/status").text();
        assertTrue(text.startsWith("Name:"), text);
    }

    @Test
    @Tag("B06")
    @DisplayName("binary files are named, never dumped")
    void binaryFilesAreNamedNeverDumped() {
        tools.write("a.png", "\u0089PNG\r\n\u001A\n\0\0".getBytes(StandardCharsets.ISO_8859_1));
        tools.write("b.bin", new byte[] {1, 0, 2});
        assertEquals(
                ToolResult.error(
                        "a.png: image/png, 10 bytes, damaged or cut off. It is not shown."),
                read("a.png"));
        assertEquals(
                ToolResult.ok("b.bin is binary, 3 bytes, unknown type. Its content is not shown."),
                read("b.bin"));
    }

    @Test
    @Tag("B08")
    @DisplayName("link loops and broken links are named")
    void linkLoopsAndBrokenLinksAreNamed() throws IOException {
        Files.createSymbolicLink(tools.path("a"), Path.of("b"));
        Files.createSymbolicLink(tools.path("b"), Path.of("a"));
        Files.createSymbolicLink(tools.path("broken"), Path.of("gone"));
        assertEquals(error("Cannot resolve a: too many symbolic links"), read("a"));
        assertEquals(error("broken is a broken link to gone."), read("broken"));
    }

    @Test
    @Tag("B10")
    @DisplayName("other encodings are decoded and named")
    void otherEncodingsAreDecodedAndNamed() {
        tools.write("latin", "é1\n".getBytes(StandardCharsets.ISO_8859_1));
        tools.write("wide", "\uFEFFé2\n".getBytes(StandardCharsets.UTF_16LE));
        tools.write("bom", "\uFEFFé3\n");
        assertEquals("[encoding ISO-8859-1]\né1\n", read("latin").text());
        assertEquals("[encoding UTF-16LE]\né2\n", read("wide").text());
        assertEquals("[encoding UTF-8 with BOM]\né3\n", read("bom").text());
    }

    @Test
    @Tag("B11")
    @DisplayName("odd names can be read")
    void oddNamesCanBeRead() {
        for (String name :
                List.of(
                        "a b",
                        "q\"'",
                        "new\nline",
                        "-rf",
                        "e\u001Bsc",
                        "n\u0303",
                        "x".repeat(255))) {
            tools.write(name, "content");
            assertEquals(ToolResult.ok("content\n"), read(name), name);
        }
    }

    @Test
    @Tag("B13")
    @Tag("D03")
    @DisplayName("one meaning for each way to write a path; nothing is expanded")
    void eachWayToWriteAPathHasOneMeaning() {
        tools.write("d/a.txt", "x");
        for (String path :
                List.of("d/a.txt", "./d/a.txt", "d//a.txt", "d/a.txt/", "d/../d/a.txt")) {
            assertEquals(ToolResult.ok("x\n"), read(path), path);
        }
        assertEquals(ToolResult.ok("x\n"), read(tools.path("d/a.txt").toString()));
        for (String path : List.of("~/a", "$HOME/a", "%2e%2e/a", "file:///etc/passwd")) {
            assertTrue(read(path).text().startsWith("No such file: "), path);
        }
        assertEquals(error("Not a path: Nul character not allowed"), read("a\0b"));
    }

    @Test
    @DisplayName(
            "a file of 313 lines comes whole; a long one in pages of whole lines that join to it")
    void pagesJoinToTheFile() {
        StringBuilder source = new StringBuilder();
        for (int i = 1; i <= 3_000; i++) {
            source.append("    int value").append(i).append(" = compute(").append(i).append(");\n");
        }
        String text = source.toString();
        String whole = text.lines().limit(313).collect(Collectors.joining("\n")) + "\n";
        tools.write("Small.java", whole);
        assertEquals(whole, read("Small.java").text());

        tools.write("Large.java", text);
        StringBuilder joined = new StringBuilder();
        int offset = 1;
        while (offset > 0) {
            String page =
                    tools.call("read_file", "file_path", "Large.java", "offset", offset).text();
            assertTrue(page.length() <= 50_000, () -> "" + page.length());
            String header = page.substring(0, page.indexOf('\n'));
            joined.append(page.substring(page.indexOf('\n') + 1));
            Matcher next = Pattern.compile("continue with offset (\\d+)").matcher(header);
            offset = next.find() ? Integer.parseInt(next.group(1)) : 0;
        }
        assertEquals(text, joined.toString());
    }

    @Test
    void aLineThatIsLongerThanAResultIsCutWithItsColumn() {
        tools.write("long.txt", "a\n" + "x".repeat(60_000) + "\nb\n");

        assertEquals("[lines 1-1 of 3; continue with offset 2]\na\n", read("long.txt").text());
        String second =
                tools.call("read_file", "file_path", "long.txt", "offset", 2, "limit", 1).text();
        assertTrue(
                second.startsWith("[lines 2-2 of 3; line 2 is cut after column 49700 of 60000;"),
                () -> second.substring(0, 200));
        assertTrue(second.contains("continue with offset 3"), () -> second.substring(0, 200));
    }

    private ToolResult read(String path) {
        return tools.call("read_file", "file_path", path);
    }

    private ToolResult readInTime(String path) {
        return assertTimeoutPreemptively(Duration.ofSeconds(5), () -> read(path));
    }

    private static ToolResult error(String text) {
        return ToolResult.error(text);
    }

    private void run(String... command) throws Exception {
        var process = new ProcessBuilder(command).directory(root.toFile()).start();
        assertEquals(0, process.waitFor());
    }
}
