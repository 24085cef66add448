package dev.agentloop.sandbox.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.sandbox.git.ConfinedGit;
import dev.agentloop.sandbox.git.file.LookPart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Links that a command made lead the look to files that are none of its business. */
class LinkedOutTest {
    @TempDir Path temp;

    private Path workspace;
    private Path outside;

    @BeforeEach
    void world() throws Exception {
        Path root = temp.toRealPath();
        workspace = Files.createDirectories(root.resolve("ws"));
        outside = Files.createDirectories(root.resolve("home/private"));
        for (String name :
                List.of(
                        "pre-commit",
                        "file",
                        "attributes",
                        "grafts",
                        "git-rebase-todo",
                        "todo",
                        "strategy",
                        "alternates",
                        "pack-1.pack",
                        "pack-1.idx",
                        "x")) {
            Files.writeString(outside.resolve(name), "exec canary-1\n");
        }
        Files.writeString(outside.resolve("0".repeat(38)), "none");
        Files.writeString(outside.resolve("credentials.toml"), "[registry]\ntoken = canary-2\n");
        sh("git init -q . && git -c user.name=n -c user.email=n@x commit -q --allow-empty -m 1");
    }

    private Watches watches() {
        Path home = outside.getParent();
        return new Watches(
                new Boundaries(workspace, home, List.of(), List.of(), Map.of(), false),
                false,
                (_, _, _) -> ConfinedGit.Answer.NONE);
    }

    private void sh(String command) throws Exception {
        ProcessBuilder builder =
                new ProcessBuilder("/bin/sh", "-ec", command).directory(workspace.toFile());
        builder.environment().put("O", outside.toString());
        Process process = builder.redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes());
        assertEquals(0, process.waitFor(), said);
    }

    private List<String> outsideFiles() throws IOException {
        try (var files = Files.walk(outside)) {
            return files.map(Path::toString).sorted().toList();
        }
    }

    private List<String> after(String command) throws Exception {
        Watches.Before before = watches().before();
        List<String> was = outsideFiles();
        sh(command);
        List<String> notes = before.after();
        assertEquals(was, outsideFiles(), notes.toString());
        assertFalse(notes.toString().contains("canary-"), notes.toString());
        return notes;
    }

    @ParameterizedTest
    @DisplayName("a folder of a repository that leads out: the link is put away, nothing out there")
    @ValueSource(
            strings = {
                "hooks",
                "remotes",
                "branches",
                "info",
                "rebase-merge",
                "sequencer",
                "objects/info",
                "objects/pack",
            })
    void theLinkIsPutAway(String name) throws Exception {
        for (String git : List.of("x/.git/", ".git/")) {
            String link = git + name;
            List<String> notes =
                    after(
                            "rm -rf "
                                    + link
                                    + "; mkdir -p $(dirname "
                                    + link
                                    + "); ln -s $O "
                                    + link);

            assertFalse(
                    Files.exists(workspace.resolve(link), LinkOption.NOFOLLOW_LINKS), link + notes);
            assertTrue(notes.toString().contains("leads git out of the workspace"), link + notes);
        }
    }

    @Test
    @DisplayName("a folder of objects that leads out is not looked into")
    void objectsStayWhereTheyAre() throws Exception {
        after("rm -rf .git/objects/00; ln -s $O .git/objects/00");
        after("rm -rf .git/objects; ln -s $O/.. .git/objects; ln -s . $O/../00 || true");
    }

    @Test
    @DisplayName("the whole repository leads out")
    void theRepositoryLeadsOut() throws Exception {
        after("mv .git old; ln -s $O .git");
        after("mkdir -p a; ln -s ../.. a/link; ln -s link/home/private a/.git");
    }

    @Test
    @DisplayName("nothing outside of the roots is renamed, whoever asks for it")
    void quarantineRefuses() throws Exception {
        Path link = Files.createSymbolicLink(workspace.resolve("link"), outside);
        List<Path> roots = List.of(workspace);

        assertThrows(IOException.class, () -> Quarantine.putAway(link.resolve("file"), roots));
        assertThrows(IOException.class, () -> Quarantine.putAway(outside.resolve("x"), roots));
        assertEquals(link.resolveSibling("link.quarantined"), Quarantine.putAway(link, roots));
        assertTrue(Files.exists(outside.resolve("file")));
    }

    @Test
    @DisplayName("secrets do not come into notes, neither over links nor as values of settings")
    void nothingIsQuoted() throws Exception {
        for (String file : List.of("config", "config.worktree", "info/attributes", "commondir")) {
            String link = "x/.git/" + file;
            List<String> notes = after("mkdir -p x/.git/info; ln -s $O/credentials.toml " + link);

            assertTrue(notes.toString().contains("leads git out of the workspace"), link + notes);
            assertFalse(notes.toString().contains("registry"), notes.toString());
        }
        List<String> notes = after("git config registry.token canary-3");
        assertTrue(notes.toString().contains("sets registry.token"), notes.toString());
    }

    @Test
    @DisplayName("of a reference only what git takes for its value is shown")
    void referencesAreNotQuoted() throws Exception {
        sh("ln -s $O/credentials.toml .git/refs/tags/link; echo canary-4 >.git/refs/tags/text");
        sh(
                "mkdir -p .git/refs/replace; ln -s $O .git/refs/remotes; git rev-parse HEAD >.git/refs/tags/v");

        List<String> notes = after("rm -rf .git/refs/tags .git/refs/remotes");

        assertTrue(notes.toString().contains("refs/tags/text was (the name"), notes.toString());
        assertTrue(notes.toString().matches(".*refs/tags/v was [0-9a-f]{40} .*"), notes.toString());
        assertFalse(notes.toString().contains("refs/remotes/"), notes.toString());
        sh("ln -s $O/credentials.toml .git/packed-refs");
        after("rm .git/packed-refs");
    }

    @ParameterizedTest
    @DisplayName("files that never end, and trees without end, do not hold the look up")
    @ValueSource(
            strings = {
                "mkfifo x/.git/config",
                "mkfifo pipe; ln -s ../../pipe x/.git/config",
                "ln -s /dev/zero x/.git/config",
                "ln -s /proc/kmsg x/.git/config; ln -s /proc/kmsg y/.git",
                "rm -rf .git/refs; ln -s / .git/refs",
                "ln -s / .git/refs/replace; ln -s /proc .git/refs/tags/proc",
                "ln -s /proc/kmsg .git/sharedindex.1; git add -A . || true",
            })
    void nothingHoldsTheLookUp(String command) throws Exception {
        after("mkdir -p x/.git y; " + command);
    }

    @Test
    @DisplayName("settings that include one another without end do not end the look")
    void includesWithoutEnd() throws Exception {
        List<String> notes =
                after(
                        "mkdir -p x/.git; echo '[core]fsmonitor=evil' >x/.git/config; cd x/.git;"
                                + " echo '[include]path=i1' >>config; for i in $(seq 1 6000); do"
                                + " echo \"[include]path=i$((i+1))\" >i$i; done");

        assertFalse(Files.exists(workspace.resolve("x/.git/config")), notes.toString());
        assertFalse(Files.exists(workspace.resolve("x/.git/i90")), notes.toString());
        assertFalse(notes.toString().contains("not looked at"), notes.toString());
    }

    @Test
    @DisplayName("a part of the look that fails is told, and the others are done")
    void partsThatFail() {
        List<String> notes = new ArrayList<>();

        LookPart.run(
                "packs",
                notes,
                () -> {
                    throw new StackOverflowError();
                });

        assertTrue(notes.getFirst().startsWith("not looked at: packs"), notes.toString());
    }

    @Test
    @DisplayName("a pack stays where it is when git does not answer, and that is told")
    void noAnswerIsNoVerdict() throws Exception {
        List<String> notes = after("git repack -qad");

        assertEquals(1, notes.size(), notes.toString());
        assertTrue(notes.getFirst().contains("git did not answer"), notes.toString());
        sh("git fsck && git log && ls .git/objects/pack/*.pack");
    }
}
