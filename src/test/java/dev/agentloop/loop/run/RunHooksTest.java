package dev.agentloop.loop.run;

import static dev.agentloop.testing.ScriptedLlm.calls;
import static dev.agentloop.testing.ScriptedLlm.counting;
import static dev.agentloop.testing.ScriptedLlm.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.control.Cancellation;
import dev.agentloop.control.Cause;
import dev.agentloop.control.SystemTime;
import dev.agentloop.event.AgentEvent;
import dev.agentloop.hook.HookBus;
import dev.agentloop.hook.HookEvent;
import dev.agentloop.hook.HookOutcome;
import dev.agentloop.hook.HookPoint;
import dev.agentloop.hook.StepHooks;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolResult;
import dev.agentloop.testing.AgentFixture;
import dev.agentloop.testing.FakeTool;
import dev.agentloop.testing.MemoryJournal;
import dev.agentloop.testing.ScriptedLlm;
import dev.agentloop.tool.Effect;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
final class RunHooksTest {
    private final List<String> ran = Collections.synchronizedList(new ArrayList<>());
    private final ScriptedLlm llm =
            ScriptedLlm.of(calls("edit", "{\"path\":\"a\"}"), says("Done."));
    private final AgentFixture fixture = AgentFixture.with(llm).tool(tool("edit", Effect.FILE));

    private FakeTool tool(String name, Effect effect) {
        return new FakeTool(
                name,
                effect,
                (path, _) -> {
                    ran.add(path);
                    return ToolResult.ok("did " + path);
                });
    }

    @ParameterizedTest
    @EnumSource(
            value = HookPoint.class,
            names = {"ITERATION", "PRE_LLM", "POST_LLM", "PRE_TOOL", "POST_TOOL", "STEP_END"})
    @Tag("scenario-69")
    @Tag("C30")
    @DisplayName("Terminate ends the run at each moment, with its reason")
    void terminateEndsTheRun(HookPoint point) {
        fixture.bus()
                .deciding("h", Set.of(point), _ -> new HookOutcome.Terminate("enough is enough"));

        RunResult result = fixture.run("go");

        assertEquals(StopReason.HOOK_TERMINATED, result.stopReason());
        assertEquals(Status.PARTIAL, result.status());
        assertEquals("Stopped by the hook h: enough is enough", result.text());
        boolean asked = point != HookPoint.ITERATION && point != HookPoint.PRE_LLM;
        assertEquals(asked ? 1 : 0, llm.requests().size(), "no closing call, no further step");
        boolean run = point == HookPoint.POST_TOOL || point == HookPoint.STEP_END;
        assertEquals(run ? List.of("a") : List.of(), ran);
        assertEquals(asked ? 1 : 0, fixture.results().size());
        assertEquals(
                List.of("hook_terminated"),
                fixture.events(AgentEvent.LimitReached.class).stream()
                        .map(AgentEvent.LimitReached::reason)
                        .toList());
    }

    @Test
    @Tag("scenario-69")
    @Tag("S4-6")
    @DisplayName("COMPACT makes the history shorter; Terminate there sends nothing more")
    void terminateAtACompaction() {
        ScriptedLlm.Turn edits = calls("edit", "{\"path\":\"" + "long ".repeat(1_000) + "\"}");
        ScriptedLlm busy = ScriptedLlm.of(edits, edits, says("Two edits."), says("never"));
        AgentFixture small = AgentFixture.with(busy).tool(tool("edit", Effect.FILE));
        small.bus()
                .deciding(
                        "h",
                        Set.of(HookPoint.COMPACTION),
                        _ -> new HookOutcome.Terminate("keep all or stop"))
                .deciding("c", Set.of(HookPoint.ITERATION), StepHooks.autoCompact(1_000));

        RunResult result = small.run("go");

        assertEquals(3, busy.requests().size(), "two steps and a summary");
        assertEquals(1, small.events(AgentEvent.ContextCompacted.class).size());
        assertEquals(StopReason.HOOK_TERMINATED, result.stopReason(), result::toString);
    }

    @Test
    @Tag("S2-19")
    @DisplayName("a hook ends the run when a reply was too long; its answer is kept")
    void aReplyThatIsTooLongEndsTheRun() {
        AgentFixture answering = AgentFixture.with(ScriptedLlm.of(says("All done.")));
        answering
                .bus()
                .deciding(
                        "budget",
                        Set.of(HookPoint.POST_LLM),
                        event ->
                                ((HookEvent.Replied) event).usage().output() > 5
                                        ? new HookOutcome.Terminate("token budget exceeded")
                                        : HookOutcome.goOn());

        RunResult result = answering.run("go");

        assertEquals(new RunResult(StopReason.HOOK_TERMINATED, "All done.", 1), result);
        assertEquals(
                "Stopped by the hook budget: token budget exceeded",
                answering.tally().problems().getLast().message());
    }

    @Test
    @Tag("scenario-71")
    @Tag("S3-5")
    @DisplayName("observers run side by side; one that throws changes nothing")
    void observersCannotHarmTheRun() {
        CyclicBarrier both = new CyclicBarrier(2);
        fixture.bus()
                .observing("a", EnumSet.allOf(HookPoint.class), event -> meetOnce(both, event))
                .observing("b", EnumSet.allOf(HookPoint.class), event -> meetOnce(both, event))
                .observing(
                        "bad",
                        EnumSet.allOf(HookPoint.class),
                        _ -> {
                            throw new AssertionError(new IllegalStateException("metrics are down"));
                        });

        RunResult result = fixture.run("go");

        assertEquals(new RunResult(StopReason.LLM_DONE, "Done.", 2), result);
        assertEquals(List.of("a"), ran);
        assertTrue(
                fixture.tally().warnings().getFirst().startsWith("the hook bad (session_start)"),
                fixture.tally().warnings()::toString);
        assertFalse(fixture.tally().warnings().toString().contains("hook a "));
    }

    private static void meetOnce(CyclicBarrier barrier, HookEvent event) {
        if (event.point() == HookPoint.SESSION_START) {
            meet(barrier);
        }
    }

    @Test
    @Tag("C26")
    @Tag("C44")
    @DisplayName("each moment is heard once and in order; the end is heard, however it came")
    void theMomentsOfARun() {
        List<HookPoint> heard = Collections.synchronizedList(new ArrayList<>());
        fixture.bus()
                .observing("all", Arrays.asList(HookPoint.values()), e -> heard.add(e.point()));

        fixture.run("go");

        assertEquals(
                List.of(
                        HookPoint.SESSION_START,
                        HookPoint.ITERATION,
                        HookPoint.PRE_LLM,
                        HookPoint.POST_LLM,
                        HookPoint.PRE_TOOL,
                        HookPoint.POST_TOOL,
                        HookPoint.STEP_END,
                        HookPoint.ITERATION,
                        HookPoint.PRE_LLM,
                        HookPoint.POST_LLM,
                        HookPoint.AGENT_DONE,
                        HookPoint.SESSION_END),
                heard);
    }

    @Test
    @Tag("C44")
    @DisplayName("session_end and error are heard of a run that fails")
    void theEndOfAFailedRunIsHeard() {
        List<HookEvent> heard = Collections.synchronizedList(new ArrayList<>());
        AgentFixture failing =
                AgentFixture.with(
                        ScriptedLlm.of(
                                ScriptedLlm.fails(
                                        new dev.agentloop.llm.LlmException.BadRequest("no"))));
        failing.bus().observing("e", Set.of(HookPoint.ERROR, HookPoint.SESSION_END), heard::add);

        RunResult result = failing.run("go");

        assertEquals(
                List.of(
                        new HookEvent.Broken("bad_request", "no"),
                        new HookEvent.SessionEnded("llm_error", result.text(), 0)),
                heard);
    }

    @Test
    @Tag("S4-6")
    @DisplayName("INJECT_MESSAGE before and after a turn is in the next request")
    void injectedMessagesAreSent() {
        fixture.bus()
                .deciding("plan", Set.of(HookPoint.ITERATION), StepHooks.reminder("Only plan."))
                .deciding(
                        "after",
                        Set.of(HookPoint.STEP_END),
                        _ -> new HookOutcome.Inject("Go on quickly."));

        fixture.run("go");

        assertEquals(List.of("go", "[Hook plan] Only plan."), said(0));
        assertEquals(
                List.of("go", "[Hook plan] Only plan.", "[Hook after] Go on quickly."), said(1));
    }

    @Test
    @Tag("S4-6")
    @Tag("S4-7")
    @DisplayName("limits of turns and of money stop; the price counts what is spent")
    void stepAndPriceLimits() {
        fixture.bus().deciding("turns", Set.of(HookPoint.ITERATION), StepHooks.stepLimit(1));
        assertEquals(
                "Stopped by the hook turns: step limit of 1 reached", fixture.run("go").text());

        AgentFixture dear =
                AgentFixture.with(ScriptedLlm.of(calls("edit", "{\"path\":\"a\"}"), says("never")))
                        .tool(tool("edit", Effect.FILE))
                        .budget("100", "1000");
        dear.bus()
                .deciding(
                        "price",
                        Set.of(HookPoint.ITERATION),
                        StepHooks.priceLimit(new BigDecimal("0.1")));
        assertEquals(
                "Stopped by the hook price: price limit exceeded: $0.11 of $0.1",
                dear.run("go").text().replaceAll("(0\\.11)0*", "$1"));
    }

    @Test
    @Tag("S4-6")
    @DisplayName("a context warning is given once")
    void aContextWarningIsGivenOnce() {
        fixture.bus()
                .deciding(
                        "context", Set.of(HookPoint.ITERATION), StepHooks.contextWarning(20, 0.5));

        fixture.run("go " + "word ".repeat(20));

        assertEquals(2, said(0).size());
        assertTrue(said(0).getLast().startsWith("[Hook context] The context is "));
        assertEquals(said(0), said(1));
    }

    @Test
    @DisplayName("Stop hooks: the model is sent back to work three times, then the run is partial")
    void theModelIsSentBackToWork() {
        AgentFixture stubborn =
                AgentFixture.with(ScriptedLlm.of(says("1"), says("2"), says("3"), says("4")));
        stubborn.bus()
                .deciding(
                        "tests", Set.of(HookPoint.AGENT_DONE), _ -> new HookOutcome.Inject("red"));

        RunResult result = stubborn.run("go");

        assertEquals(new RunResult(StopReason.LLM_DONE, "4", 4, List.of("agent_done")), result);
        assertEquals(Status.PARTIAL, result.status());
    }

    @Test
    @Tag("C4")
    @DisplayName("a signal while a hook looks at the answer is a signal, not an answer")
    void aSignalDuringTheLastHook() {
        AgentFixture cut = AgentFixture.with(ScriptedLlm.of(says("1")));
        cut.bus()
                .deciding(
                        "slow",
                        Set.of(HookPoint.AGENT_DONE),
                        _ -> {
                            cut.interrupts().cancel(new Cause.Interrupt("INT"));
                            return new HookOutcome.Continue("");
                        });

        assertEquals(StopReason.USER_INTERRUPT, cut.run("go").stopReason());
    }

    @Test
    @Tag("C26")
    @DisplayName("the budget's warning is heard once, from 80 % on")
    void theBudgetWarningIsHeardOnce() {
        List<HookEvent> heard = Collections.synchronizedList(new ArrayList<>());
        ScriptedLlm.Turn dear = counting(calls("edit", "{\"path\":\"a\"}"), 2_000, 80_000);
        AgentFixture spending =
                AgentFixture.with(ScriptedLlm.of(dear, says("Done.")))
                        .tool(tool("edit", Effect.FILE))
                        .budget("0.10", "1");
        spending.bus().observing("b", Set.of(HookPoint.BUDGET_WARNING), heard::add);

        spending.run("go");

        assertEquals(1, heard.size(), heard::toString);
        BigDecimal spent = ((HookEvent.BudgetLow) heard.getFirst()).usd();
        assertEquals(0, new BigDecimal("0.082").compareTo(spent), heard::toString);
    }

    @Test
    @Tag("S3-2")
    @DisplayName("hooks amend the system prompt one after another; one that fails does not")
    void hooksAmendTheSystemPrompt() {
        HookBus bus =
                new HookBus()
                        .deciding("1", Set.of(HookPoint.PROMPT_BUILD), RunHooksTest::shouted)
                        .deciding(
                                "2",
                                Set.of(HookPoint.PROMPT_BUILD),
                                _ -> {
                                    throw new IllegalStateException("no");
                                })
                        .deciding(
                                "3",
                                Set.of(HookPoint.PROMPT_BUILD),
                                _ -> new HookOutcome.Continue("Be kind."));
        List<AgentEvent> events = new ArrayList<>();
        RunHooks hooks =
                new RunHooks(bus, new MemoryJournal(), events::add, new SystemTime(), text -> text);

        String prompt = hooks.prompt("You are a test.", new Cancellation());

        assertEquals("YOU ARE A TEST.\n\nBe kind.", prompt);
        assertEquals(List.of(), events, "nothing comes before the session has started");
    }

    private static HookOutcome shouted(HookEvent event) {
        String prompt = ((HookEvent.PromptBuilt) event).systemPrompt();
        return new HookOutcome.Amend(prompt.toUpperCase(Locale.ROOT));
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await(20, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** What the user has said in the n-th request. */
    private List<String> said(int request) {
        return llm.requests().get(request).messages().stream()
                .filter(Message.User.class::isInstance)
                .map(message -> ((Message.User) message).text().replaceAll(" (word ?)+$", ""))
                .toList();
    }
}
