package dev.agentloop.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentloop.testing.SampleTree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same lines as ripgrep, for expressions that mean the same to both. */
class GrepLikeRipgrepTest {
    private static final List<String> QUERIES =
            List.of(
                    "needle",
                    "Service1[0-9]",
                    "class \\w+Service\\b",
                    "return .*\\(.*\\);",
                    "^\\s*//",
                    "^$",
                    "^import [a-z.]+;$",
                    "TODO|FIXME",
                    "(public|private) (static )?int",
                    "[A-Z]{3,}_[A-Z]+",
                    "\\d+\\.\\d+",
                    "\\.get\\(",
                    "(?i)todo",
                    "\\bid\\b",
                    "naïve",
                    "x.y",
                    "zzzz");

    @TempDir Path root;

    @BeforeEach
    void prepare() throws IOException {
        root = root.toRealPath();
        Git.init(root);
        SampleTree.write(root, 600, 4);
        write("binary", "needle\n\0 TODO\n".getBytes(StandardCharsets.UTF_8));
        write(
                "late-nul",
                // beyond the buffer of a thread of ripgrep that has read the long line before
                ("needle\n" + "x\n".repeat(1_500_000) + "\0needle\n")
                        .getBytes(StandardCharsets.UTF_8));
        write("utf16", "\uFEFFTODO: needle\nid\n".getBytes(StandardCharsets.UTF_16LE));
        write("mark", "\uFEFFTODO naïve\n".getBytes(StandardCharsets.UTF_8));
        write("open-end", "id\n\nTODO".getBytes(StandardCharsets.UTF_8));
        write("empty", new byte[0]);
        write(
                "big",
                ("a line of filler\n".repeat(100_000) + "needle 3.14\n")
                        .getBytes(StandardCharsets.UTF_8));
        write(
                "long",
                ("y".repeat(700_000) + " needle x.y\nTODO\n").getBytes(StandardCharsets.UTF_8));
        write(".hidden/.file", "needle\n".getBytes(StandardCharsets.UTF_8));
        write("odd\nname", "needle\n".getBytes(StandardCharsets.UTF_8));
        Files.createSymbolicLink(root.resolve("link"), root.resolve("big"));
        Files.createSymbolicLink(root.resolve("cycle"), root);
    }

    @Test
    @Tag("B34")
    @Tag("B35")
    @Tag("B11")
    @DisplayName("the lines that ripgrep finds, binaries, links and odd names included")
    void theSameLinesAsRipgrep() throws Exception {
        assumeTrue(Rg.isThere(), "no ripgrep on this machine");
        int found = 0;
        for (String query : QUERIES) {
            TreeSet<String> own = new TreeSet<>();
            for (String line :
                    Scanned.lines(root, Pattern.compile(query, Pattern.UNICODE_CASE), 0)) {
                own.add(Scanned.place(line));
            }
            TreeSet<String> theirs = Rg.lines(root, query);
            assertEquals(String.join("\n", theirs), String.join("\n", own), query);
            found += theirs.size();
        }
        assertTrue(found > 1_000, "too little found to say anything: " + found);
    }

    private void write(String name, byte[] content) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        Files.write(file, content);
    }
}
