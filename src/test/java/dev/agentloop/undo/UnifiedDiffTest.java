package dev.agentloop.undo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class UnifiedDiffTest {
    @TempDir Path folder;

    private static String diff(String before, String after, int most) {
        return UnifiedDiff.between(
                new UnifiedDiff.Side("a/f", before), new UnifiedDiff.Side("b/f", after), most);
    }

    @Test
    @DisplayName("one change is one hunk with three lines around it")
    void oneHunk() {
        String file =
                IntStream.rangeClosed(1, 9).mapToObj(n -> n + "\n").collect(Collectors.joining());
        assertEquals(
                "--- a/f\n+++ b/f\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n",
                diff(file, file.replace("5", "five"), 100));
        assertEquals("", diff(file, file, 100));
    }

    @Test
    @DisplayName("a last line without end differs from one with it")
    void theEndOfTheLastLine() {
        assertEquals(
                "--- a/f\n+++ b/f\n@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n",
                diff("a", "a\n", 100));
    }

    @Test
    @DisplayName("neither a carriage return nor the name of a file makes a line of the diff")
    void forgedLines() {
        assertEquals(
                "--- a/f\n+++ b/f\n@@ -1,1 +1,1 @@\n-a\n+evil()\r- allowed\rb\n",
                diff("a\n", "evil()\r- allowed\rb\n", 100));
        assertEquals(
                "--- a/f\n+++ b/f\n@@ -1,1 +1,2 @@\n-a\rb\n+a\n+b\n",
                diff("a\rb\n", "a\nb\n", 100));
        var forged = new UnifiedDiff.Side("b/f\n+evil", "b\n");
        String diff = UnifiedDiff.between(new UnifiedDiff.Side("a/f", "a\n"), forged, 100);
        assertEquals("--- a/f\n+++ \"b/f\\n+evil\"\n@@ -1,1 +1,1 @@\n-a\n+b\n", diff);
    }

    @Test
    @DisplayName("a long diff is cut and says by how much")
    void cut() {
        String diff = diff("", "x\n".repeat(50), 11);
        assertTrue(diff.endsWith("+x\n… 40 more lines\n"), diff);
    }

    @Test
    @Timeout(30)
    @DisplayName("two small changes far apart are two hunks, a shuffled file is one")
    void farApart() {
        List<String> lines = new ArrayList<>();
        IntStream.rangeClosed(1, 20_000).forEach(n -> lines.add(n + "\n"));
        String before = String.join("", lines);
        String after = before.replace("\n5\n", "\nfive\n").replace("\n19990\n", "\nlast\n");
        String diff = diff(before, after, 100);
        assertEquals(2, diff.lines().filter(line -> line.startsWith("@@")).count(), diff);
        assertEquals(20, diff.lines().count(), diff);
        Collections.shuffle(lines, new Random(1));
        String shuffled = diff(before, String.join("", lines), 100_000);
        assertEquals(1, shuffled.lines().filter(line -> line.startsWith("@@")).count());
    }

    @Test
    @DisplayName("patch makes the new text of the old one, whatever has changed")
    void patchTakesIt() throws IOException, InterruptedException {
        Random random = new Random(25);
        for (int i = 0; i < 60; i++) {
            List<String> lines = new ArrayList<>();
            for (int n = random.nextInt(40); n > 0; n--) {
                lines.add("line " + random.nextInt(8));
            }
            String before = text(lines, random);
            for (int n = random.nextInt(12); n > 0; n--) {
                int at = random.nextInt(lines.size() + 1);
                if (random.nextBoolean() || at == lines.size()) {
                    lines.add(at, "new " + random.nextInt(99));
                } else {
                    lines.remove(at);
                }
            }
            String after = text(lines, random);
            String diff = diff(before, after, 1000);
            Path file = folder.resolve("f");
            Files.writeString(file, before);
            Files.writeString(folder.resolve("diff"), diff);
            assertEquals(0, diff.isEmpty() ? 0 : patch(), diff);
            String patched = Files.exists(file) ? Files.readString(file) : ""; // empty: removed
            assertEquals(after, patched, diff);
        }
    }

    private static String text(List<String> lines, Random random) {
        String text = lines.stream().map(line -> line + "\n").collect(Collectors.joining());
        return text.isEmpty() || random.nextInt(4) > 0
                ? text
                : text.substring(0, text.length() - 1);
    }

    private int patch() throws IOException, InterruptedException {
        return new ProcessBuilder("patch", "-s", "f", "diff")
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("out").toFile())
                .start()
                .waitFor();
    }
}
