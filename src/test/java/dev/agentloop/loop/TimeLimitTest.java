package dev.agentloop.loop;

import static dev.agentloop.testing.ScriptedLlm.calls;
import static dev.agentloop.testing.ScriptedLlm.says;
import static dev.agentloop.testing.ScriptedLlm.stalls;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.agentloop.control.Cancellation;
import dev.agentloop.control.Cause;
import dev.agentloop.event.AgentEvent;
import dev.agentloop.llm.Generation;
import dev.agentloop.loop.run.AnswerCheck;
import dev.agentloop.loop.run.FinalChecks;
import dev.agentloop.loop.run.LoopSettings;
import dev.agentloop.loop.run.RunResult;
import dev.agentloop.loop.run.StopReason;
import dev.agentloop.loop.run.Watchdogs;
import dev.agentloop.message.ToolResult;
import dev.agentloop.testing.AgentFixture;
import dev.agentloop.testing.FakeTime;
import dev.agentloop.testing.FakeTool;
import dev.agentloop.testing.ScriptedLlm;
import dev.agentloop.tool.Effect;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class TimeLimitTest {
    @Test
    @Tag("scenario-9")
    @Tag("E09")
    @DisplayName("a tool is stopped at the run's deadline, the summary follows")
    void aToolIsStoppedAtTheDeadline() {
        FakeTool slow =
                new FakeTool(
                        "slow",
                        Effect.OPAQUE,
                        (_, context) -> {
                            waitFor(context.cancellation());
                            return ToolResult.cancelled("stopped");
                        });
        ScriptedLlm llm = ScriptedLlm.of(calls("slow", "{\"path\":\"a\"}"), says("summary"));

        RunResult result =
                AgentFixture.with(llm).tool(slow).timeout(Duration.ofMillis(300), null).run("go");

        assertEquals(new RunResult(StopReason.TIMEOUT, "summary", 1), result);
    }

    @Test
    @DisplayName("four fifths of time and of steps are told once, the end comes later")
    void fourFifthsAreTold() {
        FakeTime time = FakeTime.auto();
        FakeTool slow =
                new FakeTool(
                        "slow",
                        Effect.PURE,
                        (_, context) -> {
                            time.sleep(Duration.ofSeconds(12), context.cancellation());
                            return ToolResult.ok("at " + time.nanos());
                        });
        ScriptedLlm.Turn call = calls("slow", "{\"path\":\"a\"}");
        AgentFixture late =
                AgentFixture.with(ScriptedLlm.of(call, call, call, call, says("done")))
                        .tool(slow)
                        .time(time)
                        .timeout(Duration.ofMinutes(1), null);
        assertEquals(StopReason.LLM_DONE, late.run("go").stopReason());
        assertEquals(
                List.of(new AgentEvent.Warning("80 % of the time are over")),
                late.events(AgentEvent.Warning.class));

        ScriptedLlm.Turn[] turns = new ScriptedLlm.Turn[11];
        Arrays.fill(turns, call);
        turns[10] = says("summary");
        AgentFixture many =
                AgentFixture.with(ScriptedLlm.of(turns)).tool(slow).time(time).maxSteps(10);
        assertEquals(StopReason.MAX_STEPS, many.run("go").stopReason());
        assertEquals(
                List.of(new AgentEvent.Warning("80 % of the steps are used: 8 of 10")),
                many.events(AgentEvent.Warning.class));
    }

    @Test
    @DisplayName("four fifths of the time are told although one call runs up to the deadline")
    void fourFifthsAreToldBehindALongCall() {
        FakeTime time = FakeTime.auto();
        FakeTool slow =
                new FakeTool(
                        "slow",
                        Effect.PURE,
                        (_, context) -> {
                            time.sleep(Duration.ofSeconds(70), context.cancellation());
                            return ToolResult.cancelled("stopped");
                        });
        AgentFixture agent =
                AgentFixture.with(ScriptedLlm.of(calls("slow", "{\"path\":\"a\"}"), says("cut")))
                        .tool(slow)
                        .time(time)
                        .timeout(Duration.ofMinutes(1), null);

        assertEquals(StopReason.TIMEOUT, agent.run("go").stopReason());
        assertEquals(
                List.of(new AgentEvent.Warning("80 % of the time are over")),
                agent.events(AgentEvent.Warning.class));
    }

    @Test
    @DisplayName("An alarm tells nobody anything: who is told may block the thread of all alarms")
    void anAlarmTellsNobody() {
        FakeTime time = FakeTime.auto(); // rings on the thread that sleeps: that of the tool
        FakeTool slow =
                new FakeTool(
                        "slow",
                        Effect.PURE,
                        (_, context) -> {
                            time.sleep(Duration.ofSeconds(50), context.cancellation());
                            return ToolResult.ok("");
                        });
        AtomicReference<Thread> told = new AtomicReference<>();
        AgentFixture agent =
                AgentFixture.with(ScriptedLlm.of(calls("slow", "{\"path\":\"a\"}"), says("done")))
                        .tool(slow)
                        .time(time)
                        .hearing(event -> {
                            if (event instanceof AgentEvent.Warning) {
                                told.set(Thread.currentThread());
                            }
                        })
                        .timeout(Duration.ofMinutes(1), null);

        assertEquals(StopReason.LLM_DONE, agent.run("go").stopReason());
        assertSame(Thread.currentThread(), told.get());
    }

    @Test
    @Tag("scenario-10")
    @DisplayName("a model call longer than the step limit ends in a timeout")
    void aStallingModelIsCutAtTheStepLimit() {
        ScriptedLlm llm = ScriptedLlm.of(stalls(), says("summary"));

        RunResult result = AgentFixture.with(llm).timeout(null, Duration.ofMillis(300)).run("go");

        assertEquals(new RunResult(StopReason.TIMEOUT, "summary", 0), result);
    }

    @Test
    @Tag("E10")
    @DisplayName("a closing call that stalls as well is cut at its reserve")
    void aStallingClosingCallIsCut() {
        ScriptedLlm llm = ScriptedLlm.of(stalls(), stalls());

        RunResult result = AgentFixture.with(llm).timeout(Duration.ofMillis(300), null).run("go");

        assertEquals(new RunResult(StopReason.TIMEOUT, "The agent stopped (timeout).", 0), result);
    }

    @Test
    @Tag("C01")
    @DisplayName("a signal during a model call ends the run without another call")
    void aSignalDuringACallEndsTheRun() {
        AgentFixture[] agent = new AgentFixture[1];
        ScriptedLlm llm =
                ScriptedLlm.of((request, cancellation) -> {
                    agent[0].interrupts().cancel(new Cause.Interrupt("TERM"));
                    return stalls().apply(request, cancellation);
                });
        agent[0] = AgentFixture.with(llm);

        assertEquals(StopReason.USER_INTERRUPT, agent[0].run("go").stopReason());
        assertEquals(1, llm.requests().size());
    }

    @Test
    @Tag("C05")
    @DisplayName("a signal during the closing call wins over the limit that caused it")
    void aSignalDuringTheClosingCallWins() {
        AgentFixture[] agent = new AgentFixture[1];
        ScriptedLlm llm =
                ScriptedLlm.of((request, cancellation) -> {
                    agent[0].interrupts().cancel(new Cause.Interrupt("INT"));
                    return stalls().apply(request, cancellation);
                });
        agent[0] = AgentFixture.with(llm).maxSteps(0);

        assertEquals(StopReason.USER_INTERRUPT, agent[0].run("go").stopReason());
    }

    @Test
    void theReserveOfALongRunIsPartOfItsTimeout() {
        assertEquals(Duration.ofSeconds(20), reserve(Duration.ofMinutes(30)));
        assertEquals(Duration.ofSeconds(6), reserve(Duration.ofMinutes(1)));
        assertEquals(Duration.ZERO, reserve(Duration.ofSeconds(5)));
    }

    private static Duration reserve(Duration timeout) {
        Watchdogs.Limits limits = Watchdogs.Limits.of(1, Optional.of(timeout), Optional.empty());
        return new LoopSettings(
                        limits,
                        3,
                        0,
                        true,
                        Generation.DEFAULT,
                        AnswerCheck.ANY,
                        FinalChecks.NONE,
                        () -> false)
                .closeReserve();
    }

    private static void waitFor(Cancellation cancellation) {
        try {
            if (!cancellation.await(20_000)) {
                throw new AssertionError("nobody stopped the call");
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
