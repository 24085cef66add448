package dev.agentloop.git;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.control.Cancellation;
import dev.agentloop.process.ProcessRunner;
import dev.agentloop.testing.GitShell;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs whose commands want a later one to take their commit for that of the base branch. */
class RefNotesTest {
    private static final String REF = "refs/remotes/origin/main";
    private static final String SET = "git update-ref " + REF + " ";

    @TempDir private Path folder;
    private Path work;
    private Path state;

    @BeforeEach
    void repository() throws Exception {
        work = Files.createDirectories(folder.resolve("work")).toRealPath();
        state = folder.resolve("state");
        GitShell.run(
                work,
                "git init -q -b main . && git commit -q --allow-empty -m good && git tag good && "
                        + SET
                        + "good && git commit -q --allow-empty -m evil && git tag evil"
                        + " && git commit -q --allow-empty -m other && git tag other");
    }

    private RefNotes begun() {
        RefNotes notes = new RefNotes(state);
        notes.begin(work);
        return notes;
    }

    private void run(String commands) throws Exception {
        try (RefNotes _ = begun()) {
            GitShell.run(work, commands);
        }
    }

    private CommitFiles read(Path where, String ref) throws IOException {
        Map<String, String> environment =
                Map.of("PATH", System.getenv("PATH"), "HOME", "/nonexistent");
        ProcessRunner runner = new ProcessRunner(environment, List.of());
        Git git = Git.find(runner, where, Duration.ofMinutes(1), new Cancellation()).orElseThrow();
        return CommitFiles.of(git, where, ref, new RefNotes(state));
    }

    private String refused(Path where, String ref) {
        String why = assertThrows(IOException.class, () -> read(where, ref)).getMessage();
        assertTrue(why.contains("commands of a run could write"), why);
        assertTrue(why.contains("whole hash"), why);
        return why;
    }

    private List<Path> notes() throws IOException {
        try (Stream<Path> all = Files.list(state)) {
            return all.filter(file -> file.toString().endsWith(".refs")).toList();
        }
    }

    /** As if the process that has begun a run had been killed. */
    private void kill() throws IOException {
        long pid = ProcessHandle.current().pid();
        for (Path note : notes()) {
            String text = Files.readString(note);
            Files.writeString(note, text.replaceFirst("\\b" + pid + "@\\d+", "4194305@1"));
        }
    }

    @ParameterizedTest(name = "others begin in between: {0}")
    @CsvSource({"0", "2"})
    @Tag("D45")
    @DisplayName("a reference that a run has changed stays refused through overlapping runs, ")
    void overlapping(int more) throws Exception {
        RefNotes first = begun();
        GitShell.run(work, SET + "evil");
        RefNotes second = begun();
        GitShell.run(work, SET + "other");
        first.close();
        List<RefNotes> others = Stream.generate(this::begun).limit(more).toList();
        GitShell.run(work, SET + "evil");
        second.close();
        refused(work, REF);
        others.forEach(RefNotes::close);
        refused(work, REF);
        GitShell.run(work, SET + "good");
        assertDoesNotThrow(() -> read(work, REF));
    }

    @Test
    @Tag("D45")
    @DisplayName("what a run has set is remembered while another one could set it again")
    void remembered() throws Exception {
        run(SET + "evil");
        try (RefNotes _ = begun()) {
            GitShell.run(work, SET + "other");
            refused(work, REF);
            try (RefNotes _ = begun()) {
                GitShell.run(work, SET + "evil");
            }
        }
        refused(work, REF);
    }

    @Test
    @Tag("D45")
    @DisplayName("of a run that was killed nothing is forgotten, nor if others took it for dead")
    void killed() throws Exception {
        RefNotes first = begun(); // in a container that shares the state folder
        GitShell.run(work, SET + "evil");
        kill();
        RefNotes second = begun();
        GitShell.run(work, SET + "other");
        first.close();
        GitShell.run(work, SET + "evil");
        second.close();
        refused(work, REF);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    it is a link       | mv .git g; ln -s g .git
                    it is a pointer    | mv .git g; echo 'gitdir: g' > .git
                    it is a copy       | cp -r .git g; rm -r .git; ln -s g .git
                    it is a new folder | cp -r .git g; rm -r .git; mv g .git
                    it is gone         | mv .git ../work-g
                    """)
    @Tag("D45")
    @DisplayName("a store that a command has moved is still that of the checkout: ")
    void moved(String how, String move) throws Exception {
        RefNotes killed = begun();
        GitShell.run(work, SET + "evil; " + move);
        if (how.contains("gone")) {
            killed.close();
            GitShell.run(work, "mv ../work-g .git");
        } else {
            kill();
        }
        refused(work, REF);
        refused(work, "refs/tags/good");
        assertEquals(1, notes().size());
    }

    @Test
    @Tag("D45")
    @DisplayName("another work tree reads the same store, wherever a command has led it")
    void otherWorkTree() throws Exception {
        GitShell.run(work, "git worktree add -q --detach ../tree good");
        Path tree = folder.resolve("tree").toRealPath();
        assertDoesNotThrow(() -> read(tree, "HEAD"));
        run("git rev-parse evil > .git/worktrees/tree/HEAD");
        refused(tree, "HEAD");
        GitShell.run(tree, "git reset -q --hard good");
        assertDoesNotThrow(() -> read(tree, "HEAD"));
        run(
                "cp -r .git g; cd g; git update-ref "
                        + REF
                        + " evil; rm -r worktrees; cd ..;"
                        + " echo ../../../g > .git/worktrees/tree/commondir");
        assertThrows(IOException.class, () -> read(tree, REF));
    }

    @Test
    @Tag("D45")
    @DisplayName("a store that was moved is found from its other work trees as well")
    void movedForOthers() throws Exception {
        GitShell.run(work, "git worktree add -q --detach ../tree good");
        Path tree = folder.resolve("tree").toRealPath();
        try (RefNotes _ = begun()) {
            GitShell.run(work, SET + "evil; cp -r .git g; rm -r .git; ln -s g .git");
            kill();
            refused(tree, REF);
        }
        refused(tree, REF);
    }

    @ParameterizedTest
    @CsvSource({"empty", "half", "large", "folder", "link", "old"})
    @Tag("D45")
    @DisplayName("where a note cannot be read, only whole hashes are taken: ")
    void unreadable(String how) throws Exception {
        run(SET + "evil");
        Path note = notes().getFirst();
        String text = Files.readString(note);
        switch (how) {
            case "empty" -> Files.writeString(note, "");
            case "half" -> Files.writeString(note, text.substring(0, text.length() / 2));
            case "large" -> {
                try (var file = new RandomAccessFile(note.toFile(), "rw")) {
                    file.setLength(65L * 1024 * 1024);
                }
            }
            case "folder" -> {
                Files.delete(note);
                Files.createDirectory(note);
            }
            case "link" ->
                    Files.createSymbolicLink(note, Files.move(note, folder.resolve("elsewhere")));
            default -> Files.writeString(note, "\n" + work + "/.git\n" + work + "/.git\n");
        }

        assertTrue(refused(work, REF).contains(note.toString()));
        refused(work, "refs/tags/good");
        String whole = GitShell.read(work, "git rev-parse good").strip();
        assertDoesNotThrow(() -> read(work, whole));
        try (RefNotes _ = begun()) {
            refused(work, REF); // nor does another run drop it
        }
        refused(work, REF);
        Files.delete(note);
        GitShell.run(work, SET + "good");
        assertDoesNotThrow(() -> read(work, REF));
    }

    @Test
    @Tag("D45")
    @DisplayName("where the folder of notes cannot be listed, only whole hashes are taken")
    void noFolder() throws Exception {
        Files.writeString(state, "x");
        assertThrows(IOException.class, () -> read(work, REF));
    }

    @Test
    @Tag("D45")
    @DisplayName("many long names make no large note, and refuse all of them")
    void manyNames() throws Exception {
        run(
                SET
                        + "evil; d=.git/refs/heads; n=$(printf %0250d 1);"
                        + " for i in 1 2 3 4 5 6 7 8 9 10 11 12 13; do d=$d/$n; done; mkdir -p $d; cd $d;"
                        + " seq 19900 | xargs touch; echo x > 1");
        assertTrue(Files.size(notes().getFirst()) < 1_000_000, () -> "its size");
        refused(work, REF);
        assertTrue(refused(work, "refs/tags/good").contains(notes().getFirst().toString()));
        run("git rev-parse HEAD; rm -r .git/refs/heads/0*");
        refused(work, REF);
    }

    @Test
    @Tag("D45")
    @DisplayName("a name with a line end cannot write other lines into a note")
    void lineEnds() throws Exception {
        run(
                SET
                        + "evil; g=$(git rev-parse good);"
                        + " z=$(printf '.git/refs/z\\n%s refs/remotes/origin' $g);"
                        + " mkdir -p \"$z\"; echo $g > \"$z/main\";"
                        + " z=$(printf '.git/refs/z\\nvalue refs/remotes/origin');"
                        + " mkdir -p \"$z\"; echo $g > \"$z/$(printf 'main\\t%s' $g)\"");
        refused(work, REF);
    }

    @Test
    @Tag("D45")
    @DisplayName("of two packed lines for a name the second does not hide the first")
    void packedTwice() throws Exception {
        run(
                "rm .git/"
                        + REF
                        + "; { echo '# pack-refs with: peeled fully-peeled sorted ';"
                        + " echo $(git rev-parse evil) "
                        + REF
                        + "; echo $(git rev-parse good) "
                        + REF
                        + "; } > .git/packed-refs");
        GitShell.run(work, "echo $(git rev-parse evil) " + REF + " > .git/packed-refs");
        refused(work, REF);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    a circle    | rm main; ln -s main main               | rm main; git rev-parse evil > main
                    nothing     | mv main ../m; ln -s $W/made main       | git rev-parse evil > $W/made
                    a file      | mv main $W/made; ln -s $W/made main    | git rev-parse evil > $W/made
                    a folder    | cd ..; mv origin $W/o; ln -s $W/o origin | git rev-parse evil > main
                    all of them | cd $W/.git; mv refs ../r; ln -s ../r refs | cd $W; git rev-parse evil > r/remotes/origin/main
                    a hard link | ln main $W/made                        | git rev-parse evil > $W/made
                    the packed  | git pack-refs --all; cd $W; mv .git/packed-refs p; ln -s $W/p .git/packed-refs | cd $W; echo $(git rev-parse evil) refs/remotes/origin/main > p
                    """)
    @Tag("D45")
    @DisplayName(
            "what a later step of the user writes does not become a reference through a link to ")
    void links(String what, String command, String later) throws Exception {
        String there = "W=$PWD; cd .git/refs/remotes/origin; ";
        run(there + command);
        GitShell.run(work, (what.contains("packed") ? "W=$PWD; " : there) + later);
        refused(work, REF);
    }

    @Test
    @Tag("D45")
    @DisplayName("a repository below the workspace of a run is one that it could write to")
    void below() throws Exception {
        try (RefNotes above = new RefNotes(state)) {
            above.begin(folder);
            GitShell.run(work, SET + "evil");
        }
        refused(work, REF);
        try (RefNotes above = new RefNotes(state)) {
            above.begin(folder);
        }
        assertEquals(1, notes().size(), "one note says it");
    }

    @Test
    @Tag("D45")
    @DisplayName("a run that begins while the repository is broken leaves a note, too")
    void brokenAtFirst() throws Exception {
        GitShell.run(work, "mv .git g; echo 'gitdir: nowhere' > .git");
        run("rm .git; mv g .git;" + SET + "evil");
        refused(work, REF);
    }

    @Test
    @Tag("D45")
    @DisplayName("a checkout that was deleted and cloned anew counts, and its note goes")
    void clonedAnew() throws Exception {
        run(SET + "evil");
        GitShell.run(
                folder,
                "git clone -q --bare work up; rm -rf work; mkdir work; cd work;"
                        + " git init -q -b main .; git fetch -q ../up refs/tags/good:"
                        + REF);
        assertDoesNotThrow(() -> read(work, REF));
        assertEquals(List.of(), notes());
    }

    @Test
    @Tag("D45")
    @DisplayName("a run that makes the repository is trusted with what is fetched later only")
    void madeByARun() throws Exception {
        GitShell.run(folder, "git clone -q --bare work up; rm -rf work; mkdir work");
        run("git init -q -b main .; git fetch -q ../up refs/tags/evil:" + REF);
        refused(work, REF);
        GitShell.run(work, "git fetch -q -f ../up refs/tags/good:" + REF);
        assertDoesNotThrow(() -> read(work, REF));
        GitShell.run(work, "git tag -d good evil; git symbolic-ref HEAD refs/heads/x");
        assertDoesNotThrow(() -> read(work, REF));
        String bare = Files.readString(notes().getFirst());
        assertFalse(bare.contains("value "), bare); // what is below may have been written to
        GitShell.run(folder, "rm -rf work");
        Path note = notes().getFirst();
        try (RefNotes another = new RefNotes(state)) {
            another.begin(folder);
            assertTrue(Files.exists(note), "its disk may only not be mounted today");
        }
        Files.setLastModifiedTime(note, FileTime.from(Instant.now().minus(Duration.ofDays(31))));
        new RefNotes(state).begin(folder);
        assertFalse(Files.exists(note), "nothing is left for ever of a checkout that is gone");
    }

    @Test
    @Tag("D45")
    @DisplayName("a run that changes nothing leaves no note")
    void nothing() throws Exception {
        run("git status");
        assertEquals(List.of(), notes());
        assertDoesNotThrow(() -> read(work, REF));
    }
}
