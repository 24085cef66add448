package dev.agentloop.orchestration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.control.Cancellation;
import dev.agentloop.git.Git;
import dev.agentloop.process.ProcessRunner;
import dev.agentloop.testing.GitShell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Links among a repository's own files, through which work trees and their branches would go. */
class HostileLinksTest {
    @TempDir private Path folder;
    private Path main;
    private Path home;

    @BeforeEach
    void repository() throws Exception {
        main = Files.createDirectories(folder.resolve("main")).toRealPath();
        home = Files.createDirectories(folder.resolve("home")).toRealPath();
        GitShell.run(main, "git init -q -b main; echo a > a.txt; git add -A; git commit -qm one");
    }

    private Worktrees trees() throws IOException {
        Map<String, String> environment =
                Map.of("PATH", System.getenv("PATH"), "HOME", "/nonexistent");
        ProcessRunner runner = new ProcessRunner(environment, List.of());
        Git git = Git.find(runner, main, Duration.ofMinutes(1), new Cancellation()).orElseThrow();
        return Worktrees.of(
                git, main, new Worktrees.Place(folder.resolve("trees"), ".alone", "me"));
    }

    private List<String> inHome() throws IOException {
        try (Stream<Path> files = Files.walk(home)) {
            return files.filter(file -> !file.equals(home)).map(Path::toString).toList();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "git pack-refs --all; mv .git/refs .git/was; ln -s ../../home .git/refs",
                "git pack-refs --all; rm -r .git/refs/heads; ln -s ../../../home .git/refs/heads",
                "ln -s ../../../../home .git/refs/heads/agent",
                "mv .git/worktrees .git/was || true; ln -s ../../home .git/worktrees",
                "git gc -q; cp -r .git/objects .git/o; rm -r .git/objects; ln -s o .git/objects",
                "mv .git/objects/pack ../home/pack; ln -s ../../../home/pack .git/objects/pack",
            })
    @Tag("D46")
    @DisplayName("no work tree is made where git would write through a link")
    void linksAreRefused(String script) throws Exception {
        GitShell.run(main, script);
        List<String> before = inHome();

        IOException refused =
                assertThrows(
                        IOException.class,
                        () -> {
                            try (Worktrees trees = trees()) {
                                trees.add("one", trees.freeBranch("agent/one"));
                            }
                        });

        assertTrue(refused.getMessage().contains("is a link to "), refused.getMessage());
        assertTrue(refused.getMessage().contains("put the folder itself"), refused.getMessage());
        assertEquals(before, inHome());
    }

    @Test
    @Tag("D46")
    @DisplayName("the log of a branch is not written, as a link may stand in its place")
    void logsAreNotWritten() throws Exception {
        GitShell.run(
                main,
                "mkdir -p .git/logs/refs/heads/agent; echo mine > ../home/.bashrc;"
                        + " ln -s ../../../../../../home/.bashrc .git/logs/refs/heads/agent/one");
        try (Worktrees trees = trees()) {
            Worktrees.Tree tree = trees.add("one", trees.freeBranch("agent/one"));
            Files.writeString(tree.root().resolve("work.txt"), "work\n");

            assertEquals("agent/one", trees.harvest(tree, "work").branch());
        }
        assertEquals("mine\n", Files.readString(home.resolve(".bashrc")));
    }

    @Test
    @Tag("D46")
    @DisplayName("a folder of objects that another task makes into a link gets nothing")
    void objectsGoAround() throws Exception {
        try (Worktrees trees = trees()) {
            Worktrees.Tree tree = trees.add("one", trees.freeBranch("agent/one"));
            Files.writeString(tree.root().resolve("work.txt"), "work\n");
            GitShell.run(
                    main,
                    "git gc -q; for a in 0 1 2 3 4 5 6 7 8 9 a b c d e f; do for b in 0 1 2 3 4 5 6 7"
                            + " 8 9 a b c d e f; do rm -rf .git/objects/$a$b;"
                            + " ln -s ../../../home .git/objects/$a$b; done; done");

            assertEquals("agent/one", trees.harvest(tree, "work").branch());
        }
        assertEquals(List.of(), inHome());
        assertEquals("work\n", GitShell.read(main, "git show agent/one:work.txt"));
        GitShell.run(main, "find .git/objects -type l -delete; git fsck --strict");
    }

    @Test
    @Tag("D46")
    @DisplayName("packs are put into no folder that another task makes into a link")
    void packsStayHere() throws Exception {
        try (Worktrees trees = trees()) {
            Worktrees.Tree tree = trees.add("one", trees.freeBranch("agent/one"));
            Files.writeString(tree.root().resolve("work.txt"), "work\n");
            GitShell.run(main, "rm -rf .git/objects/pack; ln -s ../../../home .git/objects/pack");

            assertThrows(IOException.class, () -> trees.harvest(tree, "work"));
            assertEquals("work\n", Files.readString(tree.root().resolve("work.txt")));
        }
        assertEquals(List.of(), inHome());
    }
}
