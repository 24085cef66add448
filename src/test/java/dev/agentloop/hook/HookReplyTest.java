package dev.agentloop.hook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.agentloop.process.CommandOutcome;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class HookReplyTest {
    @Test
    @Tag("B41")
    @DisplayName("the reason of exit code 2 is what it said to people, never half an object")
    void theReasonOfABlockIsPlainText() throws Exception {
        assertEquals(
                new HookOutcome.Deny("err"),
                HookReply.read(HookPoint.PRE_TOOL, ended(2, "out", "err")));
        assertEquals(
                new HookOutcome.Deny("out"),
                HookReply.read(HookPoint.PRE_TOOL, ended(2, "out", "")));
        assertEquals(
                new HookOutcome.Deny("blocked by a hook"),
                HookReply.read(HookPoint.PRE_TOOL, ended(2, "{\"a\":", "")));
    }

    @Test
    void whatFailsAfterACallIsToldToTheModel() throws Exception {
        assertEquals(
                new HookOutcome.Continue("2 problems\nsee log"),
                HookReply.read(HookPoint.POST_TOOL, ended(1, "2 problems", "see log")));
        assertEquals(
                new HookOutcome.Continue("see log"),
                HookReply.read(HookPoint.POST_TOOL, ended(1, "{\"context\":\"x\"}", "see log")));
        assertEquals(
                "exit code 1, see log", trouble(HookPoint.ITERATION, ended(1, "out", "see log")));
    }

    @Test
    void onlyTheFirstLineOfAFailureIsToldAndItIsShort() {
        String most = "x".repeat(200);
        assertEquals(
                "exit code 1, " + most,
                trouble(HookPoint.PRE_TOOL, ended(1, "", most + "\nsecond line")));
        assertEquals(
                "exit code 1, " + most + "…",
                trouble(HookPoint.PRE_TOOL, ended(1, "", most + "y")));
    }

    @Test
    @DisplayName("a misspelt word must not become a yes, wherever it stands")
    void aMisspeltWordIsNoYes() {
        assertEquals(
                "it printed the unknown key \"hookSpecificOutput.permissionDecison\"",
                trouble(
                        HookPoint.PRE_TOOL,
                        ended(0, "{\"hookSpecificOutput\":{\"permissionDecison\":\"deny\"}}", "")));
    }

    private static String trouble(HookPoint point, CommandOutcome outcome) {
        return assertThrows(HookReply.Unclear.class, () -> HookReply.read(point, outcome)).reason();
    }

    static CommandOutcome ended(int code, String out, String err) {
        return new CommandOutcome(
                CommandOutcome.Ending.EXITED,
                code,
                HookOutputTest.printed(out),
                HookOutputTest.printed(err),
                Duration.ZERO,
                List.of(),
                List.of(),
                List.of());
    }
}
