package dev.agentloop.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.ParseResult;

class ChatRunsTest {
    private static ChatRuns runs(String... words) {
        return new ChatRuns(Cli.parser(new ChatCommand().spec()).parseArgs(words));
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

        runs.ran("S1");
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
        runs.ran("S1");
        runs.useModel("c/d");
        runs.useAgent("review");
        ParseResult changed = runs.of("next").arguments();
        assertEquals("c/d", text(changed, RunOption.MODEL));
        assertEquals("review", text(changed, RunOption.AGENT));
        assertFalse(RunOption.BASE_URL.isGiven(changed), "the server of the other model");

        runs.ran("S1");
        assertFalse(RunOption.MODEL.isGiven(runs.of("then").arguments()));
    }

    @Test
    @DisplayName("a new session begins as the command line said, without its session")
    void newSession() {
        ChatRuns runs = runs("--session", "S1", "-m", "a/b", "--add-budget=1");
        assertEquals(new SessionChoice.ById("S1", false), runs.of("first").session());
        runs.ran("S1");
        runs.forget();
        ChatRuns.Next next = runs.of("anew");

        assertEquals(new SessionChoice.Fresh(true, true), next.session());
        assertEquals("a/b", text(next.arguments(), RunOption.MODEL));
        assertFalse(RunOption.SESSION.isGiven(next.arguments()));
        assertFalse(RunOption.ADD_BUDGET.isGiven(next.arguments()));
    }

    @Test
    @DisplayName("words of the chat are told from tasks and from commands of one's own")
    void words() {
        assertEquals(ChatWord.EXIT, ChatWord.of(" /exit ").orElseThrow().word());
        assertEquals("a/b", ChatWord.of("/model  a/b").orElseThrow().argument());
        assertTrue(ChatWord.of("/undo the last change please").isEmpty());
        assertTrue(ChatWord.of("/exits").isEmpty());
        assertTrue(ChatWord.of("say /exit").isEmpty());
    }
}
