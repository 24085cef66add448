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

import java.awt.image.BufferedImage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a person can say and type in {@code agent chat} besides tasks. */
class ChatWordsIT {
    @Test
    @DisplayName(
            "words show the session: /diff, /cost, /rewind, /export; /resume goes on with another")
    void wordsThatShow() {
        try (var model =
                        ScriptedServer.chat(
                                calls("write_file", "file_path", "x", "content", "y\n"),
                                says("Written."),
                                says("Something else."),
                                says("Back again."));
                var world = World.with(model)) {
            AgentProcess chat = chat(world, "--yolo", "--sandbox=off", "write a file");
            awaitPrompt(chat.awaitOut(TRUST).type("n\n"), 1).type("/diff\r");
            awaitPrompt(chat.awaitOut("Created x"), 2).type("/cost\r");
            awaitPrompt(chat.awaitOut("2 steps, "), 3).type("/rewind\r");
            awaitPrompt(chat.awaitOut("1  Created x (+1 -0)"), 4).type("/export s.md\r");
            awaitPrompt(chat.awaitOut("Written: "), 5).type("/export s.md\r");
            awaitPrompt(chat.awaitOut("there already"), 6).type("/export s.doc\r");
            awaitPrompt(chat.awaitOut("ends in .html"), 7).type("/new\r");
            awaitPrompt(chat, 8);
            String id = chat.out().replaceAll("(?s).*agent chat --session (\\w+).*", "$1");
            chat.type("something else\r");
            awaitPrompt(chat.awaitOut("Something else."), 9).type("/resume\r");
            chat.awaitOut("search for (Enter: none): ").type("a file\n");
            Await.until("again", () -> chat.out().split("Enter: none", -1).length == 3);
            chat.type("\n");
            awaitPrompt(chat, 10).type("/resume " + id + "\r");
            awaitPrompt(chat.awaitOut("goes on with: write a file"), 11).type("more\r");
            awaitPrompt(chat.awaitOut("Back again."), 12).type("/quit\r");

            assertEquals(0, chat.ended().exitCode(), chat::toString);
            assertTrue(model.lastRequest().raw().contains("Written."), "another session");
            assertTrue(world.read("s.md").contains("Written."), world.read("s.md"));
        }
    }

    @Test
    @DisplayName("! runs a command in the sandbox and tells the model, !! does not tell it")
    void typedCommands() {
        try (var model = ScriptedServer.chat(says("I see 42."), says("I see nothing."));
                var world = World.with(model)) {
            AgentProcess chat = awaitPrompt(chat(world, "--sandbox=off"), 1);
            awaitPrompt(chat.type("!echo $((6*7)); exit 3\r").awaitOut("exit code: 3"), 2);
            chat.type("what was it?\r").awaitOut(TRUST).type("n\n");
            awaitPrompt(chat.awaitOut("I see 42."), 3);
            String told = model.lastRequest().lastText();
            assertTrue(told.startsWith("I ran this command:\necho $((6*7)); exit 3\n"), told);
            assertFalse(chat.out().contains("stdout:"), chat::toString);
            assertTrue(told.contains("\n42\n") && told.contains("what was it?"), told);

            chat.type("!!seq 30000; echo $((7*7))\r"); // more than is shown
            awaitPrompt(chat.awaitOut("49"), 4).type("and now?\r");
            awaitPrompt(chat.awaitOut("I see nothing."), 5).type(CTRL_D);
            assertEquals(0, chat.ended().exitCode(), chat::toString);
            assertFalse(model.lastRequest().raw().contains("7*7"), "it was told");
            assertTrue(chat.out().contains("lines omitted"), chat::toString);
            assertFalse(chat.out().contains("until the run ends"), chat::toString); // it has ended
        }
    }

    @Test
    @DisplayName(
            "an image that a task names, or that is dropped on the terminal, is shown to the model")
    void images() throws Exception {
        try (var model = ScriptedServer.chat(says("A square."), says("No image."));
                var world = World.with(model)) {
            Path shot = world.root().resolve("my shot.png");
            BufferedImage square = new BufferedImage(3, 3, BufferedImage.TYPE_INT_RGB);
            ImageIO.write(square, "png", shot.toFile());
            AgentProcess chat = awaitPrompt(chat(world), 1);
            chat.type("'" + shot + "' what is it?\r").awaitOut("With the image my shot.png");
            awaitPrompt(chat.awaitOut(TRUST).type("n\n").awaitOut("A square."), 2);
            int pictures =
                    model.lastRequest().said().stream().mapToInt(it -> it.pictures().size()).sum();
            assertEquals(1, pictures);

            chat.type("and missing.png?\r").awaitOut("No image.");
            awaitPrompt(chat, 3).type(CTRL_D);
            assertEquals(0, chat.ended().exitCode(), chat::toString);
        }
    }

    @Test
    @DisplayName("--plain moves no cursor and colours nothing, and is a whole chat all the same")
    void plain() {
        try (var model =
                        ScriptedServer.chat(
                                calls("write_file", "file_path", "x", "content", "y\n"),
                                says("**Written.**"));
                var world = World.with(model)) {
            AgentProcess chat = chat(world, "--plain", "--yolo", "--sandbox=off");
            chat.awaitOut("/output shows")
                    .awaitOut("> ")
                    .type("wri\u0014te\r")
                    .awaitOut(TRUST)
                    .type("n\n")
                    .awaitOut("Written.");
            Await.until("the next prompt", () -> chat.out().split("(?m)^> ", -1).length > 2);
            chat.type("quit\r");
            assertEquals(0, chat.ended().exitCode(), chat::toString);
            assertFalse(chat.out().contains("\u001b"), chat.out());
            assertFalse(chat.out().contains("Tab"), chat.out());
            assertTrue(model.requests().getFirst().lastText().startsWith("write"), chat::toString);
        }
    }

    @Test
    @DisplayName("colours fit the background that the terminal answers, or the theme that is said")
    void themes() {
        Reply code = says("```py\nreturn 1\n```");
        try (var model = ScriptedServer.chat(code, code, code, code);
                var world = World.with(model).ordinary()) {
            world.env("TERM", "xterm-256color").env("COLORTERM", "truecolor");
            AgentProcess chat = chat(world).awaitOut("\u001b]11;?");
            chat.type("\u001b]11;rgb:ffff/ffff/ffff\u001b\\one\r").awaitOut(TRUST).type("n\n");
            awaitPrompt(chat.awaitOut("\u001b[38;2;122;69;176mreturn"), 1); // on light
            chat.type("/theme dark\r").awaitOut("From now on").type("two\r");
            awaitPrompt(chat.awaitOut("\u001b[38;2;215;166;255mreturn"), 3);
            chat.type("/theme pink\r").awaitOut("There is no theme pink").type("/quit\r");
            assertEquals(0, chat.ended().exitCode(), chat::toString);
            assertTrue(model.requests().getFirst().lastText().startsWith("one"), chat::toString);

            AgentProcess later = chat(world, "again");
            awaitPrompt(later.awaitOut(TRUST).type("n\n"), 1);
            assertTrue(later.out().contains("\u001b[38;2;215;166;255mreturn"), later::toString);
            assertFalse(
                    later.out().contains("\u001b]11;?"),
                    later::toString); // it would change nothing
            later.type("/quit\r").ended();
            world.env("AGENT_THEME", "pink");
            AgentProcess pink = chat(world).awaitOut("AGENT_THEME=pink names no theme");
            awaitPrompt(pink, 1)
                    .type("/modle\r")
                    .awaitOut(TRUST)
                    .type("n\n")
                    .awaitOut("did you mean \"/model\"?");
            pink.type("exit\r").ended();
            world.env("AGENT_THEME", "plain");
            AgentProcess plain = chat(world, "again");
            awaitPrompt(plain.awaitOut(TRUST).type("n\n").awaitOut("return"), 1);
            assertFalse(plain.out().contains("\u001b[38;2"), plain::toString);
            plain.type("/theme\r").awaitOut("* plain").type("/quit\r").ended();
        }
    }

    @Test
    @DisplayName(
            "Tab completes words and files; an editor, a long paste and the last chat are used")
    void typing() throws Exception {
        try (var model = ScriptedServer.chat(says("One."), says("Two."), says("3."), says("4."));
                var world = World.with(model).file("src/main/Query.java", "x\n")) {
            Files.createDirectories(world.home());
            Path editor = world.home().resolve("editor.sh");
            Files.writeString(
                    editor, "#!/bin/sh\ntest \"$(cat $1)\" = draft && printf 'a\\nb\\n' > $1\n");
            assertTrue(editor.toFile().setExecutable(true));
            world.env("VISUAL", editor.toString());
            AgentProcess chat = awaitPrompt(chat(world), 1);
            chat.type("read @qry\t").awaitOut("src/main/Query.java ").type("\r");
            awaitPrompt(chat.awaitOut(TRUST).type("n\n"), 2);
            String task = model.lastRequest().lastText();
            assertTrue(task.startsWith("read @src/main/Query.java"), task);

            chat.type("draft").awaitOut("draft").type("\u0018\u0005");
            awaitPrompt(chat, 3).type("\r").awaitOut("Two.");
            assertTrue(model.lastRequest().lastText().startsWith("a\nb"), "not the editor's text");
            awaitPrompt(chat, 4).type("/exit\r");
            assertEquals(0, chat.ended().exitCode(), chat::toString);

            AgentProcess next = awaitPrompt(chat(world), 1);
            next.type("\u0010\u0010\r").awaitOut(TRUST).type("n\n"); // behind /exit
            awaitPrompt(next, 2);
            String typed = model.lastRequest().lastText();
            assertTrue(typed.startsWith("a\nb"), typed);
            String lines = "line\n".repeat(12);
            next.type("\u001b[200~" + lines + "\u001b[201~").awaitOut("[pasted 1: 12 lines]");
            awaitPrompt(next.type("\r"), 3).type(CTRL_D);
            assertEquals(0, next.ended().exitCode(), next::toString);
            assertTrue(model.lastRequest().lastText().startsWith(lines.strip()), "not the text");
        }
    }

    @Test
    @DisplayName("options alone open the chat, options before a task do it")
    void optionsFirst() {
        try (var model = ScriptedServer.chat(says("Hello."), says("Done."));
                var world = World.with(model)) {
            String[] run = World.runWords("--sandbox=off");
            String[] words = Arrays.copyOfRange(run, 1, run.length);
            AgentProcess chat = awaitPrompt(world.launch().terminal().start(words), 1);
            chat.type("hello\r").awaitOut(TRUST).type("n\n");
            awaitPrompt(chat.awaitOut("Hello."), 2).type(CTRL_D);
            assertEquals(0, chat.ended().exitCode(), chat::toString);
            String[] task = Arrays.copyOf(words, words.length + 1);
            task[words.length] = "do it";
            Ended done = world.launch().start(task).ended();
            assertEquals("Done.\n", done.out(), done::toString);
            Ended wrong = world.launch().start("--json", "sessions", "list").ended();
            assertEquals(3, wrong.exitCode(), wrong::toString);
            assertTrue(
                    wrong.out().contains("stand behind its name: agent sessions"), wrong::toString);
        }
    }

    @Test
    @DisplayName("Ctrl-C ends a typed command and not the chat, which SIGTERM leaves as it should")
    void cutTypedCommand() {
        try (var model = ScriptedServer.chat();
                var world = World.with(model)) {
            AgentProcess chat = awaitPrompt(chat(world, "--sandbox=off"), 1);
            chat.type("!echo begun; sleep 300\r").awaitOut("    begun").type("\u0003");
            awaitPrompt(chat.awaitOut("interrupted after"), 2);
            Ended ended = chat.signalChild("TERM").ended(); // G8 looks at the terminal
            assertEquals(130, ended.exitCode(), ended::toString);
        }
    }

    @Test
    @DisplayName("a history that cannot be read is not the end of the chat")
    void brokenHistory() throws Exception {
        try (var model = ScriptedServer.chat(says("One."), says("Two."));
                var world = World.with(model)) {
            for (int i = 0; i < 2; i++) {
                AgentProcess chat = awaitPrompt(chat(world), 1).type("hi\r");
                awaitPrompt(chat.awaitOut(TRUST).type("n\n"), 2).type(CTRL_D);
                assertEquals(0, chat.ended().exitCode(), chat::toString);
                try (var files = Files.list(world.root().resolve("state/agent/chat"))) {
                    Files.write(files.findFirst().orElseThrow(), new byte[] {(byte) 0xFF});
                }
            }
        }
    }

    @Test
    @DisplayName("agent sessions alone lets a person choose a session and shows it")
    void sessionsToChoose() {
        try (var model = ScriptedServer.chat(says("Hello."));
                var world = World.with(model)) {
            assertEquals(0, world.launch().start("run", "say hello").ended().exitCode());
            AgentProcess picking = world.launch().terminal().start("sessions");
            picking.awaitOut("1 step    say hello").awaitOut("(Enter: none): ").type("1\n");
            Ended ended = picking.ended();
            assertEquals(0, ended.exitCode(), ended::toString);
            assertTrue(ended.out().contains("Hello."), ended::toString);
            assertTrue(ended.out().contains("Go on with it: agent resume "), ended::toString);
        }
    }
}
