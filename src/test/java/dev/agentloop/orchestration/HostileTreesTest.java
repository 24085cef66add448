package dev.agentloop.orchestration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a task may leave in its work tree so that the harvest runs or overwrites something. */
class HostileTreesTest {
    /** Every setting of a repository by which git could come to run a program for status or add. */
    private static final String TRAP =
            "for k in filter.z.clean filter.z.smudge filter.z.process core.fsmonitor core.pager"
                    + " core.sshCommand core.editor core.gitProxy core.alternateRefsCommand"
                    + " credential.helper diff.external diff.z.textconv diff.z.command gpg.program"
                    + " merge.z.driver remote.origin.uploadpack sequence.editor; do"
                    + " git config $k \"touch $BITTEN; cat\"; done;"
                    + " git config log.showSignature true; git config commit.gpgsign true;"
                    + " git config core.hooksPath $PWD/traps; mkdir -p traps;"
                    + " for h in post-checkout post-index-change pre-commit pre-auto-gc"
                    + " reference-transaction post-commit prepare-commit-msg fsmonitor-watchman; do"
                    + " printf '#!/bin/sh\\ntouch %s\\n' $BITTEN > traps/$h; chmod +x traps/$h; done";

    /** A repository in the folder, with a commit, a changed file and traps. */
    private static final String NESTED =
            "git init -q .; echo '* filter=z diff=z merge=z' > .gitattributes; echo 1 > f;"
                    + " git add -A; git commit -qm n; echo 2 > f; touch -d 2001-01-01 f; "
                    + TRAP;

    @TempDir private Path folder;
    private Path main;
    private Path bitten;

    @BeforeEach
    void repository() throws Exception {
        main = Files.createDirectories(folder.resolve("main")).toRealPath();
        bitten = main.resolveSibling("bitten");
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

    private void task(Path tree, String script) throws Exception {
        GitShell.run(
                tree,
                "BITTEN=" + bitten + "; " + script.replace("NESTED", NESTED).replace("TRAP", TRAP));
        Files.deleteIfExists(bitten); // by what the task itself has done with git
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    a repository within            | mkdir sub; cd sub; NESTED
                    it is known as a submodule     | mkdir sub; (cd sub; NESTED); git add sub; printf '[submodule "sub"]\\n path = sub\\n url = ./sub\\n ignore = none\\n' > .gitmodules
                    it was committed               | mkdir sub; (cd sub; NESTED); git add -f sub; git -c core.hooksPath=/x commit -qm sub; printf '[submodule "sub"]\\n path = sub\\n url = x\\n ignore = none\\n' > .gitmodules
                    its place leads over a link    | mkdir -p deep/er sub; (mkdir store; cd store; NESTED; mv .git ../deep/store; cp -a . ../sub); rm -rf store; ln -s deep/er lnk; echo 'gitdir: ../lnk/../store' > sub/.git; git add sub || true
                    its folder of git is a link    | mkdir -p sub; cd sub; NESTED; mv .git ../.hidden; ln -s ../.hidden .git
                    settings that it includes      | mkdir -p sub; cd sub; NESTED; mv .git/config ../inc; printf '[core]\\nrepositoryformatversion=0\\n[include]\\n path=../../inc\\n' > .git/config
                    settings of its work tree      | mkdir -p sub; cd sub; NESTED; mv .git/config .git/config.worktree; printf '[core]\\nrepositoryformatversion=1\\n[extensions]\\n worktreeConfig=true\\n' > .git/config
                    settings of the tree           | TRAP; git config extensions.worktreeConfig true; touch -d 2001-01-01 a.txt; echo '* filter=z' > .gitattributes
                    attributes of the repository   | echo '* filter=z diff=z' > .gitattributes; TRAP; touch -d 2001-01-01 a.txt
                    the tree calls another its own | mkdir ../evil; (cd ../evil; NESTED); echo "gitdir: $(cd ../evil; pwd)/.git" > .git
                    a common folder of its own     | mkdir ../evil; (cd ../evil; NESTED); echo "$(cd ../evil; pwd)/.git" > "$(git rev-parse --git-dir)/commondir"
                    """)
    @Tag("D46")
    @DisplayName("nothing runs at the harvest: ")
    void nothingRuns(String name, String script) throws Exception {
        try (Worktrees trees = trees()) {
            Worktrees.Tree tree = trees.add("one", "agent/one");
            Files.writeString(tree.root().resolve("work.txt"), "work\n");
            task(tree.root(), script);

            trees.harvest(tree, "work");

            assertFalse(Files.exists(bitten), "a program of the repository ran");
            GitShell.run(tree.root(), "(git status; git add -A) 2>&1 || true");
            assertTrue(Files.exists(bitten), "the trap bites those who are careless");
        }
    }

    @Test
    @Tag("D46")
    @DisplayName("nothing of a repository within the user's tree runs when that is looked at")
    void ownTree() throws Exception {
        task(
                main,
                "mkdir sub; (cd sub; NESTED); git add sub; git commit -qm sub; printf"
                        + " '[submodule \"sub\"]\\n path = sub\\n url = x\\n ignore = none\\n' > .gitmodules");
        try (Worktrees trees = trees()) {
            assertEquals(List.of(".gitmodules"), trees.uncommitted());
        }
        ProcessRunner runner = new ProcessRunner(Map.of("PATH", System.getenv("PATH")), List.of());
        Optional<Git> git = Git.find(runner, main, Duration.ofMinutes(1), new Cancellation());
        new WorkStamp(main, git).get();

        assertFalse(Files.exists(bitten), "a program of the repository ran");
        GitShell.run(main, "git status 2>&1 || true");
        assertTrue(Files.exists(bitten), "the trap bites those who are careless");
    }

    @Test
    @Tag("D46")
    @DisplayName("the work is on the branch, with the commit of a repository within it")
    void nestedRepository() throws Exception {
        try (Worktrees trees = trees()) {
            Worktrees.Tree tree = trees.add("one", "agent/one");
            task(
                    tree.root(),
                    "mkdir sub; (cd sub; NESTED); git init -q empty; echo w > w; rm a.txt");

            Worktrees.Harvest harvest = trees.harvest(tree, "work");

            assertEquals("agent/one", harvest.branch(), harvest::toString);
            assertTrue(harvest.trouble().contains("without a commit"), harvest::toString);
            assertTrue(harvest.trouble().contains("empty"), harvest::toString);
            assertEquals("sub\nw\n", GitShell.read(main, "git ls-tree --name-only agent/one"));
            assertEquals(
                    "160000\n", GitShell.read(main, "git ls-tree agent/one sub | cut -d' ' -f1"));
        }
    }

    @ParameterizedTest
    @CsvSource({"index", "HEAD", "logs/HEAD", "index.lock", "HEAD.lock", "COMMIT_EDITMSG"})
    @Tag("D10")
    @DisplayName("a file of git's that the task has made a link overwrites nothing: ")
    void links(String name) throws Exception {
        Path outside = Files.writeString(folder.resolve("outside"), "before\n");
        Path missing = folder.resolve("missing");
        for (Path target : List.of(outside, missing)) {
            try (Worktrees trees = trees()) {
                String branch = trees.freeBranch("agent/one");
                Worktrees.Tree tree = trees.add(branch.replace('/', '-'), branch);
                Files.writeString(tree.root().resolve("work.txt"), "work\n");
                Path file = tree.gitFolder().resolve(name);
                Files.createDirectories(file.getParent());
                Files.deleteIfExists(file);
                Files.createSymbolicLink(file, target);

                Worktrees.Harvest harvest = trees.harvest(tree, "work");

                assertEquals(branch, harvest.branch(), harvest::toString);
                assertEquals("before\n", Files.readString(outside));
                assertFalse(Files.exists(missing), name);
            }
        }
    }

    @Test
    @DisplayName("parallel: what a merge had in hand becomes a commit with both parents")
    void merge() throws Exception {
        GitShell.run(main, "git checkout -qb other; echo b > b.txt; git add -A; git commit -qm b");
        GitShell.run(main, "git checkout -q main");
        try (Worktrees trees = trees()) {
            Worktrees.Tree tree = trees.add("one", "agent/one");
            GitShell.run(tree.root(), "git merge -q --no-commit --no-ff other");

            Worktrees.Harvest harvest = trees.harvest(tree, "work");

            assertTrue(harvest.trouble().contains("middle of a merge"), harvest::toString);
            String parents = GitShell.read(main, "git log -1 --format=%p agent/one");
            assertEquals(2, parents.strip().split(" ").length, parents);
        }
    }

    @Test
    @DisplayName("parallel: names that are no text, folders for files and files for folders")
    void oddNames() throws Exception {
        GitShell.run(main, "mkdir d; echo 1 > d/x; git add -A; git commit -qm d");
        try (Worktrees trees = trees()) {
            Worktrees.Tree tree = trees.add("one", "agent/one");
            GitShell.run(
                    tree.root(),
                    "rm -r d a.txt; echo f > d; mkdir a.txt; echo y > a.txt/y;"
                            + " echo z > \"$(printf 'z\\377\\nz')\"");

            Worktrees.Harvest harvest = trees.harvest(tree, "work");

            assertEquals("", harvest.trouble());
            assertEquals(
                    "a.txt/y\nd\n\"z\\377\\nz\"\n",
                    GitShell.read(main, "git ls-tree -r --name-only agent/one"));
            assertEquals("", GitShell.read(tree.root(), "git status --porcelain"));
        }
    }
}
