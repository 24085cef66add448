package dev.agentloop.cli.chat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.cli.command.CommandRun;
import dev.agentloop.cli.command.RunOption;
import dev.agentloop.cli.resume.SessionChoice;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.ParseResult;

class ChatRunsTest {
    private static ChatRuns runs(String... words) {
        return new ChatRuns(CommandRun.parser(new ChatCommand().spec()).parseArgs(words));
    }

    private static String text(ParseResult arguments, RunOption option) {
        return option.text(arguments);
    }

    @Test
    @DisplayName("limits and rules hold for each task; what the session remembers is said once")
    void laterRuns() {
        ChatRuns runs =
                runs(
                        "--max-steps=3",
                        "-m",
                        "a/b",
                        "-a",
                        "plan",
                        "--yolo",
                        "--sandbox=off",
                        "-v",
                        "-v",
                        "--allow",
                        "x",
                        "--allow",
                        "y",
                        "--allow-net=",
                        "--image",
                        "i.png");
        ParseResult before = runs.of("--yolo is no option here").arguments();
        assertEquals("a/b", text(before, RunOption.MODEL), "nothing has come of it yet");
        assertEquals("--yolo is no option here", text(before, RunOption.PROMPT));

        runs.ran("S1", "/w", false);
        ChatRuns.Next next = runs.of("next");

        assertEquals(new SessionChoice.NextRun("S1"), next.session());
        assertEquals("3", text(next.arguments(), RunOption.MAX_STEPS));
        assertEquals("off", text(next.arguments(), RunOption.SANDBOX));
        assertEquals(List.of("x", "y"), RunOption.ALLOW.texts(next.arguments()));
        assertEquals(List.of(""), RunOption.ALLOW_NET.texts(next.arguments()));
        assertEquals(2, RunOption.VERBOSE.count(next.arguments()));
        assertTrue(RunOption.YOLO.isGiven(next.arguments()));
        assertFalse(RunOption.MODEL.isGiven(next.arguments()));
        assertFalse(RunOption.AGENT.isGiven(next.arguments()));
        assertFalse(RunOption.IMAGE.isGiven(next.arguments()));
    }

    @Test
    @DisplayName("another model holds from the next task on, and is the session's then")
    void otherModel() {
        ChatRuns runs = runs("-m", "a/b", "--base-url", "http://one");
        runs.ran("S1", "/w", false);
        runs.useModel("c/d");
        runs.useAgent("review");
        ParseResult changed = runs.of("next").arguments();
        assertEquals("c/d", text(changed, RunOption.MODEL));
        assertEquals("review", text(changed, RunOption.AGENT));
        assertFalse(RunOption.BASE_URL.isGiven(changed), "the server of the other model");

        runs.ran("S1", "/w", false);
        ParseResult then = runs.of("then").arguments();
        assertEquals("c/d", text(then, RunOption.MODEL), "from then on");
        assertFalse(RunOption.AGENT.isGiven(then));
    }

    @Test
    @DisplayName("a new session begins as the command line said, without its session")
    void newSession() {
        ChatRuns runs = runs("--session=S1", "-m=a/b", "--base-url=http://one", "--add-budget=1");
        assertEquals(new SessionChoice.ById("S1", false), runs.of("first").session());
        runs.ran("S1", "/w", false);
        runs.forget();
        ChatRuns.Next next = runs.of("anew");

        assertEquals(new SessionChoice.Fresh(true, true), next.session());
        assertEquals("a/b", text(next.arguments(), RunOption.MODEL));
        assertEquals("/w", text(next.arguments(), RunOption.CWD), "where the first one was");
        assertEquals("http://one", text(next.arguments(), RunOption.BASE_URL));
        assertFalse(RunOption.SESSION.isGiven(next.arguments()));
        assertFalse(RunOption.ADD_BUDGET.isGiven(next.arguments()));
    }

    @Test
    @DisplayName("another model is never asked for at the server, or with the key, of the first")
    void serverOfTheFirstModel() {
        ChatRuns runs =
                runs("-m", "a/b", "--base-url", "http://one", "--api-key-env", "ONE", "-C", "x");
        runs.useModel("c/d");
        List<ParseResult> all = new ArrayList<>(List.of(runs.of("first").arguments()));
        runs.ran("S1", "/w", false);
        runs.forget();
        all.add(runs.of("anew").arguments());
        for (ParseResult one : all) {
            assertEquals("c/d", text(one, RunOption.MODEL));
            assertFalse(RunOption.BASE_URL.isGiven(one));
            assertFalse(RunOption.API_KEY_ENV.isGiven(one));
        }
    }

    @Test
    @DisplayName("where no session is kept each task stands alone, and the first is not said again")
    void notKept() {
        ChatRuns runs = runs("-m", "a/b", "--image", "i.png", "first");
        runs.ran("", "/w", false);
        ChatRuns.Next next = runs.of("second");
        assertEquals(new SessionChoice.Fresh(true, true), next.session());
        assertFalse(RunOption.IMAGE.isGiven(next.arguments()));
        assertEquals("a/b", text(next.arguments(), RunOption.MODEL));
    }

    @Test
    @DisplayName("words of the chat are told from tasks and from commands of one's own")
    void words() {
        assertEquals(ChatWord.EXIT, ChatWord.of(" /exit ").orElseThrow().word());
        assertEquals("a/b", ChatWord.of("/model  a/b").orElseThrow().argument());
        assertFalse(ChatWord.of("/undo the last change please").orElseThrow().fits());
        assertTrue(ChatWord.of("/exits").isEmpty());
        assertTrue(ChatWord.of("say /exit").isEmpty());
    }

    @Test
    @DisplayName("back at the model of the command line its server and key are said again")
    void backAtItsServer() {
        ChatRuns runs = runs("-m", "a/b", "--base-url", "http://one", "--api-key-env", "ONE");
        runs.useModel("c/d");
        runs.ran("S1", "/w", false);
        assertFalse(RunOption.BASE_URL.isGiven(runs.of("next").arguments()));

        runs.useModel("a/b");
        ParseResult back = runs.of("back").arguments();
        assertEquals("http://one", text(back, RunOption.BASE_URL));
        assertEquals("ONE", text(back, RunOption.API_KEY_ENV));
    }

    @Test
    @DisplayName("a demo stays in its folder, and what comes after /new in the chat's")
    void demoApart() {
        ChatRuns runs = runs("-m", "demo/scripted", "-C", "x");
        runs.ran("S1", "/tmp/demo", true);
        assertFalse(RunOption.CWD.isGiven(runs.of("next").arguments()));
        runs.ran("S1", "/tmp/demo", false);
        runs.forget();
        ChatRuns.Next next = runs.of("else");
        assertEquals("x", text(next.arguments(), RunOption.CWD));
        assertEquals(new SessionChoice.Fresh(true, false), next.session());

        runs.ran("S2", "/x", false);
        runs.forget();
        next = runs.of("more");
        assertEquals("/x", text(next.arguments(), RunOption.CWD));
        assertEquals(new SessionChoice.Fresh(true, true), next.session());
    }

    @Test
    @DisplayName("a session that goes on in another folder stays there")
    void otherFolder() {
        ChatRuns runs = runs("-C", "b", "--session", "S1");
        runs.ran("S1", "/b", false);
        assertEquals("/b", text(runs.of("next").arguments(), RunOption.CWD));
    }

    @Test
    @DisplayName("/new before the first task leaves the session of the command line alone")
    void newAtOnce() {
        ChatRuns runs = runs("--session", "S1", "--wait");
        runs.forget();
        ChatRuns.Next next = runs.of("task");
        assertEquals(new SessionChoice.Fresh(true, false), next.session());
        assertFalse(RunOption.SESSION.isGiven(next.arguments()));
    }
}
