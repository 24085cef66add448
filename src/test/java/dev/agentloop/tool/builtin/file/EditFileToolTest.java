package dev.agentloop.tool.builtin.file;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.json.Json;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EditFileToolTest {
    @TempDir Path root;
    private ToolFixture tools;

    @BeforeEach
    void prepare() {
        tools = ToolFixture.in(root);
    }

    @Test
    void oneOccurrenceIsReplacedAndNothingElse() {
        tools.write("a.py", "def f():\n    return 1\n");
        assertEquals(
                ToolResult.ok("Edited a.py at line 2: +2 -1 lines.")
                        .withChanges(
                                List.of(new FileChange("a.py", FileChange.Kind.MODIFIED, 2, 1))),
                edit("a.py", "    return 1", "    x = 1\n    return x"));
        assertEquals("def f():\n    x = 1\n    return x\n", tools.content("a.py"));
    }

    @Test
    @Tag("scenario-24")
    @DisplayName("two edits of one file both land, in order")
    void twoEditsOfOneFileBothLand() {
        tools.write("a", "one\ntwo\n");
        tools.call("read_file", "file_path", "a");
        edit("a", "one", "1");
        edit("a", "two", "2");
        assertEquals("1\n2\n", tools.content("a"));
    }

    @Test
    @Tag("B09")
    @Tag("scenario-46")
    @DisplayName("CRLF, BOM, missing last line end and mode are kept")
    void theStyleOfTheFileIsKept() throws IOException {
        Path file = tools.write("a.sh", "\uFEFFone\r\ntwo\r\nthree");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertEquals(
                "Edited a.sh at line 1: +3 -2 lines, matched ignoring line ends.",
                edit("a.sh", "one\ntwo", "1\n1b\n2").text());
        assertEquals("\uFEFF1\r\n1b\r\n2\r\nthree", tools.content("a.sh"));
        assertEquals(
                "rwxr-xr-x", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    }

    @Test
    @Tag("B10")
    @DisplayName("a Latin-1 file stays one, and never gets a replacement character")
    void aLatin1FileStaysOne() {
        byte[] latin = "é = 1\nü = 2\n".getBytes(StandardCharsets.ISO_8859_1);
        tools.write("a", latin);
        edit("a", "ü = 2", "ß = 2");
        assertArrayEquals("é = 1\nß = 2\n".getBytes(StandardCharsets.ISO_8859_1), tools.bytes("a"));
        ToolResult result = edit("a", "é = 1", "€ = 1");
        assertEquals(
                ToolResult.error(
                        "a: The new text has characters that ISO-8859-1, the file's encoding, cannot"
                                + " express. Nothing was changed."),
                result);
        assertArrayEquals("é = 1\nß = 2\n".getBytes(StandardCharsets.ISO_8859_1), tools.bytes("a"));
    }

    @Test
    @Tag("B17")
    @Tag("scenario-47")
    @DisplayName("an edit of what changed on disk is refused")
    void anEditOfWhatChangedOnDiskIsRefused() {
        tools.write("a", "x = 1\nz = 3\n");
        tools.call("read_file", "file_path", "a");
        for (String now :
                List.of(
                        "x = 2\nz = 3\n", // other text
                        "x = 1\nx = 1\nz = 3\n", // now at two places
                        "  x = 1\nz = 3\n")) { // other indentation
            tools.write("a", now);
            String text = edit("a", "x = 1\n", "x = 3\n").text();
            assertTrue(text.startsWith("a changed on disk since you last read it."), text);
            int lines = (int) now.lines().count();
            String shown = "Lines 1-%d of the file are:\n%s".formatted(lines, now);
            assertTrue(text.endsWith(shown), text);
            assertEquals(now, tools.content("a"));
        }
    }

    @Test
    @Tag("B17")
    @DisplayName("what others changed is edited once a refusal has shown it, but not overwritten")
    void anEditOfWhatWasShown() {
        tools.write("a", "x = 1\ny = 2\nz = 3\n");
        tools.call("read_file", "file_path", "a");
        tools.write("a", "x = 1\ny = 20\nz = 3\n");
        assertTrue(edit("a", "y = 20", "y = 4").text().startsWith("a changed on disk"), "a guess");
        assertTrue(edit("a", "y = 2", "y = 4").text().startsWith("a changed on disk"), "as before");
        assertTrue(edit("a", " y = 20", "y = 4").text().startsWith("a changed on disk"), "nearly");
        for (String tool : List.of("write_file", "delete_file")) {
            Object[] args = {"file_path", "a", "content", "z"};
            String text =
                    tools.call(
                                    tool,
                                    tool.startsWith("w")
                                            ? args
                                            : List.of(args).subList(0, 2).toArray())
                            .text();
            assertTrue(text.startsWith("a changed on disk"), text);
        }
        assertEquals("x = 1\ny = 20\nz = 3\n", tools.content("a"));
        assertTrue(edit("a", "y = 20", "y = 4").text().startsWith("Edited a at line 2"));
        assertEquals("Edited a at line 3: +1 -1 lines.", edit("a", "z = 3", "z = 5").text());
        assertEquals("x = 1\ny = 4\nz = 5\n", tools.content("a"));
    }

    @Test
    @Tag("B17")
    @DisplayName("a file that changed in many lines, or in its line ends, has to be read again")
    void whatCannotBeShownHasToBeRead() {
        String lines = "x = 1\n".repeat(60);
        for (String now :
                List.of("y = 2\n".repeat(60), lines.replace("\n", "\r\n"), "x".repeat(7_000))) {
            tools.write("a", lines);
            tools.call("read_file", "file_path", "a");
            tools.write("a", now);
            for (int attempt = 0; attempt < 2; attempt++) {
                String text = edit("a", "x = 1\nx = 1\n", "x = 3\n").text();
                assertTrue(text.startsWith("a changed on disk since you last read it."), text);
                assertTrue(text.contains("Read it again"), text);
            }
            assertEquals(now, tools.content("a"));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "a:\\n x = 1\\nb:\\n y\\n|a:\\n x = 9\\nb:\\n x = 1\\n| x = 1",
                "k\\na\\nk\\nb\\n|K\\na\\nk\\nb\\nk\\n|k",
                "x\\nmid\\ny\\n|0\\nx\\nmid\\ny\\n1\\n|mid"
            })
    @Tag("B17")
    @DisplayName("words that stand elsewhere now are not what the model saw")
    void wordsThatMoved(String seen, String now, String old) {
        tools.write("a", seen.translateEscapes());
        tools.call("read_file", "file_path", "a");
        tools.write("a", now.translateEscapes());
        ToolResult result =
                tools.call(
                        "edit_file",
                        "file_path",
                        "a",
                        "old_string",
                        old,
                        "new_string",
                        "new",
                        "replace_all",
                        true);
        assertTrue(result.text().startsWith("a changed on disk"), result.text());
        assertEquals(now.translateEscapes(), tools.content("a"));
    }

    @Test
    @Tag("B17")
    @DisplayName("an edit beside others' changes keeps them and says so")
    void anEditBesideOthersChanges() {
        tools.write("a", "x = 1\ny = 2\n");
        tools.call("read_file", "file_path", "a");
        tools.write("a", "new\nx = 1\ny = 2\n");
        assertEquals(
                "Edited a at line 2: +1 -1 lines. Somebody else changed other parts of the file since"
                        + " you read it; those were kept.",
                edit("a", "x = 1", "x = 3").text());
        assertEquals("new\nx = 3\ny = 2\n", tools.content("a"));
        assertTrue(edit("a", "x = 3", "x = 4").text().contains("those were kept"));
        assertTrue(edit("a", "new", "old").text().startsWith("a changed on disk"), "never seen");
        assertTrue(
                tools.call("write_file", "file_path", "a", "content", "z")
                        .text()
                        .startsWith("a changed on disk"),
                "nor may it be overwritten");
        tools.call("read_file", "file_path", "a");
        assertEquals("Edited a at line 1: +1 -1 lines.", edit("a", "new", "old").text());
    }

    @Test
    @DisplayName("more places than anybody can look at are left to a command")
    void tooManyPlaces() {
        tools.write("a", "k ".repeat(30_000));
        ToolResult result =
                tools.call(
                        "edit_file",
                        "file_path",
                        "a",
                        "old_string",
                        "k",
                        "new_string",
                        "kk",
                        "replace_all",
                        true);
        assertTrue(result.text().contains("occurs more than 20000 times"), result.text());
    }

    @Test
    @DisplayName("a line with two edits is one line")
    void twoEditsInOneLine() {
        tools.write("a", "f(a, b)\nx\ny\n");
        assertEquals("Edited a at line 1: +1 -1 lines.", edits("a", "a,", "c,", "b)", "d)").text());
        assertEquals("Edited a at lines 2, 3: +2 -2 lines.", edits("a", "x", "X", "y", "Y").text());
        assertEquals("Edited a at line 2: +1 -0 lines.", edit("a", "X\n", "X\n\n").text());
    }

    @Test
    @Tag("scenario-49")
    @DisplayName("several edits are matched against the file as it was")
    void severalEdits() {
        tools.write("a", "one\ntwo\n\tthree\nfour\n");
        assertEquals(
                "Edited a at lines 1, 3: +3 -2 lines, edits[0] matched with another indentation, to"
                        + " which the new text was fitted.",
                edits("a", "    three", "    3\n    3b", "one", "two").text());
        assertEquals("two\ntwo\n\t3\n\t3b\nfour\n", tools.content("a"));
    }

    @Test
    @Tag("scenario-49")
    @DisplayName("one of several edits does not fit: nothing is written")
    void severalEditsOneFails() {
        tools.write("a", "one\ntwo\n");
        String missing = edits("a", "one", "1", "three", "3").text();
        assertTrue(missing.startsWith("a: edits[1]: old_string was not found."), missing);
        assertTrue(missing.endsWith("Nothing was changed."), missing);
        tools.write("b", "def one():\n    return 1\n\ndef two():\n    return 2\n");
        String both = edits("b", "return 11", "x", "def one", "y", "return 22", "z").text();
        assertTrue(both.contains("edits[0]: old_string was not found. The nearest"), both);
        assertTrue(both.contains("edits[2]: old_string was not found. The nearest"), both);
        assertTrue(both.contains("    return 1\n") && both.contains("    return 2\n"), both);
        String five = edits("b", "v9", "", "w9", "", "x9", "", "y9", "", "z9", "").text();
        assertTrue(five.contains("edits[3]: "), five);
        assertTrue(
                five.endsWith("\nThe edits behind it were not looked at.\n[Nothing was changed.]"));
        String escaped = edit("b", "def one():\\n    return 1", "x").text();
        assertTrue(escaped.contains("It has a backslash and an n"), escaped);
        String numbered = edit("b", "1: def one():\n2:     return 1", "x").text();
        assertTrue(numbered.contains("The numbers in front of the lines"), numbered);
        assertEquals(
                "a: edits[0] and edits[1] both change line 1. Each edit is matched against the file"
                        + " as it was: make one edit of the two. Nothing was changed.",
                edits("a", "one\ntwo", "x", "one", "1").text());
        assertEquals("one\ntwo\n", tools.content("a"));
        String twice =
                tools.call(
                                "edit_file",
                                "file_path",
                                "a",
                                "old_string",
                                "one",
                                "edits",
                                new StringBuilder(
                                        "[{\"old_string\":\"two\",\"new_string\":\"2\"}]"))
                        .text();
        assertTrue(twice.startsWith("Give either"), twice);
        String none = tools.call("edit_file", "file_path", "a", "old_string", "one").text();
        assertTrue(none.startsWith("new_string is missing"), none);
    }

    @Test
    @DisplayName("what is said twice is done once")
    void saidTwice() {
        tools.write("a", "one\ntwo\n");
        String pair = "\"old_string\":\"one\",\"new_string\":\"1\"";
        String json = "{\"file_path\":\"a\"," + pair + ",\"edits\":[{" + pair + "}]}";
        assertEquals("Edited a at line 1: +1 -1 lines.", tools.callRaw("edit_file", json).text());
        String empty =
                "{\"file_path\":\"a\",\"old_string\":\"\",\"new_string\":\"\",\"replace_all\":false,"
                        + "\"edits\":[{\"old_string\":\"two\",\"new_string\":\"2\"}]}";
        assertEquals("Edited a at line 2: +1 -1 lines.", tools.callRaw("edit_file", empty).text());
        assertEquals("1\n2\n", tools.content("a"));
    }

    private ToolResult edits(String file, String... oldAndNew) {
        StringBuilder edits = new StringBuilder("[");
        for (int i = 0; i < oldAndNew.length; i += 2) {
            edits.append(i > 0 ? "," : "").append("{\"old_string\":");
            edits.append(Json.quote(oldAndNew[i])).append(",\"new_string\":");
            edits.append(Json.quote(oldAndNew[i + 1])).append('}');
        }
        return tools.call("edit_file", "file_path", file, "edits", edits.append(']'));
    }

    @Test
    @Tag("B44")
    @DisplayName("a formatter's change is not stale once the loop has taken it over")
    void aFormattersChangeIsNotStale() {
        Path file = tools.write("a", "x=1\n");
        edit("a", "x=1", "x=2");
        tools.write("a", "x = 2\n");
        tools.seen.sawOnDisk(file);
        assertEquals(ToolResult.Kind.OK, edit("a", "x = 2", "x = 3").kind());
    }

    @Test
    @Tag("B15")
    @Tag("B16")
    @Tag("scenario-48")
    @DisplayName("what does not fit leaves the file as it was")
    void whatDoesNotFitLeavesTheFileAsItWas() {
        tools.write("a", "x = 1\nx = 1\n");
        assertTrue(edit("a", "x = 1", "y").text().contains("2 times, at lines 1, 2"));
        assertTrue(edit("a", "x = 2", "y").text().contains("was not found"));
        assertTrue(edit("a", "", "y").text().contains("old_string is empty"));
        assertTrue(edit("a", "x", "x").text().contains("equal"));
        assertTrue(edit("b", "x", "y").text().startsWith("No such file: b"));
        assertEquals("x = 1\nx = 1\n", tools.content("a"));
        assertEquals(
                "Edited a at 2 places: +2 -2 lines.",
                tools.call(
                                "edit_file",
                                "file_path",
                                "a",
                                "old_string",
                                "x = 1",
                                "new_string",
                                "y",
                                "replace_all",
                                true)
                        .text());
    }

    @Test
    void binaryAndHugeFilesAreNotEdited() {
        tools.write("b", new byte[] {0, 1});
        assertEquals(ToolResult.error("b is binary; not edited."), edit("b", "a", "b"));
        tools.write("huge", new byte[FileWriting.MAX_BYTES + 1]);
        assertTrue(edit("huge", "a", "b").text().startsWith("huge is larger than"));
    }

    private ToolResult edit(String path, String old, String with) {
        return tools.call("edit_file", "file_path", path, "old_string", old, "new_string", with);
    }
}
