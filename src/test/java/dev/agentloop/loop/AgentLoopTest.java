package dev.agentloop.loop;

import static dev.agentloop.testing.ScriptedLlm.calls;
import static dev.agentloop.testing.ScriptedLlm.counting;
import static dev.agentloop.testing.ScriptedLlm.ends;
import static dev.agentloop.testing.ScriptedLlm.fails;
import static dev.agentloop.testing.ScriptedLlm.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.control.Cause;
import dev.agentloop.event.AgentEvent;
import dev.agentloop.llm.FinishReason;
import dev.agentloop.llm.LlmException;
import dev.agentloop.loop.run.Ending;
import dev.agentloop.loop.run.RunResult;
import dev.agentloop.loop.run.StopReason;
import dev.agentloop.message.Block;
import dev.agentloop.message.FileChange;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolResult;
import dev.agentloop.session.JournalRecord;
import dev.agentloop.testing.AgentFixture;
import dev.agentloop.testing.FakeTool;
import dev.agentloop.testing.ScriptedLlm;
import dev.agentloop.tool.Effect;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class AgentLoopTest {
    private static final FakeTool LOOK =
            new FakeTool("look", Effect.PURE, (path, _) -> ToolResult.ok("seen " + path));

    @Test
    @Tag("scenario-1")
    void aToolCallThenTextIsSuccess() {
        ScriptedLlm llm = ScriptedLlm.of(calls("look", "{\"path\":\"a\"}"), says("done"));
        AgentFixture agent = AgentFixture.with(llm).tool(LOOK);

        assertEquals(new RunResult(StopReason.LLM_DONE, "done", 2), agent.run("go"));
        assertEquals(2, llm.requests().size());
        assertEquals(ToolResult.ok("seen a"), agent.results().getFirst().result());
    }

    @Test
    @Tag("scenario-2")
    void textAtOnceEndsTheRun() {
        AgentFixture agent = AgentFixture.with(ScriptedLlm.of(says("hello")));

        assertEquals(new RunResult(StopReason.LLM_DONE, "hello", 1), agent.run("hi"));
        assertEquals(
                new Message.Assistant(List.of(new Block.Text("hello"))),
                agent.run().history().getLast());
        assertEquals(0, agent.tally().toolCalls());
    }

    @Test
    @Tag("scenario-3")
    void theStepLimitAsksForASummary() {
        ScriptedLlm.Turn call = calls("look", "{\"path\":\"a\"}");
        ScriptedLlm llm = ScriptedLlm.of(call, call, call, says("summary"));

        RunResult result = AgentFixture.with(llm).tool(LOOK).maxSteps(3).run("go");

        assertEquals(new RunResult(StopReason.MAX_STEPS, "summary", 3), result);
        assertEquals(4, llm.requests().size());
        assertFalse(llm.requests().get(3).mayCallTools());
        Message last = llm.messagesOf(3).getLast();
        assertTrue(((Message.User) last).text().startsWith("[SYSTEM] "));
    }

    @Test
    @Tag("scenario-4")
    @DisplayName("a limit of 0 steps closes before the first call")
    void noStepsCloseAtOnce() {
        ScriptedLlm llm = ScriptedLlm.of(says("nothing was done"));

        RunResult result = AgentFixture.with(llm).maxSteps(0).run("go");

        assertEquals(new RunResult(StopReason.MAX_STEPS, "nothing was done", 0), result);
        assertFalse(llm.requests().getFirst().mayCallTools());
    }

    @Test
    @Tag("scenario-5")
    @DisplayName("a closing call that fails is replaced by one line")
    void aFailedClosingCallIsReplaced() {
        ScriptedLlm llm = ScriptedLlm.of(fails(new LlmException.BadRequest("no")));

        RunResult result = AgentFixture.with(llm).maxSteps(0).run("go");

        assertEquals(
                new RunResult(StopReason.MAX_STEPS, "The agent stopped (max_steps).", 0), result);
    }

    @Test
    @Tag("scenario-6")
    @DisplayName("a failure on the second call ends the run without a closing call")
    void aModelFailureEndsTheRun() {
        ScriptedLlm llm =
                ScriptedLlm.of(
                        calls("look", "{\"path\":\"a\"}"),
                        fails(new LlmException.Unavailable("503", null, null)));
        AgentFixture agent = AgentFixture.with(llm).tool(LOOK);

        RunResult result = agent.run("go");

        assertEquals(
                new RunResult(StopReason.LLM_ERROR, "Unrecoverable LLM error: 503", 1), result);
        assertEquals(2, llm.requests().size());
        assertTrue(agent.journal().types().containsAll(List.of("llm_resp", "result", "llm_fail")));
    }

    @Test
    @Tag("scenario-7")
    @DisplayName("a refused key has its own stop reason")
    void aRefusedKeyIsAnAuthError() {
        ScriptedLlm llm = ScriptedLlm.of(fails(new LlmException.Unauthorized("401")));

        assertEquals(StopReason.AUTH_ERROR, AgentFixture.with(llm).run("go").stopReason());
    }

    @Test
    @Tag("scenario-12")
    @Tag("A57")
    @DisplayName("cut text is continued and joined")
    void cutTextIsContinued() {
        ScriptedLlm llm =
                ScriptedLlm.of(
                        ends(FinishReason.MAX_TOKENS, "one "),
                        ends(FinishReason.MAX_TOKENS, "two "),
                        says("three"));

        RunResult result = AgentFixture.with(llm).run("count");

        assertEquals(new RunResult(StopReason.LLM_DONE, "one two three", 3), result);
        assertEquals(
                new Message.Assistant(List.of(new Block.Text("one "))), llm.messagesOf(1).get(2));
        assertTrue(llm.messagesOf(1).getLast() instanceof Message.User);
    }

    @Test
    @Tag("A57")
    @DisplayName("after three continuations the run is partial and keeps the text")
    void continuationsAreLimited() {
        ScriptedLlm.Turn cut = ends(FinishReason.MAX_TOKENS, "x");
        ScriptedLlm llm = ScriptedLlm.of(cut, cut, cut, cut);

        assertEquals(
                new RunResult(StopReason.OUTPUT_LIMIT, "xxxx", 4),
                AgentFixture.with(llm).run("count"));
    }

    @Test
    @Tag("scenario-13")
    @Tag("A58")
    @DisplayName("a call with half its arguments is never run")
    void aCutCallIsNotRun() {
        ScriptedLlm llm =
                ScriptedLlm.of(ScriptedLlm.cutCall("look", "{\"path\":\"a"), says("sorry"));
        AgentFixture agent =
                AgentFixture.with(llm)
                        .tool(
                                new FakeTool(
                                        "look",
                                        Effect.PURE,
                                        (_, _) -> {
                                            throw new AssertionError("ran");
                                        }));

        assertEquals(StopReason.LLM_DONE, agent.run("go").stopReason());
        assertEquals(ToolResult.Kind.ERROR, agent.results().getFirst().result().kind());
    }

    @Test
    @Tag("scenario-14")
    @Tag("A48")
    @DisplayName("an empty answer is asked about once")
    void anEmptyAnswerIsNudgedOnce() {
        ScriptedLlm llm =
                ScriptedLlm.of(ends(FinishReason.END_TURN, ""), ends(FinishReason.END_TURN, ""));

        RunResult result = AgentFixture.with(llm).run("go");

        assertEquals(StopReason.EMPTY_RESPONSE, result.stopReason());
        assertEquals(2, llm.requests().size());
    }

    @Test
    @Tag("scenario-14")
    @DisplayName("an answer after the nudge is success")
    void theNudgeMayHelp() {
        ScriptedLlm llm = ScriptedLlm.of(ends(FinishReason.END_TURN, ""), says("here I am"));

        assertEquals(
                new RunResult(StopReason.LLM_DONE, "here I am", 2),
                AgentFixture.with(llm).run("go"));
    }

    @Test
    @Tag("A49")
    @DisplayName("silence after work that changed files is asked about once, then success")
    void silenceAfterChangesIsSuccess() {
        FileChange change = new FileChange("a", FileChange.Kind.MODIFIED, 1, 1);
        FakeTool write =
                new FakeTool(
                        "write",
                        Effect.FILE,
                        (_, _) -> ToolResult.ok("written").withChanges(List.of(change)));
        ScriptedLlm.Turn blank = ends(FinishReason.END_TURN, " \n ");
        ScriptedLlm llm = ScriptedLlm.of(calls("write", "{\"path\":\"a\"}"), blank, blank);

        RunResult result = AgentFixture.with(llm).tool(write).run("go");

        assertEquals(new RunResult(StopReason.LLM_DONE, Ending.SILENT, 3), result);
        assertEquals(3, llm.requests().size());
    }

    @Test
    @Tag("A49")
    @DisplayName("silence after reading only is an empty response")
    void silenceAfterReadingIsEmpty() {
        ScriptedLlm.Turn blank = ends(FinishReason.END_TURN, " \n ");
        ScriptedLlm llm = ScriptedLlm.of(calls("look", "{\"path\":\"a\"}"), blank, blank);

        RunResult result = AgentFixture.with(llm).tool(LOOK).run("go");

        assertEquals(StopReason.EMPTY_RESPONSE, result.stopReason());
        assertEquals(3, llm.requests().size());
    }

    @Test
    @Tag("A60")
    @DisplayName("an end for calls without any call is asked about once")
    void promisedCallsAreAskedFor() {
        ScriptedLlm.Turn promise = ends(FinishReason.TOOL_USE, "I look at it now.");
        ScriptedLlm llm = ScriptedLlm.of(promise, calls("look", "{\"path\":\"a\"}"), promise);
        AgentFixture agent = AgentFixture.with(llm).tool(LOOK);

        assertEquals(new RunResult(StopReason.LLM_DONE, "I look at it now.", 3), agent.run("go"));
        assertEquals(1, agent.tally().toolCalls());
    }

    @Test
    @Tag("scenario-15")
    @Tag("A59")
    @DisplayName("a refusal is partial and keeps its text")
    void aRefusalIsPartial() {
        ScriptedLlm llm = ScriptedLlm.of(ends(FinishReason.REFUSAL, "I cannot"));

        assertEquals(
                new RunResult(StopReason.REFUSED, "I cannot", 1), AgentFixture.with(llm).run("go"));
    }

    @Test
    @Tag("scenario-16")
    @Tag("A60")
    @DisplayName("calls decide, whatever the finish reason says")
    void callsDecide() {
        ScriptedLlm llm =
                ScriptedLlm.of(
                        (request, cancellation) -> {
                            var asked =
                                    calls("look", "{\"path\":\"a\"}").apply(request, cancellation);
                            return ScriptedLlm.reply(
                                    FinishReason.END_TURN,
                                    asked.message().blocks().toArray(Block[]::new));
                        },
                        says("done"));
        AgentFixture agent = AgentFixture.with(llm).tool(LOOK);

        assertEquals(new RunResult(StopReason.LLM_DONE, "done", 2), agent.run("go"));
        assertEquals(1, agent.tally().toolCalls());
    }

    @Test
    @Tag("scenario-11")
    @DisplayName("a spent budget stops tools that were already asked for")
    void aSpentBudgetStopsTools() {
        FakeTool write =
                new FakeTool(
                        "write",
                        Effect.FILE,
                        (_, _) -> {
                            throw new AssertionError("written");
                        });
        ScriptedLlm llm = ScriptedLlm.of(counting(calls("write", "{\"path\":\"a\"}"), 900, 900));
        AgentFixture agent = AgentFixture.with(llm).tool(write).budget("2", "1000");

        RunResult result = agent.run("go");

        assertEquals(StopReason.BUDGET_EXCEEDED, result.stopReason());
        assertEquals(ToolResult.Kind.CANCELLED, agent.results().getFirst().result().kind());
        assertEquals(0, agent.costs().usd().compareTo(new java.math.BigDecimal("1.8")));
    }

    @Test
    @Tag("E03")
    @DisplayName("whatever ended the run, a closing call that would pass the budget is left out")
    void aClosingCallNeverPassesTheBudget() {
        ScriptedLlm llm = ScriptedLlm.of(calls("look", "{\"path\":\"a\"}"));

        RunResult result =
                AgentFixture.with(llm).tool(LOOK).budget("1.6", "1000").maxSteps(1).run("go");

        assertEquals(
                new RunResult(StopReason.MAX_STEPS, "The agent stopped (max_steps).", 1), result);
        assertEquals(1, llm.requests().size());
    }

    @Test
    @DisplayName("calls in a closing reply are neither run nor remembered")
    void callsInAClosingReplyAreForgotten() {
        ScriptedLlm llm = ScriptedLlm.of(calls("look", "{\"path\":\"a\"}"));
        AgentFixture agent = AgentFixture.with(llm).tool(LOOK).maxSteps(0);

        agent.run("go");

        List<JournalRecord.Replied> replies =
                agent.journal().records().stream()
                        .filter(JournalRecord.Replied.class::isInstance)
                        .map(JournalRecord.Replied.class::cast)
                        .toList();
        assertEquals(List.of(), replies.getFirst().message().toolCalls());
    }

    @Test
    @Tag("scenario-20")
    @DisplayName("a signal between reply and tools runs no tool and asks no model")
    void aSignalBeforeToolsRunsNone() {
        AgentFixture[] agent = new AgentFixture[1];
        ScriptedLlm llm =
                ScriptedLlm.of((request, cancellation) -> {
                    agent[0].interrupts().cancel(new Cause.Interrupt("INT"));
                    return calls("look", "{\"path\":\"a\"}").apply(request, cancellation);
                });
        agent[0] = AgentFixture.with(llm).tool(LOOK);

        RunResult result = agent[0].run("go");

        assertEquals(
                new RunResult(StopReason.USER_INTERRUPT, "Interrupted by the user.", 1), result);
        assertEquals(ToolResult.Kind.CANCELLED, agent[0].results().getFirst().result().kind());
    }

    @Test
    @Tag("scenario-19")
    @DisplayName("a signal after the last answer changes nothing")
    void aSignalAfterTheAnswerChangesNothing() {
        AgentFixture[] agent = new AgentFixture[1];
        ScriptedLlm llm =
                ScriptedLlm.of((request, cancellation) -> {
                    agent[0].interrupts().cancel(new Cause.Interrupt("INT"));
                    return says("done").apply(request, cancellation);
                });
        agent[0] = AgentFixture.with(llm);

        assertEquals(StopReason.LLM_DONE, agent[0].run("go").stopReason());
    }

    @Test
    @Tag("S0-15.4")
    @DisplayName("a window that is 95 % full ends the run")
    void aFullContextEndsTheRun() {
        ScriptedLlm llm = ScriptedLlm.of(calls("look", "{\"path\":\"a\"}"), says("summary"));
        FakeTool big = new FakeTool("look", Effect.PURE, (_, _) -> ToolResult.ok("x".repeat(4000)));

        RunResult result = AgentFixture.with(llm).tool(big).context(1000).run("go");

        assertEquals(new RunResult(StopReason.CONTEXT_FULL, "summary", 1), result);
    }

    @Test
    @DisplayName("every request has one response, every call one end, also when the model fails")
    void everyStartHasItsEnd() {
        ScriptedLlm llm =
                ScriptedLlm.of(
                        calls("look", "{\"path\":\"a\"}", "nothing", "{}", "look", "[]"),
                        fails(new LlmException.BadRequest("no")));
        AgentFixture agent = AgentFixture.with(llm).tool(LOOK);

        agent.run("go");

        assertEquals(
                agent.events(AgentEvent.LlmRequested.class).size(),
                agent.events(AgentEvent.LlmResponded.class).size());
        assertEquals( // calls that run side by side end in any order
                agent.events(AgentEvent.ToolStarted.class).stream()
                        .map(e -> e.call().id())
                        .sorted()
                        .toList(),
                agent.events(AgentEvent.ToolFinished.class).stream()
                        .map(e -> e.call().id())
                        .sorted()
                        .toList());
    }
}
