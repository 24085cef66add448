package dev.agentloop.docs;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.message.ToolResult;
import dev.agentloop.testing.ToolFixture;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files on which edit tools are known to fail, through ours; the page shows what it said. */
class EditBatteryTest {
    @TempDir Path root;

    private final StringBuilder table = new StringBuilder("| case | what happens |\n|---|---|\n");
    private int files;

    @Test
    @Tag("B09")
    @Tag("B10")
    @Tag("B15")
    @Tag("B16")
    @Tag("B17")
    @Tag("B18")
    @Tag("B20")
    @DisplayName("the edit battery, and its table in docs/edits.md")
    void battery() throws Exception {
        reading();
        lineEnds();
        encodings();
        tolerance();
        kinds();
        patches();
        Page.of("docs/edits.md").checkPart("edit battery", table.toString());
    }

    private void reading() throws IOException {
        applied("edit of a file that was not read", "a\nb\n", "b", "c", "a\nc\n");
        ToolFixture tools = fixture();
        tools.write("f", "a\nb\n");
        tools.call("read_file", "file_path", "f");
        tools.write("f", "a\nbb\n");
        row("file changed since it was read, at the same place", edit(tools, "b\n", "x\n"), true);
        assertEquals("a\nbb\n", tools.content("f"));
        row("the same, and the edit names what the refusal shows", edit(tools, "bb", "x"), false);
        assertEquals("a\nx\n", tools.content("f"));
        tools.write("f", "a\nb\n");
        tools.call("read_file", "file_path", "f");
        tools.write("f", "a\nbb\n");
        row("file changed since it was read, elsewhere", edit(tools, "a", "x"), false);
        assertEquals("x\nbb\n", tools.content("f"));
    }

    private void lineEnds() throws IOException {
        applied(
                "CR LF in the file, LF in the call",
                "a\r\nb\r\nc\r\n",
                "a\nb",
                "A\nB",
                "A\r\nB\r\nc\r\n");
        applied(
                "mixed line ends, two lines edited",
                "a\r\nb\nc\r\nd\n",
                "b\nc",
                "B\nC",
                "a\r\nB\nC\r\nd\n");
        applied("no line end at the end of the file", "a\nb", "b", "c", "a\nc");
    }

    private void encodings() throws IOException {
        byte[] mark = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};
        bytes(
                "byte order mark",
                join(mark, "first\nb\n".getBytes(UTF_8)),
                join(mark, "x\nb\n".getBytes(UTF_8)));
        bytes(
                "UTF-16, little endian",
                "\uFEFFfirst\r\nb\r\n".getBytes(UTF_16LE),
                "\uFEFFx\r\nb\r\n".getBytes(UTF_16LE));
        bytes(
                "a byte of ISO-8859-1 elsewhere in the file",
                "first\ncaf\u00E9\n".getBytes(ISO_8859_1),
                "x\ncaf\u00E9\n".getBytes(ISO_8859_1));
        ToolFixture tools = fixture();
        tools.write("f", "first\ncaf\u00E9\n".getBytes(ISO_8859_1));
        row("a new character that the file's encoding has not", edit(tools, "first", "€"), true);
        assertArrayEquals("first\ncaf\u00E9\n".getBytes(ISO_8859_1), tools.bytes("f"));
    }

    private void tolerance() throws IOException {
        refused("two places", "a\nb\na\n", "a", "x");
        refused("no such text", "alpha\nbeta\n", "alpha\nbeto", "x");
        applied(
                "tabs in the file, blanks in the call",
                "f:\n\tif x:\n\t\ty\n",
                "    if x:\n        y",
                "    if x:\n        z",
                "f:\n\tif x:\n\t\tz\n");
        applied(
                "typographic quotes in the file, plain ones in the call",
                "say “hello you”\n",
                "say \"hello you\"",
                "say \"hello me\"",
                "say “hello me”\n");
        applied(
                "blanks at line ends in the file, none in the call",
                "a  \n\t\nb\n",
                "a\n\nb",
                "A\n\nb",
                "A\n\t\nb\n");
    }

    private void kinds() throws IOException {
        ToolFixture tools = fixture();
        Path file = tools.write("f", "a\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-x---"));
        row("executable file", edit(tools, "a", "b"), false);
        assertEquals(
                "rwxr-x---", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        tools = fixture();
        tools.write("real", "a\n");
        Files.createSymbolicLink(tools.path("f"), Path.of("real"));
        row("symbolic link", edit(tools, "a", "b"), false);
        assertTrue(Files.isSymbolicLink(tools.path("f")));
        assertEquals("b\n", tools.content("real"));
        tools = fixture();
        tools.write("f", "a\n");
        Files.createLink(tools.path("other"), tools.path("f"));
        row("file with a second name (hard link)", edit(tools, "a", "b"), true);
        assertEquals("a\n", tools.content("other"));
        assertEquals(
                2, Files.getAttribute(tools.path("f"), "unix:nlink", LinkOption.NOFOLLOW_LINKS));
    }

    private void patches() {
        ToolFixture tools = fixture();
        tools.write("a", "1\n");
        tools.write("b", "2\n");
        String patch =
                "*** Begin Patch\n*** Update File: a\n-1\n+x\n*** Add File: new/c\n+3\n"
                        + "*** Update File: b\n-9\n+y\n*** End Patch\n";
        row(
                "patch of three files, one hunk is wrong",
                tools.call("apply_patch", "patch", patch),
                true);
        assertEquals("1\n", tools.content("a"));
        assertEquals(List.of("a", "b"), tools.names());
    }

    private void applied(String what, String before, String old, String with, String after) {
        ToolFixture tools = fixture();
        tools.write("f", before);
        row(what, edit(tools, old, with), false);
        assertEquals(after, tools.content("f"), what);
    }

    private void refused(String what, String before, String old, String with) {
        ToolFixture tools = fixture();
        tools.write("f", before);
        row(what, edit(tools, old, with), true);
        assertEquals(before, tools.content("f"), what);
    }

    private void bytes(String what, byte[] before, byte[] after) {
        ToolFixture tools = fixture();
        tools.write("f", before);
        row(what, edit(tools, "first", "x"), false);
        assertArrayEquals(after, tools.bytes("f"), what);
    }

    private static ToolResult edit(ToolFixture tools, String old, String with) {
        return tools.call("edit_file", "file_path", "f", "old_string", old, "new_string", with);
    }

    private void row(String what, ToolResult result, boolean refused) {
        assertEquals(refused, result.isError(), what + ": " + result.text());
        String said = result.text().strip().replace("|", "\\|").replace("\n", "<br>");
        table.append("| ").append(what).append(" | ");
        table.append(refused ? "refused, nothing written: " : "done: ").append(said).append(" |\n");
    }

    private ToolFixture fixture() {
        try {
            return ToolFixture.in(Files.createDirectory(root.resolve("w" + files++)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] join(byte[] one, byte[] two) {
        byte[] both = Arrays.copyOf(one, one.length + two.length);
        System.arraycopy(two, 0, both, one.length, two.length);
        return both;
    }
}
