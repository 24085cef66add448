package dev.agentloop.patch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is read from a patch: every line of it is part of a change, for people, or refused. */
class PatchParserTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '§',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "a bare @@|--- a/f\\n+++ b/f\\n@@\\n-x\\n+y\\n|update f: -x +y",
                "two files|--- a/f\\n+++ b/f\\n@@ -1 +1 @@\\n-x\\n+y\\n--- a/g\\n+++ b/g\\n@@ -1 +1 @@"
                        + "\\n-p\\n+q\\n|update f: -x +y; update g: -p +q",
                "a comment of SQL that changes|--- a/f\\n+++ b/f\\n@@ -1,2 +1,2 @@\\n--- old\\n+++ new"
                        + "\\n x\\n|update f: --- old +++ new  x",
                "such a comment as the last line|--- a/f\\n+++ b/f\\n@@ -1 +1 @@\\n--- old\\n+++ new\\n"
                        + "@@ -9 +9 @@\\n-x\\n+y\\n|update f: --- old +++ new / -x +y",
                "wrong counts|--- a/f\\n+++ b/f\\n@@ -1,9 +1,9 @@\\n-x\\n+y\\n--- a/g\\n+++ b/g\\n"
                        + "@@ -1 +1 @@\\n-p\\n+q\\n|update f: -x +y; update g: -p +q",
                "counts that are too low|--- a/f\\n+++ b/f\\n@@ -1 +1 @@\\n-x\\n+y\\n+z\\n"
                        + "|update f: -x +y +z",
                "prose behind|--- a/f\\n+++ b/f\\n@@ -1 +1 @@\\n-x\\n+y\\nThat is all.\\n|update f: -x +y",
                "a mail|From 1\\nSubject: x\\n\\n---\\n f: 2 +-\\n\\ndiff --git a/f b/f\\n--- a/f\\n+++ b/f\\n"
                        + "@@ -1 +1 @@\\n-x\\n+y\\n-- \\n2.39.2\\n|update f: -x +y",
                "a fence|```diff\\n--- a/f\\n+++ b/f\\n@@\\n-x\\n+y\\n```\\n|update f: -x +y",
                "the other envelope|*** Begin Patch\\n--- a/f\\n+++ b/f\\n@@\\n-x\\n+y\\n*** End Patch\\n"
                        + "|update f: -x +y",
                "names without prefix|--- f\\n+++ f\\n@@\\n-x\\n+y\\n|update f: -x +y",
                "one prefix|--- a/f\\n+++ f\\n@@\\n-x\\n+y\\n|update f: -x +y",
                "a folder named a|--- a/f\\n+++ a/f\\n@@\\n-x\\n+y\\n|update a/f: -x +y",
                "prefixes of git|--- i/f\\n+++ w/f\\n@@\\n-x\\n+y\\n|update f: -x +y",
                "a copy kept beside|--- f.orig\\n+++ f\\n@@\\n-x\\n+y\\n|update f: -x +y",
                "times|--- a/f\\t2026-01-01\\n+++ b/f\\t2026-01-02\\n@@\\n-x\\n+y\\n|update f: -x +y",
                "a new mode alone|diff --git a/f b/f\\nold mode 100644\\nnew mode 100755\\n"
                        + "|update f mode 755:",
                "a quoted name alone|diff --git \"a/\\303\\261 x\" \"b/\\303\\261 x\"\\n"
                        + "old mode 100644\\nnew mode 100755\\n|update ñ x mode 755:",
                "a name without prefix alone|diff --git f f\\nold mode 100644\\nnew mode 100755\\n"
                        + "|update f mode 755:",
                "a folder named a alone|diff --git a/f a/f\\nold mode 100644\\nnew mode 100755\\n"
                        + "|update a/f mode 755:",
                "an empty file|diff --git a/e b/e\\nnew file mode 100644\\nindex 0000000..e69de29\\n"
                        + "|add e mode 644:",
                "an empty file goes|diff --git a/e b/e\\ndeleted file mode 100644\\n|delete e:",
                "a rename alone|diff --git a/f b/g\\nsimilarity index 100%\\nrename from f\\n"
                        + "rename to g\\n|update f to g:"
            })
    @DisplayName("unified diffs")
    void unified(String what, String patch, String expected) throws Exception {
        assertEquals(expected, read(patch));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '§',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "two envelopes|*** Begin Patch\\n*** Delete File: f\\n*** End Patch\\n*** Begin Patch\\n"
                        + "*** Delete File: g\\n*** End Patch\\n|delete f:; delete g:",
                "a heredoc|apply_patch <<'EOF'\\n*** Begin Patch\\n*** Delete File: f\\n*** End Patch\\n"
                        + "EOF\\n|delete f:",
                "an indentation of all|  *** Begin Patch\\n  *** Update File: f\\n  @@\\n   a\\n  -b\\n"
                        + "  +c\\n  *** End Patch\\n|update f:  a -b +c",
                "a diff's names|*** Begin Patch\\n*** Update File: f\\n--- a/f\\n+++ b/f\\n@@ -1 +1 @@\\n"
                        + "-b\\n+c\\n*** End Patch\\n|update f: -b +c",
                "a new file with a diff's head|*** Begin Patch\\n*** Add File: f\\n--- /dev/null\\n"
                        + "+++ b/f\\n@@ -0,0 +1 @@\\n+x\\n*** End Patch\\n|add f: +x",
                "a new file without signs|*** Begin Patch\\n*** Add File: f\\nx\\n  y\\n*** End Patch\\n"
                        + "|add f: +x +  y",
                "a quoted name|*** Begin Patch\\n*** Update File: `f g`\\n-b\\n+c\\n*** End Patch\\n"
                        + "|update f g: -b +c",
                "a line that looks like a directive|*** Begin Patch\\n*** Update File: f\\n@@\\n"
                        + " *** End Patch\\n-b\\n+c\\n*** End Patch\\n|update f:  *** End Patch -b +c"
            })
    @DisplayName("Begin/End Patch")
    void marked(String what, String patch, String expected) throws Exception {
        assertEquals(expected, read(patch.replace("`", "\"")));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '§',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "text behind the new lines of a file|--- /dev/null\\n+++ b/f\\n@@\\n+x\\nThat is all.\\n"
                        + "|The patch creates f, but has a line without its +: That is all.",
                "changes behind the end of a hunk|--- a/f\\n+++ b/f\\n@@ -1 +1 @@\\n-x\\n+y\\nand\\n+z\\n"
                        + "|Line 7 of the patch belongs to no hunk of a file: +z",
                "two names|--- old/f\\n+++ new/f\\n@@\\n-x\\n+y\\n|The patch names two files, old/f and new/f",
                "no name|@@ -1 +1 @@\\n-x\\n+y\\n|The patch names no file for line 1.",
                "names that cannot be told|diff --git a/f b/g\\nold mode 100644\\nnew mode 100755\\n"
                        + "|It cannot be told which file is meant by: diff --git a/f b/g",
                "a link|diff --git a/f b/f\\nnew file mode 120000\\n--- /dev/null\\n+++ b/f\\n@@ -0,0 +1 @@"
                        + "\\n+x\\n|The file mode 120000 is not that of a regular file.",
                "a link that goes|diff --git a/f b/f\\ndeleted file mode 120000\\n"
                        + "|The file mode 120000 is not that of a regular file.",
                "a link that changes|diff --git a/f b/f\\nindex 1..2 120000\\n--- a/f\\n+++ b/f\\n@@\\n-x\\n"
                        + "+y\\n|The file mode 120000 is not that of a regular file.",
                "a binary file|diff --git a/f b/f\\nindex 1..2 100644\\nBinary files a/f and b/f differ\\n"
                        + "|The patch is one of a binary file",
                "a merge|diff --cc f\\nindex 1,2..3\\n--- a/f\\n+++ b/f\\n@@@ -1,1 -1,1 +1,1 @@@\\n- x\\n"
                        + "|The patch is a merge of several parents",
                "a copy|diff --git a/f b/g\\ncopy from f\\ncopy to g\\n|The patch is a copy",
                "a section behind the end|*** Begin Patch\\n*** Delete File: f\\n*** End Patch\\n"
                        + "*** Delete File: g\\n|Line 4 stands behind *** End Patch",
                "a change behind the end|*** Begin Patch\\n*** Update File: f\\n-x\\n+y\\n*** End Patch\\n"
                        + "@@\\n-p\\n+q\\n|Line 6 stands behind *** End Patch",
                "no end|*** Begin Patch\\n*** Delete File: f\\n|The patch has no *** End Patch",
                "another file's names|*** Begin Patch\\n*** Update File: f\\n@@\\n-x\\n+y\\n--- a/g\\n"
                        + "+++ b/g\\n@@\\n-p\\n+q\\n*** End Patch\\n"
                        + "|Below *** Update File: f the patch names another file",
                "a sign is missing|*** Begin Patch\\n*** Add File: f\\n+x\\ny\\n*** End Patch\\n"
                        + "|*** Add File: f has a line without its +: y",
                "text between sections|*** Begin Patch\\n*** Delete File: f\\n+x\\n*** End Patch\\n"
                        + "|Line 3 of the patch belongs to no hunk of a file: +x",
                "nothing|hello\\n|The patch names no file. Begin with"
            })
    @DisplayName("what would be lost is refused")
    void refused(String what, String patch, String start) {
        PatchException e =
                assertThrows(PatchException.class, () -> read(patch), () -> "not refused: " + what);
        assertTrue(String.valueOf(e.getMessage()).startsWith(start), e.getMessage());
    }

    @Test
    @DisplayName("a patch with the line ends of Windows reads as one without")
    void windows() throws Exception {
        String patch = "*** Begin Patch\n*** Update File: f\n@@ g\n-b\n+c\n*** End Patch\n";
        assertEquals(read(patch), read(patch.replace("\n", "\r\n")));
    }

    private static String read(String patch) throws PatchException {
        String text = patch.replace("\\t", "\t").replace("\\n", "\n");
        return PatchParser.parse(text).sections().stream()
                .map(PatchParserTest::shown)
                .collect(Collectors.joining("; "));
    }

    private static String shown(Patch.Section section) {
        return switch (section) {
            case Patch.Add add -> "add " + add.path() + mode(add.mode()) + ":" + added(add.lines());
            case Patch.Delete delete -> "delete " + delete.path() + ":" + hunks(delete.hunks());
            case Patch.Update update ->
                    "update "
                            + update.path()
                            + update.moveTo().map(to -> " to " + to).orElse("")
                            + mode(update.mode())
                            + ":"
                            + hunks(update.hunks());
        };
    }

    private static String mode(int mode) {
        return mode < 0 ? "" : " mode " + Integer.toOctalString(mode);
    }

    private static String added(List<String> lines) {
        return lines.stream().map(line -> " +" + line).collect(Collectors.joining());
    }

    private static String hunks(List<Hunk> hunks) {
        return hunks.stream()
                .map(hunk ->
                        hunk.lines().stream()
                                .map(line -> " " + line.asWritten())
                                .collect(Collectors.joining()))
                .collect(Collectors.joining(" /"));
    }
}
