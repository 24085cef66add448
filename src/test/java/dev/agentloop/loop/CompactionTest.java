package dev.agentloop.loop;

import static dev.agentloop.testing.ScriptedLlm.calls;
import static dev.agentloop.testing.ScriptedLlm.fails;
import static dev.agentloop.testing.ScriptedLlm.says;
import static dev.agentloop.testing.ScriptedLlm.stalls;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.control.Cause;
import dev.agentloop.event.AgentEvent;
import dev.agentloop.hook.HookEvent;
import dev.agentloop.hook.HookOutcome;
import dev.agentloop.hook.HookPoint;
import dev.agentloop.llm.LlmException;
import dev.agentloop.llm.LlmRequest;
import dev.agentloop.llm.PartialReply;
import dev.agentloop.llm.decorator.RetryingLlm;
import dev.agentloop.loop.run.StopReason;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolResult;
import dev.agentloop.message.Usage;
import dev.agentloop.session.JournalRecord;
import dev.agentloop.testing.AgentFixture;
import dev.agentloop.testing.FakeTime;
import dev.agentloop.testing.FakeTool;
import dev.agentloop.testing.ScriptedLlm;
import dev.agentloop.tool.Effect;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs whose history gets too long for the window. */
final class CompactionTest {
    private static final String WORDS = "I think. ".repeat(400);
    private static final FakeTool LOOK =
            new FakeTool("look", Effect.PURE, (_, _) -> ToolResult.ok("x".repeat(90)));

    /** Twelve steps in a window that nine fill to more than 75 %: one summary. */
    private static ScriptedLlm twelveSteps(ScriptedLlm.Turn summary) {
        return ScriptedLlm.always(new BusyModel(12, WORDS, summary));
    }

    /** Ten steps; the four that a compaction after the ninth keeps are the shortest. */
    private static ScriptedLlm fewWordsAtLast(ScriptedLlm.Turn summary) {
        return ScriptedLlm.always(
                new BusyModel(10, step -> "word ".repeat(step < 6 ? 1_380 : 180), summary));
    }

    private static AgentFixture agent(ScriptedLlm llm) {
        return AgentFixture.with(llm).tool(LOOK).context(15_000);
    }

    private static List<LlmRequest> forSummary(ScriptedLlm llm) {
        return llm.requests().stream().filter(BusyModel::isForSummary).toList();
    }

    @Test
    @Tag("scenario-56")
    @Tag("E06")
    @DisplayName("old steps are summed up; the words are for nobody to see")
    void summary() {
        ScriptedLlm llm = twelveSteps(says("They looked around."));
        AgentFixture agent = agent(llm).budget("100", "1");

        assertEquals(StopReason.LLM_DONE, agent.run("Look around").stopReason());

        assertEquals(1, forSummary(llm).size());
        int at = llm.requests().indexOf(forSummary(llm).getFirst());
        List<Message> before = llm.messagesOf(at);
        List<Message> after = llm.messagesOf(at + 1);
        assertEquals(2 + 1 + 8, after.size());
        assertEquals(before.subList(0, 2), after.subList(0, 2));
        assertEquals(
                "[Summary of previous steps]\nThey looked around.",
                ((Message.Assistant) after.get(2)).text());
        int ask = before.size() - 1;
        assertEquals(before.subList(ask - 8, ask), after.subList(3, 11));
        assertSame(llm.requests().get(at - 1).tools(), llm.requests().get(at).tools());
        assertEquals(llm.messagesOf(at - 1), before.subList(0, ask - 2)); // the cache knows it
        assertTrue(agent.costs().lines().get("compaction").tokens() > 10_000);
        assertEquals(
                agent.costs().usd(),
                agent.costs().lines().values().stream()
                        .map(line -> line.usd())
                        .reduce(BigDecimal.ZERO, BigDecimal::add));
        assertFalse(
                agent.events(AgentEvent.TextDelta.class).stream()
                        .anyMatch(text -> text.text().contains("They looked")));
        assertEquals(13, agent.events(AgentEvent.LlmRequested.class).size());
    }

    @Test
    @Tag("C20")
    @DisplayName("what is too full is compacted before anybody says that it is full")
    void compactionComesFirst() {
        FakeTool big =
                new FakeTool("look", Effect.PURE, (_, _) -> ToolResult.ok("x".repeat(7_900)));
        ScriptedLlm llm = ScriptedLlm.always(new BusyModel(6, "", says("no summary needed")));
        AgentFixture agent = AgentFixture.with(llm).tool(big).context(4_000);

        assertEquals(StopReason.LLM_DONE, agent.run("Look").stopReason());
        assertTrue(agent.events(AgentEvent.ContextCompacted.class).size() >= 3);
    }

    @Test
    @Tag("S0-38")
    @DisplayName("a window that one step overfills ends the run, after one last question")
    void full() {
        FakeTool big =
                new FakeTool("look", Effect.PURE, (_, _) -> ToolResult.ok("x".repeat(7_900)));
        ScriptedLlm llm = ScriptedLlm.always(new BusyModel(6, "", says("not asked")));
        AgentFixture agent = AgentFixture.with(llm).tool(big).context(1_500);

        assertEquals(StopReason.CONTEXT_FULL, agent.run("Look").stopReason());
        assertEquals(0, forSummary(llm).size());
    }

    @Test
    @Tag("scenario-57")
    @DisplayName("the summary's call fails: a list stands in, and a warning says so")
    void failedSummary() {
        ScriptedLlm llm = twelveSteps(fails(new LlmException.Unavailable("down", null, null)));
        AgentFixture agent = agent(llm);

        assertEquals(StopReason.LLM_DONE, agent.run("Look around").stopReason());
        assertEquals(
                List.of("mechanical"),
                agent.events(AgentEvent.ContextCompacted.class).stream()
                        .map(AgentEvent.ContextCompacted::by)
                        .toList());
        assertTrue(agent.tally().warnings().getFirst().endsWith(": down"));
    }

    @Test
    @Tag("A63")
    @DisplayName("a tool call in place of a summary is neither run nor remembered")
    void callInsteadOfSummary() {
        ScriptedLlm llm = twelveSteps(calls("look", "{\"path\":\"x\"}"));
        AgentFixture agent = agent(llm);

        assertEquals(StopReason.LLM_DONE, agent.run("Look around").stopReason());
        assertEquals(12, agent.tally().toolCalls());
        assertEquals(1, forSummary(llm).size());
    }

    @Test
    @Tag("C05")
    @DisplayName("a signal during the summary ends the run at once; nothing is replaced")
    void signal() {
        AgentFixture[] agent = new AgentFixture[1];
        ScriptedLlm llm =
                twelveSteps((request, cancellation) -> {
                    agent[0].interrupts().cancel(new Cause.Interrupt("INT"));
                    return stalls().apply(request, cancellation);
                });
        agent[0] = agent(llm);

        assertEquals(StopReason.USER_INTERRUPT, agent[0].run("Look around").stopReason());
        assertTrue(BusyModel.isForSummary(llm.requests().getLast()));
        assertFalse(agent[0].journal().types().contains("compact"));
        assertEquals(List.of(), agent[0].events(AgentEvent.ContextCompacted.class));
    }

    @Test
    @Tag("E09")
    @DisplayName("the run's deadline during the summary ends the run as a timeout")
    void deadline() {
        ScriptedLlm llm = twelveSteps(stalls());
        AgentFixture agent = agent(llm).timeout(Duration.ofSeconds(2), null);

        assertEquals(StopReason.TIMEOUT, agent.run("Look around").stopReason());
        assertEquals(1, forSummary(llm).size());
        assertFalse(agent.journal().types().contains("compact"));
    }

    @Test
    @Tag("scenario-57")
    @DisplayName("a summary that takes longer than a step may is given up")
    void stepTimeout() {
        ScriptedLlm llm = twelveSteps(stalls());
        AgentFixture agent = agent(llm).timeout(null, Duration.ofMillis(500));

        assertEquals(StopReason.LLM_DONE, agent.run("Look around").stopReason());
        assertEquals("mechanical", agent.events(AgentEvent.ContextCompacted.class).getFirst().by());
    }

    @Test
    @Tag("E06")
    @DisplayName("what the summary costs may end the run; the shorter history is on record")
    void budget() {
        ScriptedLlm llm = twelveSteps(says("They looked around."));
        AgentFixture agent = agent(llm).budget("0.095", "1"); // nine steps cost 0.061

        assertEquals(StopReason.BUDGET_EXCEEDED, agent.run("Look around").stopReason());
        assertEquals(1, forSummary(llm).size());
        JournalRecord.Compacted record =
                agent.journal().records().stream()
                        .filter(JournalRecord.Compacted.class::isInstance)
                        .map(JournalRecord.Compacted.class::cast)
                        .findFirst()
                        .orElseThrow();
        assertEquals("They looked around.", record.what().summary());
    }

    @Test
    @Tag("E01")
    @DisplayName("a budget that holds the run but not the summary: a list stands in, unasked")
    void unpaidSummary() {
        ScriptedLlm llm = fewWordsAtLast(says("not asked"));
        AgentFixture agent = agent(llm).budget("0.091", "1"); // nine steps cost 0.072

        assertEquals(StopReason.LLM_DONE, agent.run("Look around").stopReason());

        assertEquals(0, forSummary(llm).size());
        assertEquals(
                List.of("mechanical"),
                agent.events(AgentEvent.ContextCompacted.class).stream()
                        .map(AgentEvent.ContextCompacted::by)
                        .toList());
        assertTrue(
                agent.tally().warnings().stream()
                        .anyMatch(it -> it.endsWith(": the budget does not hold the call")),
                agent.tally().warnings()::toString);
        assertEquals(11, requestsOnRecord(agent).size());
        assertTrue(agent.costs().usd().compareTo(new BigDecimal("0.091")) <= 0);
    }

    @Test
    @Tag("E01")
    @DisplayName("what is set aside holds each prompt, the summary's and the shorter ones too")
    void reservedForEach() {
        ScriptedLlm llm = twelveSteps(says("They looked around."));
        AgentFixture agent = agent(llm).budget("100", "1");

        assertEquals(StopReason.LLM_DONE, agent.run("Look around").stopReason());

        List<JournalRecord.RequestSent> sent = requestsOnRecord(agent);
        assertEquals(llm.requests().size(), sent.size());
        for (int i = 0; i < sent.size(); i++) {
            JournalRecord.Reserved most = sent.get(i).reserved();
            LlmRequest request = llm.requests().get(i);
            assertTrue(most.input() >= BusyModel.letters(request) / BusyModel.LETTERS, "no. " + i);
            assertEquals(most.output(), request.maxOutputTokens());
        }
        int at = llm.requests().indexOf(forSummary(llm).getFirst());
        assertTrue(sent.get(at + 1).reserved().input() < sent.get(at).reserved().input());
    }

    @Test
    @Tag("E02")
    @DisplayName("a lost summary is tried again only if that fits as well; else a list stands in")
    void lostSummary() {
        PartialReply lost = new PartialReply("They", Usage.NONE, true, 40_000);
        ScriptedLlm llm =
                fewWordsAtLast(fails(new LlmException.BrokenReply("cut off", null).after(lost)));
        AgentFixture agent =
                AgentFixture.with(new RetryingLlm(llm, FakeTime.auto(), 3, () -> 0))
                        .tool(LOOK)
                        .context(15_000)
                        .budget(
                                "0.114",
                                "1"); // nine steps cost 0.072, the lost one may have cost 0.017

        assertEquals(StopReason.LLM_DONE, agent.run("Look around").stopReason());
        assertEquals(1, forSummary(llm).size());
        assertEquals("mechanical", agent.events(AgentEvent.ContextCompacted.class).getFirst().by());
        assertTrue(agent.costs().usd().compareTo(new BigDecimal("0.114")) <= 0);
    }

    @Test
    @Tag("scenario-69")
    @DisplayName("a hook has old steps summed up; hooks hear of it and see what is sent")
    void becauseAHookWantsIt() {
        List<HookEvent> heard = new ArrayList<>();
        ScriptedLlm llm = ScriptedLlm.always(new BusyModel(3, WORDS, says("They looked around.")));
        AgentFixture agent = agent(llm);
        agent.bus()
                .deciding(
                        "c",
                        Set.of(HookPoint.ITERATION),
                        event ->
                                event instanceof HookEvent.StepBegins(var now) && now.steps() == 3
                                        ? new HookOutcome.Compact()
                                        : HookOutcome.goOn())
                .observing("o", Set.of(HookPoint.COMPACTION, HookPoint.PRE_LLM), heard::add);

        assertEquals(StopReason.LLM_DONE, agent.run("Look around").stopReason());

        assertEquals(1, forSummary(llm).size());
        AgentEvent.ContextCompacted done =
                agent.events(AgentEvent.ContextCompacted.class).getFirst();
        assertEquals("summary", done.by());
        List<HookEvent> expected = new ArrayList<>();
        for (int i = 0; i < llm.requests().size(); i++) {
            expected.add(
                    i == 3
                            ? new HookEvent.Compacted(done.oldTokens(), done.newTokens())
                            : new HookEvent.RequestReady(llm.messagesOf(i)));
        }
        assertEquals(expected, heard);
        assertTrue(llm.messagesOf(4).toString().contains("They looked around."));
    }

    private static List<JournalRecord.RequestSent> requestsOnRecord(AgentFixture agent) {
        return agent.journal().records().stream()
                .filter(JournalRecord.RequestSent.class::isInstance)
                .map(JournalRecord.RequestSent.class::cast)
                .toList();
    }
}
