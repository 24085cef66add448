package dev.agentloop.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentloop.testing.SampleTree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
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

    /** Name, NUL, number, colon: the name may have a line feed in it. */
    private static final Pattern ROW = Pattern.compile("(?m)^\\./([^\\x00]+)\\x00(\\d+):");

    private static final Pattern NUMBERED = Pattern.compile("(?s)^[^:]+:\\d+");

    @TempDir Path root;

    @BeforeEach
    void prepare() throws IOException {
        root = root.toRealPath();
        Git.init(root);
        SampleTree.write(root, 600, 4);
        write("binary", "needle\n\0 TODO\n".getBytes(StandardCharsets.UTF_8));
        write(
                "late-nul",
                ("needle\n" + "x\n".repeat(100_000) + "\0needle\n")
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
    @DisplayName("B34 B35 B11 the lines that ripgrep finds, binaries, links and odd names included")
    void theSameLinesAsRipgrep() throws Exception {
        assumeTrue(rg("--version") != null, "no ripgrep on this machine");
        int found = 0;
        for (String query : QUERIES) {
            List<String> own = new ArrayList<>();
            for (String line :
                    Scanned.lines(root, Pattern.compile(query, Pattern.UNICODE_CASE), 0)) {
                own.add(NUMBERED.matcher(line).results().findFirst().orElseThrow().group());
            }
            TreeSet<String> theirs = rg("-n", "--no-heading", "--null", "-e", query);
            assertEquals(String.join("\n", theirs), String.join("\n", new TreeSet<>(own)), query);
            found += theirs.size();
        }
        assertTrue(found > 1_000, "too little found to say anything: " + found);
    }

    /** Null if there is no ripgrep; else what it prints, with the name and number of each line. */
    private TreeSet<String> rg(String... words) throws Exception {
        List<String> argv = new ArrayList<>(List.of("rg", "--no-config", "--hidden"));
        argv.addAll(List.of("--no-ignore-global", "--no-ignore-dot", "--glob", "!.git"));
        argv.addAll(List.of(words));
        argv.add(".");
        Process process;
        try {
            process = new ProcessBuilder(argv).directory(root.toFile()).start();
        } catch (IOException e) {
            return null;
        }
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        out = out.replaceAll("\\./.*WARNING: stopped searching.*\n", "");
        TreeSet<String> lines = new TreeSet<>();
        ROW.matcher(out).results().forEach(row -> lines.add(row.group(1) + ":" + row.group(2)));
        return lines;
    }

    private void write(String name, byte[] content) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        Files.write(file, content);
    }
}
