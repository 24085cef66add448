package dev.agentloop.tool.builtin.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.message.ToolResult;
import dev.agentloop.testing.ToolFixture;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SearchToolsTest {
    @TempDir Path root;
    private ToolFixture tools;

    @BeforeEach
    void prepare() {
        tools = ToolFixture.in(root);
    }

    @Test
    void aFolderIsListedWithWhatItHolds() {
        tools.write("src/a.py", "");
        tools.write("b.txt", "");
        tools.write(".hidden", "");
        tools.write("target/x.class", "");
        assertEquals(".hidden\nb.txt\nsrc/\ntarget/", tools.call("list_files").text());
        assertEquals("src/a.py", tools.call("list_files", "path", "src").text());
        assertEquals(
                ".hidden\nb.txt\nsrc/\nsrc/a.py",
                tools.call("list_files", "recursive", true).text());
        assertEquals(
                "src/a.py", tools.call("list_files", "recursive", true, "pattern", "*.py").text());
        assertEquals("Nothing matches.", tools.call("list_files", "pattern", "*.rs").text());
        assertEquals(
                ToolResult.error("b.txt is not a directory."),
                tools.call("list_files", "path", "b.txt"));
        assertEquals(
                ToolResult.error("No such file: scr. Did you mean src?"),
                tools.call("list_files", "path", "scr"));
    }

    @Test
    @Tag("B35")
    @DisplayName("long lists are cut and say so")
    void longListsAreCutAndSaySo() {
        for (int i = 0; i < 1_001; i++) {
            tools.write("d/%04d".formatted(i), "");
        }
        ToolResult result = tools.call("list_files", "path", "d");
        assertTrue(result.truncated());
        assertTrue(
                result.text()
                        .endsWith("d/0999\n[first 1000 only; narrow the path or the pattern]"));
    }

    @Test
    void filesAreFoundByNameAndByPath() {
        tools.write("src/main/A.java", "");
        tools.write("src/test/ATest.java", "");
        tools.write("node_modules/B.java", "");
        assertEquals(
                "src/main/A.java\nsrc/test/ATest.java",
                tools.call("find_files", "pattern", "*.java").text());
        assertEquals(
                "src/test/ATest.java", tools.call("find_files", "pattern", "src/**/*Test*").text());
        assertEquals(
                "src/test/ATest.java",
                tools.call("find_files", "pattern", "test/*.java", "path", "src").text());
        assertEquals(
                "No file matches *.rs. Ignored files were left out.",
                tools.call("find_files", "pattern", "*.rs").text());
    }

    @Test
    void matchesAreGroupedByFile() {
        tools.write("src/a.py", "one\ntwo\nthree two\n");
        tools.write("src/b.txt", "TWO\n");
        tools.write("c.bin", new byte[] {'t', 'w', 'o', 0});
        assertEquals(
                "src/a.py\n2: two\n3: three two\n", tools.call("grep", "pattern", "two").text());
        assertEquals(
                "src/a.py\n2: two\n3: three two\n\nsrc/b.txt\n1: TWO\n",
                tools.call("grep", "pattern", "two", "case_sensitive", false).text());
        assertEquals(
                "src/b.txt\n1: TWO\n",
                tools.call("grep", "pattern", "(?i)^two$", "glob", "*.txt").text());
        assertEquals(
                "src/a.py\n1: one\n",
                tools.call("grep", "pattern", "one", "path", "src/a.py").text());
        assertEquals("No match for zzz.", tools.call("grep", "pattern", "zzz").text());
        assertTrue(
                tools.call("grep", "pattern", "(").text().startsWith("Not a regular expression: "));
    }

    @Test
    void contextIsShownOnce() {
        tools.write("a", "1\n2 x\n3 x\n4\n5\n6\n7 x\n8\n");
        assertEquals(
                "a\n1- 1\n2: 2 x\n3: 3 x\n4- 4\n--\n6- 6\n7: 7 x\n8- 8\n",
                tools.call("grep", "pattern", "x", "context", 1).text());
    }

    @Test
    @Tag("B34")
    @DisplayName("a runaway expression ends at the time cap, and what was found stays")
    void aRunawayExpressionEndsAtTheTimeCap() {
        ToolFixture impatient =
                ToolFixture.with(
                        root,
                        List.of(
                                new GrepTool(
                                        Duration.ofMillis(300), new Ripgrep(tools.runner, ""))));
        impatient.write("a", "aab\n");
        impatient.write("b", "a".repeat(400) + "\n");
        ToolResult result =
                assertTimeoutPreemptively(
                        Duration.ofSeconds(20),
                        () ->
                                impatient.call(
                                        "grep", "pattern", "^aab|(a*)(a*)(a*)(a*)(a*)(a*)\\6c"));
        assertTrue(result.text().startsWith("a\n1: aab\n"), result.text());
        assertTrue(result.text().contains("[stopped when the time was up"), result.text());
        assertTrue(result.truncated());
    }

    @Test
    @DisplayName("An expression that runs away on one line costs that file, not the whole time")
    void aRunawayLineCostsItsFile() {
        ToolFixture patient =
                ToolFixture.with(
                        root,
                        List.of(new GrepTool(Duration.ofDays(1), new Ripgrep(tools.runner, ""))));
        patient.write("a", "a".repeat(40) + "!b\n");
        patient.write("b", "aaab\n");
        ToolResult result = patient.call("grep", "pattern", "^((a*)*)*b");
        assertTrue(result.text().startsWith("b\n1: aaab\n"), result.text());
        assertTrue(result.text().contains("simplify the pattern]"), result.text());
        assertTrue(result.truncated());
    }

    @Test
    @Tag("B34")
    @DisplayName("endless output is capped")
    void endlessOutputIsCapped() {
        tools.write("a", ("x".repeat(5_000) + "needle" + "y".repeat(5_000) + "\n").repeat(900));
        ToolResult result = tools.call("grep", "pattern", "needle", "max_results", 1_000);
        assertTrue(result.text().length() < 70_000);
        assertTrue(result.truncated());
        assertTrue(result.text().contains("needle"));
        ToolResult few = tools.call("grep", "pattern", "needle", "max_results", 2);
        assertTrue(few.text().endsWith("[first 2 matches only; narrow the path or the pattern]"));
    }
}
