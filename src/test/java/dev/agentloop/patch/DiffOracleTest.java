package dev.agentloop.patch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.agentloop.edit.TextFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Random edits, written down by diff(1): applying them gives the new file, byte for byte. */
class DiffOracleTest {
    private static final int ROUNDS = 400;

    @TempDir Path folder;

    @Test
    @DisplayName("what diff -u writes is applied byte for byte, also where lines repeat")
    void unifiedDiffs() throws Exception {
        Random random = new Random(5);
        Path before = folder.resolve("old");
        Path after = folder.resolve("new");
        int applied = 0;
        for (int round = 0; round < ROUNDS; round++) {
            List<String> lines = lines(random);
            byte[] old = bytes(lines, random);
            byte[] now = bytes(edited(lines, random), random);
            Files.write(before, old);
            Files.write(after, now);
            String diff = diff(1 + random.nextInt(3), before, after);
            if (diff.isEmpty()) {
                continue;
            }
            applied++;
            Patch.Update update = (Patch.Update) PatchParser.parse(diff).sections().getFirst();
            TextFile text = TextFile.of(old).orElseThrow();
            FilePatch patch = FilePatch.of(text.text(), update.hunks());
            assertArrayEquals(now, text.spliced(patch.splices()), "round " + round + "\n" + diff);
        }
        assertEquals(true, applied > ROUNDS / 2);
    }

    /** Few different lines, so that most stand at several places. */
    private static List<String> lines(Random random) {
        List<String> lines = new ArrayList<>();
        int count = random.nextInt(40);
        for (int i = 0; i < count; i++) {
            String line = "é".repeat(random.nextInt(2)) + "  ".repeat(random.nextInt(3));
            lines.add(line + (char) ('a' + random.nextInt(5)) + " ".repeat(random.nextInt(2)));
        }
        return lines;
    }

    private static List<String> edited(List<String> lines, Random random) {
        List<String> edited = new ArrayList<>(lines);
        int edits = 1 + random.nextInt(5);
        for (int i = 0; i < edits; i++) {
            int at = random.nextInt(edited.size() + 1);
            switch (random.nextInt(3)) {
                case 0 -> edited.add(at, "new " + random.nextInt(9));
                case 1 -> {
                    if (at < edited.size()) {
                        edited.remove(at);
                    }
                }
                default -> {
                    if (at < edited.size()) {
                        edited.set(at, edited.get(at) + "!");
                    }
                }
            }
        }
        return edited;
    }

    private static byte[] bytes(List<String> lines, Random random) {
        String text = String.join("\n", lines);
        boolean newline = !lines.isEmpty() && random.nextInt(4) > 0;
        return (newline ? text + "\n" : text).getBytes(StandardCharsets.UTF_8);
    }

    private String diff(int context, Path before, Path after)
            throws IOException, InterruptedException {
        Process diff =
                new ProcessBuilder(
                                "diff",
                                "-a",
                                "-U" + context,
                                "--label",
                                "a/x",
                                "--label",
                                "b/x",
                                before.toString(),
                                after.toString())
                        .start();
        String text = new String(diff.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        diff.waitFor();
        return text;
    }
}
