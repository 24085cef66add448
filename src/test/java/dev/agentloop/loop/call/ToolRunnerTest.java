package dev.agentloop.loop.call;

import static dev.agentloop.testing.ScriptedLlm.calls;
import static dev.agentloop.testing.ScriptedLlm.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.event.RunSummary;
import dev.agentloop.hook.HookReport;
import dev.agentloop.loop.run.RunResult;
import dev.agentloop.loop.run.StopReason;
import dev.agentloop.message.FileChange;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolResult;
import dev.agentloop.permission.Approver;
import dev.agentloop.permission.ConfirmPreset;
import dev.agentloop.testing.AgentFixture;
import dev.agentloop.testing.FakeTool;
import dev.agentloop.testing.MemoryJournal;
import dev.agentloop.testing.ScriptedLlm;
import dev.agentloop.tool.Effect;
import dev.agentloop.tool.ToolException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ToolRunnerTest {
    @Test
    @Tag("scenario-21")
    void resultsKeepTheOrderOfTheCalls() {
        CountDownLatch fastDone = new CountDownLatch(1);
        FakeTool read =
                new FakeTool(
                        "read",
                        Effect.PURE,
                        (path, _) -> {
                            if (path.equals("slow")) {
                                await(fastDone);
                            } else {
                                fastDone.countDown();
                            }
                            return ToolResult.ok(path);
                        });

        assertEquals(List.of("slow", "fast"), texts(run(read, "slow", "fast")));
    }

    @Test
    @Tag("scenario-22")
    void aSensitiveCallMakesTheBatchSequential() {
        List<String> order = Collections.synchronizedList(new ArrayList<>());
        FakeTool read = recording("read", Effect.PURE, order);
        FakeTool write = recording("write", Effect.FILE, order);
        ScriptedLlm llm =
                ScriptedLlm.of(
                        calls("read", "{\"path\":\"a\"}", "write", "{\"path\":\"b\"}"),
                        says("done"));

        AgentFixture.with(llm)
                .tool(read)
                .tool(write)
                .confirming(ConfirmPreset.CONFIRM_SENSITIVE)
                .asking((_, _, _) -> new Approver.Answer.Yes())
                .run("go");

        assertEquals(List.of("+a", "-a", "+b", "-b"), order);
    }

    @Test
    @Tag("scenario-23")
    void atMostFourRunAtOnce() {
        AtomicInteger now = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CountDownLatch four = new CountDownLatch(4);
        FakeTool read =
                new FakeTool(
                        "read",
                        Effect.PURE,
                        (path, _) -> {
                            most.accumulateAndGet(now.incrementAndGet(), Math::max);
                            four.countDown();
                            await(four);
                            now.decrementAndGet();
                            return ToolResult.ok(path);
                        });

        assertEquals(6, run(read, "1", "2", "3", "4", "5", "6").size());
        assertEquals(4, most.get());
    }

    @Test
    @Tag("scenario-24")
    @Tag("B32")
    void editsOfOneFileKeepTheirOrder() {
        List<String> order = Collections.synchronizedList(new ArrayList<>());
        run(recording("edit", Effect.FILE, order), "a", "a", "a");

        assertEquals(List.of("+a", "-a", "+a", "-a", "+a", "-a"), order);
    }

    @ParameterizedTest
    @ValueSource(classes = {IllegalStateException.class, NoClassDefFoundError.class})
    @Tag("scenario-25")
    @Tag("E14")
    void oneFailureLeavesTheOthersAlone(Class<? extends Throwable> failure) {
        FakeTool read =
                new FakeTool(
                        "read",
                        Effect.PURE,
                        (path, _) -> {
                            if (path.equals("b")) {
                                throw broken(failure);
                            }
                            return ToolResult.ok(path);
                        });

        List<Message.Tool> results = run(read, "a", "b", "c");

        assertEquals("a", results.get(0).result().text());
        assertEquals(ToolResult.Kind.ERROR, results.get(1).result().kind());
        assertEquals("c", results.get(2).result().text());
    }

    private static RuntimeException broken(Class<? extends Throwable> failure) {
        if (Error.class.isAssignableFrom(failure)) {
            throw new NoClassDefFoundError("broken tool");
        }
        return new IllegalStateException("broken tool");
    }

    @Test
    @Tag("scenario-26")
    @Tag("A52")
    void anUnknownToolIsAnsweredWithTheNamesThereAre() {
        ScriptedLlm llm = ScriptedLlm.of(calls("Read", "{}"), says("done"));
        AgentFixture agent = AgentFixture.with(llm).tool(recording("read", Effect.PURE, null));

        assertEquals(StopReason.LLM_DONE, agent.run("go").stopReason());
        assertTrue(agent.results().getFirst().result().text().contains("read"));
    }

    @Test
    @Tag("scenario-27")
    @Tag("A51")
    void brokenArgumentsAreNeverRun() {
        for (String broken : List.of("{", "[]", "\"x\"", "", "{\"path\":\"a\",\"path\":\"b\"}")) {
            List<String> order = Collections.synchronizedList(new ArrayList<>());
            ScriptedLlm llm = ScriptedLlm.of(calls("read", broken), says("done"));
            AgentFixture agent = AgentFixture.with(llm).tool(recording("read", Effect.PURE, order));

            agent.run("go");

            assertEquals(List.of(), order, broken);
            assertEquals(ToolResult.Kind.ERROR, agent.results().getFirst().result().kind());
        }
    }

    @Test
    @Tag("scenario-28")
    void aRetryHintReachesTheModel() {
        FakeTool read =
                new FakeTool(
                        "read",
                        Effect.PURE,
                        (_, _) -> {
                            throw ToolException.retry("use the ISO code");
                        });

        ToolResult result = run(read, "Spain").getFirst().result();

        assertEquals(ToolResult.of(ToolResult.Kind.RETRY_HINT, "use the ISO code"), result);
        assertTrue(result.isError());
    }

    @Test
    @Tag("scenario-33")
    void hookWordsReachTheModel() {
        ScriptedLlm llm = ScriptedLlm.of(calls("edit", "{\"path\":\"a.py\"}"), says("done"));
        AgentFixture agent =
                AgentFixture.with(llm)
                        .tool(editing())
                        .hooks((path, _) -> List.of(report(path, 1, "a.py:45: E302")));

        agent.run("go");

        ToolResult result = agent.results().getFirst().result();
        assertEquals("edited\n\n[Hook lint: FAILED exit 1]\na.py:45: E302", result.text());
        assertFalse(result.isError());
        assertEquals(
                List.of(new RunSummary.HookUse("lint", "post_edit", 1, Duration.ofMillis(5))),
                agent.tally().hooks());
    }

    @Test
    @Tag("S0-25")
    void noHookRunsAfterAFailedEdit() {
        FakeTool failing =
                new FakeTool("edit", Effect.FILE, (_, _) -> ToolResult.error("no match"));
        ScriptedLlm llm = ScriptedLlm.of(calls("edit", "{\"path\":\"a\"}"), says("done"));
        AgentFixture agent =
                AgentFixture.with(llm)
                        .tool(failing)
                        .hooks((_, _) -> {
                            throw new AssertionError("hook ran");
                        });

        agent.run("go");

        assertEquals(ToolResult.error("no match"), agent.results().getFirst().result());
    }

    @Test
    @Tag("scenario-35")
    @Tag("scenario-42")
    void aDeniedCallTellsTheReason() {
        ScriptedLlm llm = ScriptedLlm.of(calls("edit", "{\"path\":\".env\"}"), says("left alone"));
        AgentFixture agent = AgentFixture.with(llm).tool(editing()).denying("edit(**.env)");

        assertEquals(StopReason.LLM_DONE, agent.run("go").stopReason());
        assertEquals(
                ToolResult.denied("Not allowed: the rule edit(**.env) says so"),
                agent.results().getFirst().result());
        assertEquals("edit(**.env)", agent.tally().denials().getFirst().rule());
    }

    @Test
    @Tag("scenario-44")
    void aQuestionWithoutATerminalIsADenial() {
        ScriptedLlm llm = ScriptedLlm.of(calls("edit", "{\"path\":\"a\"}"), says("done"));
        AgentFixture agent =
                AgentFixture.with(llm).tool(editing()).confirming(ConfirmPreset.CONFIRM_SENSITIVE);

        assertEquals(StopReason.LLM_DONE, agent.run("go").stopReason());
        ToolResult result = agent.results().getFirst().result();
        assertEquals(ToolResult.Kind.DENIED, result.kind());
        assertTrue(result.text().contains("--allow 'edit(PATTERN)'"), result.text());
    }

    @Test
    void anAbortEndsTheRunAtOnce() {
        ScriptedLlm llm = ScriptedLlm.of(calls("edit", "{\"path\":\"a\"}"));
        AgentFixture agent =
                AgentFixture.with(llm)
                        .tool(editing())
                        .confirming(ConfirmPreset.CONFIRM_ALL)
                        .asking((_, _, _) -> new Approver.Answer.Abort());

        assertEquals(StopReason.USER_INTERRUPT, agent.run("go").stopReason());
    }

    @Test
    @Tag("scenario-83")
    void aDryRunOnlyRecords() {
        List<String> order = Collections.synchronizedList(new ArrayList<>());
        AgentFixture agent =
                recording(order, calls("read", "{\"path\":\"a\"}", "edit", "{\"path\":\"b\"}"))
                        .confirming(ConfirmPreset.CONFIRM_SENSITIVE)
                        .tools(new ToolSettings(true, 4, 32, true));

        assertEquals(StopReason.LLM_DONE, agent.run("go").stopReason());
        assertEquals(List.of("+a", "-a"), order);
        assertEquals(List.of("edit b"), agent.run().planned());
    }

    @Test
    @Tag("C36")
    void withoutAJournalNothingIsChanged() {
        List<String> order = Collections.synchronizedList(new ArrayList<>());
        AgentFixture agent =
                recording(order, calls("read", "{\"path\":\"a\"}", "edit", "{\"path\":\"b\"}"))
                        .journal(new MemoryJournal().failingAfter(1));

        RunResult result = agent.run("go");

        assertEquals(List.of("+a", "-a"), order);
        assertEquals(ToolResult.Kind.DENIED, agent.results().get(1).result().kind());
        assertEquals(StopReason.SESSION_ERROR, result.stopReason(), "done, says the model");
        assertEquals("done", result.text());
        String told = agent.tally().problems().getFirst().message();
        assertTrue(told.contains("edit b"), told);
    }

    @Test
    @Tag("C36")
    void withoutItsIntentNothingIsChanged() {
        List<String> order = Collections.synchronizedList(new ArrayList<>());
        AgentFixture agent =
                recording(order, calls("edit", "{\"path\":\"b\"}"))
                        .journal(new MemoryJournal().failingAfter(3)); // the request, the reply, it

        agent.run("go");

        assertEquals(List.of(), order);
        assertEquals(ToolResult.Kind.DENIED, agent.results().getFirst().result().kind());
    }

    @Test
    @Tag("A54")
    void callsBeyondTheLimitOfOneReplyAreAnsweredWithAnError() {
        List<String> order = Collections.synchronizedList(new ArrayList<>());
        AgentFixture agent =
                recording(order, calls("read", "{\"path\":\"a\"}", "read", "{\"path\":\"b\"}"))
                        .tools(new ToolSettings(true, 4, 1, false));

        agent.run("go");

        assertEquals(ToolResult.Kind.OK, agent.results().get(0).result().kind());
        assertEquals(ToolResult.Kind.ERROR, agent.results().get(1).result().kind());
    }

    @Test
    @Tag("C21")
    void theIntentIsOnRecordFirst() {
        AgentFixture[] agent = new AgentFixture[1];
        FakeTool edit =
                new FakeTool(
                        "edit",
                        Effect.FILE,
                        (_, _) -> ToolResult.ok(String.join(",", agent[0].journal().types())));
        ScriptedLlm llm = ScriptedLlm.of(calls("edit", "{\"path\":\"a\"}"), says("done"));
        agent[0] = AgentFixture.with(llm).tool(edit);

        agent[0].run("go");

        assertEquals(
                "llm_req,llm_resp,decision,intent", agent[0].results().getFirst().result().text());
    }

    private static FakeTool editing() {
        return new FakeTool(
                "edit",
                Effect.FILE,
                (path, _) ->
                        ToolResult.ok("edited")
                                .withChanges(
                                        List.of(
                                                new FileChange(
                                                        path, FileChange.Kind.MODIFIED, 1, 1))));
    }

    private static HookReport report(String path, int exitCode, String output) {
        return new HookReport("lint", path, exitCode, Duration.ofMillis(5), output);
    }

    /** A model that wants this and is done, and the two tools that it has. */
    private static AgentFixture recording(List<String> order, ScriptedLlm.Turn wanted) {
        return AgentFixture.with(ScriptedLlm.of(wanted, says("done")))
                .tool(recording("read", Effect.PURE, order))
                .tool(recording("edit", Effect.FILE, order));
    }

    private static FakeTool recording(String name, Effect effect, List<String> order) {
        return new FakeTool(
                name,
                effect,
                (path, _) -> {
                    if (order != null) {
                        order.add("+" + path);
                        Thread.onSpinWait();
                        order.add("-" + path);
                    }
                    return ToolResult.ok(path);
                });
    }

    private static List<Message.Tool> run(FakeTool tool, String... paths) {
        String[] pairs = new String[paths.length * 2];
        for (int i = 0; i < paths.length; i++) {
            pairs[2 * i] = tool.spec().name();
            pairs[2 * i + 1] = "{\"path\":\"" + paths[i] + "\"}";
        }
        AgentFixture agent =
                AgentFixture.with(ScriptedLlm.of(calls(pairs), says("done"))).tool(tool);
        assertEquals(StopReason.LLM_DONE, agent.run("go").stopReason());
        return agent.results();
    }

    private static List<String> texts(List<Message.Tool> results) {
        return results.stream().map(result -> result.result().text()).toList();
    }

    private static void await(CountDownLatch latch) {
        try {
            if (!latch.await(20, TimeUnit.SECONDS)) {
                throw new AssertionError("the other calls never came");
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
