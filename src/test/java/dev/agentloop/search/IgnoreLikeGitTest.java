package dev.agentloop.search;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.agentloop.control.Cancellation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a walk finds is what git lists, whatever the ignore files say. */
class IgnoreLikeGitTest {
    private static final int TREES = Integer.getInteger("fuzz.trees", 100);
    private static final long SEED = Long.getLong("fuzz.seed", 4);

    private static final String[] NAMES = {
        "a", "b", "ab", "abc", "a.c", "b.c", ".a", "x y", "a ", "[a]", "a*", "é", "a\\b", "#a",
        "!a", "foo", "bar", "A", "a-b", "a]", "{a,b}", "a\tb", "b~"
    };
    private static final String[] PARTS = {
        "a",
        "b",
        "ab",
        "c",
        ".",
        "*",
        "*",
        "**",
        "?",
        "/",
        "/",
        "/",
        "[ab]",
        "[!a]",
        "[^b]",
        "[a-c]",
        "[]a]",
        "[a",
        "\\",
        "\\*",
        "\\ ",
        " ",
        "#",
        "!",
        "{a,b}",
        "é",
        "[[:alpha:]]",
        "[[:x:]]",
        "[\\]]",
        "[a-",
        "foo",
        "bar",
        "**/",
        "/**",
        "/**/",
        "\t",
        "[é]",
        "[b-]",
        "[/]",
        "A",
        "-",
        "]",
        "[[:space:]a]",
        "\\\\",
        "[a\\-c]",
        "[[:]",
        "~",
        "\r"
    };

    @TempDir Path root;
    private Random random;

    @BeforeEach
    void prepare() throws IOException {
        root = root.toRealPath();
        random = new Random(SEED);
    }

    @Test
    @Tag("B35")
    @Tag("B11")
    @DisplayName("in seeded trees with random ignore files a walk finds what git lists")
    void randomIgnoreFilesMeanWhatTheyMeanToGit() throws Exception {
        for (int i = 0; i < TREES; i++) {
            Path top = Files.createDirectory(root.resolve("t" + i));
            Git.init(top);
            TreeMap<String, String> ignores = new TreeMap<>();
            fill(top, top, 0, ignores);
            if (random.nextInt(3) == 0) {
                ignore(top, top.resolve(".git/info/exclude"), ignores);
            }
            assertEquals(
                    String.join("\n", Git.files(top)),
                    String.join("\n", files(top)),
                    "seed " + SEED + ", tree " + i + ", " + ignores);
        }
    }

    @Test
    void aWorkspaceBelowTheTopOfItsRepositoryKnowsTheRulesAbove() throws Exception {
        Git.init(root);
        write(".gitignore", "*.log\n/svc/a/out\nsvc/*/gen/\n!keep.log\n");
        write("svc/.gitignore", "tmp\n");
        write(".git/info/exclude", "*.swp\n");
        for (String file :
                List.of("x.log", "keep.log", "out/1", "gen/1", "tmp/1", "c.swp", "s/target/d")) {
            write("svc/a/" + file, "x");
        }
        Path inner = root.resolve("svc/a");
        assertEquals(Git.files(inner), files(inner));
        assertEquals(new TreeSet<>(List.of("keep.log", "s/target/d")), files(inner));
    }

    @Test
    void aWorkspaceThatItsRepositoryIgnoresIsSearchedAllTheSame() throws Exception {
        Git.init(root);
        write(".gitignore", "scratch/\n*.log\n");
        write("scratch/deep/a.log", "x");
        assertEquals(
                new TreeSet<>(List.of("a.log")), files(root.resolve("scratch").resolve("deep")));
    }

    @Test
    void aNestedRepositoryHasRulesOfItsOwn() throws Exception {
        Git.init(root);
        write(".gitignore", "*.log\n");
        write("sub/a.log", "x");
        write("sub/b.tmp", "x");
        Git.init(root.resolve("sub"));
        write("sub/.gitignore", "*.tmp\n");
        assertEquals(
                new TreeSet<>(List.of(".gitignore", "sub/.gitignore", "sub/a.log")), files(root));
        Path sub = root.resolve("sub");
        assertEquals(Git.files(sub), files(sub));
    }

    @Test
    void aWorktreeHasTheExcludesOfItsRepository() throws Exception {
        write("main/.git/info/exclude", "*.swp\n");
        write("main/.git/worktrees/w/commondir", "../..\n");
        write("w/.git", "gitdir: " + root.resolve("main/.git/worktrees/w") + "\n");
        write("w/a.swp", "x");
        write("w/a", "x");
        assertEquals(new TreeSet<>(List.of("a")), files(root.resolve("w")));
    }

    @Test
    void packagesAreLeftOutUnlessAnIgnoreFileBringsThemBack() throws Exception {
        write("node_modules/a", "x");
        write("target/b", "x");
        assertEquals(new TreeSet<>(), files(root));
        Git.init(root); // git alone decides what a folder "target" is
        assertEquals(new TreeSet<>(List.of("target/b")), files(root));
        write(".gitignore", "!node_modules/\n");
        assertEquals(
                new TreeSet<>(List.of(".gitignore", "node_modules/a", "target/b")), files(root));
    }

    @Test
    @Tag("B35")
    @DisplayName("what cannot be an ignore file is none")
    void aLinkOrAFolderIsNoIgnoreFile() throws Exception {
        Git.init(root);
        write("rules", "a\n");
        write("a", "x");
        Files.createSymbolicLink(root.resolve(".gitignore"), root.resolve("rules"));
        write("d/.gitignore/x", "x");
        assertEquals(new TreeSet<>(List.of("a", "d/.gitignore/x", "rules")), files(root));
    }

    private void fill(Path top, Path folder, int depth, TreeMap<String, String> ignores)
            throws IOException {
        for (int i = 0; i < 4 + random.nextInt(5); i++) {
            Path path = folder.resolve(pick(NAMES));
            if (Files.exists(path)) {
                continue;
            }
            if (depth < 3 && random.nextInt(3) == 0) {
                Files.createDirectory(path);
                fill(top, path, depth + 1, ignores);
            } else {
                Files.writeString(path, "x");
            }
        }
        if (depth == 0 || random.nextInt(3) == 0) {
            ignore(top, folder.resolve(".gitignore"), ignores);
        }
    }

    private void ignore(Path top, Path file, TreeMap<String, String> ignores) throws IOException {
        StringBuilder text = new StringBuilder(random.nextInt(12) == 0 ? "\uFEFF" : "");
        for (int line = 0; line < 1 + random.nextInt(6); line++) {
            text.append(random.nextInt(5) == 0 ? "!" : "");
            if (random.nextInt(3) == 0) {
                text.append(pick(NAMES)).append(random.nextInt(3) == 0 ? "/" : "");
            } else {
                for (int part = 0; part < 1 + random.nextInt(5); part++) {
                    text.append(pick(PARTS));
                }
            }
            text.append(random.nextInt(20) == 0 ? "\r\n" : "\n");
        }
        Files.writeString(file, text);
        ignores.put(top.relativize(file).toString(), text.toString().replace("\n", "⏎"));
    }

    private String pick(String[] from) {
        return from[random.nextInt(from.length)];
    }

    /** Files of a walk that git would list: links and what is inside of nothing are not in it. */
    private static TreeSet<String> files(Path top) throws IOException {
        TreeSet<String> found = new TreeSet<>();
        SearchDeadline deadline = new SearchDeadline(Duration.ofMinutes(1), new Cancellation());
        new TreeWalk(top, deadline)
                .below(
                        top,
                        entry -> {
                            if (entry.isFile()) {
                                found.add(entry.relative());
                            }
                            return true;
                        });
        return found;
    }

    private void write(String name, String content) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }
}
