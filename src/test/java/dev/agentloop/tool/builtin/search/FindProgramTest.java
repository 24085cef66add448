package dev.agentloop.tool.builtin.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentloop.process.ProcessRunner;
import dev.agentloop.testing.ToolFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A large tree is listed by find(1), and the answer is the one that a walk gives. */
class FindProgramTest {
    private static final String PATH = "/usr/bin:/bin";

    @TempDir Path folder;

    @BeforeEach
    void plant() throws IOException {
        for (String name :
                List.of(
                        "a.txt",
                        "src/b.txt",
                        "src/deep/er/c.txt",
                        "src/gen/d.txt",
                        "build/e.txt",
                        "node_modules/x/f.txt",
                        "kept/node_modules/g.txt",
                        "inner/.git/HEAD",
                        "inner/h.txt",
                        "inner/build/i.txt",
                        "odd\nname/j.txt",
                        "a-b/k.txt",
                        "a/l.txt",
                        ".hidden/m.txt",
                        "__pycache__/n.txt",
                        "zab",
                        "z.txt")) {
            Path file = folder.resolve(name);
            Files.createDirectories(file.getParent());
            Files.writeString(file, "x");
        }
        Files.writeString(folder.resolve(".gitignore"), "build/\n*.log\n");
        Files.writeString(folder.resolve("src/.gitignore"), "gen\n");
        Files.createSymbolicLink(folder.resolve("link.txt"), Path.of("a.txt"));
        Files.createSymbolicLink(folder.resolve("src/loop"), Path.of(".."));
    }

    private String found(int large, String path, Object... arguments) {
        ProcessRunner runner = new ProcessRunner(Map.of("PATH", PATH), List.of());
        try {
            FindFilesTool tool = new FindFilesTool(new FindProgram(runner, path), large);
            return ToolFixture.with(folder, List.of(tool)).call("find_files", arguments).text();
        } finally {
            runner.killAll();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "*.txt",
                "**/*",
                "src/**",
                "deep/**/c.txt",
                "*link*",
                "*.nothing",
                "src**c.txt",
                "-*",
                "s*/*b*",
                "za**/b"
            })
    @DisplayName("names, order and what is left out are the same, wherever the walk is given up")
    void likeAWalk(String pattern) {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/find")), "no find here");
        String walked = found(Integer.MAX_VALUE, PATH, "pattern", pattern);
        for (int large = 0; large < 20; large += 3) {
            assertEquals(walked, found(large, PATH, "pattern", pattern), "after " + large);
        }
        String below = found(Integer.MAX_VALUE, PATH, "pattern", pattern, "path", "src");
        assertEquals(below, found(0, PATH, "pattern", pattern, "path", "src"));
    }

    @Test
    @DisplayName("a folder of git's own is searched when it is named")
    void gitsOwnFolder() throws IOException {
        Path pack = Files.createDirectories(folder.resolve(".git/objects")).resolve("pack-1");
        Files.writeString(pack, "x");
        assertEquals(".git/objects/pack-1", found(0, PATH, "pattern", "pack-*", "path", ".git"));
    }

    @Test
    @DisplayName("a folder of packages that the project brings back is looked into")
    void broughtBack() throws IOException {
        Files.writeString(folder.resolve("kept/.gitignore"), "!node_modules\n");
        String walked = found(Integer.MAX_VALUE, PATH, "pattern", "*.txt");
        assertTrue(walked.contains("kept/node_modules/g.txt"), walked);
        assertEquals(walked, found(0, PATH, "pattern", "*.txt"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"exit 1", "echo no >&2; exit 2", "printf 'f./\\377\\0'", "kill -9 $$"})
    @DisplayName("another find, a broken one, or none: the walk goes on by itself")
    void anotherFind(String script) throws IOException {
        Path bin = Files.createDirectory(folder.resolveSibling(folder.getFileName() + "-bin"));
        Path program = Files.writeString(bin.resolve("find"), "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        String walked = found(Integer.MAX_VALUE, PATH, "pattern", "*.txt");
        assertEquals(walked, found(2, bin.toString(), "pattern", "*.txt"));
        assertEquals(walked, found(2, "/nowhere", "pattern", "*.txt"));
        Path own = Files.createDirectory(folder.resolve("bin"));
        Files.writeString(own.resolve("find"), "#!/bin/sh\ntouch bitten\n");
        assertTrue(own.resolve("find").toFile().setExecutable(true));
        assertEquals(walked, found(2, own.toString(), "pattern", "*.txt"));
        assertFalse(Files.exists(folder.resolve("bitten")), "a program of the workspace");
    }
}
