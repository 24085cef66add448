package dev.agentloop.blackbox;

import static dev.agentloop.blackbox.ChatIT.CTRL_D;
import static dev.agentloop.blackbox.ChatIT.TRUST;
import static dev.agentloop.blackbox.ChatIT.awaitPrompt;
import static dev.agentloop.blackbox.ChatIT.chat;
import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a person types in a chat while a run works. */
class ChatTypingIT {
    private static final String ESCAPE = "\u001b";
    private static final String CTRL_C = "\u0003";

    /** A command that ends when there is a file of this name. */
    private static Reply waitsFor(String file) {
        String command = "touch begun; while [ ! -e FILE ]; do sleep 0.05; done";
        return calls("run_command", "command", command.replace("FILE", file));
    }

    private static AgentProcess working(World world) {
        AgentProcess chat = chat(world, "--yolo", "--sandbox=off", "begin");
        return chat.awaitOut(TRUST).type("n\n").awaitFile("begun").awaitOut("+ ");
    }

    @Test
    @DisplayName("Enter on the empty line tells the model before its next step")
    void tell() throws Exception {
        try (var model = ScriptedServer.chat(waitsFor("go"), waitsFor("on"), says("With tabs."));
                var world = World.with(model)) {
            AgentProcess chat = working(world).type("use tabs\r");
            chat.awaitOut("queued: use tabs").type("\r").awaitOut("told after this step: use tabs");
            Files.createFile(world.workspace().resolve("go"));
            Await.until("a second step", () -> model.requests().size() == 2, chat::toString);
            assertTrue(model.lastRequest().raw().contains("use tabs"), chat::toString);
            Files.createFile(world.workspace().resolve("on"));
            awaitPrompt(chat.awaitOut("With tabs."), 1).type(CTRL_D);

            assertEquals(0, chat.ended().exitCode(), chat::toString);
            assertEquals(3, model.requests().size());
        }
    }

    @Test
    @DisplayName("Escape and Ctrl-C stop the run; what was typed and queued comes back, unsent")
    void stop() {
        for (String key : new String[] {ESCAPE, CTRL_C}) {
            try (var model = ScriptedServer.chat(waitsFor("never"), says("Again."));
                    var world = World.with(model)) {
                AgentProcess chat = working(world).type("queued words\r");
                chat.awaitOut("queued: queued words").type("typed").awaitOut("typed").type(key);
                awaitPrompt(chat.awaitOut("Stopped by you"), 1).type(" more\r").awaitOut("Again.");
                awaitPrompt(chat, 2).type(CTRL_D);

                assertEquals(0, chat.ended().exitCode(), chat::toString);
                String last = model.lastRequest().lastText();
                assertTrue(last.startsWith("queued words\ntyped more"), last);
                assertEquals(2, model.requests().size());
            }
        }
    }

    @Test
    @DisplayName("what was typed before a question appeared does not answer it, and is not lost")
    void question() throws Exception {
        Reply write = calls("write_file", "file_path", "x", "content", "y\n");
        try (var model =
                        ScriptedServer.chat(
                                waitsFor("go"), write, says("Not written."), says("Later."));
                var world = World.with(model)) {
            AgentProcess chat = chat(world, "--sandbox=off", "--allow=run_command", "begin");
            chat.awaitOut(TRUST).type("n\n").awaitFile("begun").awaitOut("+ ").type("y");
            Files.createFile(world.workspace().resolve("go"));
            chat.awaitOut("Allow? ").type("n\n");
            awaitPrompt(chat.awaitOut("Not written."), 1).type("es, later\r");
            Await.until("a next task", () -> model.requests().size() == 4, chat::toString);

            assertFalse(world.exists("x"));
            assertTrue(model.lastRequest().lastText().startsWith("yes, later"), chat::toString);
        }
    }
}
