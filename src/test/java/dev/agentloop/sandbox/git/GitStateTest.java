package dev.agentloop.sandbox.git;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Files of a repository that git writes by itself, with the user's rights: a link among them would
 * make the user's next git write, or delete, what the link leads to.
 */
class GitStateTest {
    @TempDir Path temp;

    private Path root;
    private Path home;
    private WatchedRepository repository;

    @BeforeEach
    void world() throws Exception {
        repository = WatchedRepository.in(temp);
        root = repository.root();
        home = repository.home();
        Files.writeString(home.resolve(".bashrc"), "# mine\n");
        Files.writeString(root.resolve(".envrc"), "# mine\n");
    }

    @ParameterizedTest
    @DisplayName("a link among git's own files that leads out of the repository is put away")
    @CsvSource({
        ".git/worktrees, ../../home",
        ".git/logs/HEAD, ../../../home/.bashrc",
        ".git/logs/HEAD, ../../.envrc",
        ".git/COMMIT_EDITMSG, ../../home/.bashrc",
        ".git/COMMIT_EDITMSG, ../.envrc",
        ".git/FETCH_HEAD, ../../home/.bashrc",
        ".git/packed-refs, ../../home/.zshenv",
        ".git/packed-refs.lock, ../../home/.zshenv",
        ".git/refs/heads/feature, ../../../../home",
        ".git/refs/heads/feature.quarantined, ../../../../home",
        ".git/rr-cache, ../../home",
        ".git/info, ../../home",
        "sub/.git/logs/HEAD, ../../../../home/.bashrc",
        "sub/.git/COMMIT_EDITMSG, ../../.git/config",
        "bare/refs/heads/feature, ../../../../home",
        "bare/FETCH_HEAD, chain",
    })
    void leadsOut(String link, String target) throws Exception {
        repository.sh("commit sub; git init -q --bare bare; ln -s ../../home/new bare/chain");
        GitWatch.Before before = repository.before();
        repository.sh(
                "rm -rf %1$s; mkdir -p $(dirname %1$s); ln -s %2$s %1$s".formatted(link, target));

        String notes = before.after().toString();
        assertTrue(notes.contains(link + " was changed by the command: it leads git"), notes);
        assertFalse(Files.exists(root.resolve(link), LinkOption.NOFOLLOW_LINKS), notes);
        assertEquals("# mine\n", Files.readString(home.resolve(".bashrc")));
    }

    @ParameterizedTest
    @DisplayName("links that stay within a repository, and those of the work tree, are ordinary")
    @ValueSource(
            strings = {
                "ln -s refs/heads/main .git/OLD_HEAD",
                "git symbolic-ref refs/heads/trunk refs/heads/main",
                "ln -s ../../home/.bashrc link && git add link && git commit -qm link",
                "commit sub && ln -s ../a sub/link",
                "mkdir -p hooks && printf '' >hooks/x && ln -s ../../hooks/x .git/hooks/x.sample",
            })
    void ordinary(String command) throws Exception {
        GitWatch.Before before = repository.before();
        repository.sh(command);

        assertEquals(List.of(), before.after());
    }

    @Test
    @DisplayName("a link that was there before the command is the user's")
    void ofTheUser() throws Exception {
        repository.sh("ln -sf ../../home/.bashrc .git/COMMIT_EDITMSG");
        GitWatch.Before before = repository.before();
        repository.sh("echo 2 >a");

        assertEquals(List.of(), before.after());
        assertTrue(Files.isSymbolicLink(root.resolve(".git/COMMIT_EDITMSG")));
    }

    @ParameterizedTest
    @DisplayName("a repository is found below any folder named objects, and so is its hook")
    @ValueSource(strings = {"objects/ab", "objects/pack", "x/objects/cd"})
    void belowObjects(String folder) throws Exception {
        GitWatch.Before before = repository.before();
        repository.sh("commit %1$s; cd %1$s; git config core.fsmonitor ./m".formatted(folder));

        String notes = before.after().toString();
        assertTrue(notes.contains(folder + "/.git/config was changed"), notes);
    }

    @ParameterizedTest
    @DisplayName("a pointer that we cannot follow, but git can, is put away")
    @ValueSource(
            strings = {
                "(printf 'gitdir: ../objects/cd/store'; head -c 20000 /dev/zero | tr '\\0' '\\n')",
                "printf 'gitdir: ../st\\377ore\\n'",
                "printf 'gitdir: ../../home/out\\n'",
                "(printf 'gitdir: ../../home/out'; head -c 20000 /dev/zero | tr '\\0' '\\n')",
            })
    void pointers(String pointer) throws Exception {
        repository.sh("mkdir -p ../home; git init -q --bare ../home/out");
        GitWatch.Before before = repository.before();
        repository.sh(
                "mkdir -p objects/cd sub; git init -q --bare objects/cd/store;"
                        + " git -C objects/cd/store config core.fsmonitor ./m; "
                        + pointer
                        + " >sub/.git");

        String notes = before.after().toString();
        assertTrue(
                notes.contains("sub/.git was changed") || notes.contains("store/config was"),
                notes);
    }

    @Test
    @DisplayName("a folder that a command has made unreadable is looked at all the same")
    void unreadable() throws Exception {
        Assumptions.assumeFalse(System.getProperty("user.name").equals("root"), "root reads all");
        repository.sh("commit sub; commit d/e");
        GitWatch.Before before = repository.before();
        repository.sh(
                "printf '#!/bin/true\\n' >sub/.git/hooks/pre-commit; chmod +x sub/.git/hooks/pre-commit;"
                        + " chmod 311 sub/.git/hooks; git -C d/e config core.fsmonitor ./m;"
                        + " chmod 311 d/e");

        String notes = before.after().toString();
        assertTrue(notes.contains("sub/.git/hooks/pre-commit was changed"), notes);
        assertTrue(notes.contains("d/e/.git/config was changed"), notes);
    }

    @ParameterizedTest
    @DisplayName("hooks that the user's settings look for are found in each repository")
    @ValueSource(strings = {".gitconfig", "xdg/git/config", "global"})
    void hooksOfTheUser(String settings) throws Exception {
        Path file = home.resolve(settings);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "[core]\n\thooksPath = scripts/hooks\n");
        repository.sh("commit sub");
        GitWatch.Before before = repository.watching(List.of(file)).before();
        repository.sh(
                "for f in scripts sub/scripts; do mkdir -p $f/hooks; printf '#!/bin/true\\n'"
                        + " >$f/hooks/pre-commit; chmod +x $f/hooks/pre-commit; done");

        String notes = before.after().toString();
        assertTrue(
                notes.contains(" scripts/hooks/pre-commit was") || notes.startsWith("[scripts"),
                notes);
        assertTrue(notes.contains("sub/scripts/hooks/pre-commit was changed"), notes);
    }
}
