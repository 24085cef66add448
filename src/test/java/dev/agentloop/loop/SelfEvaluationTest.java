package dev.agentloop.loop;

import static dev.agentloop.testing.ScriptedLlm.calls;
import static dev.agentloop.testing.ScriptedLlm.counting;
import static dev.agentloop.testing.ScriptedLlm.fails;
import static dev.agentloop.testing.ScriptedLlm.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.control.Cause;
import dev.agentloop.evaluation.Evaluation;
import dev.agentloop.evaluation.Judgement;
import dev.agentloop.event.AgentEvent;
import dev.agentloop.llm.LlmException;
import dev.agentloop.loop.run.RunResult;
import dev.agentloop.loop.run.Status;
import dev.agentloop.loop.run.StopReason;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolResult;
import dev.agentloop.testing.AgentFixture;
import dev.agentloop.testing.FakeTool;
import dev.agentloop.testing.ScriptedLlm;
import dev.agentloop.tool.Effect;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class SelfEvaluationTest {
    private static final FakeTool LOOK =
            new FakeTool("look", Effect.PURE, (_, _) -> ToolResult.ok("seen"));
    private static final ScriptedLlm.Turn LOOKS = calls("look", "{\"path\":\"a\"}");
    private static final ScriptedLlm.Turn PASSES = judges(true, "0.9", "");

    @Test
    @Tag("S0-46")
    @Tag("S0-47")
    @DisplayName("a judgement that passes leaves success; the judge sees the work")
    void basicPasses() {
        ScriptedLlm llm = ScriptedLlm.of(LOOKS, says("all done"), PASSES);
        AgentFixture agent = AgentFixture.with(llm).tool(LOOK).judged(0);

        RunResult result = agent.run("fix it");

        assertEquals(
                new RunResult(
                        StopReason.LLM_DONE,
                        "all done",
                        2,
                        List.of(),
                        new Evaluation("basic", true, judgement(true, "0.9"), 1)),
                result);
        assertEquals(Status.SUCCESS, result.status());
        String seen = ((Message.User) llm.messagesOf(2).getLast()).text();
        assertTrue(seen.contains("<task>\nfix it"), seen);
        assertTrue(seen.contains("<answer>\nall done"), seen);
        assertTrue(seen.contains("look {\"path\":\"a\"}\n  OK: seen"), seen);
        assertEquals(2, llm.messagesOf(2).size(), "a conversation of its own");
        assertEquals(List.of(), llm.requests().get(2).tools());
        assertEquals(110, agent.costs().lines().get("eval").tokens());
        assertFalse(
                agent.events(AgentEvent.TextDelta.class)
                        .contains(new AgentEvent.TextDelta(json(true, "0.9", ""))),
                "it is not the answer");
    }

    @Test
    @Tag("S0-47")
    @DisplayName("one that does not pass, or not surely, makes the run partial")
    void basicFails() {
        ScriptedLlm no = ScriptedLlm.of(says("done"), judges(false, "1", "no test"));
        AgentFixture agent = AgentFixture.with(no).judged(0);
        RunResult result = agent.run("fix it");
        assertEquals(StopReason.LLM_DONE, result.stopReason());
        assertEquals(Status.PARTIAL, result.status());
        assertEquals(
                List.of(
                        new AgentEvent.Warning(
                                "self-evaluation: not done (confidence 1): no test")),
                agent.events(AgentEvent.Warning.class));

        ScriptedLlm unsure = ScriptedLlm.of(says("done"), judges(true, "0.79", ""));
        assertEquals(Status.PARTIAL, AgentFixture.with(unsure).judged(0).run("go").status());
    }

    @Test
    @Tag("S0-46")
    @DisplayName("only a run that succeeded is judged")
    void onlySuccessIsJudged() {
        ScriptedLlm llm = ScriptedLlm.of(LOOKS, says("summary"));
        RunResult result = AgentFixture.with(llm).tool(LOOK).maxSteps(1).judged(0).run("go");
        assertEquals(new RunResult(StopReason.MAX_STEPS, "summary", 1), result);
        assertNull(result.evaluation());
    }

    @Test
    @Tag("S0-48")
    @DisplayName("full corrects what was found, and judges again, until it passes")
    void fullCorrects() {
        ScriptedLlm llm =
                ScriptedLlm.of(
                        says("done"),
                        judges(false, "0.9", "no test"),
                        LOOKS,
                        says("now with a test"),
                        PASSES);
        AgentFixture agent = AgentFixture.with(llm).tool(LOOK).judged(2);

        RunResult result = agent.run("fix it");

        assertEquals("now with a test", result.text());
        assertEquals(Status.SUCCESS, result.status());
        assertEquals(new Evaluation("full", true, judgement(true, "0.9"), 2), result.evaluation());
        String heard = ((Message.User) llm.messagesOf(2).getLast()).text();
        assertTrue(heard.contains("\n- no test"), heard);
        assertEquals(3, result.steps());
    }

    @Test
    @Tag("C41")
    @DisplayName("after all corrections the best attempt counts, and is partial")
    void theBestAttemptCounts() {
        ScriptedLlm llm =
                ScriptedLlm.of(
                        says("first"),
                        judges(false, "0.2", "a"),
                        says("second"),
                        judges(true, "0.5", "b"),
                        says("third"),
                        judges(false, "0.9", "c"));
        AgentFixture agent = AgentFixture.with(llm).judged(2);

        RunResult result = agent.run("fix it");

        assertEquals("second", result.text());
        assertEquals(Status.PARTIAL, result.status());
        assertEquals(3, result.evaluation().attempts());
        assertEquals(new BigDecimal("0.5"), result.evaluation().judgement().confidence());
        assertEquals(
                "the answer is that of an earlier attempt; the files are those of the last one",
                agent.events(AgentEvent.Warning.class).getLast().message());
    }

    @Test
    @Tag("S0-48")
    @DisplayName("a correction that runs into a limit ends with that limit")
    void aCorrectionObeysTheLimits() {
        ScriptedLlm llm =
                ScriptedLlm.of(says("done"), judges(false, "1", "a"), LOOKS, says("summary"));
        RunResult result = AgentFixture.with(llm).tool(LOOK).maxSteps(2).judged(2).run("go");
        assertEquals(StopReason.MAX_STEPS, result.stopReason());
        assertEquals(1, result.evaluation().attempts());
    }

    @Test
    @DisplayName("what cannot be judged does not pass: no answer, no budget")
    void whatCannotBeJudged() {
        ScriptedLlm broken = ScriptedLlm.of(says("done"), fails(new LlmException.BadRequest("no")));
        RunResult result = AgentFixture.with(broken).judged(0).run("go");
        assertEquals(Status.PARTIAL, result.status());
        assertEquals(List.of("not evaluated: no"), result.evaluation().judgement().issues());

        ScriptedLlm dear = ScriptedLlm.of(counting(says("done"), 3_000, 1_000));
        RunResult poor = AgentFixture.with(dear).budget("0.006", "1").judged(0).run("go");
        assertEquals(Status.PARTIAL, poor.status());
        assertEquals(
                List.of("not evaluated: the budget does not hold the call"),
                poor.evaluation().judgement().issues());
    }

    @Test
    @Tag("E09")
    @DisplayName("time that is over during the evaluation is a timeout")
    void timeIsOverDuringTheEvaluation() {
        ScriptedLlm llm =
                ScriptedLlm.of(
                        says("done"),
                        (_, cancellation) -> {
                            CompletableFuture<Void> fallen = new CompletableFuture<>();
                            cancellation.onCancel(() -> fallen.complete(null));
                            fallen.join();
                            throw new LlmException.Cancelled(cancellation.cause().orElseThrow());
                        });
        AgentFixture agent = AgentFixture.with(llm).timeout(Duration.ofMillis(200), null).judged(2);

        assertEquals(new RunResult(StopReason.TIMEOUT, "done", 1), agent.run("go"));
    }

    @Test
    @DisplayName("a signal during the evaluation ends the run")
    void aSignalDuringTheEvaluation() {
        AgentFixture[] agent = new AgentFixture[1];
        ScriptedLlm llm =
                ScriptedLlm.of(
                        says("done"),
                        (_, _) -> {
                            agent[0].interrupts().cancel(new Cause.Interrupt("INT"));
                            throw new LlmException.Cancelled(new Cause.Interrupt("INT"));
                        });
        agent[0] = AgentFixture.with(llm).judged(1);
        assertEquals(new RunResult(StopReason.USER_INTERRUPT, "done", 1), agent[0].run("go"));
    }

    private static Judgement judgement(boolean completed, String confidence) {
        return new Judgement(completed, new BigDecimal(confidence), List.of(), "");
    }

    private static ScriptedLlm.Turn judges(boolean completed, String confidence, String issue) {
        return says(json(completed, confidence, issue));
    }

    private static String json(boolean completed, String confidence, String issue) {
        return "{\"completed\": %s, \"confidence\": %s, \"issues\": [%s], \"suggestion\": \"\"}"
                .formatted(completed, confidence, issue.isEmpty() ? "" : "\"" + issue + "\"");
    }
}
