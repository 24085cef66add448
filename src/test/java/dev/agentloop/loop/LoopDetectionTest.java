package dev.agentloop.loop;

import static dev.agentloop.testing.ScriptedLlm.calls;
import static dev.agentloop.testing.ScriptedLlm.ends;
import static dev.agentloop.testing.ScriptedLlm.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.control.Cause;
import dev.agentloop.event.AgentEvent;
import dev.agentloop.llm.FinishReason;
import dev.agentloop.loop.run.RepeatedText;
import dev.agentloop.loop.run.RunResult;
import dev.agentloop.loop.run.StopReason;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolResult;
import dev.agentloop.testing.AgentFixture;
import dev.agentloop.testing.FakeTool;
import dev.agentloop.testing.ScriptedLlm;
import dev.agentloop.tool.Effect;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class LoopDetectionTest {
    private static final FakeTool LOOK =
            new FakeTool("look", Effect.PURE, (_, _) -> ToolResult.ok("seen"));
    private static final ScriptedLlm.Turn A = calls("look", "{\"path\":\"a\"}");
    private static final ScriptedLlm.Turn B = calls("look", "{\"path\":\"b\"}");
    private static final ScriptedLlm.Turn C = calls("look", "{\"path\":\"c\"}");

    @Test
    @Tag("row-76")
    @Tag("E08")
    @DisplayName("the same call five times: a warning after the third, then the end")
    void theSameCallFiveTimes() {
        ScriptedLlm llm = ScriptedLlm.of(A, A, A, A, A, says("I was stuck."));
        AgentFixture agent = AgentFixture.with(llm).tool(LOOK);

        assertEquals(new RunResult(StopReason.LOOP_DETECTED, "I was stuck.", 5), agent.run("go"));
        assertEquals(0, warnings(llm, 2));
        assertEquals(1, warnings(llm, 3), "after the third");
        assertEquals(1, warnings(llm, 5), "and not again");
        assertFalse(llm.requests().getLast().mayCallTools());
        assertEquals(
                List.of(
                        new AgentEvent.Warning(
                                "the model repeats the same calls with the same results")),
                agent.events(AgentEvent.Warning.class));
    }

    @Test
    @Tag("E08")
    @Tag("row-3")
    @DisplayName("a run that ends anyway is not warned first: its last word is [SYSTEM]")
    void whatEndsIsNotWarned() {
        ScriptedLlm llm = ScriptedLlm.of(A, A, A, says("summary"));
        AgentFixture agent = AgentFixture.with(llm).tool(LOOK).maxSteps(3);
        assertEquals(new RunResult(StopReason.MAX_STEPS, "summary", 3), agent.run("go"));
        assertEquals(0, warnings(llm, 3));
    }

    @Test
    @Tag("E08")
    @DisplayName("two or three calls in turn are a circle as well")
    void callsInTurn() {
        ScriptedLlm two = ScriptedLlm.of(A, B, A, B, A, B, A, B, A, B, says("stuck"));
        assertEquals(
                new RunResult(StopReason.LOOP_DETECTED, "stuck", 10),
                AgentFixture.with(two).tool(LOOK).run("go"));
        assertEquals(1, warnings(two, 6));

        ScriptedLlm three =
                ScriptedLlm.of(C, A, B, C, A, B, C, A, B, C, A, B, C, A, B, C, says("stuck"));
        RunResult result = AgentFixture.with(three).tool(LOOK).run("go");
        assertEquals(StopReason.LOOP_DETECTED, result.stopReason());
        assertEquals(15, result.steps());
    }

    @Test
    @Tag("E08")
    @DisplayName("a model that heeds the warning goes on, and is warned anew later")
    void theWarningIsHeeded() {
        ScriptedLlm llm = ScriptedLlm.of(A, A, A, B, C, C, C, A, says("done"));

        assertEquals(StopReason.LLM_DONE, AgentFixture.with(llm).tool(LOOK).run("go").stopReason());
        assertEquals(2, warnings(llm, 8));
    }

    @Test
    @Tag("E08")
    @DisplayName("the same call with other results is waiting, not a circle")
    void waitingIsNoCircle() {
        AtomicInteger percent = new AtomicInteger();
        FakeTool build =
                new FakeTool(
                        "look",
                        Effect.PURE,
                        (_, _) -> ToolResult.ok(percent.addAndGet(5) + " % done"));
        ScriptedLlm llm = ScriptedLlm.of(A, A, A, A, A, A, A, A, says("built"));

        assertEquals(
                StopReason.LLM_DONE, AgentFixture.with(llm).tool(build).run("go").stopReason());
        assertEquals(0, warnings(llm, 8));
    }

    @Test
    @Tag("E08")
    @DisplayName("how long a command took is no other result")
    void theTimeOfACommandSaysNothing() {
        AtomicInteger tenths = new AtomicInteger();
        FakeTool test =
                new FakeTool(
                        "look",
                        Effect.PURE,
                        (_, _) -> {
                            int now = tenths.incrementAndGet();
                            return ToolResult.error("exit code: 1 (0." + now + " s)\n2 failed");
                        });
        ScriptedLlm llm = ScriptedLlm.of(A, A, A, A, A, says("stuck"));

        assertEquals(
                StopReason.LOOP_DETECTED, AgentFixture.with(llm).tool(test).run("go").stopReason());
    }

    @Test
    @Tag("E08")
    @DisplayName("a reply that says the same for the tenth time is cut")
    void aReplyThatRepeatsItselfIsCut() {
        String sentence = "I will now look at the file again. ";
        List<Boolean> noticed = new ArrayList<>();
        RepeatedText text = new RepeatedText();
        for (int i = 0; i < 40; i++) {
            noticed.add(text.add(sentence));
        }
        int first = noticed.indexOf(true);
        assertTrue(first >= 9 && first < 30, "noticed at " + first);
        assertFalse(new RepeatedText().add("INFO request ok\n".repeat(30)), "a short log");

        ScriptedLlm llm = ScriptedLlm.of(ends(FinishReason.MAX_TOKENS, sentence.repeat(100)));
        RunResult result = AgentFixture.with(llm).run("go");
        assertEquals(StopReason.LOOP_DETECTED, result.stopReason());
        assertEquals(1, result.steps());
    }

    @Test
    @Tag("E08")
    @DisplayName("code, tables and lists that look alike are no circle")
    void whatMayRepeatItself() {
        assertFalse(
                new RepeatedText().add("```\n" + "int count = 0; // a line of code\n".repeat(50)));
        assertFalse(new RepeatedText().add("| --- | --- | --- | --- | --- |\n".repeat(50)));
        assertFalse(new RepeatedText().add("=".repeat(5_000)));
        assertFalse(new RepeatedText().add("0123456789abcde\n".repeat(500)));
        RepeatedText pieces = new RepeatedText();
        for (char letter :
                ("``` \n" + "int some value = other value of mine;\n".repeat(50)).toCharArray()) {
            assertFalse(pieces.add(String.valueOf(letter)));
        }
        StringBuilder list = new StringBuilder();
        for (int i = 0; i < 100; i++) {
            list.append("- changed the import in file number ").append(i).append('\n');
        }
        assertFalse(new RepeatedText().add(list.toString()));
    }

    @Test
    @Tag("E07")
    @DisplayName("a tool call beyond the limit is not run, and ends the run")
    void aToolCallBeyondTheLimit() {
        ScriptedLlm llm =
                ScriptedLlm.of(
                        A,
                        calls("look", "{\"path\":\"b\"}", "look", "{\"path\":\"c\"}"),
                        says("two of three"));
        AgentFixture agent = AgentFixture.with(llm).tool(LOOK).maxToolCalls(2);

        assertEquals(new RunResult(StopReason.MAX_TOOL_CALLS, "two of three", 2), agent.run("go"));
        assertEquals(
                List.of(ToolResult.Kind.OK, ToolResult.Kind.OK, ToolResult.Kind.CANCELLED),
                agent.results().stream().map(tool -> tool.result().kind()).toList());
    }

    @Test
    @Tag("E07")
    @DisplayName("who needs no more than the limit may still answer")
    void theLimitOfToolCallsLeavesTheAnswer() {
        ScriptedLlm llm = ScriptedLlm.of(A, B, says("done"));
        assertEquals(
                new RunResult(StopReason.LLM_DONE, "done", 3),
                AgentFixture.with(llm).tool(LOOK).maxToolCalls(2).run("go"));
    }

    @Test
    @Tag("E11")
    @DisplayName("of several limits at once the first in the order of the watchdogs counts")
    void theOrderOfLimits() {
        ScriptedLlm llm = ScriptedLlm.of(ScriptedLlm.counting(A, 900, 900), says("x"));
        AgentFixture both = AgentFixture.with(llm).tool(LOOK).maxSteps(1).budget("2", "1000");
        assertEquals(StopReason.MAX_STEPS, both.run("go").stopReason());
        assertEquals(1, both.events(AgentEvent.LimitReached.class).size());

        AgentFixture interrupted = AgentFixture.with(ScriptedLlm.of()).maxSteps(0);
        interrupted.interrupts().cancel(new Cause.Interrupt("INT"));
        assertEquals(StopReason.USER_INTERRUPT, interrupted.run("go").stopReason());
    }

    private static long warnings(ScriptedLlm llm, int request) {
        return llm.messagesOf(request).stream()
                .filter(Message.User.class::isInstance)
                .map(message -> ((Message.User) message).text())
                .filter(text -> text.contains("same results several times"))
                .count();
    }
}
