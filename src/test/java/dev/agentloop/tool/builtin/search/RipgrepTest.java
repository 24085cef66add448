package dev.agentloop.tool.builtin.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentloop.control.Cancellation;
import dev.agentloop.testing.SampleTree;
import dev.agentloop.testing.ToolFixture;
import dev.agentloop.tool.SeenFiles;
import dev.agentloop.tool.ToolContext;
import dev.agentloop.tool.Workspace;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A search of a large tree is the same with ripgrep and without. */
class RipgrepTest {
    private static final Path INSTALLED = Path.of("/usr/bin/rg");
    private static final List<String> PATTERNS =
            List.of(
                    "needle",
                    "class Service3[0-9]{2}\\b",
                    "(?i)MAX_SIZE\\s+find",
                    "user (login|order) \\w+ id$",
                    "^\\s*return\\b.*null \\w+$",
                    "\\bnull\\b(?= else)",
                    "(?<!user )Repository id",
                    "x?",
                    "[^a-z\\s]{9}",
                    "caf.\\b",
                    "cafe\\b",
                    "cafe.?\\b",
                    "[a-f]\\b.",
                    "(?i)\\bcaf",
                    "f(i|o)le",
                    "(?i)kısS",
                    "(get|set)\\(\\d+7\\);",
                    "\\$",
                    "\\p{Lu}{3}_\\p{Lu}+ if",
                    "zzzz",
                    "^needle\\.$",
                    "\"|'",
                    "na\\u00efve",
                    "<[^>]+>");

    private static final List<String> GLOBS = List.of("*", "*.java", "[k]*", "*.nothing");

    private static final int FILES = 400; // more than are LARGE here
    private static final int LARGE = 250;

    @TempDir Path temp;
    private Duration patience = Duration.ofMinutes(1);
    private Path root;
    private Path asked;

    @BeforeEach
    void prepare() throws IOException {
        root = Files.createDirectory(temp.toRealPath().resolve("w"));
        asked = temp.resolve("asked");
        SampleTree.write(root, FILES, 4);
        write("latin", "a caf\u00e9\n".getBytes(StandardCharsets.ISO_8859_1));
        write(
                "accent",
                "cafe\u0301 x\ncafe\u0301\n\u0301cafe x\n".getBytes(StandardCharsets.UTF_8));
        write("turkish", "kıss KISS kiſs\nneedle.\r\n".getBytes(StandardCharsets.UTF_8));
        write("wide", "\uFEFFneedle na\u00efve\n".getBytes(StandardCharsets.UTF_16LE));
        write("src/m1/.gitignore", "*.md\n/gone/\n!keep.md\n".getBytes(StandardCharsets.UTF_8));
        write("src/m1/gone/a", "needle\n".getBytes(StandardCharsets.UTF_8));
        write("src/m1/keep.md", "needle\n".getBytes(StandardCharsets.UTF_8));
        write("src/m1/b.md", "needle\n".getBytes(StandardCharsets.UTF_8));
        write("target/a", "needle\n".getBytes(StandardCharsets.UTF_8));
        write("node_modules/a", "needle\n".getBytes(StandardCharsets.UTF_8));
        write(".git/HEAD", "needle\n".getBytes(StandardCharsets.UTF_8));
        write("z/nested.log", "needle\n".getBytes(StandardCharsets.UTF_8));
        write("z/.ignore", "*\n".getBytes(StandardCharsets.UTF_8));
        write("z/.rgignore", "*\n".getBytes(StandardCharsets.UTF_8));
        write("bin", "needle\n\0".getBytes(StandardCharsets.UTF_8));
        write(".hid/.den", "needle\n".getBytes(StandardCharsets.UTF_8));
        write("huge", "needle\n".getBytes(StandardCharsets.UTF_8));
        try (RandomAccessFile hole = new RandomAccessFile(root.resolve("huge").toFile(), "rw")) {
            hole.setLength(3L << 30); // ripgrep alone would read all of it
        }
        Files.createSymbolicLink(root.resolve("cycle"), root);
        Files.createSymbolicLink(root.resolve("linked"), root.resolve("turkish"));
    }

    @Test
    @Tag("B34")
    @Tag("B35")
    @DisplayName("every pattern has the same result with ripgrep and without")
    void theResultIsTheSameWithRipgrepAndWithout() throws IOException {
        assumeTrue(Files.isExecutable(INSTALLED), "no ripgrep on this machine");
        Files.delete(root.resolve("huge"));
        ToolFixture without = tools("");
        ToolFixture with = tools(recording("exec " + INSTALLED + " \"$@\"").toString());
        for (String pattern : PATTERNS) {
            for (String glob : pattern.equals("needle") ? GLOBS : List.of("*")) {
                Object[] query = {"pattern", pattern, "glob", glob, "max_results", 500};
                assertEquals(
                        without.call("grep", query),
                        with.call("grep", query),
                        pattern + " " + glob);
            }
        }
        assertTrue(Files.readString(asked).lines().count() >= 20, "ripgrep was hardly asked");
    }

    @Test
    @DisplayName("a file that holds ripgrep up is left to us, and then at once")
    void aHugeFileIsLeftToUs() throws IOException {
        assumeTrue(Files.isExecutable(INSTALLED), "no ripgrep on this machine");
        patience = Duration.ofMillis(200);
        String slow = "case \"$*\" in *max-filesize*|*'--files '*) ;; *) sleep 30 ;; esac; ";
        ToolFixture without = tools("");
        ToolFixture with = tools(recording(slow + "exec " + INSTALLED + " \"$@\"").toString());
        write(
                "large.txt",
                ("x".repeat(99) + "\n").repeat(170_000).getBytes(StandardCharsets.UTF_8)); // 17 MB
        Files.writeString(root.resolve("large.txt"), "needle 7\n", StandardOpenOption.APPEND);
        for (String pattern : List.of("needle 7", "needle", "zzzz")) {
            Object[] query = {"pattern", pattern, "max_results", 500};
            assertEquals(without.call("grep", query), with.call("grep", query), pattern);
        }
        assertTrue(with.call("grep", "pattern", "needle 7").text().contains("large.txt"));
        List<String> calls = Files.readAllLines(asked);
        calls.removeIf(call -> !call.contains("--files-with-matches"));
        assertEquals(1 + 4, calls.size(), "one in vain, then each pattern: " + calls);
        assertFalse(calls.removeFirst().contains("--max-filesize"));
        assertTrue(calls.stream().allMatch(call -> call.contains("--max-filesize")), "" + calls);
    }

    @Test
    @DisplayName("what ripgrep reads in another way: links as ignore files, ends of lines, classes")
    void whatRipgrepReadsInAnotherWay() throws IOException {
        assumeTrue(Files.isExecutable(INSTALLED), "no ripgrep on this machine");
        Files.delete(root.resolve("huge"));
        write("rules", "*.dat\n".getBytes(StandardCharsets.UTF_8));
        write("linked-rules/a.dat", "needle\n".getBytes(StandardCharsets.UTF_8));
        Files.createSymbolicLink(root.resolve("linked-rules/.gitignore"), Path.of("../rules"));
        write("dash", "x#y\nxay\n".getBytes(StandardCharsets.UTF_8));
        write("dots", "Loading\u0085\n".getBytes(StandardCharsets.ISO_8859_1));
        write("paragraph", "Loading\u2029\n".getBytes(StandardCharsets.UTF_8));
        for (String pattern : List.of("needle", "x[ --a]y", "Loading$")) {
            Object[] query = {"pattern", pattern, "max_results", 500};
            assertEquals(tools("").call("grep", query), installed().call("grep", query), pattern);
        }
        String text = installed().call("grep", "pattern", "needle").text();
        assertTrue(text.contains("linked-rules/a.dat"), text);
    }

    @Test
    @DisplayName("nobody learns from a search what a file of secrets holds")
    void secretsAreNotToldByCounting() throws Exception {
        assumeTrue(Files.isExecutable(INSTALLED), "no ripgrep on this machine");
        write("zz/.env", "TOKEN=abc\n".getBytes(StandardCharsets.UTF_8));
        write(".git/info/exclude", "hidden\n".getBytes(StandardCharsets.UTF_8));
        write("zz/hidden", "IGNORED=abc\n".getBytes(StandardCharsets.UTF_8));
        ToolFixture plain = ToolFixture.in(root);
        for (String path : List.of("", INSTALLED.getParent().toString())) {
            Ripgrep ripgrep = new Ripgrep(plain.runner, path, LARGE, patience);
            Workspace workspace = new Workspace(root).leavingOut(name -> name.endsWith(".env"));
            var tool = new GrepTool(Duration.ofMinutes(1), ripgrep);
            for (String name : List.of("TOKEN", "IGNORED")) {
                String right = searched(tool, workspace, name + "=a");
                String wrong = searched(tool, workspace, name + "=b");
                assertEquals(right.replace("=a", "=b"), wrong, path);
            }
        }
    }

    @Test
    @Tag("B35")
    @DisplayName("below a folder, too, rules of the folders above included")
    void theResultIsTheSameBelowAFolder() throws IOException {
        assumeTrue(Files.isExecutable(INSTALLED), "no ripgrep on this machine");
        write("src/.gitignore", "/m3/*.py\nm4/\n!keep.log\n".getBytes(StandardCharsets.UTF_8));
        SampleTree.write(Files.createDirectory(root.resolve("out")), FILES, 5); // ignored
        ToolFixture without = tools("");
        ToolFixture with = tools(recording("exec " + INSTALLED + " \"$@\"").toString());
        for (String place : List.of("src", "out", "out/src", "src/m1")) {
            for (String pattern : List.of("needle", "Service2\\d+ ", "user \\w+ id$")) {
                Object[] query = {"pattern", pattern, "path", place, "max_results", 500};
                assertEquals(
                        without.call("grep", query),
                        with.call("grep", query),
                        pattern + " " + place);
            }
        }
        long calls = Files.readString(asked).lines().count();
        assertEquals(3 * 3, calls, "each pattern in three large folders");
    }

    @ParameterizedTest
    @ValueSource(strings = {".gitignore", ".git/info/exclude"})
    @Tag("B35")
    @DisplayName("what a rule above brings back is found below a folder")
    void whatARuleAboveBringsBackIsFound(String rules) throws IOException {
        assumeTrue(Files.isExecutable(INSTALLED), "no ripgrep on this machine");
        write(rules, "!node_modules/\n".getBytes(StandardCharsets.UTF_8));
        write("src/node_modules/a", "needle\n".getBytes(StandardCharsets.UTF_8));
        String text = installed().call("grep", "pattern", "needle", "path", "src").text();
        assertTrue(text.contains("src/node_modules/a"), text);
    }

    @Test
    @Tag("B34")
    @DisplayName("a ripgrep that fails is not asked again, and the result is ours")
    void aRipgrepThatFailsIsNotAskedAgain() throws IOException {
        ToolFixture with = tools(recording("echo ./latin; exit 2").toString());
        for (int i = 0; i < 3; i++) {
            assertEquals(
                    tools("").call("grep", "pattern", "needle"),
                    with.call("grep", "pattern", "needle"));
        }
        assertEquals(1, Files.readString(asked).lines().count());
    }

    @Test
    @Tag("B35")
    @DisplayName("ignore files that ripgrep reads in its own way are kept from it")
    void unusualIgnoreFilesAreKeptFromRipgrep() throws IOException {
        assumeTrue(Files.isExecutable(INSTALLED), "no ripgrep on this machine");
        write(
                "src/m2/.gitignore",
                "*.{a,b}\n".getBytes(StandardCharsets.UTF_8)); // no choice in git
        write("src/m2/x.a", "needle\n".getBytes(StandardCharsets.UTF_8));
        String text = installed().call("grep", "pattern", "needle").text();
        assertTrue(text.contains("src/m2/x.a"), text);
    }

    @Test
    @Tag("B35")
    @DisplayName("a repository in the tree keeps its own rules")
    void aNestedRepositoryKeepsItsOwnRules() throws IOException {
        assumeTrue(Files.isExecutable(INSTALLED), "no ripgrep on this machine");
        write("z/.git/HEAD", "ref: refs/heads/main\n".getBytes(StandardCharsets.UTF_8));
        String text = installed().call("grep", "pattern", "needle").text();
        assertTrue(text.contains("z/nested.log"), text);
    }

    @Test
    @DisplayName("it is asked whatever the ignore files hold, and what they say is remembered")
    void unusualIgnoreFilesDoNotKeepItFromBeingAsked() throws IOException {
        assumeTrue(Files.isExecutable(INSTALLED), "no ripgrep on this machine");
        Files.delete(root.resolve("huge"));
        write(".gitignore", "*.{a,b}\n!keep/\nlogs/**/x\n".getBytes(StandardCharsets.UTF_8));
        ToolFixture with = tools(recording("exec " + INSTALLED + " \"$@\"").toString());
        for (String pattern : List.of("needle", "Service2\\d+ ", "zzzz")) {
            Object[] query = {"pattern", pattern, "max_results", 500};
            assertEquals(tools("").call("grep", query), with.call("grep", query), pattern);
        }
        long calls = Files.readString(asked).lines().count();
        assertEquals(3, calls, "each pattern");
        String none = with.call("grep", "pattern", "zzzz").text();
        assertEquals("No match for zzzz. Ignored files were left out.", none);
        write(".gitignore", "*.txt\n!*.[ab]\n".getBytes(StandardCharsets.UTF_8));
        Files.setLastModifiedTime(
                root.resolve(".gitignore"),
                FileTime.fromMillis(System.currentTimeMillis() + 2_000));
        Object[] query = {"pattern", "needle", "max_results", 500};
        assertEquals(tools("").call("grep", query), with.call("grep", query));
        String last = Files.readAllLines(asked).getLast();
        assertTrue(last.contains("--no-ignore "), "the new rules are read: " + last);
    }

    @Test
    @DisplayName("code is found the same with ripgrep and without")
    void codeIsFoundTheSame() throws IOException {
        assumeTrue(Files.isExecutable(INSTALLED), "no ripgrep on this machine");
        write(
                "src/m1/user_login.py",
                "def user_login():\n    pass\n".getBytes(StandardCharsets.UTF_8));
        for (String query : List.of("user login", "service", "Repository", "nothing like it")) {
            assertEquals(
                    search("").call("search_code", "query", query),
                    search(INSTALLED.getParent().toString()).call("search_code", "query", query),
                    query);
        }
    }

    private static String searched(GrepTool tool, Workspace workspace, String pattern)
            throws Exception {
        GrepTool.Args args = new GrepTool.Args(pattern, null, null, null, null, null);
        ToolContext context =
                new ToolContext(
                        workspace,
                        new Cancellation(),
                        new SeenFiles(),
                        ToolContext.Barrier.OPEN,
                        _ -> {},
                        "call_1");
        return tool.run(args, context).text();
    }

    private ToolFixture search(String path) {
        ToolFixture plain = ToolFixture.in(root);
        Ripgrep ripgrep = new Ripgrep(plain.runner, path, LARGE, patience);
        return ToolFixture.with(root, List.of(new SearchCodeTool(ripgrep)));
    }

    private ToolFixture installed() {
        return tools(INSTALLED.getParent().toString());
    }

    @Test
    @Tag("B50")
    @DisplayName("a ripgrep of the workspace is never run, nor one from a relative PATH")
    void aProgramOfTheWorkspaceIsNeverRun() throws IOException {
        Path own = Files.createDirectory(root.resolve("tools"));
        Files.move(recording("exit 1").resolve("rg"), own.resolve("rg"));
        Path link = Files.createDirectory(temp.resolve("links"));
        Files.createSymbolicLink(link.resolve("rg"), own.resolve("rg"));
        tools(own + ":tools:" + link + "::.").call("grep", "pattern", "needle");
        assertFalse(Files.exists(asked));
    }

    private ToolFixture tools(String path) {
        ToolFixture plain = ToolFixture.in(root);
        Ripgrep ripgrep = new Ripgrep(plain.runner, path, LARGE, patience);
        return ToolFixture.with(root, List.of(new GrepTool(Duration.ofMinutes(1), ripgrep)));
    }

    /** A folder with a program rg that notes each call. */
    private Path recording(String command) throws IOException {
        Path folder = Files.createDirectory(temp.resolve("bin"));
        Path program = folder.resolve("rg");
        Files.writeString(
                program, "#!/bin/sh\nprintf '%s\\n' \"$*\" >>'" + asked + "'\n" + command + "\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.createSymbolicLink(folder.resolve("find"), Path.of("/usr/bin/find"));
        return folder;
    }

    private void write(String name, byte[] content) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        Files.write(file, content);
    }
}
