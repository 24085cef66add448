package dev.agentloop.orchestration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.control.Cancellation;
import dev.agentloop.git.Git;
import dev.agentloop.process.ProcessRunner;
import dev.agentloop.testing.GitShell;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Work trees of real repositories, and what runs may have done in them. */
class WorktreesTest {
    @TempDir private Path folder;
    private Path main;

    @BeforeEach
    void repository() throws Exception {
        main = Files.createDirectories(folder.resolve("main")).toRealPath();
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

    @Test
    @Tag("D49")
    @DisplayName("filters that a repository names do not run; the files are as they are")
    void filters() throws Exception {
        Path ran = folder.resolve("ran");
        GitShell.run(
                main, "echo '*.txt filter=z' > .gitattributes; git add -A; git commit -qm two");
        for (String name : List.of("clean", "smudge")) {
            GitShell.run(main, "git config filter.z." + name + " 'touch " + ran + "; cat'");
        }
        try (Worktrees trees = trees()) {
            GitShell.run(main, "echo changed > a.txt");
            trees.uncommitted();
            Worktrees.Tree tree = trees.add("one", "agent/one");
            Files.writeString(tree.root().resolve("b.txt"), "b\n");
            Worktrees.Harvest harvest = trees.harvest(tree, "work");

            assertEquals("agent/one", harvest.branch(), harvest::toString);
            assertFalse(Files.exists(ran));
        }
        GitShell.run(main, "git add a.txt");
        assertTrue(Files.exists(ran), "the filter bites those who are careless");
    }

    @Test
    @DisplayName("parallel: a run may go to other branches; what it did is on the one that is said")
    void otherBranches() throws Exception {
        GitShell.run(main, "git branch other");
        try (Worktrees trees = trees()) {
            Worktrees.Tree tree = trees.add("one", "agent/one");
            GitShell.run(tree.root(), "git checkout -q other; echo c > c.txt");
            String before = GitShell.read(main, "git rev-parse other main");
            Worktrees.Harvest harvest = trees.harvest(tree, "work");

            assertEquals("agent/one", harvest.branch(), harvest::toString);
            assertEquals(1, harvest.files());
            assertEquals("c\n", GitShell.read(main, "git show agent/one:c.txt"));
            assertEquals(before, GitShell.read(main, "git rev-parse other main"));
            assertTrue(GitShell.read(tree.root(), "git status").startsWith("On branch agent/one"));
        }
    }

    @Test
    @DisplayName("parallel: a tree whose run has committed and gone away from it is not taken away")
    void leftCommits() throws Exception {
        try (Worktrees trees = trees()) {
            Worktrees.Tree tree = trees.add("one", "agent/one");
            GitShell.run(
                    tree.root(),
                    "echo c > c.txt; git add -A; git commit -qm mine; git checkout -q --detach main");
            Worktrees.Harvest harvest = trees.harvest(tree, "work");

            assertTrue(harvest.kept(), harvest::toString);
            assertTrue(harvest.trouble().contains("is on no branch"), harvest::toString);
        }
    }

    @Test
    @DisplayName("parallel: a commit that the run has left is told of, whatever it did after that")
    void leftCommitsAndMore() throws Exception {
        try (Worktrees trees = trees()) {
            Worktrees.Tree tree = trees.add("one", "agent/one");
            GitShell.run(
                    tree.root(),
                    "echo c > c.txt; git add -A; git commit -qm mine; git reset -q --hard main;"
                            + " echo d > d.txt");
            String left = GitShell.read(tree.root(), "git rev-parse ORIG_HEAD").strip();
            Worktrees.Harvest harvest = trees.harvest(tree, "work");

            assertEquals("agent/one", harvest.branch(), harvest::toString);
            assertTrue(harvest.trouble().contains(left), harvest::toString);

            Worktrees.Tree amended = trees.add("two", "agent/two");
            GitShell.run(
                    amended.root(),
                    "echo c > c.txt; git add -A; git commit -qm mine; git commit -q --amend -m x");
            assertEquals("", trees.harvest(amended, "work").trouble());
        }
    }

    @Test
    @DisplayName("parallel: a run that was ended in the middle of a rebase is told of")
    void unfinishedRebase() throws Exception {
        try (Worktrees trees = trees()) {
            Worktrees.Tree tree = trees.add("one", "agent/one");
            GitShell.run(
                    tree.root(),
                    "echo b > a.txt; git commit -qam mine; git checkout -q --detach main;"
                            + " echo c > a.txt; git commit -qam other;"
                            + " git rebase -q HEAD HEAD@{2} || true");
            Worktrees.Harvest harvest = trees.harvest(tree, "work");

            assertTrue(harvest.kept(), harvest::toString);
            assertTrue(harvest.trouble().contains("middle of a rebase"), harvest::toString);
        }
    }

    @Test
    @DisplayName("parallel: a name that others have taken, or a part of, gets a number")
    void takenNames() throws Exception {
        GitShell.run(main, "git branch agent/one/x");
        try (Worktrees trees = trees()) {
            String branch = trees.freeBranch("agent/one");
            Worktrees.Tree tree = trees.add("one", branch);
            Files.writeString(tree.root().resolve("b.txt"), "b\n");
            GitShell.run(main, "git branch agent/one-2"); // meanwhile
            Worktrees.Harvest harvest = trees.harvest(tree, "work");

            assertEquals("agent/one-2", branch);
            assertEquals("agent/one-2-2", harvest.branch(), harvest::toString);
        }
        GitShell.run(main, "git worktree remove ../trees/one");
        GitShell.run(
                main, "git branch -D -q $(git branch --format='%(refname:short)' --list 'a*')");
        GitShell.run(main, "git branch agent");
        try (Worktrees trees = trees()) {
            assertThrows(IOException.class, () -> trees.freeBranch("agent/one"));
        }
    }

    @Test
    @DisplayName("parallel: what cannot be begun leaves no tree, no branch and no folder")
    void refusalsLeaveNothing() throws Exception {
        try (Worktrees trees = trees()) {
            Files.createDirectories(folder.resolve("trees/two/in-the-way"));
            ParallelTasks.Wishes wishes = new ParallelTasks.Wishes(List.of(), 1, null, null);
            ParallelTasks tasks = new ParallelTasks(null, trees, wishes, _ -> {});

            SharedBudget little = new SharedBudget(new BigDecimal("0.000001"));
            assertThrows(
                    IOException.class,
                    () -> tasks.run(List.of("one", "two"), little, new Cancellation()));
            assertThrows(
                    IOException.class,
                    () ->
                            tasks.run(
                                    List.of("three", "two"),
                                    new SharedBudget(null),
                                    new Cancellation()));
        }
        assertEquals(1, GitShell.read(main, "git worktree list").lines().count());
        assertEquals("* main\n", GitShell.read(main, "git branch"));
        assertFalse(Files.exists(folder.resolve("trees/three")));
    }

    @Test
    @DisplayName("parallel: both names of a staged rename are said in whole")
    void renames() throws Exception {
        GitShell.run(main, "git mv a.txt b.txt; echo > c.txt");
        try (Worktrees trees = trees()) {
            assertEquals(List.of("b.txt", "a.txt", "c.txt"), trees.uncommitted());
            Worktrees.Tree tree = trees.add("one", "agent/one");
            assertFalse(trees.harvest(tree, "nothing").kept());
        }
        assertFalse(Files.exists(folder.resolve("trees")));
    }
}
