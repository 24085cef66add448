package dev.agentloop.tool.builtin;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.message.ToolResult;
import dev.agentloop.testing.ToolFixture;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Random edits, written down by diff and git, applied by us, by GNU patch and by git apply. */
class PatchOracleTest {
    private static final int SEQUENCES = 1_000;
    private static final int STEPS = 3;
    private static final int TREES = 60;
    private static final int FOLDERS = 6; // each context from 1 to 3 lines, with patch and with git
    private static final Pattern DIFF = Pattern.compile("(?m)^diff -a -r -U\\d old/\\S+ new/");

    @TempDir Path folder;

    @Test
    @DisplayName("1,000 sequences of edits: the bytes are those of GNU patch and git apply")
    void sequences() throws Exception {
        Random random = new Random(5);
        ToolFixture ours = ToolFixture.in(Files.createDirectory(folder.resolve("ours")));
        List<byte[]> now = new ArrayList<>();
        List<List<String>> lines = new ArrayList<>();
        for (int i = 0; i < SEQUENCES; i++) {
            lines.add(lines(random));
            now.add(bytes(lines.get(i), random));
            ours.write("f" + i, now.get(i));
        }
        int applied = 0;
        for (int step = 0; step < STEPS; step++) {
            for (int i = 0; i < SEQUENCES; i++) {
                lines.set(i, edited(lines.get(i), random));
                write("old/" + place(i), now.get(i));
                now.set(i, bytes(lines.get(i), random));
                write("new/" + place(i), now.get(i));
            }
            shell(DIFF_AND_PATCH);
            Map<String, String> diffs = diffs();
            for (int i = 0; i < SEQUENCES; i++) {
                String diff = diffs.getOrDefault(place(i), "");
                if (!diff.isEmpty()) {
                    ToolResult result = ours.call("apply_patch", "patch", diff);
                    assertFalse(result.isError(), () -> diff + "\n" + result.text());
                    applied++;
                }
                String context = "step " + step + "\n" + diff;
                byte[] theirs = Files.readAllBytes(folder.resolve("theirs/" + place(i)));
                assertArrayEquals(theirs, ours.bytes("f" + i), context);
                assertArrayEquals(now.get(i), theirs, context);
            }
        }
        assertTrue(applied > SEQUENCES * STEPS / 2, applied + " applied");
    }

    private static String place(int i) {
        return i % FOLDERS + "/f" + i;
    }

    /** By place, each with the names that are usual in a patch. */
    private Map<String, String> diffs() throws IOException {
        Map<String, String> diffs = new HashMap<>();
        for (int i = 0; i < FOLDERS; i++) {
            String[] parts = DIFF.split(Files.readString(folder.resolve("diff" + i)));
            for (String part : List.of(parts).subList(1, parts.length)) {
                String place = part.substring(0, part.indexOf('\n'));
                String hunks = part.substring(part.indexOf("\n@@ ") + 1);
                String name = place.substring(place.indexOf('/') + 1);
                diffs.put(place, "--- a/" + name + "\n+++ b/" + name + "\n" + hunks);
            }
        }
        return diffs;
    }

    /** GNU patch in every other folder, git apply in the others. */
    private static final String DIFF_AND_PATCH =
            """
            rm -rf theirs; cp -r old theirs
            for n in 0 1 2 3 4 5; do
              diff -a -r -U$((n % 3 + 1)) old/$n new/$n >diff$n
              if [ $((n % 2)) = 0 ]; then
                (cd theirs/$n && patch -s -p2 --binary --no-backup-if-mismatch <../../diff$n) || exit 1
              else
                (cd theirs/$n && git apply -p2 --whitespace=nowarn ../../diff$n) || exit 1
              fi
            done
            """;

    /** The tree a is committed, then b takes its place. */
    private static final String GIT_DIFF =
            """
            cd t%d && git init -q g && cd g
            git config core.autocrlf false && git config core.quotePath %b
            cp -a ../a/. . && git add -A
            git -c user.name=x -c user.email=x commit -q --allow-empty -m x
            find . -path ./.git -prune -o -type f -exec rm {} +
            cp -a ../b/. . && git add -A && git diff --cached -M --no-color >../d
            cp -a ../a ../theirs && cd ../theirs
            [ ! -s ../d ] || git apply --whitespace=nowarn ../d
            """;

    @Test
    @DisplayName("git diffs of whole trees, with renames, modes and empty files, as git apply")
    void trees() throws Exception {
        Random random = new Random(7);
        int changed = 0;
        for (int round = 0; round < TREES; round++) {
            Path old = Files.createDirectories(folder.resolve("t" + round + "/a"));
            Path now = Files.createDirectories(folder.resolve("t" + round + "/b"));
            Path ours = Files.createDirectories(folder.resolve("t" + round + "/ours"));
            grow(random, old, now, ours);
            shell(GIT_DIFF.formatted(round, random.nextBoolean()));
            String diff = Files.readString(folder.resolve("t" + round + "/d"));
            if (!diff.isEmpty()) {
                ToolResult result = ToolFixture.in(ours).call("apply_patch", "patch", diff);
                assertFalse(result.isError(), () -> diff + "\n" + result.text());
                changed++;
            }
            assertEquals(tree(folder.resolve("t" + round + "/theirs")), tree(ours), diff);
            assertEquals(tree(now), tree(ours), diff);
        }
        assertTrue(changed > TREES / 2, changed + " changed");
    }

    private static void grow(Random random, Path old, Path now, Path ours) throws IOException {
        for (int i = 0; i < 6; i++) {
            String name = random.nextBoolean() ? "f" + i : "d " + i % 2 + "/é" + i;
            List<String> lines = lines(random);
            byte[] content = bytes(lines, random);
            if (random.nextInt(4) > 0) {
                put(old.resolve(name), content, random.nextInt(4) == 0);
                Path copy = ours.resolve(name);
                Files.createDirectories(copy.getParent());
                Files.copy(
                        old.resolve(name), copy, java.nio.file.StandardCopyOption.COPY_ATTRIBUTES);
                String next = random.nextInt(4) == 0 ? "moved/" + name : name;
                if (random.nextInt(4) > 0) {
                    byte[] edited =
                            random.nextBoolean() ? content : bytes(edited(lines, random), random);
                    put(now.resolve(next), edited, random.nextInt(4) == 0);
                }
            } else {
                put(now.resolve(name), content, random.nextInt(4) == 0);
            }
        }
    }

    private static void put(Path file, byte[] content, boolean executable) throws IOException {
        Files.createDirectories(file.getParent());
        Files.write(file, content);
        assertTrue(file.toFile().setExecutable(executable));
    }

    private static Map<String, String> tree(Path root) throws IOException {
        Map<String, String> tree = new TreeMap<>();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                tree.put(
                        root.relativize(file).toString(),
                        Files.isExecutable(file) + " " + Files.readString(file));
            }
        }
        return tree;
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

    private void write(String name, byte[] content) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.write(file, content);
    }

    private void shell(String script) throws IOException, InterruptedException {
        ProcessBuilder shell = new ProcessBuilder("sh", "-c", script).directory(folder.toFile());
        shell.environment().put("GIT_CONFIG_NOSYSTEM", "1");
        shell.environment().put("GIT_CONFIG_GLOBAL", "/dev/null");
        shell.environment().put("GIT_CEILING_DIRECTORIES", folder.toString());
        Process process = shell.redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), said);
    }
}
