package dev.agentloop.sandbox.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.controlfile.ControlTree;
import dev.agentloop.storage.Roots;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said about control files after a command, and what becomes of them. */
class ControlWatchTest {
    @TempDir Path temp;

    private Path root;

    @BeforeEach
    void workspace() throws IOException {
        root = temp.toRealPath();
    }

    private Path write(String name, String text) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private Path link(String name, String to) throws IOException {
        Files.createDirectories(root.resolve(name).getParent());
        return Files.createSymbolicLink(root.resolve(name), Path.of(to));
    }

    private interface Command {
        void run() throws IOException;
    }

    private List<String> notes(boolean mounted, Command command) throws IOException {
        ControlWatch watch = new ControlWatch(Roots.only(root), mounted);
        ControlLook.All before = watch.look();
        command.run();
        return watch.after(before);
    }

    private String note(boolean mounted, Command command) throws IOException {
        List<String> notes = notes(mounted, command);
        assertEquals(1, notes.size(), notes.toString());
        return notes.getFirst();
    }

    @Test
    @DisplayName("a workflow among thousands of other files is put away, and the limit is told")
    void aWorkflowAmongThousandsOfFiles() throws IOException {
        for (int i = 0; i < 3000; i++) {
            write(".github/" + i, "");
        }
        List<String> notes = notes(false, () -> write(".github/workflows/x.yml", "on: push"));

        assertTrue(notes.getFirst().contains(".github/workflows was changed"), "" + notes);
        assertTrue(notes.getLast().contains("control files in .github only some"), "" + notes);
        assertFalse(Files.exists(root.resolve(".github/workflows")));
    }

    @Test
    @DisplayName("a workflow among thousands of other files is read-only for commands")
    void aWorkflowAmongThousandsOfFilesIsMounted() throws IOException {
        for (int i = 0; i < 3000; i++) {
            write(".github/" + i, "");
        }
        write(".github/workflows/x.yml", "on: push");

        Path workflows = root.resolve(".github/workflows");
        assertTrue(ControlPaths.of(Roots.only(root), _ -> false).present().contains(workflows));
    }

    @Test
    @Tag("D47")
    @DisplayName("of a folder the files are named that have changed, whatever their time says")
    void changedFilesAreNamed() throws IOException {
        Path file = write(".claude/skills/a/SKILL.md", "old");
        write(".claude/settings.json", "{}");
        var time = Files.getLastModifiedTime(file);

        String note =
                note(
                        false,
                        () -> {
                            Files.writeString(file, "new");
                            Files.setLastModifiedTime(file, time);
                        });

        assertTrue(note.startsWith(".claude/skills/a/SKILL.md changed while"), note);
        assertTrue(note.contains("look at it"), note);
    }

    @Test
    @Tag("D47")
    @DisplayName("a link is put back, and what took its place is kept beside it")
    void linksArePutBack() throws IOException {
        write("real", "mine");
        Path link = link(".envrc", "real");

        String note =
                note(
                        false,
                        () -> {
                            Files.delete(link);
                            Files.writeString(link, "evil");
                        });

        assertEquals("mine", Files.readString(link));
        assertEquals("evil", Files.readString(root.resolve(".envrc.quarantined")));
        assertTrue(note.contains("a link to real") && note.contains(".envrc.quarantined"), note);
    }

    @Test
    @Tag("D48")
    @DisplayName("what a link is to lead to is put away, the link stays")
    void targetsArePutAway() throws IOException {
        Path link = link(".envrc", "build/envrc");

        String note = note(true, () -> write("build/envrc", "evil"));

        assertTrue(Files.isSymbolicLink(link));
        assertFalse(Files.exists(link));
        assertTrue(note.contains("build/envrc") && note.contains(".envrc leads there"), note);
        assertEquals(List.of(), notes(true, () -> write("build/other", "x")));
    }

    @Test
    @Tag("D48")
    @DisplayName("a new link out of the workspace is put away, nothing outside is moved")
    void nothingOutsideIsMoved() throws IOException {
        Path outside = Files.createDirectories(root.resolve("outside/workflows"));
        root = Files.createDirectory(root.resolve("ws"));

        notes(false, () -> link(".github", outside.getParent().toString()));

        assertTrue(Files.isDirectory(outside));
        assertFalse(Files.exists(root.resolve(".github")));
    }

    @Test
    @Tag("D48")
    @DisplayName("in an old link to a folder only what is new there is put away")
    void oldLinksStay() throws IOException {
        write("conf/other", "mine");
        link(".config", "conf");

        notes(true, () -> write("conf/mise.toml", "evil"));

        assertEquals("mine", Files.readString(root.resolve(".config/other")));
        assertFalse(Files.exists(root.resolve("conf/mise.toml")));
    }

    @Test
    @Tag("D47")
    @DisplayName("where mounts protect them, what an editor saves meanwhile is not reported")
    void editorsMaySave() throws IOException {
        Path file = write(".idea/workspace.xml", "old");

        assertEquals(List.of(), notes(true, () -> Files.writeString(file, "new")));
        assertEquals(1, notes(false, () -> Files.writeString(file, "newer")).size());
        Files.createLink(root.resolve("other"), file);
        assertEquals(1, notes(true, () -> Files.writeString(root.resolve("other"), "x")).size());
    }

    @Test
    @Tag("D49")
    @DisplayName("below the root what is new or changed is told in one line, and stays")
    void belowTheRoot() throws IOException {
        Path old = write("a/.envrc", "old");

        String note =
                note(
                        true,
                        () -> {
                            Files.writeString(old, "new");
                            write("b/CLAUDE.md", "x");
                            write("b/main.c", "x");
                        });

        assertTrue(note.contains("a/.envrc") && note.contains("b/CLAUDE.md"), note);
        assertFalse(note.contains("main.c"), note);
        assertEquals("new", Files.readString(old));
    }

    @Test
    @Tag("D47")
    @DisplayName("that a folder is too large to be compared is said, once")
    void theLimitIsSaid() throws IOException {
        for (int i = 0; i <= ControlTree.MOST; i++) {
            write(".claude/many/" + i, "");
        }
        ControlWatch watch = new ControlWatch(Roots.only(root), false);

        String notes = String.join("\n", watch.after(watch.look()));

        assertTrue(notes.contains(".claude") && notes.contains("not noticed"), notes);
        assertEquals(List.of(), watch.after(watch.look()));
    }

    @Test
    @DisplayName("ordinary work is not remarked on")
    void ordinaryWork() throws IOException {
        write(".vscode/settings.json", "{}");
        write("AGENTS.md", "x");
        link("CLAUDE.md", "AGENTS.md");
        link("current", "build/1");
        link(".github/ISSUES", "../issues");

        List<String> notes =
                notes(
                        false,
                        () -> {
                            write("src/main.c", "x");
                            write("build/1/out", "x");
                            write("issues/bug.md", "x");
                            write(".github/CODEOWNERS", "x");
                            write("node_modules/a/.npmrc", "x");
                            write("package.json", "x");
                            Files.createDirectories(root.resolve("gradle"));
                        });

        assertEquals(List.of(), notes);
    }

    @Test
    @DisplayName("that not all folders are looked at is said once, and when there are more of them")
    void theBoundOfFoldersIsSaid() throws IOException {
        for (int i = 0; i < 120; i++) {
            Files.createDirectory(root.resolve("d" + i));
        }
        ControlWatch watch = new ControlWatch(Roots.only(root), true);
        ControlLook.All before = watch.look();
        for (int i = 0; i < 120; i++) {
            write("d" + i + "/.envrc", "evil");
        }

        String notes = String.join("\n", watch.after(before));

        assertTrue(notes.contains("21 folders or more were not looked at"), notes);
        assertEquals(List.of(), watch.after(watch.look()));
        Files.createDirectory(root.resolve("one more"));
        notes = String.join("\n", watch.after(watch.look()));
        assertTrue(notes.contains("22 folders or more were not looked at"), notes);
    }

    @Test
    @DisplayName(
            "folders behind many files, or in a folder with many files, count as not looked at")
    void foldersBehindFilesCount() throws IOException {
        for (int i = 0; i < 600; i++) {
            write("many/" + i, "");
        }
        assertTrue(notes(true, () -> {}).toString().contains("1 folders or more"));
    }
}
