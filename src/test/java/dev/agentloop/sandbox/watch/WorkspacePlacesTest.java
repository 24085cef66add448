package dev.agentloop.sandbox.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentloop.process.CommandOutcome;
import dev.agentloop.sandbox.BwrapSandbox;
import dev.agentloop.sandbox.LandlockSandbox;
import dev.agentloop.sandbox.OutsideTmp;
import dev.agentloop.sandbox.Sandbox;
import dev.agentloop.sandbox.SandboxWorld;
import dev.agentloop.tool.ToolException;
import dev.agentloop.tool.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The same guarantees wherever the workspace lies. */
@Timeout(120)
class WorkspacePlacesTest {
    private static final Path BWRAP = Path.of("/usr/bin/bwrap");

    @BeforeEach
    void needsBubblewrap() {
        assumeTrue(Files.isExecutable(BWRAP), "bubblewrap is not installed");
    }

    @ParameterizedTest
    @Tag("D72")
    @DisplayName("a workspace with blanks, with other letters, in the home, deep in /tmp")
    @ValueSource(strings = {"a b/c d", "größe/日本", "home/project", "deep/er/ws"})
    void namesAndPlaces(String name, @TempDir Path root) throws IOException {
        try (var world = new SandboxWorld(root, name, all -> new BwrapSandbox(BWRAP, all))) {
            CommandOutcome outcome = world.run("echo x > \"$PWD/f\"; echo y > ~/.ssh/new; cat f");

            assertEquals("x\n", outcome.stdout().text());
            assertEquals("x\n", Files.readString(world.workspace.resolve("f")));
            assertFalse(Files.exists(world.home.resolve(".ssh/new")));
            assertFalse(world.all("cat ~/.ssh/id_rsa").contains("canary"));
        }
    }

    @Test
    @Tag("D72")
    @DisplayName("commands of a worktree commit to its repository, whose hooks stay as they are")
    void worktrees(@TempDir(factory = OutsideTmp.class) Path root) throws IOException {
        Path main = Files.createDirectories(root.resolve("main"));
        try (var plain = new SandboxWorld(root, "main", _ -> Sandbox.NONE)) {
            plain.run(
                    "git init -q . && git config user.name n && git config user.email e@x"
                            + " && git commit -q --allow-empty -m one && git worktree add -q ../tree");
        }
        try (var world = new SandboxWorld(root, "tree", all -> new BwrapSandbox(BWRAP, all))) {
            CommandOutcome commit = world.run("echo a > a && git add a && git commit -qm two");

            assertEquals(0, commit.exitCode(), commit.stderr().text());
            assertFalse(world.run("echo x > " + main + "/.git/hooks/pre-commit").exitCode() == 0);
            assertFalse(world.run("git config core.pager x").exitCode() == 0);
            assertFalse(world.run("echo 'gitdir: /etc' > .git").exitCode() == 0);
        }
    }

    /** As an attacker would: a repository of its own where git keeps what is the worktree's. */
    private static final String OWN_REPOSITORY =
            """
            d=$(git rev-parse --absolute-git-dir); c=$(git rev-parse --git-common-dir)
            mkdir -p $d/objects/info $d/refs; echo $c/objects > $d/objects/info/alternates
            printf '[filter "z"]\\n clean = "touch %s/ran; cat"\\n' "$PWD" > $d/config
            printf '[filter "z"]\\n clean = "touch %s/ran; cat"\\n' "$PWD" > $d/config.worktree
            echo '*.txt filter=z' > .gitattributes; echo x > a.txt; echo . > $d/commondir
            mv $d $d-away && cp -r $d-away $d && echo . > $d/commondir
            true
            """;

    @ParameterizedTest
    @Tag("D49")
    @DisplayName("a command of a worktree cannot make git run a program of its own outside")
    @ValueSource(booleans = {true, false})
    void worktreeSettings(boolean mounts, @TempDir(factory = OutsideTmp.class) Path root)
            throws IOException {
        assumeTrue(mounts || LandlockSandbox.trouble().isEmpty(), "no Landlock");
        treeOf(root);
        try (var world = new SandboxWorld(root, "trees/tree", all -> sandbox(mounts, all))) {
            world.run(OWN_REPOSITORY);
        }
        try (var outside = new SandboxWorld(root, "trees/tree", _ -> Sandbox.NONE)) {
            Path tree = outside.workspace;
            Path own = root.resolve("main/.git/worktrees/tree");
            outside.run("git --git-dir=" + own + " --work-tree=" + tree + " status; git status");
            outside.run("git --git-dir=" + own + " --work-tree=" + tree + " add -A; git add -A");

            assertTrue(Files.exists(tree.resolve("a.txt")));
            assertFalse(Files.exists(tree.resolve("ran")));
        }
    }

    @ParameterizedTest
    @Tag("D72")
    @DisplayName("trees of one folder may each commit, but not touch what is common to all")
    @ValueSource(booleans = {true, false})
    void treesAlone(boolean mounts, @TempDir(factory = OutsideTmp.class) Path root)
            throws IOException {
        assumeTrue(mounts || LandlockSandbox.trouble().isEmpty(), "no Landlock");
        treeOf(root);
        Path main = root.resolve("main/.git");
        Files.createFile(root.resolve("trees").resolve(Boundaries.EACH_TREE_ALONE));
        try (var world = new SandboxWorld(root, "trees/tree", all -> sandbox(mounts, all))) {
            world.run("echo a > a && git add a");
            CommandOutcome commit = world.run("git commit -qm two");

            assertEquals(0, commit.exitCode(), commit.stderr().text());
            assertFalse(world.run("git update-ref refs/heads/main HEAD").exitCode() == 0);
            assertFalse(world.run("git branch new").exitCode() == 0);
            assertFalse(world.run("echo b > a; git stash").exitCode() == 0);
            assertFalse(world.run("echo > " + main + "/index").exitCode() == 0);
            assertFalse(world.run("git config core.pager x").exitCode() == 0);
            assertFalse(world.run("touch " + main + "/worktrees/new").exitCode() == 0);
            assertFalse(
                    world.run("rm " + root + "/trees/" + Boundaries.EACH_TREE_ALONE).exitCode()
                            == 0);
        }
    }

    @Test
    @Tag("D72")
    @DisplayName("what keeps trees apart means nothing once its process has ended")
    void markOfTheDead(@TempDir Path folder) throws Exception {
        Path mark = folder.resolve(Boundaries.EACH_TREE_ALONE);
        assertFalse(ProcessMark.counts(mark));
        Files.writeString(mark, Boundaries.thisProcess());
        assertTrue(ProcessMark.counts(mark));
        Files.writeString(mark, ProcessHandle.current().pid() + " 1"); // its id went to another
        assertFalse(ProcessMark.counts(mark));
        Files.writeString(mark, "");
        assertTrue(ProcessMark.counts(mark));
    }

    private static Sandbox sandbox(boolean mounts, Boundaries all) {
        return mounts ? new BwrapSandbox(BWRAP, all) : new LandlockSandbox(all);
    }

    /** The folder {@code main} with a commit, and a detached worktree of it in {@code trees}. */
    private static void treeOf(Path root) throws IOException {
        Files.createDirectories(root.resolve("trees"));
        try (var plain = new SandboxWorld(root, "main", _ -> Sandbox.NONE)) {
            CommandOutcome made =
                    plain.run(
                            "git init -q -b main . && git config user.name n"
                                    + " && git config user.email e@x"
                                    + " && git commit -q --allow-empty -m one"
                                    + " && git worktree add -q --detach ../trees/tree");
            assertEquals(0, made.exitCode(), made.stderr().text());
        }
    }

    @Test
    @Tag("D72")
    @DisplayName("a pointer that its repository does not confirm opens nothing")
    void madeUpPointers(@TempDir(factory = OutsideTmp.class) Path root) throws IOException {
        try (var world = new SandboxWorld(root, "ws", all -> new BwrapSandbox(BWRAP, all))) {
            Files.writeString(world.workspace.resolve(".git"), "gitdir: " + world.outside + "\n");

            assertFalse(world.run("echo x > ../outside/file").exitCode() == 0);
            assertEquals("before\n", Files.readString(world.outside.resolve("file")));
        }
    }

    @Test
    @Tag("D09")
    @DisplayName("through a link that a command has made no file tool gets outside")
    void linksLeadNowhere(@TempDir(factory = OutsideTmp.class) Path root) throws IOException {
        try (var world = new SandboxWorld(root, "ws", all -> new BwrapSandbox(BWRAP, all))) {
            assertEquals(0, world.run("ln -s ../outside d && ln -s ../outside/file f").exitCode());
            Workspace workspace = new Workspace(world.workspace, List.of());

            assertTrue(Files.isSymbolicLink(world.workspace.resolve("d")));
            assertThrows(ToolException.class, () -> workspace.resolve("d/file"));
            assertThrows(ToolException.class, () -> workspace.resolve("f"));
        }
    }
}
