package dev.agentloop.blackbox;

import static dev.agentloop.blackbox.Reply.calls;
import static dev.agentloop.blackbox.Reply.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code agent chat} in a terminal; G8 looks at it afterwards. */
class ChatIT {
    /**
     * Pasted text is told from typed text there, and then comes what stands before the typed text:
     * a plus while a run works.
     */
    private static final Pattern PROMPT =
            Pattern.compile(
                    "\u001b\\[\\?2004h(?:(?!\u001b\\[\\?2004h)[\\s\\S])*?"
                            + "(?<=[\r\n]|[A-Za-z=>])([+>]) ");

    private static final String CTRL_C = "\u0003";
    static final String CTRL_D = "\u0004";
    static final String ONCE_MORE = "Ctrl-C once more leaves";
    static final String TRUST = "[y]es, [n]o: ";

    static AgentProcess chat(World world, String... words) {
        return world.launch().terminal().start(chatWords(words));
    }

    static String[] chatWords(String... words) {
        return Stream.concat(Stream.of("chat"), Arrays.stream(World.runWords(words)).skip(1))
                .toArray(String[]::new);
    }

    static int prompts(AgentProcess chat) {
        return (int)
                PROMPT.matcher(chat.out())
                        .results()
                        .filter(found -> found.group(1).equals(">"))
                        .count();
    }

    /** Waits until it asks for the n-th time. */
    static AgentProcess awaitPrompt(AgentProcess chat, int times) {
        Await.until("prompt " + times, () -> prompts(chat) >= times, chat::toString);
        return chat;
    }

    @Test
    @DisplayName("two tasks are one session, trust is asked about once, Ctrl-D leaves with 0")
    void twoTasks() {
        try (var model =
                        ScriptedServer.chat(
                                calls("read_file", "file_path", "a.txt"),
                                says("It says hello."),
                                says("As I said: hello."));
                var world = World.with(model).file("a.txt", "hello\n")) {
            AgentProcess chat = awaitPrompt(chat(world), 1);
            chat.type("what does a.txt say?\r").awaitOut(TRUST).type("n\n");
            awaitPrompt(chat.awaitOut("It says hello."), 2).type("again\r");
            awaitPrompt(chat.awaitOut("As I said: hello."), 3).type(CTRL_D);
            Ended ended = chat.ended();

            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals(1, ended.out().split("Do you trust", -1).length - 1, ended::toString);
            assertTrue(model.lastRequest().raw().contains("It says hello."), "no memory");
            assertTrue(ended.out().contains("agent chat --session "), ended::toString);
        }
    }

    @Test
    @DisplayName("agent alone opens the chat at a terminal, and is an error elsewhere")
    void withoutWords() {
        try (var model = ScriptedServer.chat(says("Hello."));
                var world = World.with(model)) {
            AgentProcess chat = awaitPrompt(world.launch().terminal().start(), 1);
            chat.type("hello\r").awaitOut(TRUST).type("n\n");
            awaitPrompt(chat.awaitOut("Hello."), 2).type(CTRL_D);
            assertEquals(0, chat.ended().exitCode(), chat::toString);
            Ended elsewhere = world.launch().start().ended();
            assertEquals(3, elsewhere.exitCode(), elsewhere::toString);
            assertTrue(elsewhere.err().contains("Usage: agent"), elsewhere::toString);
        }
    }

    @Test
    @DisplayName("yes, once: the next task of a chat asks about the same call again")
    void yesOnce() throws Exception {
        Reply write = calls("write_file", "file_path", "x", "content", "y\n");
        try (var model = ScriptedServer.chat(write, says("Written."), write, says("Not again."));
                var world = World.with(model)) {
            AgentProcess chat = awaitPrompt(chat(world), 1).type("write\r");
            chat.awaitOut(TRUST).type("n\n").awaitOut("Allow? ").type("y\n");
            awaitPrompt(chat, 2);
            Files.delete(world.workspace().resolve("x"));
            chat.type("write again\r");
            Await.until("asked again", () -> chat.out().split("Allow\\? ", -1).length == 3);
            awaitPrompt(chat.type("n\n").awaitOut("Not again."), 3).type(CTRL_D);

            assertEquals(0, chat.ended().exitCode(), chat::toString);
            assertFalse(world.exists("x"), "the first yes was taken for the second");
        }
    }

    @Test
    @Tag("C07")
    @DisplayName("Ctrl-C with text typed clears it; a second one leaves with 130")
    void cutWithText() {
        try (var model = ScriptedServer.chat();
                var world = World.with(model)) {
            AgentProcess chat = awaitPrompt(chat(world), 1).type("rm everything");
            chat.awaitOut("rm everything").type(CTRL_C).awaitOut(ONCE_MORE);
            awaitPrompt(chat, 2).type(CTRL_C);
            Ended ended = chat.ended();

            assertEquals(130, ended.exitCode(), ended::toString);
            assertEquals(0, model.requests().size(), "what was cleared was sent");
        }
    }

    @Test
    @Tag("C07")
    @DisplayName("Ctrl-C with nothing typed asks; a task in between is no second one")
    void cutWithoutText() {
        try (var model = ScriptedServer.chat(says("Here."));
                var world = World.with(model)) {
            AgentProcess chat = awaitPrompt(chat(world), 1).type(CTRL_C);
            awaitPrompt(chat.awaitOut(ONCE_MORE), 2).type("are you there?\r");
            chat.awaitOut(TRUST).type("n\n");
            awaitPrompt(chat.awaitOut("Here."), 3).type(CTRL_C);
            awaitPrompt(chat, 4).type("typed").awaitOut("typed").type(CTRL_C);
            awaitPrompt(chat, 5).type(CTRL_C);
            Ended ended = chat.ended();

            assertEquals(130, ended.exitCode(), ended::toString);
            assertEquals(1, model.requests().size());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SCRIPT", "JAR"})
    @Tag("C02")
    @Tag("C07")
    @DisplayName("Ctrl-C in a run stops the run, each time, and the chat goes on with its session")
    void cutRun(Launch.Starter starter) throws Exception {
        Reply waits = calls("run_command", "command", "touch begun; sleep 300");
        try (var model = ScriptedServer.chat(waits, waits, says("It was stopped."));
                var world = World.with(model)) {
            String[] words = chatWords("--yolo", "--sandbox=off", "wait");
            AgentProcess chat = world.launch().by(starter).terminal().start(words);
            chat.awaitOut(TRUST).type("n\n").awaitFile("begun").type(CTRL_C);
            awaitPrompt(chat, 1);
            Files.delete(world.workspace().resolve("begun"));
            chat.type("once more\r").awaitFile("begun").type(CTRL_C);
            awaitPrompt(chat, 2).type("what happened?\r").awaitOut("It was stopped.");
            awaitPrompt(chat, 3).type("/exit\r");
            Ended ended = chat.ended();

            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals(3, model.requests().size());
            assertTrue(model.lastRequest().raw().contains("nterrupted"), "the cut is told");
        }
    }

    @Test
    @Tag("C07")
    @DisplayName("Ctrl-C at the question of /undo is a no, and the chat goes on")
    void cutUndo() {
        try (var model =
                        ScriptedServer.chat(
                                calls("write_file", "file_path", "x", "content", "y\n"),
                                says("Written."));
                var world = World.with(model)) {
            AgentProcess chat = chat(world, "--yolo", "--sandbox=off", "write");
            chat.awaitOut(TRUST).type("n\n");
            awaitPrompt(chat, 1).type("/undo\r").awaitOut("Do this? ").type(CTRL_C);
            awaitPrompt(chat.awaitOut("Nothing was changed."), 2).type(CTRL_D);
            Ended ended = chat.ended();

            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals("y\n", world.read("x"));
            assertTrue(ended.out().contains("agent chat --session "), ended::toString);
        }
    }

    @Test
    @Tag("C05")
    @DisplayName("SIGTERM after Ctrl-C ends the program, not only the run")
    void toldToEnd() {
        String stubborn = "trap '' INT TERM; touch begun; sleep 300 & wait; sleep 300";
        try (var model = ScriptedServer.chat(calls("run_command", "command", stubborn));
                var world = World.with(model)) {
            AgentProcess chat = chat(world, "--yolo", "--sandbox=off", "wait");
            chat.awaitOut(TRUST).type("n\n").awaitFile("begun").type(CTRL_C);
            chat.awaitOut("Stopping").signalChild("TERM");
            assertEquals(130, chat.ended().exitCode(), chat::toString);
        }
    }

    @Test
    @DisplayName("/undo puts files back, /compact keeps the session, and trust is asked about once")
    void undoAndCompact() {
        try (var model =
                        ScriptedServer.chat(
                                calls("write_file", "file_path", "x", "content", "y\n"),
                                says("Written."),
                                says("We wrote x, and it was undone."));
                var world = World.with(model)) {
            AgentProcess chat = chat(world, "--yolo", "--sandbox=off", "write");
            chat.awaitOut(TRUST).type("n\n");
            awaitPrompt(chat, 1).type("/undo\r").awaitOut("Do this? ").type("y\n");
            awaitPrompt(chat, 2);
            assertFalse(world.exists("x"));
            awaitPrompt(chat.type("-\r"), 3).type("/compact\r");
            awaitPrompt(chat, 4).type("/exit\r");
            Ended ended = chat.ended();

            assertEquals(0, ended.exitCode(), ended::toString);
            assertEquals(1, ended.out().split("Do you trust", -1).length - 1, ended::toString);
            assertEquals(3, model.requests().size());
        }
    }

    @Test
    @Tag("C05")
    @DisplayName("SIGTERM and SIGHUP at the prompt leave with 130 and the terminal as it was")
    void ended() {
        for (String signal : new String[] {"TERM", "HUP"}) {
            try (var model = ScriptedServer.chat();
                    var world = World.with(model)) {
                AgentProcess chat = awaitPrompt(chat(world), 1).type("half a li").awaitOut("a li");
                Ended ended = chat.signalChild(signal).ended();

                assertEquals(130, ended.exitCode(), ended::toString);
            }
        }
    }

    @Test
    @DisplayName("pasted lines are one task, in any locale; ! is a !, and /new forgets")
    void pasted() {
        try (var model = ScriptedServer.chat(says("Read."), says("Who are you?"));
                var world = World.with(model)) {
            world.env("LC_ALL", "C");
            AgentProcess chat = awaitPrompt(chat(world), 1);
            chat.type("\u001b[200~fix 例え!!\n  if x\\\n\u001b[201~ now\r")
                    .awaitOut(TRUST)
                    .type("n\n");
            awaitPrompt(chat.awaitOut("Read."), 2);
            String task = model.lastRequest().lastText();
            assertTrue(task.startsWith("fix 例え!!\n  if x\\\n now"), task);

            awaitPrompt(chat.type("/new\r"), 3).type("hi\r");
            awaitPrompt(chat.awaitOut("Who are you?"), 4).type(CTRL_D);
            assertEquals(0, chat.ended().exitCode(), chat::toString);
            assertFalse(model.lastRequest().raw().contains("fix 例え!!"));
        }
    }

    @Test
    @DisplayName(
            "a model, an agent or a command that is not there is told at once, nothing is sent")
    void wrongChoices() {
        try (var model = ScriptedServer.chat(says("Hello."), says("Still here."));
                var world = World.with(model)) {
            AgentProcess chat = chat(world, "--budget=2", "hi");
            awaitPrompt(chat.awaitOut(TRUST).type("n\n"), 1).type("/model canry/model\r");
            awaitPrompt(chat.awaitOut("unknown provider \"canry\""), 2).type("/agent biuld\r");
            awaitPrompt(chat.awaitOut("did you mean \"build\"?"), 3).type("/nosuch thing\r");
            awaitPrompt(chat.awaitOut("no command /nosuch"), 4).type("/model canary/odd\r");
            awaitPrompt(chat.awaitOut("the price of canary/odd"), 5).type("again\r");
            awaitPrompt(chat.awaitOut("Still here."), 6).type("/model demo/scripted\r");
            awaitPrompt(chat.awaitOut("cannot go on with a session"), 7).type("/compact\r");
            awaitPrompt(chat.awaitOut("no old steps"), 8).type(CTRL_D);

            assertEquals(0, chat.ended().exitCode(), chat::toString);
            assertEquals(2, model.requests().size(), chat::toString);
        }
    }

    @Test
    @DisplayName("the demo has a folder and no agents of its own; after it the work is here again")
    void demo() {
        try (var model = ScriptedServer.chat(says("Here."));
                var world = World.with(model)) {
            AgentProcess chat = awaitPrompt(chat(world), 1).type("/model demo/scripted\r");
            awaitPrompt(chat.awaitOut("From the next task on"), 2).type("/agent review\r");
            awaitPrompt(chat.awaitOut("it has no other agents"), 3).type("fix the bug\r");
            awaitPrompt(chat, 4).type("/new\r");
            awaitPrompt(chat, 5).type("/model own/model\r");
            awaitPrompt(chat.awaitOut("unknown provider \"own\""), 6);
            awaitPrompt(chat.type("/model canary/model\r"), 7).type("where?\r");
            awaitPrompt(chat.awaitOut(TRUST).type("n\n").awaitOut("Here."), 8).type(CTRL_D);

            assertEquals(0, chat.ended().exitCode(), chat::toString);
            assertTrue(chat.out().contains("Do you trust " + world.workspace()), chat::toString);
        }
    }

    @Test
    @DisplayName("without a terminal it says what to use instead")
    void headless() {
        try (var world = World.withoutModel()) {
            Ended ended = world.agent("chat", "hello");
            assertEquals(3, ended.exitCode(), ended::toString);
            assertTrue(ended.err().contains("agent run"), ended::toString);
        }
    }
}
