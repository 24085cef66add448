package dev.agentloop.orchestration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.control.Cancellation;
import dev.agentloop.git.CommitFiles;
import dev.agentloop.git.Git;
import dev.agentloop.git.PrivateGitFolder;
import dev.agentloop.git.RefNotes;
import dev.agentloop.process.ProcessRunner;
import dev.agentloop.testing.GitShell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
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

/** What stores of objects, variables and odd files named .git do to a git that believes them. */
class HostileStoresTest {
    /** Commands for these scripts. */
    private static final String COMMANDS =
            """
            trapped() { # FOLDER: a repository whose settings run the trap
                git init -q "$1"
                git -C "$1" config core.fsmonitor "touch $BITTEN; false"
            }
            store() { # FOLDER: the same without a work tree of its own
                git init -q --bare "$1"
                git config -f "$1/config" core.bare false
                git config -f "$1/config" core.fsmonitor "touch $BITTEN; false"
            }
            lose() { # OBJECT
                rm -f ".git/objects/$(echo $1 | cut -c1-2)/$(echo $1 | cut -c3-)"
            }
            forge() { # STORE OBJECT CONTENT: other content under the name
                other=$(echo "$3" | git hash-object -w --stdin)
                mkdir -p "$1/$(echo $2 | cut -c1-2)"
                from=.git/objects/$(echo $other | cut -c1-2)/$(echo $other | cut -c3-)
                cp -f "$from" "$1/$(echo $2 | cut -c1-2)/$(echo $2 | cut -c3-)"
            }
            """;

    private static final int MOST = 1_000; // bytes of a file

    @TempDir private Path folder;
    private Path main;
    private Path bitten;

    @BeforeEach
    void repository() throws Exception {
        main = Files.createDirectories(folder.resolve("main")).toRealPath();
        bitten = main.resolveSibling("bitten");
        GitShell.run(
                main,
                "git init -q -b main; echo first > a.txt; git add -A; git commit -qm one;"
                        + " echo second > a.txt; git commit -qam two");
    }

    private String script(Path where, String lines) throws Exception {
        return GitShell.read(where, "BITTEN=" + bitten + "\n" + COMMANDS + lines);
    }

    private Git git(Map<String, String> more) {
        Map<String, String> environment = new HashMap<>(more);
        environment.putIfAbsent("PATH", System.getenv("PATH"));
        environment.putIfAbsent("HOME", "/nonexistent");
        ProcessRunner runner = new ProcessRunner(environment, List.of());
        return Git.find(runner, main, Duration.ofMinutes(1), new Cancellation()).orElseThrow();
    }

    private Worktrees trees(Git git) throws IOException {
        return Worktrees.of(
                git, main, new Worktrees.Place(folder.resolve("trees"), ".alone", "me"));
    }

    private Optional<CommitFiles.Entry> read(String revision) throws IOException {
        RefNotes notes = new RefNotes(folder.resolve("notes"));
        return CommitFiles.of(git(Map.of()), main, revision, notes).read(Path.of("a.txt"), MOST);
    }

    private static Optional<CommitFiles.Entry> text(String text) {
        return Optional.of(new CommitFiles.Entry.Text(text));
    }

    @ParameterizedTest
    @CsvSource({"HEAD:a.txt", "HEAD^{tree}", "HEAD~1"})
    @Tag("D46")
    @DisplayName("what a partial clone lacks is not fetched by the program that it names: ")
    void partialClone(String object) throws Exception {
        script(
                main,
                "git clone -q --bare . ../up; o=$(git rev-parse '"
                        + object
                        + "'); git config core.repositoryformatversion 1;"
                        + " git config extensions.partialClone origin;"
                        + " git config remote.origin.promisor true;"
                        + " git config remote.origin.url ../up; git config remote.origin.uploadpack"
                        + " \"touch $BITTEN; git-upload-pack\"; lose $o; echo $o > ../lost");
        try (Worktrees trees = trees(git(Map.of()))) {
            trees.uncommitted();
            trees.add("one", "agent/one");
        } catch (IOException e) {
            assertNotEquals("HEAD~1", object, e::toString); // nothing of the work needs that one
        }
        assertThrows(IOException.class, () -> read(object.equals("HEAD~1") ? object : "HEAD"));

        assertFalse(Files.exists(bitten), "a program of the repository ran");
        script(main, "git cat-file -p $(cat ../lost)");
        assertTrue(Files.exists(bitten), "the trap bites those who are careless");
    }

    @Test
    @DisplayName("rules-from: another store that is named as an alternate chooses no content")
    void alternates() throws Exception {
        script(
                main,
                "o=$(git rev-parse HEAD:a.txt); mkdir -p ../foreign/pack; forge ../foreign $o evil;"
                        + " lose $o; echo $PWD/../foreign > .git/objects/info/alternates");

        IOException refused = assertThrows(IOException.class, () -> read("HEAD"));

        assertTrue(refused.getMessage().contains("other content"), refused::toString);
        assertEquals("evil\n", script(main, "git cat-file blob HEAD:a.txt"));
    }

    @Test
    @DisplayName("rules-from: an alternate with the true objects is used like any store")
    void usefulAlternates() throws Exception {
        script(
                main,
                "cp -r .git/objects ../shared; lose $(git rev-parse HEAD:a.txt);"
                        + " echo $PWD/../shared > .git/objects/info/alternates");

        assertEquals(text("second\n"), read("HEAD"));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    another parent    | echo "$(git rev-parse HEAD) $evil" > .git/info/grafts        | HEAD~1 | first
                    a commit replaced | git replace -f $(git rev-parse HEAD) $evil                   | HEAD   | second
                    a file replaced   | git replace -f $(git rev-parse HEAD:a.txt) $evil:a.txt       | HEAD   | second
                    a folder replaced | git replace -f $(git rev-parse HEAD^{tree}) $evil^{tree}     | HEAD   | second
                    """)
    @DisplayName("rules-from: grafts and replacements choose no content: ")
    void replaced(String name, String how, String revision, String expected) throws Exception {
        script(
                main,
                "echo evil > a.txt; git add -A; evil=$(git commit-tree -m evil $(git write-tree));"
                        + " git reset -q --hard; "
                        + how);

        assertEquals(text(expected + "\n"), read(revision));
        assertEquals(
                "evil\n", script(main, "git cat-file blob " + revision + ":a.txt 2> /dev/null"));
    }

    @Test
    @Tag("D46")
    @DisplayName("nobody asks the command that is to tell the branches of another store")
    void alternateRefsCommand() throws Exception {
        script(
                main,
                "git clone -q --bare . ../other; echo $PWD/../other/objects"
                        + " > .git/objects/info/alternates; git config core.alternateRefsCommand"
                        + " \"touch $BITTEN; false\"");
        try (Worktrees trees = trees(git(Map.of()))) {
            Worktrees.Tree tree = trees.add("one", "agent/one");
            Files.writeString(tree.root().resolve("work.txt"), "work\n");
            assertEquals("agent/one", trees.harvest(tree, "work").branch());
        }
        assertEquals(text("second\n"), read("HEAD"));

        assertFalse(Files.exists(bitten), "a program of the repository ran");
        script(main, "git rev-list --all --alternate-refs 2>&1 || true");
        assertTrue(Files.exists(bitten), "the trap bites those who are careless");
    }

    @Test
    @Tag("D46")
    @DisplayName("variables of git that the user has set do not reach the git of the agent")
    void variables() throws Exception {
        script(main, "store ../evil; mkdir ../programs");
        Path trace = main.resolveSibling("trace");
        Map<String, String> variables = new HashMap<>();
        variables.put("GIT_DIR", main.resolveSibling("evil").toString());
        variables.put("GIT_WORK_TREE", folder.toString());
        variables.put("GIT_INDEX_FILE", main.resolveSibling("index").toString());
        variables.put("GIT_OBJECT_DIRECTORY", main.resolveSibling("objects").toString());
        variables.put("GIT_EXEC_PATH", main.resolveSibling("programs").toString());
        variables.put("GIT_TRACE", trace.toString());
        variables.put("GIT_NAMESPACE", "x");
        variables.put("GIT_CONFIG_PARAMETERS", "'core.bare'='true'");
        variables.put("GIT_CONFIG_COUNT", "1");
        variables.put("GIT_CONFIG_KEY_0", "core.fsmonitor");
        variables.put("GIT_CONFIG_VALUE_0", "touch " + bitten + "; false");
        try (Worktrees trees = trees(git(variables))) {
            Worktrees.Tree tree = trees.add("one", "agent/one");
            Files.writeString(tree.root().resolve("work.txt"), "work\n");
            assertEquals("agent/one", trees.harvest(tree, "work").branch());
        }
        assertEquals("work\n", script(main, "git show agent/one:work.txt"));

        assertFalse(Files.exists(bitten), "a program of a variable ran");
        assertFalse(Files.exists(trace), "a variable reached git");
        script(
                main,
                "export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.fsmonitor"
                        + " GIT_CONFIG_VALUE_0=\"touch $BITTEN; false\" GIT_TRACE="
                        + trace
                        + "; git status 2>&1 || true");
        assertTrue(Files.exists(bitten), "the trap bites those who are careless");
        assertTrue(Files.exists(trace));
    }

    @ParameterizedTest
    @CsvSource({"false", "true"})
    @Tag("D46")
    @DisplayName("of the user's settings the patterns count and no program, in old git, too")
    void globalSettings(boolean patternsAreNamed) throws Exception {
        Path home = Files.createDirectories(main.resolveSibling("home"));
        script(
                main,
                "export HOME="
                        + home
                        + "; mkdir -p $HOME/.config/git $HOME/mine ../old;"
                        + " git config --global filter.z.clean \"touch $BITTEN; cat\";"
                        + " echo '* filter=z' > $HOME/.config/git/attributes;"
                        + " echo 'usual' > $HOME/.config/git/ignore; echo 'named' > $HOME/mine/list;"
                        + (patternsAreNamed
                                ? " git config --global core.excludesFile '~/mine/list';"
                                : "")
                        + " printf '#!/bin/sh\\nunset GIT_CONFIG_GLOBAL\\nexec %s \"$@\"\\n'"
                        + " \"$(command -v git)\" > ../old/git; chmod +x ../old/git");
        String path = main.resolveSibling("old") + ":" + System.getenv("PATH");
        try (Worktrees trees = trees(git(Map.of("HOME", home.toString(), "PATH", path)))) {
            Worktrees.Tree tree = trees.add("one", "agent/one");
            for (String name : List.of("usual", "named", "work.txt")) {
                Files.writeString(tree.root().resolve(name), "work\n");
            }
            assertEquals("agent/one", trees.harvest(tree, "work").branch());
        }
        assertEquals(
                "a.txt\n" + (patternsAreNamed ? "usual" : "named") + "\nwork.txt\n",
                script(main, "git ls-tree --name-only agent/one"));

        assertFalse(Files.exists(bitten), "a program of the user's settings ran");
        script(main, "export HOME=" + home + "; echo 3 > a.txt; git add -A");
        assertTrue(Files.exists(bitten), "the settings work");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    a queue that nobody fills | mkfifo .git
                    a device without an end   | ln -s /dev/zero .git
                    a folder without files    | mkdir .git
                    a link that leads nowhere | ln -s nowhere .git
                    """)
    @Tag("D46")
    @DisplayName("a .git that is none leads nobody to the repository above it: ")
    void noRepository(String name, String how) throws Exception {
        harvested("trapped ..; echo 1 > ../x; rm .git; " + how, "git status");
    }

    @Test
    @Tag("D46")
    @DisplayName("a .git that is too large for a name keeps no work from its branch")
    void large() throws Exception {
        try (Worktrees trees = trees(git(Map.of()))) {
            Worktrees.Tree tree = trees.add("one", "agent/one");
            String huge = "mkdir sub; echo 1 > sub/f; truncate -s 3G sub/.git; rm .git;";
            script(tree.root(), huge + " truncate -s 3G .git; echo work > work.txt");

            assertEquals("agent/one", trees.harvest(tree, "work").branch());

            assertEquals("work\n", script(main, "git show agent/one:work.txt"));
            String careless = script(tree.root(), "git status 2>&1 || true");
            assertTrue(careless.contains("fatal"), careless);
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    ends in NUL       | store store; git init -q store-good; printf 'gitdir: ../store\\000-good\\n' > sub/.git
                    ends in a blank   | store 'store '; git init -q store; printf 'gitdir: ../store \\n' > sub/.git
                    ends in a tab     | store "$(printf 'store\\t')"; printf 'gitdir: ../store\\t\\n' > sub/.git
                    ends in line ends | store store; printf 'gitdir: ../store\\r\\n\\n\\r\\n' > sub/.git
                    is absolute       | store store; echo "gitdir: $PWD/store" > sub/.git
                    is a link         | store store; echo "gitdir: $PWD/store" > named; ln -s ../named sub/.git
                    """)
    @Tag("D46")
    @DisplayName("nothing runs of a repository that a .git leads to whose name ")
    void oddNames(String name, String how) throws Exception {
        String known = "; git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),sub";
        harvested("mkdir sub; echo 1 > sub/f; " + how + known, "cd sub; git status");
        Files.delete(bitten);
        harvested("mkdir sub; echo 1 > sub/f; " + how, "cd sub; git status");
    }

    /** A task runs the script in its tree; then the harvest runs nothing, and the other does. */
    private void harvested(String script, String careless) throws Exception {
        try (Worktrees trees = trees(git(Map.of()))) {
            String branch = trees.freeBranch("agent/one");
            Worktrees.Tree tree = trees.add(branch.replace('/', '-'), branch);
            Files.writeString(tree.root().resolve("work.txt"), "work\n");
            script(tree.root(), script);
            Files.deleteIfExists(bitten); // by what the task itself has done with git

            Worktrees.Harvest harvest = trees.harvest(tree, "work");

            assertEquals(branch, harvest.branch(), harvest::toString);
            assertFalse(Files.exists(bitten), "a program of the repository ran");
            assertEquals("work\n", script(main, "git show " + branch + ":work.txt"));
            script(tree.root(), "(" + careless + ") 2>&1 || true");
            assertTrue(Files.exists(bitten), "the trap bites those who are careless");
        }
    }

    @Test
    @DisplayName(
            "the settings that git reads in a store's place lie in no folder of temporary files")
    void outOfReach() throws Exception {
        Path home = Files.createDirectories(folder.resolve("home"));
        Git git = git(Map.of("HOME", home.toString()));
        try (PrivateGitFolder questions = PrivateGitFolder.around(git, main)) {
            Path own = questions.file("config").getParent();
            assertEquals(home.toRealPath().resolve(".local/state/agent/git"), own.getParent());
            assertEquals(
                    "rwx------",
                    PosixFilePermissions.toString(Files.getPosixFilePermissions(own.getParent())));
        }
        try (PrivateGitFolder questions = PrivateGitFolder.around(git(Map.of()), main)) {
            assertFalse(questions.file("config").startsWith("/nonexistent"));
        }
        assertFalse(Files.exists(Path.of("/nonexistent")));
    }
}
