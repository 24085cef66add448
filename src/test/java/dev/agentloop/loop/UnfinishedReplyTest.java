package dev.agentloop.loop;

import static dev.agentloop.testing.ScriptedLlm.calls;
import static dev.agentloop.testing.ScriptedLlm.ends;
import static dev.agentloop.testing.ScriptedLlm.fails;
import static dev.agentloop.testing.ScriptedLlm.reply;
import static dev.agentloop.testing.ScriptedLlm.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.llm.FinishReason;
import dev.agentloop.llm.LlmException;
import dev.agentloop.loop.run.RunResult;
import dev.agentloop.loop.run.StopReason;
import dev.agentloop.message.Block;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolResult;
import dev.agentloop.testing.AgentFixture;
import dev.agentloop.testing.FakeTool;
import dev.agentloop.testing.ScriptedLlm;
import dev.agentloop.tool.Effect;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Replies that are no end: a turn that the provider paused, calls that were promised only. */
final class UnfinishedReplyTest {
    private static final Block SUMMARY =
            new Block.Reasoning("", "{\"anthropic\":{\"type\":\"compaction\",\"content\":\"x\"}}");
    private static final ScriptedLlm.Turn PROMISE = ends(FinishReason.TOOL_USE, "I look at it.");

    @Test
    @Tag("row-60")
    @DisplayName("a compaction is kept in its place and the model asked again, without a word")
    void aSummaryOfTheProviderIsNoEnd() {
        ScriptedLlm llm =
                ScriptedLlm.of(
                        (_, _) -> reply(FinishReason.PAUSED, SUMMARY),
                        (_, _) -> reply(FinishReason.PAUSED, SUMMARY),
                        says("done"));
        AgentFixture agent = AgentFixture.with(llm);

        assertEquals(new RunResult(StopReason.LLM_DONE, "done", 3), agent.run("go"));
        Message.Assistant kept = new Message.Assistant(List.of(SUMMARY));
        assertEquals(
                List.of(
                        new Message.System("You are a test."),
                        new Message.User("go"),
                        kept,
                        kept,
                        new Message.Assistant(List.of(new Block.Text("done")))),
                agent.run().history());
    }

    @Test
    @Tag("row-60")
    @DisplayName("what a paused turn said and what it goes on with are one answer")
    void aPausedTurnIsOneAnswer() {
        ScriptedLlm.Turn paused = ends(FinishReason.PAUSED, "one ");
        ScriptedLlm llm = ScriptedLlm.of(paused, paused, paused, paused, says("two"));

        RunResult result = AgentFixture.with(llm).run("go");

        assertEquals(new RunResult(StopReason.LLM_DONE, "one one one one two", 5), result);
    }

    @Test
    @Tag("row-60")
    @DisplayName("a provider that pauses for ever runs into the limit of steps")
    void pausesAreSteps() {
        ScriptedLlm.Turn paused = (_, _) -> reply(FinishReason.PAUSED, SUMMARY);
        ScriptedLlm llm = ScriptedLlm.of(paused, paused, paused, says("summary"));

        RunResult result = AgentFixture.with(llm).maxSteps(3).run("go");

        assertEquals(new RunResult(StopReason.MAX_STEPS, "summary", 3), result);
    }

    @Test
    @Tag("row-60")
    @DisplayName("a pause with nothing in it is an empty answer, asked about once")
    void anEmptyPause() {
        ScriptedLlm.Turn paused = (_, _) -> reply(FinishReason.PAUSED);
        ScriptedLlm llm = ScriptedLlm.of(paused, paused);

        RunResult result = AgentFixture.with(llm).run("go");

        assertEquals(new RunResult(StopReason.EMPTY_RESPONSE, "", 2), result);
    }

    @Test
    @Tag("A60")
    @DisplayName("text with promised calls stays in the history, but is no answer")
    void promisedTextIsNotLost() {
        ScriptedLlm llm = ScriptedLlm.of(PROMISE, ends(FinishReason.END_TURN, ""));
        AgentFixture agent = AgentFixture.with(llm);

        assertEquals(new RunResult(StopReason.EMPTY_RESPONSE, "I look at it.", 2), agent.run("go"));
        assertEquals(
                new Message.Assistant(List.of(new Block.Text("I look at it."))),
                agent.run().history().get(2));
    }

    @Test
    @Tag("A60")
    @DisplayName("an answer after the reminder stands for itself")
    void theAnswerAfterTheReminderIsWhole() {
        ScriptedLlm llm = ScriptedLlm.of(PROMISE, says("It is red."));

        assertEquals(
                new RunResult(StopReason.LLM_DONE, "It is red.", 2),
                AgentFixture.with(llm).run("go"));
    }

    @Test
    @Tag("A60")
    @DisplayName("text from before calls is not the answer to silence after them")
    void callsEndThePromise() {
        FakeTool look = new FakeTool("look", Effect.PURE, (_, _) -> ToolResult.ok("seen"));
        ScriptedLlm llm =
                ScriptedLlm.of(
                        PROMISE,
                        calls("look", "{\"path\":\"a\"}"),
                        ends(FinishReason.END_TURN, ""));

        RunResult result = AgentFixture.with(llm).tool(look).run("go");

        assertEquals(StopReason.EMPTY_RESPONSE, result.stopReason());
        assertTrue(result.text().isEmpty(), result.text());
    }

    @Test
    @Tag("A60")
    @DisplayName("a limit right after the promise keeps its text if there is no summary")
    void aLimitKeepsThePromisedText() {
        ScriptedLlm llm = ScriptedLlm.of(PROMISE, fails(new LlmException.BadRequest("no")));

        RunResult result = AgentFixture.with(llm).maxSteps(1).run("go");

        assertEquals(new RunResult(StopReason.MAX_STEPS, "I look at it.", 1), result);
    }
}
