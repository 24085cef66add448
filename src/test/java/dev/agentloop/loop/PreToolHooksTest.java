package dev.agentloop.loop;

import static dev.agentloop.testing.ScriptedLlm.calls;
import static dev.agentloop.testing.ScriptedLlm.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.event.AgentEvent;
import dev.agentloop.event.RunSummary;
import dev.agentloop.hook.Hook;
import dev.agentloop.hook.HookEvent;
import dev.agentloop.hook.HookOutcome;
import dev.agentloop.hook.HookPoint;
import dev.agentloop.loop.run.RunResult;
import dev.agentloop.loop.run.StopReason;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolResult;
import dev.agentloop.permission.ConfirmPreset;
import dev.agentloop.testing.AgentFixture;
import dev.agentloop.testing.FakeTool;
import dev.agentloop.testing.ScriptedLlm;
import dev.agentloop.tool.Effect;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class PreToolHooksTest {
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

    @Test
    @Tag("scenario-29")
    @DisplayName("a hook denies; the tool never runs, its call has one error result")
    void aDeniedCallIsAnsweredAndNotRun() {
        before(_ -> new HookOutcome.Deny("not on Sundays"));

        fixture.run("go");

        assertEquals(List.of(), ran);
        assertEquals(List.of("DENIED Not allowed: not on Sundays"), results());
        assertEquals(
                List.of(new RunSummary.Denial("edit", "hooks.pre_tool(h)", "not on Sundays")),
                fixture.tally().denials());
    }

    @Test
    @Tag("scenario-70")
    @DisplayName("Skip is an error result with the reason, and no denial")
    void aSkippedCallHasItsReason() {
        before(_ -> new HookOutcome.Skip("it is there already"));

        fixture.run("go");

        assertEquals(List.of(), ran);
        assertEquals(
                List.of("SKIPPED Not run, a hook left it out: it is there already"), results());
        assertTrue(fixture.results().getFirst().result().isError());
        assertEquals(List.of(), fixture.tally().denials());
    }

    @Test
    @Tag("scenario-32")
    @Tag("C27")
    @DisplayName("the first hook that denies is the last that is asked")
    void theFirstDenialWins() {
        List<String> asked = new ArrayList<>();
        for (String name : List.of("first", "second")) {
            fixture.bus()
                    .deciding(
                            name,
                            Set.of(HookPoint.PRE_TOOL),
                            _ -> {
                                asked.add(name);
                                return new HookOutcome.Deny(name);
                            });
        }

        fixture.run("go");

        assertEquals(List.of("first"), asked);
        assertEquals(List.of("DENIED Not allowed: first"), results());
    }

    @Test
    @Tag("B42")
    @DisplayName("no hook is asked about what a rule denies; what it would say changes nothing")
    void noHookOverrulesADenial() {
        List<HookEvent> asked = new ArrayList<>();
        before(event -> {
            asked.add(event);
            return new HookOutcome.Rewrite("{\"path\":\"b\"}", "");
        });

        fixture.denying("edit(a)").run("go");

        assertEquals(List.of(), ran);
        assertEquals(List.of(), asked);
    }

    @Test
    @Tag("B42")
    @Tag("scenario-30")
    @DisplayName("arguments that a hook writes are judged by the policy again")
    void rewrittenArgumentsAreJudged() {
        before(_ -> new HookOutcome.Rewrite("{\"path\":\"secret\"}", ""));

        fixture.denying("edit(secret)").run("go");

        assertEquals(List.of(), ran);
        assertTrue(results().getFirst().startsWith("DENIED "), results()::toString);
        assertEquals("edit(secret)", fixture.tally().denials().getFirst().rule());
    }

    @Test
    @Tag("B42")
    @DisplayName("arguments that a hook writes must be valid")
    void rewrittenArgumentsAreValidated() {
        before(_ -> new HookOutcome.Rewrite("{\"path\":7,\"no\":1}", ""));

        fixture.run("go");

        assertEquals(List.of(), ran);
        assertTrue(
                results()
                        .getFirst()
                        .startsWith(
                                "DENIED Not allowed: the arguments that the hook wrote cannot be"
                                        + " used:"),
                results()::toString);
    }

    @Test
    @Tag("C27")
    @DisplayName("rewrites compose; the model reads with what its call ran")
    void rewritesCompose() {
        before(event -> longer(event));
        fixture.bus().deciding("again", Set.of(HookPoint.PRE_TOOL), event -> longer(event));

        fixture.run("go");

        assertEquals(List.of("axx"), ran);
        assertTrue(
                results()
                        .getFirst()
                        .endsWith(
                                "[Hook again]\nIt changed the arguments to:"
                                        + " {\"path\":\"axx\"}"),
                results()::toString);
        assertEquals(
                "{\"path\":\"axx\"}",
                fixture.events(AgentEvent.ToolStarted.class).getFirst().call().arguments());
    }

    private static HookOutcome longer(HookEvent event) {
        String arguments = ((HookEvent.ToolReady) event).call().arguments();
        return new HookOutcome.Rewrite(arguments.replace("\"}", "x\"}"), "");
    }

    @Test
    @Tag("C36")
    @DisplayName("a hook that asks makes a question of what was allowed; nobody there: denied")
    void askingWithoutATerminalDenies() {
        before(_ -> new HookOutcome.Ask("it looks odd"));

        fixture.confirming(ConfirmPreset.YOLO).run("go");

        assertEquals(List.of(), ran);
        assertTrue(
                results().getFirst().contains("needs approval (hooks.pre_tool(h))"),
                results()::toString);
    }

    @Test
    @Tag("scenario-31")
    @Tag("C28")
    @DisplayName("a hook that throws before a call has denied it")
    void aFailingHookDenies() {
        before(_ -> {
            throw new IllegalStateException("broken");
        });

        fixture.run("go");

        assertEquals(List.of(), ran);
        assertEquals(
                List.of(
                        "DENIED Not allowed: the hook h failed: java.lang.IllegalStateException:"
                                + " broken"),
                results());
    }

    @Test
    @Tag("C28")
    @DisplayName("an outcome that means nothing before a call has denied it")
    void aMeaninglessOutcomeDenies() {
        before(_ -> new HookOutcome.Inject("hello"));

        fixture.run("go");

        assertEquals(List.of(), ran);
        assertTrue(results().getFirst().contains("it said Inject"), results()::toString);
    }

    @Test
    @Tag("S3-4")
    @DisplayName("hooks are asked before calls run side by side; each call has one result")
    void parallelCallsAreAskedAboutFirst() {
        List<String> order = Collections.synchronizedList(new ArrayList<>());
        ScriptedLlm three =
                ScriptedLlm.of(
                        calls(
                                "read", "{\"path\":\"a\"}",
                                "read", "{\"path\":\"b\"}",
                                "read", "{\"path\":\"c\"}"),
                        says("ok"));
        CyclicBarrier both = new CyclicBarrier(2);
        AgentFixture parallel =
                AgentFixture.with(three)
                        .tool(
                                new FakeTool(
                                        "read",
                                        Effect.PURE,
                                        (path, _) -> {
                                            order.add("run");
                                            meet(both);
                                            return ToolResult.ok(path);
                                        }));
        parallel.bus()
                .deciding(
                        "h",
                        Set.of(HookPoint.PRE_TOOL),
                        event -> {
                            String arguments = ((HookEvent.ToolReady) event).call().arguments();
                            order.add("ask");
                            return arguments.contains("b")
                                    ? new HookOutcome.Deny("not b")
                                    : HookOutcome.goOn();
                        });

        parallel.run("go");

        assertEquals(List.of("ask", "ask", "ask", "run", "run"), order);
        assertEquals(
                List.of("a", "Not allowed: not b", "c"),
                parallel.results().stream().map(each -> each.result().text()).toList());
    }

    @Test
    @Tag("scenario-69")
    @Tag("S3-4")
    @DisplayName("Terminate about one of three calls; none runs, each is answered")
    void terminateAboutOneOfThree() {
        ScriptedLlm three =
                ScriptedLlm.of(
                        calls(
                                "read", "{\"path\":\"a\"}",
                                "read", "{\"path\":\"b\"}",
                                "read", "{\"path\":\"c\"}"),
                        says("never"));
        AgentFixture parallel = AgentFixture.with(three).tool(tool("read", Effect.PURE));
        parallel.bus()
                .deciding(
                        "h",
                        Set.of(HookPoint.PRE_TOOL),
                        event ->
                                event.toString().contains("\"b\"")
                                        ? new HookOutcome.Terminate("not b")
                                        : HookOutcome.goOn());

        RunResult result = parallel.run("go");

        assertEquals(StopReason.HOOK_TERMINATED, result.stopReason());
        assertEquals(List.of(), ran);
        assertEquals(
                List.of("call_2_0", "call_2_1", "call_2_2"),
                parallel.results().stream().map(Message.Tool::callId).toList());
        assertTrue(
                parallel.results().stream()
                        .allMatch(each -> each.result().kind() == ToolResult.Kind.CANCELLED));
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await(20, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private void before(Hook hook) {
        fixture.bus().deciding("h", Set.of(HookPoint.PRE_TOOL), hook);
    }

    private List<String> results() {
        return fixture.results().stream()
                .map(Message.Tool::result)
                .map(result -> result.kind() + " " + result.text())
                .toList();
    }
}
