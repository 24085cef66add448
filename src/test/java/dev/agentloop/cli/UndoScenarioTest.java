package dev.agentloop.cli;

import static dev.agentloop.blackbox.Reply.call;
import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.blackbox.Ended;
import dev.agentloop.blackbox.Reply;
import dev.agentloop.blackbox.ScriptedServer;
import dev.agentloop.blackbox.World;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Files go back to what they were, and nobody else's work is lost. */
class UndoScenarioTest {
    private static final String[] YOLO = {"--yolo", "--sandbox=off", "do it"};

    /** What is said of five changed files. */
    private static final List<String> PARTS =
            List.of(
                    "restore       edited.sh  +1 -1",
                    "recreate      deleted.bin",
                    "delete        made/deep/new.txt  +0 -1",
                    "remove folder made/deep if it is empty",
                    "move back     there to moved",
                    "left          theirs.txt: it changed since the session left it",
                    "-three of mine");

    @Test
    @Tag("B48")
    @DisplayName("five changed files, one changed since: four restored, one left with a diff")
    void fourOfFive() throws Exception {
        Reply five =
                calls(
                        edit("edited.sh", "old", "new"),
                        call("write_file", "file_path", "made/deep/new.txt", "content", "x\n"),
                        call("delete_file", "file_path", "deleted.bin"),
                        call("move_file", "source_path", "moved", "destination_path", "there"),
                        edit("theirs.txt", "two", "2"));
        try (var model = ScriptedServer.chat(five, says("Done."), says("Again."));
                var world = World.with(model).file("edited.sh", "old\r\nend")) {
            world.file("deleted.bin", "\0 gone")
                    .file("moved", "m")
                    .file("theirs.txt", "one\ntwo\n");
            Path script = world.workspace().resolve("edited.sh");
            Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-x--x"));
            assertEquals(0, world.runInside(YOLO).exitCode());
            world.file("theirs.txt", "one\n2\nthree of mine\n");

            Ended shown = world.inside("undo");
            assertEquals(3, shown.exitCode(), shown::toString);
            assertEquals("new\r\nend", world.read("edited.sh"));
            Ended undone = world.inside("undo", "--yes");
            assertEquals(2, undone.exitCode(), undone::toString);
            for (String part : PARTS) {
                assertTrue(undone.out().contains(part), () -> part + undone);
            }
            assertEquals("old\r\nend", world.read("edited.sh"));
            assertEquals(
                    "rwxr-x--x",
                    PosixFilePermissions.toString(Files.getPosixFilePermissions(script)));
            assertEquals("\0 gone", world.read("deleted.bin"));
            assertEquals("m", world.read("moved"));
            assertEquals("one\n2\nthree of mine\n", world.read("theirs.txt"));
            assertEquals("deleted.bin edited.sh moved theirs.txt", names(world));

            world.runInside("--continue", "go on");
            String said = model.lastRequest().raw();
            assertTrue(said.contains("Changes of files were undone."), said);
            assertTrue(said.contains("Left as they are: theirs.txt."), said);
        }
    }

    @Test
    @DisplayName("the last prompt only; twice is not the prompt before; --to goes further back")
    void lastPrompt() {
        try (var model =
                        ScriptedServer.chat(
                                calls(edit("a", "1", "2")),
                                says("One."),
                                calls(edit("a", "2", "3")),
                                calls(edit("a", "3", "4")),
                                says("Two."));
                var world = World.with(model).file("a", "1\n")) {
            world.runInside(YOLO);
            world.runInside("--continue", "--yolo", "--sandbox=off", "more");
            assertEquals("4\n", world.read("a"));

            assertEquals(0, world.inside("undo", "-y").exitCode());
            assertEquals("2\n", world.read("a"));
            Ended twice = world.inside("undo", "-y");
            assertEquals(0, twice.exitCode(), twice::toString);
            assertTrue(twice.out().contains("--to STEP"), twice::toString);
            assertEquals("2\n", world.read("a"));

            Ended all = world.inside("undo", "--to", "0", "--yes", "--json");
            assertEquals("true", all.result("applied"), all::toString);
            assertEquals("restore", all.result().path("changes").path(0).path("action").asText());
            assertEquals("1\n", world.read("a"));
            Ended none = world.inside("undo", "--to=0", "--json");
            assertEquals("false", none.result("applied"), none::toString);
            assertEquals(3, world.inside("undo", "--to", "x").exitCode());
            assertEquals(1, world.inside("undo", "01ZZZZZZ", "--json").exitCode());
        }
    }

    @Test
    @Tag("B48")
    @DisplayName("nothing is written through a folder that has become a symbolic link")
    void links() throws Exception {
        try (var model =
                        ScriptedServer.chat(
                                calls(
                                        edit("dir/a", "1", "2"),
                                        call("delete_file", "file_path", "link")),
                                says("Done."));
                var world = World.with(model).file("dir/a", "1\n")) {
            Path work = world.workspace();
            Files.createSymbolicLink(work.resolve("link"), Path.of("../nowhere"));
            world.runInside(YOLO);
            assertFalse(Files.exists(work.resolve("link"), LinkOption.NOFOLLOW_LINKS));
            Path outside = Files.createDirectory(world.root().resolve("outside"));
            Files.writeString(outside.resolve("a"), "2\n");
            Files.move(work.resolve("dir"), work.resolve("dir2"));
            Files.createSymbolicLink(work.resolve("dir"), outside);

            Ended undone = world.inside("undo", "--yes", "--force");

            assertEquals(2, undone.exitCode(), undone::toString);
            assertTrue(undone.out().contains("dir is a symbolic link now"), undone::toString);
            assertEquals("2\n", Files.readString(outside.resolve("a")));
            assertEquals("../nowhere", Files.readSymbolicLink(work.resolve("link")).toString());
        }
    }

    @Test
    @DisplayName("nor through one above the workspace, which a later run around it could make")
    void aLinkAboveTheWorkspace() throws Exception {
        try (var model = ScriptedServer.chat(calls("delete_file", "file_path", "a"), says("."));
                var world = World.with(model).file("p/w/a", "1\n").file("../far/w/b", "b")) {
            Path inner = world.workspace().resolve("p");
            Ended ended = world.runInside("--yolo", "--json", "-C", inner + "/w", "go");
            Files.move(inner, world.workspace().resolve("q"));
            Files.createSymbolicLink(inner, Path.of("../far"));

            Ended undone = world.inside("undo", ended.result("session_id"), "--yes");

            assertTrue(undone.toString().contains("leads elsewhere now"), undone::toString);
            assertFalse(world.exists("../far/w/a"));
        }
    }

    @Test
    @Tag("B44")
    @Tag("B48")
    @DisplayName("what a hook made of an edit is the session's work and is undone too")
    void hooks() {
        try (var model =
                        ScriptedServer.chat(
                                calls(edit("a.py", "1", "2")),
                                calls(
                                        call(
                                                "move_file",
                                                "source_path",
                                                "a.py",
                                                "destination_path",
                                                "b.py")),
                                calls(call("write_file", "file_path", "a.py", "content", "new\n")),
                                says("Done."));
                var world = World.with(model).file("a.py", "1\n")) {
            world.config(
                    """
                    hooks:
                      post_edit:
                        - name: format
                          command: "sh -c 'echo formatted >> a.py'"
                          file_patterns: ["*.py"]
                    """);
            world.runInside(YOLO);
            assertEquals("new\nformatted\n", world.read("a.py"));

            Ended undone = world.inside("undo", "--yes");

            assertEquals(0, undone.exitCode(), undone::toString);
            assertEquals("1\n", world.read("a.py"));
            assertEquals("a.py", names(world));
        }
    }

    @Test
    @DisplayName("--force puts back what somebody else has changed; --no-session keeps nothing")
    void forced() {
        try (var model =
                        ScriptedServer.chat(
                                calls(edit("a", "1", "2")),
                                says("Done."),
                                calls(edit("a", "1", "2")),
                                says("Done."));
                var world = World.with(model).file("a", "1\n")) {
            world.runInside(YOLO);
            world.file("a", "mine\n");
            assertEquals(2, world.inside("undo", "--yes").exitCode());
            assertEquals("mine\n", world.read("a"));
            assertEquals(0, world.inside("undo", "--yes", "--force").exitCode());
            assertEquals("1\n", world.read("a"));

            world.runInside("--no-session", "--yolo", "--sandbox=off", "again");
            assertEquals("2\n", world.read("a"));
            world.inside("undo", "--to=0", "--yes");
            assertEquals("2\n", world.read("a"));
        }
    }

    @Test
    @DisplayName("sessions rewind takes files and history back together, or neither")
    void rewound() {
        try (var model =
                        ScriptedServer.chat(
                                calls(edit("a", "1", "2")),
                                calls(edit("a", "2", "3")),
                                says("The end of it."),
                                says("From here."));
                var world = World.with(model).file("a", "1\n")) {
            String id =
                    world.runInside("--json", "--yolo", "--sandbox=off", "do it")
                            .result("session_id");
            world.file("a", "mine\n");
            Ended refused = world.inside("sessions", "rewind", id, "--to-step", "1", "--yes");
            assertEquals(2, refused.exitCode(), refused::toString);
            assertEquals("mine\n", world.read("a"));
            assertTrue(world.inside("sessions", "show", id).out().contains("The end of it."));

            world.file("a", "3\n");
            Ended asked = world.inside("sessions", "rewind", id, "--to-step", "1");
            assertEquals(3, asked.exitCode(), asked::toString);
            Ended rewound = world.inside("sessions", "rewind", id, "--to-step", "1", "--yes");
            assertEquals(0, rewound.exitCode(), rewound::toString);
            assertTrue(rewound.out().contains("forget        all after step 1"), rewound::toString);
            assertEquals("2\n", world.read("a"));

            model.expectAnotherBeginning();
            world.runInside("--session", id, "another way");
            String said = model.lastRequest().raw();
            assertEquals(1, model.lastRequest().toolResults().size());
            assertFalse(said.contains("The end of it."), said);
            assertTrue(said.contains("another way"), said);
            assertEquals(0, world.inside("undo", "--to", "0", "--yes").exitCode());
            assertEquals("1\n", world.read("a"));
            assertEquals(3, world.inside("sessions", "rewind", id).exitCode());
        }
    }

    @Test
    @DisplayName("sessions rewind: --dry-run changes nothing, a step that never was is refused")
    void rewindTried() throws Exception {
        try (var model =
                        ScriptedServer.chat(
                                calls(edit("a", "1", "2")),
                                calls(edit("a", "2", "3")),
                                says("The end of it."));
                var world = World.with(model).file("a", "1\n")) {
            String id =
                    world.runInside("--json", "--yolo", "--sandbox=off", "do it")
                            .result("session_id");
            String journal = Files.readString(world.journals().getFirst());
            Ended beyond = world.inside("sessions", "rewind", id, "--to-step", "9", "--yes");
            assertEquals(3, beyond.exitCode(), beyond::toString);
            assertTrue(beyond.err().contains("the session has 3 steps, so"), beyond::toString);
            Ended tried = world.inside("sessions", "rewind", id, "--to-step", "1", "--dry-run");
            assertEquals(0, tried.exitCode(), tried::toString);
            assertTrue(tried.out().contains("forget        all after step 1"), tried::toString);
            assertEquals("3\n", world.read("a"));
            assertEquals(journal, Files.readString(world.journals().getFirst()));
            assertTrue(world.inside("sessions", "show", id).out().contains("The end of it."));
        }
    }

    @Test
    @DisplayName("what a rewind has put back is no changed file of the session any more")
    void rewoundChanges() {
        try (var model =
                        ScriptedServer.chat(
                                calls(edit("a", "1", "2")),
                                calls(edit("b", "1", "2")),
                                says("Done."));
                var world = World.with(model).file("a", "1\n").file("b", "1\n")) {
            String id =
                    world.runInside("--json", "--yolo", "--sandbox=off", "do it")
                            .result("session_id");
            String copy =
                    world.inside("sessions", "fork", id, "--to-step", "1", "--json").result("id");
            String copied = world.inside("sessions", "export", copy, "--format", "json").out();
            assertTrue(copied.contains("\"path\":\"b\""), copied);
            String[] rewind = {"sessions", "rewind", id, "--to-step", "1", "--yes"};
            assertEquals(0, world.inside(rewind).exitCode());
            assertEquals("2\n", world.read("a"));
            assertEquals("1\n", world.read("b"));
            Ended exported = world.inside("sessions", "export", id, "--format", "json");
            String changed = exported.result().path("files_changed").toString();
            assertTrue(changed.contains("\"a\"") && !changed.contains("\"b\""), changed);
        }
    }

    @Test
    @DisplayName("undo --dry-run has the exit code of the undo, also where a file would be left")
    void undoTried() throws Exception {
        Reply two = calls(edit("a", "1", "2"), edit("b", "1", "2"));
        try (var model = ScriptedServer.chat(two, says("Done."));
                var world = World.with(model).file("a", "1\n").file("b", "1\n")) {
            world.runInside(YOLO);
            world.file("b", "mine\n");
            String journal = Files.readString(world.journals().getFirst());

            Ended tried = world.inside("undo", "--dry-run", "--json");
            assertEquals(2, tried.exitCode(), tried::toString);
            assertEquals("false", tried.result("applied"), tried::toString);
            assertEquals("2\n", world.read("a"));
            assertEquals(journal, Files.readString(world.journals().getFirst()));
            assertEquals(2, world.inside("undo", "--yes").exitCode());
            assertEquals("1\n", world.read("a"));
        }
    }

    @Test
    @Tag("B11")
    @DisplayName("a file with a backslash in its name comes back under that name")
    void oddName() {
        try (var model =
                        ScriptedServer.chat(
                                calls(call("delete_file", "file_path", "a\\b")), says("Done."));
                var world = World.with(model).file("a\\b", "odd")) {
            world.runInside(YOLO);
            assertFalse(world.exists("a\\b"));

            assertEquals(0, world.inside("undo", "--yes").exitCode());

            assertEquals("odd", world.read("a\\b"));
        }
    }

    @Test
    @Tag("D67")
    @DisplayName("what a destructive command deletes or overwrites is put back, with git too")
    void commands() throws Exception {
        String command =
                "rm -r dir && mv a b; echo x > new; git checkout -- . && git clean -fd && echo over";
        try (var model =
                        ScriptedServer.chat(
                                calls(call("run_command", "command", command)), says("Done."));
                var world = World.with(model).file("dir/deep/c", "c\n").file("a", "committed\n")) {
            Process git =
                    new ProcessBuilder(
                                    "sh",
                                    "-c",
                                    "git init -q && git add a && git -c user.name=x -c"
                                            + " user.email=x commit -qm x")
                            .directory(world.workspace().toFile())
                            .start();
            assertEquals(0, git.waitFor());
            world.file("a", "changed\n").file("b", "b\n").file("untracked", "u\n");
            world.runInside("--yolo", "--sandbox=off", "--trust", "--allow-destructive", "work");
            assertTrue(model.lastRequest().raw().contains("over"));
            assertEquals("committed\n", world.read("a"));
            assertFalse(world.exists("untracked"));

            Ended undone = world.inside("undo", "--yes");

            assertEquals(0, undone.exitCode(), undone::toString);
            assertEquals("changed\n", world.read("a"));
            assertEquals("b\n", world.read("b"));
            assertEquals("u\n", world.read("untracked"));
            assertEquals("c\n", world.read("dir/deep/c"));
            assertFalse(world.exists("new"));
        }
    }

    private static Reply.Call edit(String file, String from, String to) {
        return call("edit_file", "file_path", file, "old_string", from, "new_string", to);
    }

    private static String names(World world) {
        try (Stream<Path> files = Files.list(world.workspace())) {
            return String.join(" ", files.map(it -> it.getFileName().toString()).sorted().toList());
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
