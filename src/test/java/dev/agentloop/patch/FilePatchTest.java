package dev.agentloop.patch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.edit.Splice;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
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
                "only new lines, below their anchor|a {\\n  b\\n}\\n|@@ a {\\n+  new\\n"
                        + "|a {\\n  new\\n  b\\n}\\n",
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
    @DisplayName("B09: line ends and the end of the file are kept as they are")
    void lineEnds(String what, String file, String body, String expected) throws Exception {
        assertEquals(
                expected == null ? "" : shown(expected),
                patched(file == null ? "" : shown(file), shown(body)));
    }

    @Test
    @DisplayName("B15: what does not fit is refused with the first line that differs")
    void notFound() {
        assertEquals(
                """
                Hunk 2 does not fit. The nearest text starts at line 5; the first difference is at \
                line 6, column 9:
                file:  "    x = 1"
                patch: "    x = 2"
                Read the file again and write the patch for what it holds now.\
                """,
                refusal(
                        TWO,
                        "@@\n-def a():\n+def aa():\n@@\n def b():\n     x = 2\n-    return y\n"
                                + "+    return z\n"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "@@ nowhere\\n+new\\n|Hunk 1 adds lines below \"nowhere\", which is not in the file.",
                "@@ x = 1\\n+new\\n|Hunk 1 adds lines below \"x = 1\", which stands at lines 2, 6.",
                "@@ -3,3 +3,4 @@\\n+new\\n|Hunk 1 has only new lines, without the context",
                "@@ -90,0 +91,1 @@\\n+new\\n|Hunk 1 adds lines at line 91, but the file has 7."
            })
    @DisplayName("new lines without context need a place that is unique")
    void insertionsNeedAPlace(String body, String start) {
        String text = refusal(TWO, shown(body));
        assertTrue(text.startsWith(start), text);
    }

    @Test
    @DisplayName("stale context does not make a single short line a place")
    void staleContextNeedsMore() {
        String text = refusal("a\n}\nb\n", " gone\n-}\n+};\n");
        assertTrue(text.startsWith("Hunk 1 does not fit."), text);
    }

    private static String shown(String text) {
        return text.translateEscapes();
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
