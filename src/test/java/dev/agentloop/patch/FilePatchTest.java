package dev.agentloop.patch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.edit.Splice;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where the hunks of one file land; the bodies are those of {@code *** Update File}. */
class FilePatchTest {
    private static final String TWO =
            "def a():\n    x = 1\n    return x\n\ndef b():\n    x = 1\n    return x\n";

    @Test
    @DisplayName("an anchor says which of two places is meant")
    void anchor() throws Exception {
        assertEquals(
                TWO.replaceFirst("(?s)(def b.*)return x", "$1return 2"),
                patched(TWO, "@@ def b():\n     x = 1\n-    return x\n+    return 2\n"));
        assertEquals(
                TWO.replaceFirst("return x", "return 2"),
                patched(TWO, "@@ def a():\n     x = 1\n-    return x\n+    return 2\n"));
        assertEquals(
                TWO.replaceFirst("return x", "return 2"),
                patched(TWO, "@@ def a()\n-    return x\n+    return 2\n"),
                "its beginning is enough");
    }

    @Test
    @DisplayName("anchors one below the other: a function of a class")
    void anchors() throws Exception {
        String file =
                "class A:\n    def f(self):\n        pass\n\nclass B:\n    def f(self):\n"
                        + "        pass\n";
        assertEquals(
                file.substring(0, file.lastIndexOf("pass")) + "return 1\n",
                patched(
                        file,
                        "@@ class B:\n@@     def f(self):\n-        pass\n+        return 1\n"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-    return x\n+    return 2\n",
                "@@\n-    return x\n+    return 2\n",
                "@@ def c():\n-    return x\n+    return 2\n",
                "@@ x = 1\n-    return x\n+    return 2\n",
                "@@ -40,1 +40,1 @@\n-    return x\n+    return 2\n"
            })
    @DisplayName("of two places none is taken when nothing says which")
    void ambiguous(String body) {
        String text = refusal(TWO, body);
        assertTrue(text.startsWith("Hunk 1 fits at lines 3, 7"), text);
    }

    @Test
    @DisplayName("an anchor does not reach into the next thing of its kind")
    void anchorEnds() {
        String file = "def a():\n    pass\n\ndef b():\n    return x\n\ndef c():\n    return x\n";
        String text = refusal(file, "@@ def a():\n-    return x\n+    return 2\n");
        assertTrue(text.startsWith("Hunk 1 fits at lines 5, 8"), text);
    }

    @Test
    @DisplayName("the number of a unified diff, and the order of hunks, tell places apart")
    void numbersAndOrder() throws Exception {
        assertEquals(
                "1\nx\n2\nx\ny\n3\nx\n",
                patched("1\nx\n2\nx\n3\nx\n", "@@ -4,1 +4,2 @@\n x\n+y\n"));
        assertEquals(
                "1\nx\n2\n2b\n3\ny\n",
                patched("1\nx\n2\n3\nx\n", "@@\n 2\n+2b\n 3\n@@\n-x\n+y\n"),
                "below the first hunk only one is left");
        assertEquals(
                "0\n1\nx\n2\ny\n",
                patched("0\n1\nx\n2\nx\n", "@@\n-x\n+y\n*** End of File\n"),
                "the last lines");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "context without its leading blank"
                        + "|a\\n  b\\nc\\n|a\\n-  b\\n+  B\\nc\\n|a\\n  B\\nc\\n",
                "indented context without its leading blank"
                        + "|if x:\\n  a\\n  b\\n|@@\\nif x:\\n  a\\n-  b\\n+  B\\n|if x:\\n  a\\n  B\\n",
                "duplicated and empty @@|a\\nb\\n|@@\\n@@\\n a\\n-b\\n+B\\n@@\\n|a\\nB\\n",
                "@@ at both ends|def f():\\n  a\\n|@@ def f(): @@\\n-  a\\n+  b\\n|def f():\\n  b\\n",
                "wrong indentation|f:\\n\\ta\\n\\t\\tb\\n|     a\\n-        b\\n+        c\\n"
                        + "|f:\\n\\ta\\n\\t\\tc\\n",
                "blanks at line ends|a  \\nb\\n| a\\n-b\\n+c\\n|a  \\nc\\n",
                "typographic quotes|say “a”\\nb\\n|-say \"a\"\\n+say \"c\"\\n b\\n|say “c”\\nb\\n",
                "stale context at the beginning|new\\nkeep it\\nold line\\nend\\n"
                        + "| gone\\n keep it\\n-old line\\n+new line\\n end\\n"
                        + "|new\\nkeep it\\nnew line\\nend\\n",
                "a blank line before the end|a\\nb\\n|-a\\n+A\\n b\\n\\n|A\\nb\\n",
                "a diff's headers mixed in|a\\nb\\n"
                        + "|--- a/x\\n+++ b/x\\n@@ -1,2 +1,2 @@\\n-a\\n+A\\n b\\n|A\\nb\\n",
                "only new lines, without a place|a\\nb\\n|+c\\n|a\\nb\\nc\\n",
                "hunks in another order than the file|a\\nb\\nc\\n|@@\\n-c\\n+C\\n@@\\n-a\\n+A\\n|A\\nb\\nC\\n"
            })
    @DisplayName("what models really write is placed where it belongs")
    void sloppy(String what, String file, String body, String expected) throws Exception {
        assertEquals(shown(expected), patched(shown(file), shown(body)));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "line ends of Windows|a\\r\\nb\\r\\n| a\\n-b\\n+c\\n+d\\n|a\\r\\nc\\r\\nd\\r\\n",
                "a patch with those|a\\nb\\n| a\\r\\n-b\\r\\n+c\\r\\n|a\\nc\\n",
                "mixed line ends|a\\nb\\r\\nc\\n|-a\\n-b\\n+A\\n+B\\n+C\\n c\\n|A\\nB\\r\\nC\\r\\nc\\n",
                "no final line end, changed|a\\nb|-b\\n+c\\n|a\\nc",
                "no final line end, added|a\\nb| b\\n+c\\n|a\\nb\\nc",
                "no final line end, said so|a\\nb|-b\\n\\\\ No newline at end of file\\n+c\\n|a\\nc\\n",
                "final line end taken away|a\\nb\\n|-b\\n+b\\n\\\\ No newline at end of file\\n|a\\nb",
                "an empty file||+a\\n|a\\n",
                "everything removed|a\\nb\\n|-a\\n-b\\n|"
            })
    @Tag("B09")
    @DisplayName("line ends and the end of the file are kept as they are")
    void lineEnds(String what, String file, String body, String expected) throws Exception {
        assertEquals(
                expected == null ? "" : shown(expected),
                patched(file == null ? "" : shown(file), shown(body)));
    }

    @Test
    @Tag("B15")
    @DisplayName("what does not fit is refused with the first line that differs")
    void notFound() {
        assertEquals(
                """
                Hunk 2 does not fit. The nearest text starts at line 5; the first difference is at \
                line 6, column 9:
                file:  "    x = 1"
                patch: "    x = 2"
                Lines 3-7 of the file are:
                    return x

                def b():
                    x = 1
                    return x
                Write the patch for what the file holds now.\
                """,
                refusal(
                        TWO,
                        "@@\n-def a():\n+def aa():\n@@\n def b():\n     x = 2\n-    return y\n"
                                + "+    return z\n"));
    }

    @Test
    @DisplayName("what is like it is looked for below the @@ line first")
    void nearestBelowTheAnchor() {
        StringBuilder file = new StringBuilder();
        for (int i = 0; i < 30; i++) {
            file.append("def f%d(a):\n    x = a + %d\n    return x\n\n".formatted(i, i));
        }
        String refusal = refusal(file.toString(), "@@ def f25(a):\n-    x = a +  25\n+    x = 1\n");
        assertTrue(refusal.contains("The nearest text starts at line 102;"), refusal);
        assertTrue(refusal.contains("\n    x = a + 25\n"), refusal);
        assertTrue(!refusal.contains("as near"), refusal);
    }

    @Test
    @DisplayName("a refusal shows each hunk whose lines the file does not have")
    void allThatDoNotFit() {
        String refusal =
                refusal(
                        TWO,
                        "@@ def a():\n-    x = 7\n+    x = 8\n@@ def b():\n-    return yy\n"
                                + "+    return z\n");
        assertTrue(refusal.contains("Hunk 1 does not fit. The nearest text starts at"), refusal);
        assertTrue(refusal.contains("\nHunk 2 does not fit. The nearest text starts at"), refusal);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "@@ nowhere\n+new\n",
                "@@ def a():\n+new\n",
                "@@ -3,3 +3,4 @@\n+new\n",
                "@@ -3,0 +4,1 @@\n+new\n",
                "@@ -90,0 +91,1 @@\n+new\n",
                "@@ -0,0 +1,1 @@\n+new\n"
            })
    @DisplayName("new lines without context are no more than the last ones of a file")
    void insertionsNeedContext(String body) {
        String text = refusal(TWO, body);
        assertTrue(text.startsWith("Hunk 1 has only new lines; a number"), text);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "the indentation of an anchor tells depths apart"
                        + "|def f():\\n  x\\nclass C:\\n    def f():\\n      x\\n"
                        + "|@@     def f():\\n-x\\n+y\\n"
                        + "|def f():\\n  x\\nclass C:\\n    def f():\\n      y\\n",
                "an anchor does not end inside a word"
                        + "|def test_ab():\\n  x\\ndef test_a():\\n  x\\n|@@ def test_a\\n-  x\\n+  y\\n"
                        + "|def test_ab():\\n  x\\ndef test_a():\\n  y\\n",
                "numbers go on to count behind a hunk with stale context"
                        + "|new 1\\nnew 2\\nkeep it\\nold line\\nend\\nx\\ny\\nx\\ny\\nz\\n"
                        + "|@@ -1,5 +1,5 @@\\n gone 1\\n gone 2\\n keep it\\n-old line\\n+new line\\n end\\n"
                        + "@@ -8,1 +8,1 @@\\n-x\\n+X\\n"
                        + "|new 1\\nnew 2\\nkeep it\\nnew line\\nend\\nx\\ny\\nX\\ny\\nz\\n",
                "lines above those that another hunk takes away"
                        + "|a\\nb\\nc\\nd\\n|@@\\n-b\\n-c\\n d\\n@@\\n a\\n+new\\n|a\\nnew\\nd\\n",
                "the last line goes, another comes|a\\nb|@@\\n-b\\n@@\\n+c\\n|a\\nc"
            })
    @DisplayName("what once went wrong")
    void mended(String what, String file, String body, String expected) throws Exception {
        assertEquals(shown(expected), patched(shown(file), shown(body)));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "a place that shares context with an earlier hunk counts"
                        + "|a\\nx\\nb\\nx\\nc\\n|@@\\n a\\n-a2\\n x\\n|Hunk 1 does not fit",
                "the context of an earlier hunk is a place as any other"
                        + "|q\\nx\\nm\\nx\\n|@@\\n-q\\n+Q\\n x\\n@@\\n-x\\n+y\\n|Hunk 2 fits at lines 2, 4",
                "the text of the right place has changed, a like one stands elsewhere"
                        + "|def a():\\n  one\\n  x = 1\\ndef b():\\n  two\\n  x = 2\\n"
                        + "|@@ def b():\\n-  x = 1\\n+  x = 3\\n|Hunk 1 fits at line 3 only",
                "an anchor that is nowhere, and one short line"
                        + "|a\\nreturn x\\n|@@ def gone():\\n-return x\\n+return y\\n"
                        + "|Hunk 1 fits at line 2, but \"def gone():\" of its @@ line is not in the file",
                "stale context, and a place that is as like"
                        + "|alpha 1\\nchanged\\nomega 1\\nother\\nvalue\\nomega 1\\n"
                        + "| alpha 1\\n-value\\n+VALUE\\n omega 1\\n|Hunk 1 does not fit",
                "the only place is in another function, and a short one"
                        + "|def a():\\n  one\\ndef b():\\n  two\\n  x = 2\\n"
                        + "|@@ def a():\\n-  x = 2\\n+  x = 3\\n|Hunk 1 fits at line 5 only",
                "number and anchor disagree"
                        + "|x\\na:\\n  b\\nx\\n|@@ -1,1 +1,1 @@ a:\\n-x\\n+y\\n|Hunk 1 fits at lines 1, 4",
                "twice within what the anchor begins"
                        + "|f:\\n  a\\n  x\\n  b\\n  x\\n|@@ f:\\n-  x\\n+  y\\n|Hunk 1 fits at lines 3, 5",
                "a line without an end that is not the last"
                        + "|a\\nb\\nc\\n|@@ -1 +1,2 @@\\n a\\n+b\\n\\\\ No newline at end of file\\n"
                        + "|Hunk 1 does not fit",
                "only the line ends change"
                        + "|a\\nb\\n| a\\n-b\\r\\n+b\\n|Hunk 1 changes only how lines end",
                "the byte order mark goes"
                        + "|a\\nb\\n|-\uFEFFa\\n+a\\n b\\n|The patch takes a byte order mark away"
            })
    @DisplayName("what might be meant elsewhere is refused")
    void refused(String what, String file, String body, String start) {
        String text = refusal(shown(file), shown(body));
        assertTrue(text.startsWith(start), text);
    }

    @Test
    @DisplayName("a hunk that may be meant elsewhere is answered with the lines of both places")
    void theLinesOfBothPlaces() {
        String file = "def a():\n  one\n  x = 1\ndef b():\n  two\n  x = 2\n";
        String outside = refusal(file, "@@ def b():\n-  x = 1\n+  x = 3\n");
        assertTrue(outside.contains("Lines 1-6 of the file are:\ndef a():\n"), outside);
        assertTrue(outside.endsWith("def b():\n  two\n  x = 2"), outside);
        String twice = refusal("x\na\nb\nc\nd\ne\nx\n", "@@\n-x\n+y\n");
        assertTrue(twice.contains("Lines 1-3 of the file are:\nx\na\nb"), twice);
        assertTrue(twice.endsWith("Lines 5-7 of the file are:\nd\ne\nx"), twice);
    }

    @Test
    @DisplayName(
            "a class reaches over text in quotes that begins at the left, and over plain lines")
    void theEnclosingClassIsAnAnchor() throws Exception {
        String file =
                "class A:\n    TEXT = \"\"\"\nUsage: a\n    -h  help\n\"\"\"\n\n    def f(self):\n"
                        + "        return 1\n\nx = 1\n";
        assertEquals(
                file.replace("return 1", "return 2"),
                patched(file, "@@ class A:\n-        return 1\n+        return 2\n"));
        assertEquals(
                file.replace("x = 1", "x = 2"), patched(file, "@@ class A:\n-x = 1\n+x = 2\n"));
    }

    @Test
    @DisplayName(
            "below its anchor and the only one: three telling lines may stand behind a sibling")
    void tellingLinesMayStandBehindASibling() throws Exception {
        String file =
                "def a():\n    pass\n\ndef b():\n    first_line = 1\n    second_line = 2\n    third = 3\n";
        assertEquals(
                file.replace("second_line = 2", "second_line = 4"),
                patched(
                        file,
                        "@@ def a():\n     first_line = 1\n-    second_line = 2\n"
                                + "+    second_line = 4\n     third = 3\n"));
    }

    @Test
    @DisplayName("a byte order mark that a diff shows is that of the file")
    void byteOrderMark() throws Exception {
        assertEquals("b\nc\n", patched("a\nc\n", "-\uFEFFa\n+\uFEFFb\n c\n"));
        assertEquals("a\nd\n", patched("a\nc\n", " \uFEFFa\n-c\n+d\n"));
    }

    @Test
    @DisplayName("a long hunk in a file of equal lines is given up, not searched for minutes")
    void equalLines() {
        String file = "same\n".repeat(60_000) + "end\n";
        String body = " same\n".repeat(20_000) + "-other\n+x\n";
        assertTimeoutPreemptively(
                Duration.ofSeconds(60),
                () -> assertTrue(refusal(file, body).contains("takes too long")));
        String anchors = "@@ same\n".repeat(50) + "-end\n+x\n";
        assertTimeoutPreemptively(
                Duration.ofSeconds(60),
                () -> assertTrue(refusal(file, anchors).startsWith("Hunk 1 ")));
    }

    @Test
    @DisplayName("stale context does not make a single short line a place")
    void staleContextNeedsMore() {
        String text = refusal("a\n}\nb\n", " gone\n-}\n+};\n");
        assertTrue(text.startsWith("Hunk 1 does not fit."), text);
    }

    private static String shown(String text) {
        return text.replace("\\uFEFF", "\uFEFF").translateEscapes();
    }

    private static String patched(String file, String body) throws PatchException {
        return applied(file, FilePatch.of(file, hunks(body)).splices());
    }

    private static String refusal(String file, String body) {
        return String.valueOf(
                assertThrows(PatchException.class, () -> FilePatch.of(file, hunks(body)))
                        .getMessage());
    }

    private static List<Hunk> hunks(String body) throws PatchException {
        String text = "*** Begin Patch\n*** Update File: x\n" + body + "*** End Patch\n";
        return ((Patch.Update) PatchParser.parse(text).sections().getFirst()).hunks();
    }

    static String applied(String file, List<Splice> splices) {
        StringBuilder text = new StringBuilder(file);
        for (Splice splice : splices.reversed()) {
            text.replace(splice.start(), splice.end(), splice.replacement());
        }
        return text.toString();
    }
}
