package dev.agentloop.sandbox.git;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the look for traps says about work with git, as a command in the sandbox does it. */
class GitWatchTest {
    @TempDir Path temp;

    private WatchedRepository repository;
    private Path root;
    private Path home;
    private GitWatch watch;

    @BeforeEach
    void world() throws Exception {
        repository = WatchedRepository.in(temp);
        root = repository.root();
        home = repository.home();
        watch = watch(1000);
    }

    private GitWatch watch(int mostFolders) {
        return repository.watch(mostFolders, List.of(home.resolve(".gitconfig")));
    }

    private GitWatch.Before before() {
        return watch.before(
                List.of(new GitWatch.Own(root.resolve(".git"), false, GitWatch.Holds.ALL)));
    }

    private void sh(String command) throws Exception {
        repository.sh(command);
    }

    @ParameterizedTest
    @DisplayName("ordinary work with git is no reason for a word")
    @ValueSource(
            strings = {
                "commit sub",
                "echo 2 >a && git commit -qam 2 && git switch -qc side && git merge -q main",
                "echo 2 >a && git stash -q && git stash pop -q",
                "git branch one && git tag v1 && git switch -q one",
                "git worktree add -q tree && git -C tree status",
                "git clone -q . copy && git -C copy fetch -q && git -C copy gc -q",
                "git clone -q --shared . copy",
                "git init -q --bare bare && git push -q bare main",
                "commit lib && git -c protocol.file.allow=always submodule --quiet add ./lib sub"
                        + " && git commit -qm sub",
                "git gc -q && git commit -q --allow-empty -m x && git gc -q --prune=now",
                "git repack -qad --write-midx && git commit-graph write --reachable",
                "git switch -qc x && echo 2 >a && git commit -qam 2 && git switch -qc y main && echo"
                        + " 3 >a && git commit -qam 3; ! git rebase x",
                "git switch -qc x && echo 2 >a && git commit -qam 2 && git switch -qc y main && echo"
                        + " 3 >a && git commit -qam 3; ! git cherry-pick x x~1",
                "git worktree add -q tree && mv tree moved && git worktree repair moved",
                "git sparse-checkout set --skip-checks b && git sparse-checkout disable",
                "mkdir -p node_modules/p/objects/ab build/HEAD && touch node_modules/p/HEAD",
            })
    void ordinaryWork(String command) throws Exception {
        GitWatch.Before before = before();
        sh(command);

        assertEquals(List.of(), before.after());
    }

    @Test
    @DisplayName("what the user changes between two commands is the user's")
    void theUserMayChangeSettings() throws Exception {
        assertEquals(List.of(), before().after());
        sh("git config core.fsmonitor ./mine && echo true >.git/hooks/pre-commit");

        assertEquals(List.of(), before().after());
        assertTrue(Files.exists(root.resolve(".git/hooks/pre-commit")));
    }

    @Test
    @DisplayName("a hook that the settings include, too, is judged as a hook as well")
    void includedHook() throws Exception {
        sh("commit sub");
        GitWatch.Before before = before();
        sh(
                "cd sub; printf '#!/bin/true\\n' >.git/hooks/pre-commit; chmod +x .git/hooks/pre-commit;"
                        + " git config include.path hooks/pre-commit");
        Thread.sleep(300); // what has just been written is read again in any case
        String notes = before.after().toString();
        assertTrue(notes.contains("sub/.git/hooks/pre-commit was changed"), notes);
        assertTrue(notes.contains("would be run by git, outside of the sandbox"), notes);
        assertFalse(Files.exists(root.resolve("sub/.git/hooks/pre-commit")), notes);
    }

    @ParameterizedTest
    @DisplayName("a submodule whose working tree is gone or moved keeps its settings")
    @ValueSource(strings = {"git rm -qf sub", "rm -rf sub", "mkdir -p x/y && mv sub x/y/z"})
    void submoduleWithoutTree(String command) throws Exception {
        sh(
                "commit origin && git -c protocol.file.allow=always submodule --quiet add ./origin sub"
                        + " && git commit -qm sub");
        Thread.sleep(300);
        GitWatch.Before before = before();
        sh(command);
        List<String> notes = before.after();
        assertFalse(notes.toString().contains("core.worktree"), notes.toString());
        assertTrue(Files.exists(root.resolve(".git/modules/sub/config")), notes.toString());
    }

    @ParameterizedTest
    @DisplayName("where git fetches from and pushes to is told when a command has changed it")
    @ValueSource(
            strings = {
                "git remote set-url origin https://me:secret@other.example.com/x",
                "git config remote.origin.pushurl //other.example.com/x",
                "git config --add remote.origin.url https://other.example.com/x",
                "git remote add evil https://other.example.com/x",
                "git -C sub config remote.origin.push other.example.com/x",
                "git remote set-url origin https://me:p@secret@other.example.com/x?token=secret",
                "git config branch.main.pushRemote ./other.example.com/x",
                "git config branch.main.remote https://other.example.com/x",
                "git remote add aaa https://x.example.com/$(seq -s '' 200);"
                        + " git remote set-url origin https://other.example.com/x",
                "git config extensions.worktreeConfig true;"
                        + " git config --worktree remote.origin.pushurl other.example.com/x",
                "git config -f mine remote.origin.url https://other.example.com/x"
            })
    void remotes(String command) throws Exception {
        sh(
                "git config include.path ../mine; touch mine; git remote add origin https://example.com/x");
        sh("commit sub");
        GitWatch.Before before = before();
        sh(command);
        String notes = before.after().toString();
        assertTrue(notes.contains("other.example.com/x"), notes);
        assertTrue(notes.contains("was changed by the command: "), notes);
        assertFalse(notes.contains("secret"), notes);

        GitWatch.Before gone = before();
        sh("git config --unset-all remote.origin.fetch");
        assertTrue(gone.after().toString().contains("remote.origin.fetch is gone"));
    }

    @Test
    @DisplayName("a repository that a command replaces by a pointer to another one is told")
    void replacedRepository() throws Exception {
        sh("commit sub; commit other");
        GitWatch.Before before = before();
        sh("mv sub/.git sub/old; echo 'gitdir: ../other/.git' >sub/.git");
        String notes = before.after().toString();
        assertTrue(notes.contains("sub/.git was a repository and leads to another one"), notes);
    }

    @Test
    @DisplayName("a working tree is judged anew although its settings are the same: links are not")
    void workingTreeOverALink() throws Exception {
        sh("commit sub; mkdir real; ln -s real tree; git -C sub config core.worktree ../../tree");
        Thread.sleep(300); // what has just been written is read again in any case
        assertEquals(List.of(), before().after());

        GitWatch.Before before = before();
        sh("rm tree; ln -s " + home + " tree");
        String notes = before.after().toString();
        assertTrue(notes.contains("sub/.git/config"), notes);
        assertTrue(notes.contains("sets core.worktree"), notes);
    }

    @Test
    @DisplayName("folders beyond the limit are said not to have been looked at")
    void theLimitIsSaid() throws Exception {
        watch = watch(20);
        sh("mkdir -p deep/er && seq 30 | xargs mkdir");

        List<String> notes = before().after();

        assertEquals(1, notes.size(), notes.toString());
        assertTrue(notes.getFirst().contains("not looked at"), notes.toString());
    }

    @Test
    @DisplayName("the limit is said once, and again when there is more beyond it")
    void theLimitIsSaidOnce() throws Exception {
        watch = watch(20);
        sh("mkdir -p deep/er && seq 30 | xargs mkdir");
        assertEquals(1, before().after().size());

        assertEquals(List.of(), before().after());
        sh("seq 31 40 | xargs mkdir");
        assertEquals(1, before().after().size());
    }

    @Test
    @DisplayName("more hooks than a look reads: that is told, and a real one is put away")
    void tooManyHooks() throws Exception {
        GitWatch.Before before = before();
        sh("mkdir -p x/.git/hooks; cd x/.git/hooks; seq 2500 | xargs touch; echo true >update");

        List<String> notes = before.after();

        assertTrue(notes.toString().contains("not all hooks"), notes.toString());
        assertFalse(Files.exists(root.resolve("x/.git/hooks/update")));
    }

    @Test
    @DisplayName("a hook that is too long to be read is put away all the same")
    void longHooks() throws Exception {
        GitWatch.Before before = before();
        sh("mkdir -p x/.git/hooks; cd x/.git/hooks; truncate -s 65M pre-push; echo >update");

        before.after();

        assertFalse(Files.exists(root.resolve("x/.git/hooks/pre-push")));
        assertFalse(Files.exists(root.resolve("x/.git/hooks/update")));
    }

    @Test
    @DisplayName("objects that are gone are told, those in a new pack are not")
    void objectsThatAreGone() throws Exception {
        GitWatch.Before before = before();
        sh("rm -rf .git/objects/??");

        List<String> notes = before.after();

        assertEquals(1, notes.size(), notes.toString());
        assertTrue(notes.getFirst().contains("were removed"), notes.toString());
    }

    @Test
    @DisplayName("a rewritten object is put away, and only that")
    void rewrittenObjects() throws Exception {
        GitWatch.Before before = before();
        sh("cd .git/objects; o=$(git rev-parse :a | sed 's:^..:&/:'); chmod u+w $o; echo x >$o");

        List<String> notes = before.after();

        assertEquals(1, notes.size(), notes.toString());
        assertTrue(notes.getFirst().contains("does not hold"), notes.toString());
        try (var files = Files.walk(root.resolve(".git/objects"))) {
            assertEquals(1, files.filter(file -> file.endsWith("away")).count());
        }
    }

    @Test
    @DisplayName("a clone that shares objects may say so, a repository that was there may not")
    void alternates() throws IOException {
        GitWatch.Before before = before();
        Path alternates = root.resolve(".git/objects/info/alternates");
        Files.createDirectories(alternates.getParent());
        Files.writeString(alternates, root.resolve("x") + "\n");

        assertEquals(1, before.after().size());
        assertFalse(Files.exists(alternates));
    }

    @ParameterizedTest
    @DisplayName("a git that cannot be started, or is stopped, has given no answer")
    @ValueSource(strings = {"exit 1", "kill -9 $$", "exec sleep 60", "exit 127"})
    void noAnswer(String sandbox) {
        GitProcess git =
                new GitProcess(
                        root,
                        "/usr/bin:/bin",
                        List.of("/bin/sh", "-c", sandbox),
                        process -> process.start());

        assertEquals(
                ConfinedGit.Answer.NONE,
                git.check(root.resolve(".git"), List.of("version"), Duration.ofMillis(500)));
    }

    @Test
    @DisplayName("what git finds wrong is wrong")
    void wrong() {
        ConfinedGit git =
                new GitProcess(root, "/usr/bin:/bin", List.of(), process -> process.start());

        assertEquals(
                ConfinedGit.Answer.BAD,
                git.check(
                        root.resolve(".git"),
                        List.of("index-pack", "--verify", root.resolve("a.pack").toString()),
                        Duration.ofMinutes(1)));
    }

    @Test
    @DisplayName("git fetches nothing for its check: the store names the program that would do it")
    void fetchesNothing() throws Exception {
        sh(
                "git commit -q --allow-empty -m 2 && git commit-graph write --reachable &&"
                        + " git init -q --bare other.git &&"
                        + " printf '#!/bin/sh\\n>%s/ran\\n' \"$PWD\" >evil && chmod +x evil &&"
                        + " git config extensions.partialClone origin &&"
                        + " git config core.repositoryformatversion 1 &&"
                        + " git config remote.origin.url \"$PWD/other.git\" &&"
                        + " git config remote.origin.promisor true &&"
                        + " git config remote.origin.uploadpack \"$PWD/evil\" &&"
                        + " id=$(git rev-parse HEAD) &&"
                        + " rm -f .git/objects/${id%${id#??}}/${id#??}");
        ConfinedGit git =
                new GitProcess(root, "/usr/bin:/bin", List.of(), process -> process.start());

        git.check(root.resolve(".git"), List.of("commit-graph", "verify"), Duration.ofMinutes(1));
        assertFalse(Files.exists(root.resolve("ran")));
    }
}
