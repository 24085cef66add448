package dev.agentloop.tool.builtin.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.json.Json;
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
import org.junit.jupiter.params.provider.ValueSource;

class ApplyPatchToolTest {
    private static final String ALL_KINDS =
            """
            *** Begin Patch
            *** Update File: src/a.py
            @@
             one
            -two
            +2
            +3
            *** Add File: new/b.txt
            +hello
            +
            *** Delete File: old.txt
            *** Update File: run.sh
            *** Move to: bin/run.sh
            -echo
            +date
            *** End Patch
            """;

    private static final String GIT_DIFF =
            """
            diff --git a/tool b/tool
            new file mode 100755
            index 0000000..1
            --- /dev/null
            +++ b/tool
            @@ -0,0 +1 @@
            +#!/bin/sh
            diff --git a/gone b/gone
            deleted file mode 100644
            --- a/gone
            +++ /dev/null
            @@ -1,2 +0,0 @@
            -a
            -b
            diff --git a/from b/to
            similarity index 50%
            rename from from
            rename to to
            --- a/from
            +++ b/to
            @@ -1,2 +1,2 @@
             1
            -2
            +3
            diff --git "a/\\303\\261" "b/\\303\\261"
            --- "a/\\303\\261"
            +++ "b/\\303\\261"
            @@ -1 +1 @@
            -x
            +y
            """;

    @TempDir Path root;
    private ToolFixture tools;

    @BeforeEach
    void prepare() {
        tools = ToolFixture.in(root);
    }

    @Test
    @DisplayName("a patch changes, creates, deletes and moves files")
    void allKindsOfSections() throws IOException {
        tools.write("src/a.py", "one\ntwo\n");
        tools.write("old.txt", "x\n");
        Path script = tools.write("run.sh", "echo\r\nend\r\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-x---"));
        ToolResult result = patch(ALL_KINDS);
        assertEquals(
                """
                Patched src/a.py: +2 -1 lines.
                Created new/b.txt: +2 -0 lines.
                Deleted old.txt: +0 -1 lines.
                Moved run.sh to bin/run.sh: +1 -1 lines.\
                """,
                result.text());
        assertEquals(
                List.of(
                        new FileChange("src/a.py", FileChange.Kind.MODIFIED, 2, 1),
                        new FileChange("new/b.txt", FileChange.Kind.ADDED, 2, 0),
                        new FileChange("old.txt", FileChange.Kind.DELETED, 0, 1),
                        new FileChange("bin/run.sh", FileChange.Kind.MOVED, 1, 1)),
                result.changes());
        assertEquals("one\n2\n3\n", tools.content("src/a.py"));
        assertEquals("hello\n\n", tools.content("new/b.txt"));
        assertEquals("date\r\nend\r\n", tools.content("bin/run.sh"));
        assertEquals(
                "rwxr-x---",
                PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(tools.path("bin/run.sh"))));
        assertEquals(List.of("bin", "new", "src"), tools.names());
    }

    @Test
    @DisplayName("a diff of git: new file with a mode, deletion, rename, quoted name")
    void gitDiff() throws IOException {
        tools.write("gone", "a\nb\n");
        tools.write("from", "1\n2\n");
        tools.write("ñ", "x\n");
        ToolResult result = patch(GIT_DIFF);
        assertFalse(result.isError(), result.text());
        assertEquals("#!/bin/sh\n", tools.content("tool"));
        assertTrue(Files.isExecutable(tools.path("tool")));
        assertEquals("1\n3\n", tools.content("to"));
        assertEquals("y\n", tools.content("ñ"));
        assertEquals(List.of("to", "tool", "ñ"), tools.names());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "*** Update File: c\\n-x\\n+y\\n|c: Hunk 1 does not fit.",
                "*** Update File: d\\n-x\\n+y\\n|d is a directory",
                "*** Update File: none\\n-x\\n+y\\n|No such file: none",
                "*** Update File: c\\n*** Update File: a\\n|c: The patch changes nothing in it.",
                "*** Add File: c\\n+x\\n|c: It exists already",
                "*** Delete File: none\\n|No such file: none",
                "*** Update File: b\\n*** Move to: c\\n|c: It exists already",
                "*** Add File: ../x\\n+x\\n|../x is outside the workspace",
                "*** Add File: .git/config\\n+x\\n|.git/config belongs to .git",
                "*** Add File: new/deep/x\\n+x\\n*** Update File: c\\n-x\\n+y\\n|c: Hunk 1 does not",
                "*** Add File: x\\n+a\\nb\\n|*** Add File: x has a line without its +: b"
            })
    @Tag("B18")
    @Tag("scenario-49")
    @DisplayName("one file of several does not fit: none is changed")
    void allOrNothing(String section, String start) throws IOException {
        tools.write("a", "1\n");
        tools.write("b", "2\n");
        tools.write("c", "3\n");
        Files.createDirectory(root.resolve("d"));
        ToolResult result =
                patch(
                        "*** Begin Patch\n*** Update File: a\n-1\n+one\n*** Delete File: b\n"
                                + (section.contains("File: b") ? "*** Add File: b\n+2\n" : "")
                                + section.translateEscapes()
                                + "*** End Patch");
        assertTrue(result.isError(), result.text());
        assertTrue(result.text().startsWith(start), result.text());
        assertEquals("1\n", tools.content("a"));
        assertEquals("2\n", tools.content("b"));
        assertEquals("3\n", tools.content("c"));
        assertEquals(List.of("a", "b", "c", "d"), tools.names());
    }

    @Test
    @Tag("B18")
    @DisplayName("the last of three files cannot be written: the others are as they were")
    void rolledBack() throws IOException {
        tools.write("a", "1\n");
        tools.write("b", "2\n");
        Path hard = tools.write("c", "3\n");
        Files.createLink(root.resolve("c2"), hard);
        ToolResult result =
                patch(
                        "*** Begin Patch\n*** Update File: a\n-1\n+one\n*** Add File: n/m/x\n+x\n"
                                + "*** Delete File: b\n*** Update File: c\n-3\n+three\n"
                                + "*** End Patch");
        assertTrue(result.text().contains("hard links"), result.text());
        assertEquals("1\n", tools.content("a"));
        assertEquals("2\n", tools.content("b"));
        assertEquals("3\n", tools.content("c"));
        assertEquals(List.of("a", "b", "c", "c2"), tools.names());
    }

    @Test
    @DisplayName("sections of one file follow one another")
    void severalSectionsOfOneFile() {
        tools.write("a", "1\n2\n");
        ToolResult result =
                patch(
                        "*** Begin Patch\n*** Update File: a\n-1\n+one\n*** Update File: ./a\n one\n"
                                + "-2\n+two\n*** End Patch");
        assertEquals("Patched a: +2 -2 lines.", result.text());
        assertEquals("one\ntwo\n", tools.content("a"));
    }

    @Test
    @Tag("B17")
    @DisplayName("a patch beside others' changes keeps them, one of what they changed does not")
    void stale() {
        tools.write("a", "1\n2\n");
        tools.call("read_file", "file_path", "a");
        tools.write("a", "0\n1\n2\n");
        assertTrue(update("a", "-1\n+one\n").text().contains("those were kept."));
        assertEquals("0\none\n2\n", tools.content("a"));
        String twice = "-one\n+uno\n*** Update File: a\n-2\n+two\n*** Update File: a\n-0\n+zero\n";
        String text = update("a", twice).text();
        assertTrue(text.startsWith("a changed on disk since you last read it."), text);
        assertEquals("0\none\n2\n", tools.content("a"));
        tools.write("a", "0\nONE\n2\n");
        text = update("a", "-one\n+eins\n").text();
        assertTrue(text.startsWith("a changed on disk since you last read it."), text);
        assertEquals("0\nONE\n2\n", tools.content("a"));
    }

    @Test
    @Tag("B17")
    @DisplayName("a patch of what others changed is applied once a refusal has shown it")
    void shown() {
        tools.write("a", "1\n2\n3\n");
        tools.call("read_file", "file_path", "a");
        tools.write("a", "1\nTWO\n3\n");
        String text = update("a", "-TWO\n+two\n").text();
        assertTrue(text.endsWith("Lines 1-3 of the file are:\n1\nTWO\n3\n"), text);
        assertEquals("1\nTWO\n3\n", tools.content("a"));
        assertTrue(update("a", "-TWO\n+two\n").text().contains("line"), text);
        assertEquals("1\ntwo\n3\n", tools.content("a"));
        assertFalse(update("a", "-two\n+2\n").text().contains("changed"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "*** Update File: a\n*** Move to: b\n",
                "*** Update File: a\n*** Move to: b\n*** Delete File: b\n",
                "*** Update File: a\n*** Move to: b\n-2\n+two\n",
                "*** Delete File: a\n",
                "*** Update File: a\n-2\n+two\n*** Delete File: a\n"
            })
    @Tag("B17")
    @DisplayName("a file that others changed is neither moved nor deleted by a patch")
    void staleMoves(String body) {
        tools.write("a", "1\n2\n");
        tools.call("read_file", "file_path", "a");
        tools.write("a", "0\n1\n2\n");
        String text = patch("*** Begin Patch\n" + body + "*** End Patch\n").text();
        assertTrue(text.startsWith("a changed on disk since you last read it."), text);
        assertEquals("0\n1\n2\n", tools.content("a"));
        assertEquals(List.of("a"), tools.names());
    }

    @Test
    @Tag("B17")
    @DisplayName("a new mode does not make a file known that others changed")
    void staleMode() {
        tools.write("a", "1\n");
        tools.call("read_file", "file_path", "a");
        tools.write("a", "2\n");
        String text = patch("diff --git a/a b/a\nold mode 100644\nnew mode 100755\n").text();
        assertTrue(text.startsWith("a changed on disk since you last read it."), text);
    }

    @Test
    @DisplayName("a file that is moved and then deleted is told as deleted")
    void movedThenDeleted() {
        tools.write("f", "1\n");
        ToolResult result =
                patch(
                        "*** Begin Patch\n*** Update File: f\n*** Move to: g\n*** Delete File: g\n"
                                + "*** End Patch\n");
        assertEquals("Deleted f: +0 -0 lines.", result.text());
        assertEquals(1, result.changes().size());
        assertEquals(List.of(), tools.names());
    }

    @Test
    @DisplayName("lines are counted for the file that has them; a file is no folder")
    void countsAndFolders() {
        tools.write("a", "1\n");
        assertEquals(
                "Patched a: +1 -0 lines.\nMoved a to b: +1 -1 lines.",
                patch(
                                "*** Begin Patch\n*** Update File: a\n*** Move to: b\n-1\n+2\n"
                                        + "*** Add File: a\n+x\n*** End Patch\n")
                        .text());
        String text =
                patch(
                                "*** Begin Patch\n*** Add File: d\n+x\n*** Add File: d/e\n+y\n*** End Patch\n")
                        .text();
        assertEquals("d: It cannot be a file and a folder. Nothing was changed.", text);
        assertEquals(List.of("a", "b"), tools.names());
    }

    @Test
    @DisplayName("rules that deny an edit deny the same by a patch; those that allow it do not")
    void rulesOfOtherTools() {
        assertEquals(Verdict.DENY, verdict("edit_file(a)", Verdict.DENY));
        assertEquals(Verdict.DENY, verdict("write_file(b*)", Verdict.DENY));
        assertEquals(Verdict.ASK, verdict("edit_file", Verdict.ALLOW));
        assertEquals(Verdict.ASK, verdict("apply_patch(a)", Verdict.ALLOW));
        assertEquals(Verdict.ALLOW, verdict("apply_patch", Verdict.ALLOW));
    }

    private Verdict verdict(String rule, Verdict says) {
        String patch =
                "*** Begin Patch\n*** Update File: ./x/../a\n-1\n+2\n*** Add File: b\n+1\n"
                        + "*** End Patch";
        String json = "{\"patch\":" + Json.quote(patch) + "}";
        PreparedCall prepared =
                tools.registry.prepare(new ToolCall("1", "apply_patch", json), false);
        return new PermissionPolicy(
                        List.of(Rule.parse(rule, says).orElseThrow()),
                        ConfirmPreset.CONFIRM_SENSITIVE,
                        Circumstances.plain(
                                Supervision.UNTRUSTED_TERMINAL, tools.path("").toAbsolutePath()),
                        Guardrails.NONE)
                .decide((PreparedCall.Ready<?>) prepared)
                .verdict();
    }

    @Test
    @DisplayName("what was ignored to find a place is said")
    void saysWhatWasIgnored() {
        tools.write("a", "f\n\tg\n");
        assertEquals(
                "Patched a: +1 -1 lines. hunk 1 placed with another indentation, to which the new"
                        + " lines were fitted.",
                update("a", "-    g\n+    h\n").text());
        assertEquals("f\n\th\n", tools.content("a"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "hello|The patch names no file.",
                "*** Begin Patch\\n*** Update File: a\\n-1\\n+one|The patch has no *** End Patch",
                "@@ -1 +1 @@\\n-1\\n+2|The patch names no file for line 1.",
                "diff --git a/a b/b\\ncopy from a\\ncopy to b|The patch is a copy, which cannot be applied",
                "diff --git a/a b/a\\nnew file mode 120000|The file mode 120000 is not"
            })
    @DisplayName("what is no patch is refused with what is missing")
    void noPatch(String patch, String start) {
        tools.write("a", "1\n");
        ToolResult result = patch(patch.translateEscapes());
        assertTrue(result.isError(), result.text());
        assertTrue(result.text().startsWith(start), result.text());
        assertEquals("1\n", tools.content("a"));
    }

    @Test
    @DisplayName("fences and shell words around a patch are no part of it")
    void around() {
        tools.write("a", "1\n");
        patch(
                "```\napply_patch <<'EOF'\n*** Begin Patch\n*** Update File: a\n-1\n+2\n*** End Patch\nEOF\n```");
        assertEquals("2\n", tools.content("a"));
    }

    private ToolResult update(String file, String body) {
        return patch("*** Begin Patch\n*** Update File: " + file + "\n" + body + "*** End Patch\n");
    }

    private ToolResult patch(String patch) {
        return tools.call("apply_patch", "patch", patch);
    }
}
