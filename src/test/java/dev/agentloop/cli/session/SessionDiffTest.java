package dev.agentloop.cli.session;

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
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** {@code agent sessions diff}. */
class SessionDiffTest {
    private static final String[] YOLO = {"--yolo", "--sandbox=off", "--json", "do it"};

    private static Reply.Call edit(String file, String from, String to) {
        return call("edit_file", "file_path", file, "old_string", from, "new_string", to);
    }

    @Test
    @DisplayName("git takes the diff of a session back: edited, created, deleted and moved files")
    void takenBack() throws Exception {
        Reply work =
                calls(
                        edit("edited", "two", "2"),
                        call("write_file", "file_path", "made/new", "content", "x\n"),
                        call("delete_file", "file_path", "deleted"),
                        edit("win dows", "b", "B"),
                        call("write_file", "file_path", "empty", "content", ""),
                        call("move_file", "source_path", "moved", "destination_path", "there"));
        try (var model =
                        ScriptedServer.chat(work, calls(edit("edited", "2", "II")), says("Done."));
                var world = World.with(model).file("edited", "one\ntwo\nthree")) {
            world.file("deleted", "gone\n").file("moved", "m\n");
            world.file("win dows", "a\r\nb\r\nc\r\n");
            String id = world.runInside(YOLO).result("session_id");
            Ended diff = world.inside("sessions", "diff", id);
            assertEquals(0, diff.exitCode(), diff::toString);
            assertTrue(diff.out().contains("-two\n+II\n three\n"), diff::toString);
            Ended last = world.inside("sessions", "diff", id, "--to-step=1");
            assertTrue(last.out().contains("-2\n+II\n"), last::toString);
            assertFalse(last.out().contains("made"), last::toString);

            takeBack(diff.out(), world.workspace());
            assertEquals("one\ntwo\nthree", world.read("edited"));
            assertEquals("gone\n", world.read("deleted"));
            assertEquals("m\n", world.read("moved"));
            assertEquals("a\r\nb\r\nc\r\n", world.read("win dows"));
            assertFalse(world.exists("empty") || world.exists("made/new") || world.exists("there"));
            Ended none = world.inside("sessions", "diff", id);
            assertEquals("", none.out(), none::toString);
            assertTrue(none.err().contains("No file differs"), none::toString);
        }
    }

    @Test
    @DisplayName("what was a binary file is named, a step that never was is refused")
    void edges() {
        Reply write = calls("write_file", "file_path", "bin", "content", "text\n");
        try (var model = ScriptedServer.chat(write, says("Done."));
                var world = World.with(model).file("bin", "\0\1\2 binary")) {
            String id = world.runInside(YOLO).result("session_id");
            Ended diff = world.inside("sessions", "diff", id);
            assertEquals("Binary files a/bin and b/bin differ\n", diff.out(), diff::toString);
            Ended wrong = world.inside("sessions", "diff", id, "--to-step=9");
            assertEquals(3, wrong.exitCode(), wrong::toString);
            assertTrue(wrong.err().contains("there is no step 9"), wrong::toString);
            Ended nobody = world.inside("sessions", "diff", "01NOSUCH");
            assertTrue(nobody.err().contains("There is no session"), nobody::toString);
        }
    }

    private static void takeBack(String diff, Path folder)
            throws IOException, InterruptedException {
        Process git =
                new ProcessBuilder("git", "apply", "-R", "-")
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .start();
        try (Writer in = git.outputWriter()) {
            in.write(diff);
        }
        String said = new String(git.getInputStream().readAllBytes());
        assertEquals(0, git.waitFor(), said);
    }
}
