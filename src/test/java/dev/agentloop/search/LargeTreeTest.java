package dev.agentloop.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentloop.control.Cancellation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** 50,000 files that are not ignored, seen as git and ripgrep see them. */
class LargeTreeTest {
    private static final int FOLDERS = 1_300;
    private static final int FILES_IN_FOLDER = 45;
    private static final int FEWEST = 50_000;

    private static final String[] SUFFIXES = {"java", "py", "log", "txt", "tmp", "c"};
    private static final String[] NAMES = {"out", "lib", "app", "gen", ".conf", "deep"};
    private static final String[] RULES = {
        "*.tmp\n!F7*\n", "gen/\n", "/out/*\n!/out/F1*\n", "F?3.*\nF[4-6]2*\n", "**/app/F*.log\n"
    };

    @TempDir static Path temp;
    private static Path root;

    @BeforeAll
    static void write() throws IOException {
        root = temp.toRealPath();
        Git.init(root);
        Files.writeString(root.resolve(".git/info/exclude"), "F39.*\n");
        Files.writeString(root.resolve(".gitignore"), "/lib0/\nout/F44.*\n");
        Random random = new Random(4);
        for (int folder = 0; folder < FOLDERS; folder++) {
            Path top = root.resolve(NAMES[folder % NAMES.length] + folder / 60);
            Path path = top.resolve(NAMES[random.nextInt(NAMES.length)]).resolve("d" + folder);
            Files.createDirectories(path);
            for (int i = 0; i < FILES_IN_FOLDER; i++) {
                String suffix = SUFFIXES[random.nextInt(SUFFIXES.length)];
                byte[] text = text(folder * FILES_IN_FOLDER + i).getBytes(StandardCharsets.UTF_8);
                Files.write(path.resolve("F" + i + "." + suffix), text);
            }
            if (folder % 10 == 0) {
                String rules = RULES[random.nextInt(RULES.length)];
                Files.writeString((folder % 20 == 0 ? top : path).resolve(".gitignore"), rules);
                Files.createSymbolicLink(path.resolve("up"), top);
            }
        }
    }

    private static String text(int number) {
        return "class C%d {\n  // %s\n  int x = %d;\n}\n"
                .formatted(number, number % 500 == 7 ? "needle" : "hay", number * 131);
    }

    @Test
    @Tag("B35")
    @DisplayName("the files of git ls-files and of ripgrep")
    void theSameFiles() throws Exception {
        TreeSet<String> files = new TreeSet<>();
        TreeSet<String> links = new TreeSet<>();
        SearchDeadline deadline = new SearchDeadline(Duration.ofMinutes(2), new Cancellation());
        new TreeWalk(root, deadline)
                .below(
                        root,
                        entry ->
                                entry.isFolder()
                                        || (entry.isFile() ? files : links).add(entry.relative()));
        assertTrue(files.size() >= FEWEST, files.size() + " files");
        if (Rg.isThere()) {
            assertSame(Rg.files(root), files);
        }
        files.addAll(links);
        assertSame(Git.files(root), files);
    }

    @Test
    @Tag("B34")
    @Tag("B35")
    @DisplayName("the lines that ripgrep finds")
    void theSameLines() throws Exception {
        assumeTrue(Rg.isThere(), "no ripgrep on this machine");
        int found = 0;
        for (String query : List.of("needle", "x = [0-9]{3}7;", "(?i)CLASS c\\d+9 ", "[0-9]{7}")) {
            TreeSet<String> own = new TreeSet<>();
            Scanned.lines(root, Pattern.compile(query), 0)
                    .forEach(line -> own.add(Scanned.place(line)));
            assertSame(Rg.lines(root, query), own);
            found += own.size();
        }
        assertTrue(found > 10_000, "too little found to say anything: " + found);
    }

    /** Tells a few differences only; the lists are long. */
    private static void assertSame(TreeSet<String> expected, TreeSet<String> actual) {
        List<String> missing = expected.stream().filter(e -> !actual.contains(e)).limit(5).toList();
        List<String> more = actual.stream().filter(a -> !expected.contains(a)).limit(5).toList();
        assertEquals("missing [], too many []", "missing " + missing + ", too many " + more);
    }
}
