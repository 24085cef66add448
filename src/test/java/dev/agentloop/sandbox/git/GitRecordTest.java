package dev.agentloop.sandbox.git;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.sandbox.git.file.GitFiles;
import dev.agentloop.sandbox.git.file.PutAway;
import dev.agentloop.sandbox.git.file.RecordText;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is written down of a look at repositories, and what a later start makes of it. */
class GitRecordTest {
    @TempDir Path temp;

    private Path root;
    private final GitRecord record = new GitRecord();

    @BeforeEach
    void world() throws Exception {
        root = Files.createDirectories(temp.toRealPath().resolve("ws"));
        sh(
                "git init -q -b main . && git config user.email a@b && git config user.name n",
                "echo 1 >a && git add a && git commit -qm 1",
                "git remote add o https://secret@host/o && git update-ref refs/remotes/o/main HEAD",
                "git tag v1 && git gc -q && echo true >.git/hooks/pre-push",
                "git init -q old && git -C old config core.fsmonitor ./mine",
                "git -C old config submodule.s.url /s");
    }

    private GitWatch watch() {
        PutAway putAway =
                (file, _) ->
                        Files.move(
                                file,
                                file.resolveSibling("away"),
                                StandardCopyOption.REPLACE_EXISTING);
        return new GitWatch(
                new WatchedPlaces(root, temp, List.of(), List.of()),
                (_, _, _) -> ConfinedGit.Answer.NONE,
                putAway);
    }

    private static GitWatch.Before before(GitWatch watch, Path root) {
        return watch.before(
                List.of(new GitWatch.Own(root.resolve(".git"), false, GitWatch.Holds.ALL)));
    }

    private String text() {
        return record.text(before(watch(), root)).orElseThrow();
    }

    private List<String> compared(String text) {
        GitRecord.Lines lines = new GitRecord.Lines();
        text.lines().forEach(line -> lines.add(List.of(line.split(" ")).subList(1, words(line))));
        return watch().before(lines, System.currentTimeMillis()).after();
    }

    private static int words(String line) {
        return line.split(" ").length;
    }

    private void sh(String... commands) throws Exception {
        ProcessBuilder builder =
                new ProcessBuilder("/bin/sh", "-ec", String.join("\n", commands))
                        .directory(root.toFile());
        builder.environment().put("HOME", temp.toString());
        Process process = builder.redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes());
        assertEquals(0, process.waitFor(), said);
    }

    @Test
    @Tag("D48")
    @DisplayName("nothing is said of what is as it was, and no secret is written down")
    void whatIsAsItWas() throws Exception {
        String text = text();

        assertFalse(text.contains("secret"), text);
        assertEquals(List.of(), compared(text));
        sh("echo 2 >a && git commit -qam 2 && git branch side");
        assertEquals(List.of(), compared(text));
        assertEquals(text, text(), "commits leave the record as it was");
    }

    @Test
    @Tag("D48")
    @DisplayName("each kind of change is found with the record alone")
    void eachKindOfChange() throws Exception {
        String text = text();
        sh(
                "git update-ref refs/tags/v1 HEAD^{tree} && git remote set-url o /evil",
                "echo evil >.git/hooks/pre-push && git -C old config core.pager evil",
                "git -C old config submodule.s.url /t && git gc -q");

        String notes = String.join("\n", compared(text));

        assertTrue(notes.contains("refs/tags/v1 was "), notes);
        assertTrue(notes.contains("remote.o.url is /evil"), notes);
        assertTrue(notes.contains("pre-push was changed"), notes);
        assertTrue(notes.contains("core.pager") && !notes.contains("core.fsmonitor"), notes);
        assertTrue(notes.contains("submodule.s.url is /t"), notes);
    }

    @Test
    @Tag("D48")
    @DisplayName("a setting that looks like a digest is none")
    void noSettingIsTakenForADigest() throws Exception {
        String text = text();
        sh("git remote set-url o " + RecordText.digest("https://secret@host/o"));

        assertTrue(compared(text).toString().contains("remote.o.url is "));
    }

    @Test
    @Tag("D48")
    @DisplayName("too many references are not written down, and it is said")
    void tooManyReferences() throws Exception {
        sh(
                "c=$(git rev-parse HEAD)",
                "for i in $(seq 2001); do echo create refs/tags/t$i $c; done |"
                        + " git update-ref --stdin");
        String text = text();

        assertTrue(text.length() < 20_000, text);
        assertTrue(compared(text).toString().contains("references of"), text);
    }

    @Test
    @Tag("D48")
    @DisplayName("where commands made too many files to write down, there is no record")
    void tooMuch() throws Exception {
        GitWatch watch = watch();
        GitWatch.Before whole = before(watch, root);
        Path file = root.resolve("x".repeat(200)).resolve("y".repeat(200));
        var many = new HashMap<Path, List<String>>();
        for (int i = 0; i < 6000; i++) {
            many.put(file.resolve(i + ""), List.of("danger"));
        }

        assertTrue(
                record.text(
                                new GitWatch.Before(
                                        watch,
                                        whole.own(),
                                        many,
                                        whole.remotes(),
                                        whole.stores(),
                                        whole.submodules(),
                                        whole.contents(),
                                        whole.closed(),
                                        whole.backup(),
                                        List.of()))
                        .isEmpty());
    }

    @Test
    @Tag("D48")
    @DisplayName("a line that is none of ours is refused")
    void foreignLines() {
        GitRecord.Lines lines = new GitRecord.Lines();

        for (String line : List.of("what /a", "own /a true NO", "store relative", "ref /a %zz b")) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> lines.add(List.of(line.split(" "))),
                    line);
        }
        assertThrows(IndexOutOfBoundsException.class, () -> lines.add(List.of("own", "/a")));
    }

    @Test
    @Tag("D48")
    @DisplayName("a path is the same again, byte for byte")
    void anyPath() throws Exception {
        sh("mkdir \"$(printf 'p\\377\\303\\244 %%41\\n[x]')\" 'a b%20' '{}'");
        int seen = 0;
        for (Path path : GitFiles.entries(root)) {
            String word = RecordText.path(path);
            assertEquals(path, RecordText.path(word));
            assertTrue(word.matches("[!-~]+") && !word.endsWith("/"), word);
            seen++;
        }
        assertEquals(6, seen); // with a, .git and old
    }
}
