package dev.agentloop.blackbox;

import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a person sees of a chat, in a terminal emulator. */
class ChatScreenIT {
    private static final String UNTIL_GO = "while [ ! -e go ]; do echo line; sleep 0.2; done";

    private static TmuxScreen working(World world, int columns) {
        TmuxScreen screen = TmuxScreen.chat(world, columns, 24, "--yolo", "--sandbox=off", "begin");
        return screen.await("agent build");
    }

    @ParameterizedTest
    @ValueSource(ints = {40, 80, 160})
    @DisplayName("an edit, its diff and the answer; below what is typed a footer that fits")
    void work(int columns) {
        Reply write = calls("write_file", "file_path", "a.txt", "content", "one\ntwo\n");
        try (var model = ScriptedServer.chat(write, says("# Done\n\nIt has **two** lines."));
                var world = World.with(model).ordinary();
                var screen =
                        TmuxScreen.chat(world, columns, 24, "--yolo", "--sandbox=off", "begin")) {
            screen.await("It has two lines.");
            String footer = "canary/model | 1 % of the window";
            screen.await(footer).type("typed").await("> typed");
            String text = screen.text();

            assertTrue(text.contains("Created a.txt (+2 -0)"), text);
            assertTrue(text.contains("1 + one"), text);
            String last = text.lines().toList().getLast();
            assertTrue(last.startsWith(footer), text);
            assertEquals(columns >= 80, last.contains("session $0.00"), text);
            assertEquals(columns >= 160, last.endsWith("agent build"), text);
        }
    }

    @Test
    @DisplayName("Enter puts a text into the queue: it is the next task; what was begun comes back")
    void queue() throws Exception {
        try (var model =
                        ScriptedServer.chat(
                                calls("run_command", "command", UNTIL_GO),
                                says("One."),
                                says("Two."),
                                says("Three."),
                                says("Four."));
                var world = World.with(model).ordinary();
                var screen = working(world, 80)) {
            screen.await("while [").type("second task").keys("Enter").await("queued: second task");
            screen.type("no").keys("Enter").await("queued: no").keys("Up").await("+ no");
            screen.type("t this but that").keys("Enter").await("queued: not this but that");
            screen.type("begun").await("+ begun");
            Files.createFile(world.workspace().resolve("go"));
            screen.await("Three.").await("> begun").type(" and ended").keys("Enter");
            Await.until("a fourth", () -> model.requests().size() == 5, screen::text);
            String last = model.lastRequest().lastText();

            assertTrue(last.startsWith("begun and ended"), last);
            String all = model.lastRequest().raw();
            assertTrue(all.contains("second task") && all.contains("not this but that"), all);
        }
    }

    @Test
    @DisplayName("a terminal that becomes narrower and wider loses no line and repeats none")
    void resize() throws Exception {
        String steps = "for i in 1 2 3 4 5 6 7 8; do echo; done; sleep 0.3";
        try (var model =
                        ScriptedServer.chat(
                                calls("run_command", "command", "echo first; " + steps),
                                calls("run_command", "command", "echo second; " + steps),
                                calls("run_command", "command", UNTIL_GO),
                                says("Over."));
                var world = World.with(model).ordinary();
                var screen = working(world, 80)) {
            String typed = "x".repeat(95);
            screen.type(typed).await("while [");
            for (int columns : new int[] {60, 40, 120, 80}) {
                screen.columns(columns);
                Thread.sleep(700); // the person looks at it
            }
            Files.createFile(world.workspace().resolve("go"));
            screen.await("Over.").await("> xxx");
            String all = screen.history();

            for (String once : new String[] {"Run echo first", "Run echo second", "Over."}) {
                assertEquals(2, all.split(once, -1).length, all);
            }
            assertEquals(1, all.lines().filter(line -> line.startsWith("> xxx")).count(), all);
            assertFalse(all.contains("+ xxx"), all);
        }
    }

    @Test
    @DisplayName("Ctrl-C at the question of /undo is a no, and the chat goes on")
    void noToUndo() {
        Reply write = calls("write_file", "file_path", "a.txt", "content", "one\n");
        try (var model = ScriptedServer.chat(write, says("Written."));
                var world = World.with(model).ordinary();
                var screen = TmuxScreen.chat(world, 80, 24, "--yolo", "--sandbox=off", "begin")) {
            screen.await("Written.").await("1 % of");
            screen.type("/undo").keys("Enter").await("Do this?").keys("C-c");
            screen.await("Nothing was changed.").type("/undo").keys("Enter");
            Await.until("asked again", () -> screen.text().split("Do this\\?", -1).length == 3);
            assertTrue(world.exists("a.txt"));
            screen.type("y").keys("Enter").await("1 put back");
            assertFalse(world.exists("a.txt"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Escape", "C-c", "C-u C-d"})
    @DisplayName("a key stops the run at its question and the chat goes on; an arrow key does not")
    void stoppedAtQuestion(String key) {
        Reply write = calls("write_file", "file_path", "x", "content", "y\n");
        try (var model = ScriptedServer.chat(write, says("Something else."));
                var world = World.with(model).ordinary();
                var screen = TmuxScreen.open(world, 80, 24, "--sandbox=off")) {
            screen.await("! runs a command.").type("begin").keys("Enter");
            screen.await(ChatIT.TRUST.strip()).type("n").keys("Enter");
            screen.await("Allow? ").keys("Up", "Down", "Left").type("y").await("words: y");
            assertFalse(screen.text().contains("words: begin"), screen.text());
            screen.keys(key.split(" ")).await("Stopped by you").awaitLine(">\n").type("go on");
            screen.keys("Enter").await("Something else.");

            assertFalse(world.exists("x"), screen.text());
            assertFalse(screen.text().contains("^["), screen.text());
            assertEquals(2, model.requests().size(), screen.text());
        }
    }

    @Test
    @DisplayName("a time limit that passes at a question ends the run as one, and the chat goes on")
    void lateAtQuestion() {
        Reply write = calls("write_file", "file_path", "x", "content", "y\n");
        try (var model = ScriptedServer.chat(write, says("Later."));
                var world = World.with(model).ordinary();
                var screen =
                        TmuxScreen.chat(world, 80, 24, "--sandbox=off", "--timeout=3", "begin")) {
            screen.await("Allow? ").await("time limit reached").awaitLine(">\n");

            assertFalse(screen.text().contains("by you"), screen.text());
            assertFalse(world.exists("x"), screen.text());
        }
    }

    @Test
    @DisplayName("of a question of the model that is longer than the screen nothing is lost")
    void longQuestion() {
        StringBuilder question = new StringBuilder();
        for (int i = 1; i <= 40; i++) {
            question.append("part ").append(i).append(" of it\n");
        }
        try (var model =
                        ScriptedServer.chat(
                                calls("ask_user", "question", question.toString()),
                                says("Thanks."));
                var world = World.with(model).ordinary();
                var screen = TmuxScreen.chat(world, 80, 20, "--yolo", "--sandbox=off", "begin")) {
            screen.await("Your answer").type("seven").keys("Enter").await("Thanks.");

            String all = screen.history();
            assertTrue(all.contains("part 1 of it") && all.contains("part 40 of it"), all);
            assertTrue(model.lastRequest().raw().contains("seven"), all);
        }
    }
}
