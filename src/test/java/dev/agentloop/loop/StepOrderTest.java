package dev.agentloop.loop;

import static dev.agentloop.testing.ScriptedLlm.calls;
import static dev.agentloop.testing.ScriptedLlm.counting;
import static dev.agentloop.testing.ScriptedLlm.says;
import static dev.agentloop.testing.ScriptedLlm.stalls;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.control.Cancellation;
import dev.agentloop.control.Cause;
import dev.agentloop.cost.CostTracker;
import dev.agentloop.event.AgentEvent;
import dev.agentloop.llm.FinishReason;
import dev.agentloop.llm.LlmAdapter;
import dev.agentloop.llm.LlmListener;
import dev.agentloop.llm.LlmRequest;
import dev.agentloop.llm.LlmResponse;
import dev.agentloop.llm.ModelInfo;
import dev.agentloop.loop.run.Run;
import dev.agentloop.loop.run.RunResult;
import dev.agentloop.loop.run.Status;
import dev.agentloop.loop.run.StopReason;
import dev.agentloop.loop.run.Watchdogs;
import dev.agentloop.message.Block;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolResult;
import dev.agentloop.testing.AgentFixture;
import dev.agentloop.testing.FakeTime;
import dev.agentloop.testing.FakeTool;
import dev.agentloop.testing.ScriptedLlm;
import dev.agentloop.tool.Effect;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What happens in a step and at the end of a run, in which order. */
final class StepOrderTest {
    private static final FakeTool LOOK =
            new FakeTool("look", Effect.PURE, (path, _) -> ToolResult.ok("seen " + path));
    private static final ScriptedLlm.Turn CALL = calls("look", "{\"path\":\"a\"}");

    @Test
    @Tag("S0-3")
    @Tag("S2-10")
    @DisplayName("log, request, cost, tools, results, on record; then the next step")
    void aStepInOrder() {
        AgentFixture agent =
                AgentFixture.with(ScriptedLlm.of(CALL, says("done"))).tool(LOOK).budget("9", "1");

        agent.run("go");

        assertEquals(
                List.of(
                        "StepStarted",
                        "LlmRequested",
                        "LlmResponded",
                        "UsageReported",
                        "BudgetUpdated",
                        "ToolStarted",
                        "PermissionDecided",
                        "ToolFinished",
                        "StepStarted",
                        "LlmRequested",
                        "TextDelta",
                        "LlmResponded",
                        "UsageReported",
                        "BudgetUpdated"),
                agent.events().stream().map(event -> event.getClass().getSimpleName()).toList());
        assertEquals(
                List.of("llm_req", "llm_resp", "decision", "intent", "result"),
                agent.journal().types().subList(0, 5));
        assertEquals(
                List.of("System", "User", "Assistant", "Tool", "Assistant"),
                agent.run().history().stream().map(it -> it.getClass().getSimpleName()).toList());
        assertEquals(2, agent.run().steps());
    }

    @Test
    @Tag("S0-3.2")
    @DisplayName("the context is looked after before the request is announced")
    void theContextComesFirst() {
        FakeTool big =
                new FakeTool("look", Effect.PURE, (_, _) -> ToolResult.ok("x".repeat(7_900)));
        ScriptedLlm llm = ScriptedLlm.always(new BusyModel(6, "", says("no summary needed")));
        AgentFixture agent = AgentFixture.with(llm).tool(big).context(4_000);

        agent.run("Look");

        List<String> kinds =
                agent.events().stream().map(event -> event.getClass().getSimpleName()).toList();
        int compacted = kinds.indexOf("ContextCompacted");
        List<String> around = kinds.subList(compacted, compacted + 3);
        assertEquals(List.of("ContextCompacted", "StepStarted", "LlmRequested"), around);
    }

    @Test
    @Tag("S0-15")
    @Tag("C3")
    @DisplayName("of several guards the first counts: signal, steps, budget, time, window")
    void theGuardsInTheirOrder() {
        Watchdogs noSteps = Watchdogs.standard(steps(0), _ -> true);
        Watchdogs full = Watchdogs.standard(steps(9), _ -> true);
        Cancellation interrupts = new Cancellation();
        Run spent = new Run(List.of(), new CostTracker(null, null, 0), interrupts);
        Run free = new Run(List.of(), new CostTracker(null, null, -1), new Cancellation());
        spent.work().cancel(new Cause.RunDeadline());

        assertEquals(Optional.of(StopReason.MAX_STEPS), noSteps.beforeLlm(spent));
        assertEquals(Optional.of(StopReason.BUDGET_EXCEEDED), full.beforeLlm(spent));
        interrupts.cancel(new Cause.Interrupt("TERM"));
        assertEquals(Optional.of(StopReason.USER_INTERRUPT), noSteps.beforeLlm(spent));

        assertEquals(Optional.of(StopReason.CONTEXT_FULL), full.beforeLlm(free));
        assertEquals(Optional.empty(), Watchdogs.standard(steps(9), _ -> false).beforeLlm(free));
        free.work().cancel(new Cause.RunDeadline());
        assertEquals(Optional.of(StopReason.TIMEOUT), full.beforeLlm(free));
    }

    /** A model that thinks aloud before it answers. */
    private static final LlmAdapter THINKER =
            new LlmAdapter() {
                @Override
                public LlmResponse complete(
                        LlmRequest request, LlmListener listener, Cancellation cancellation) {
                    listener.thinking("I th");
                    listener.thinking("ink.");
                    listener.text("So");
                    listener.text(" be it.");
                    return ScriptedLlm.reply(
                            FinishReason.END_TURN,
                            new Block.Reasoning("I think.", ""),
                            new Block.Text("So be it."));
                }

                @Override
                public ModelInfo model() {
                    return new ModelInfo("test", "thinker", 100_000, 1_000);
                }
            };

    @Test
    @Tag("S3-2.5")
    @Tag("S4-9")
    @DisplayName("reasoning and text are events of their own, piece by piece")
    void reasoningIsAnEventOfItsOwn() {
        AgentFixture agent = AgentFixture.with(THINKER);

        assertEquals(new RunResult(StopReason.LLM_DONE, "So be it.", 1), agent.run("go"));
        assertEquals(
                List.of(
                        new AgentEvent.ThinkingDelta("I th"),
                        new AgentEvent.ThinkingDelta("ink."),
                        new AgentEvent.TextDelta("So"),
                        new AgentEvent.TextDelta(" be it.")),
                agent.events().subList(2, 6));
    }

    static Stream<Arguments> limits() {
        AgentFixture steps = AgentFixture.with(ScriptedLlm.of(CALL, says("so far"))).tool(LOOK);
        FakeTool big =
                new FakeTool("look", Effect.PURE, (_, _) -> ToolResult.ok("x".repeat(4_000)));
        AgentFixture context = AgentFixture.with(ScriptedLlm.of(CALL, says("so far"))).tool(big);
        ScriptedLlm dear =
                ScriptedLlm.of(counting(CALL, 2_000, 88_500), counting(says("so far"), 2_200, 50));
        AgentFixture budget = AgentFixture.with(dear).tool(LOOK);
        AgentFixture time = AgentFixture.with(ScriptedLlm.of(stalls(), says("so far"))).tool(LOOK);
        return Stream.of(
                Arguments.of(StopReason.MAX_STEPS, 1, steps.maxSteps(1)),
                Arguments.of(StopReason.CONTEXT_FULL, 1, context.context(1_000)),
                Arguments.of(StopReason.BUDGET_EXCEEDED, 1, budget.budget("0.10", "1")),
                Arguments.of(StopReason.TIMEOUT, 0, time.timeout(Duration.ofMillis(200), null)));
    }

    @ParameterizedTest(name = "S0-16, S0-18, S0-20, S0-22: {0}: told, then closed with a summary")
    @MethodSource("limits")
    void aLimitIsToldAndClosed(StopReason reason, int steps, AgentFixture agent) {
        RunResult result = agent.run("go");

        assertEquals(new RunResult(reason, "so far", steps), result);
        assertEquals(Status.PARTIAL, result.status());
        List<AgentEvent> events = agent.events();
        AgentEvent closing = new AgentEvent.Closing(reason.wireName(), steps);
        int at = events.indexOf(closing);
        assertTrue(
                events.get(at - 1) instanceof AgentEvent.LimitReached(String why, String detail)
                        && why.equals(reason.wireName())
                        && !detail.isBlank(),
                events::toString);
        assertEquals(1, agent.events(AgentEvent.LimitReached.class).size());
        AgentEvent.UserMessage asked = agent.events(AgentEvent.UserMessage.class).getLast();
        assertTrue(events.indexOf(asked) > at, events::toString);
        assertTrue(asked.text().startsWith("[SYSTEM] "), asked::text);
        assertTrue(asked.text().contains("what is done, what is still pending"), asked::text);
        Message last = agent.run().history().getLast();
        assertEquals("so far", ((Message.Assistant) last).text());
    }

    @Test
    @Tag("S0-16")
    @Tag("S0-19")
    @DisplayName("a signal is told; the run closes at once and asks nobody")
    void aSignalIsToldAndNobodyAsked() {
        AgentFixture agent = AgentFixture.with(ScriptedLlm.of());
        agent.interrupts().cancel(new Cause.Interrupt("INT"));

        RunResult result = agent.run("go");

        assertEquals(
                new RunResult(StopReason.USER_INTERRUPT, "Interrupted by the user.", 0), result);
        assertEquals(Status.PARTIAL, result.status());
        assertEquals(
                List.of(
                        new AgentEvent.LimitReached("user_interrupt", "Interrupted by the user"),
                        new AgentEvent.Closing("user_interrupt", 0)),
                agent.events());
    }

    @Test
    @Tag("S0-6")
    @Tag("S0-43")
    @DisplayName("a call that is too slow is told with its seconds")
    void aStepTimeoutIsToldWithItsSeconds() {
        AgentFixture agent =
                AgentFixture.with(ScriptedLlm.of(stalls(), says("so far")))
                        .timeout(null, Duration.ofMillis(200));

        assertEquals(new RunResult(StopReason.TIMEOUT, "so far", 0), agent.run("go"));
        assertEquals(
                List.of(new AgentEvent.LimitReached("timeout", "Step timeout (0.2s)")),
                agent.events(AgentEvent.LimitReached.class));
    }

    @Test
    @Tag("S1-20")
    @DisplayName("the limit of a call ends with it, and leaves the run's own untouched")
    void theLimitOfACallEndsWithIt() {
        FakeTime time = FakeTime.manual();
        ScriptedLlm.Turn slow =
                (request, cancellation) -> {
                    assertEquals(2, time.alarms(), "of the run and of the call");
                    time.advance(Duration.ofSeconds(9));
                    return CALL.apply(request, cancellation);
                };
        AgentFixture agent =
                AgentFixture.with(ScriptedLlm.of(slow, slow, slow, says("done")))
                        .tool(
                                new FakeTool(
                                        "look",
                                        Effect.PURE,
                                        (_, _) -> {
                                            assertEquals(1, time.alarms(), "of the run");
                                            return ToolResult.ok("at " + time.nanos());
                                        }))
                        .time(time)
                        .timeout(Duration.ofSeconds(40), Duration.ofSeconds(10));

        assertEquals(new RunResult(StopReason.LLM_DONE, "done", 4), agent.run("go"));
        assertEquals(0, time.alarms());
    }

    @Test
    @Tag("S0-13")
    @DisplayName("the seven reasons keep their names")
    void theSevenReasonsKeepTheirNames() {
        List<StopReason> seven =
                List.of(
                        StopReason.LLM_DONE,
                        StopReason.MAX_STEPS,
                        StopReason.BUDGET_EXCEEDED,
                        StopReason.CONTEXT_FULL,
                        StopReason.TIMEOUT,
                        StopReason.USER_INTERRUPT,
                        StopReason.LLM_ERROR);

        assertEquals(
                List.of(
                        "llm_done",
                        "max_steps",
                        "budget_exceeded",
                        "context_full",
                        "timeout",
                        "user_interrupt",
                        "llm_error"),
                seven.stream().map(StopReason::wireName).toList());
    }

    private static Watchdogs.Limits steps(int most) {
        return Watchdogs.Limits.of(most, Optional.empty(), Optional.empty());
    }
}
