package dev.agentloop.loop;

import static dev.agentloop.testing.ScriptedLlm.calls;
import static dev.agentloop.testing.ScriptedLlm.counting;
import static dev.agentloop.testing.ScriptedLlm.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.control.Cancellation;
import dev.agentloop.control.Cause;
import dev.agentloop.event.AgentEvent;
import dev.agentloop.llm.FinishReason;
import dev.agentloop.llm.LlmAdapter;
import dev.agentloop.llm.LlmException;
import dev.agentloop.llm.LlmListener;
import dev.agentloop.llm.LlmRequest;
import dev.agentloop.llm.LlmResponse;
import dev.agentloop.llm.ModelInfo;
import dev.agentloop.llm.PartialReply;
import dev.agentloop.llm.decorator.RetryingLlm;
import dev.agentloop.loop.run.RunResult;
import dev.agentloop.loop.run.StopReason;
import dev.agentloop.message.Block;
import dev.agentloop.message.FileChange;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import dev.agentloop.message.Usage;
import dev.agentloop.session.JournalRecord;
import dev.agentloop.testing.AgentFixture;
import dev.agentloop.testing.FakeTime;
import dev.agentloop.testing.FakeTool;
import dev.agentloop.testing.ScriptedLlm;
import dev.agentloop.tool.Effect;
import java.math.BigDecimal;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Money and tokens are set aside before a request is sent. Prices here are $1 a million tokens. */
final class BudgetTest {
    private static final FakeTool LOOK =
            new FakeTool("look", Effect.PURE, (_, _) -> ToolResult.ok("seen"));
    private static final ScriptedLlm.Turn CALL = calls("look", "{\"path\":\"a\"}");
    private static final String LONG = "word ".repeat(7_000); // 35,000 bytes

    @Test
    @Tag("E01")
    @DisplayName("of calls at $0.04 the third is refused before it is sent, the cap is $0.10")
    void theThirdCallIsNotSent() {
        ScriptedLlm.Turn dear = counting(CALL, 32_000, 8_000);
        ScriptedLlm llm = ScriptedLlm.of(dear, dear);
        AgentFixture agent = AgentFixture.with(llm).tool(LOOK).maxOutput(8_000).budget("0.10", "1");

        RunResult result = agent.run(LONG);

        assertEquals(StopReason.BUDGET_EXCEEDED, result.stopReason());
        assertEquals(2, llm.requests().size());
        assertEquals(0, new BigDecimal("0.08").compareTo(agent.costs().usd()));
        String detail = agent.events(AgentEvent.LimitReached.class).getFirst().detail();
        assertEquals(
                "Budget reached (used $0.08, 80000 tokens of $0.1; another call may not fit)",
                detail);
        assertEquals(
                List.of(new AgentEvent.Warning("80 % of the budget are used: $0.08 of $0.1")),
                agent.events(AgentEvent.Warning.class));
    }

    @Test
    @Tag("E01")
    @DisplayName("a reply may be as long as what is left allows, and no longer")
    void theReplyIsCutToWhatIsLeft() {
        ScriptedLlm llm = ScriptedLlm.of(counting(CALL, 32_000, 40_000), says("done"));
        AgentFixture agent =
                AgentFixture.with(llm).tool(LOOK).maxOutput(8_000).budget("0.125", "1");

        assertEquals(StopReason.LLM_DONE, agent.run(LONG).stopReason());
        assertEquals(8_000, llm.requests().get(0).maxOutputTokens());
        int cut = llm.requests().get(1).maxOutputTokens();
        assertTrue(cut >= 1_024 && cut < 8_000, "cut to " + cut);
    }

    @Test
    @Tag("E01")
    @DisplayName("what a provider adds to the prompt unseen is set aside from its first reply")
    void unseenTokensAreLearned() {
        ScriptedLlm llm = ScriptedLlm.of(counting(CALL, 50_000, 100), counting(CALL, 50_050, 100));
        AgentFixture agent = AgentFixture.with(llm).tool(LOOK).budget("0.14", "1");

        RunResult result = agent.run("go");

        assertEquals(StopReason.BUDGET_EXCEEDED, result.stopReason());
        assertEquals(2, llm.requests().size());
        assertEquals(List.of(), agent.events(AgentEvent.Warning.class));
    }

    @Test
    @Tag("E03")
    @DisplayName("where the first step is too dear, no summary of nothing is paid for")
    void nothingDoneIsNotSummarised() {
        ScriptedLlm llm = ScriptedLlm.of();
        AgentFixture agent = AgentFixture.with(llm).tool(LOOK).budget("0.0385", "1");

        RunResult result = agent.run(LONG);

        assertEquals(StopReason.BUDGET_EXCEEDED, result.stopReason());
        Matcher told =
                Pattern.compile(
                                "The agent stopped \\(budget_exceeded\\)\\. The first call takes a"
                                        + " budget of \\$(0\\.\\d+) or more\\.")
                        .matcher(result.text());
        assertTrue(told.matches(), result.text());
        ScriptedLlm enough = ScriptedLlm.of(says("done"));
        AgentFixture again = AgentFixture.with(enough).tool(LOOK).budget(told.group(1), "1");
        assertEquals(StopReason.LLM_DONE, again.run(LONG).stopReason());
    }

    @Test
    @Tag("E03")
    @DisplayName("of two caps the one that is too small is named")
    void theSmallCapIsNamed() {
        AgentFixture agent =
                AgentFixture.with(ScriptedLlm.of()).tool(LOOK).budget("5", "1", 30_000);
        String text = agent.run(LONG).text();
        assertTrue(text.matches(".* The first call takes a limit of \\d+ tokens or more\\."), text);
    }

    @Test
    @Tag("E03")
    @DisplayName("the work of earlier runs is worth a summary also if no step of this one is paid")
    void earlierWorkIsSummarised() {
        Message.User before = new Message.User("go");
        Message.Assistant did = new Message.Assistant(List.of(new Block.Text("I wrote a.txt.")));
        ScriptedLlm llm = ScriptedLlm.of(counting(says("so far"), 2_000, 50));
        AgentFixture agent = AgentFixture.with(llm).tool(LOOK).budget("0.0385", "1");

        assertEquals("so far", agent.run(List.of(before, did), LONG).text());
    }

    @Test
    @Tag("E03")
    @DisplayName("the summary of a spent budget is paid from what was kept back for it")
    void theSummaryIsPaidFromTheReserve() {
        ScriptedLlm llm =
                ScriptedLlm.of(counting(CALL, 2_000, 88_500), counting(says("so far"), 2_200, 50));
        AgentFixture agent = AgentFixture.with(llm).tool(LOOK).budget("0.10", "1");

        assertEquals(new RunResult(StopReason.BUDGET_EXCEEDED, "so far", 1), agent.run("go"));
        assertTrue(agent.costs().usd().compareTo(new BigDecimal("0.10")) <= 0);
        assertEquals(List.of("agent", "close"), List.copyOf(agent.costs().lines().keySet()));
        assertEquals(1_024, llm.requests().get(1).maxOutputTokens());
    }

    @Test
    @Tag("E03")
    @DisplayName("where no summary is paid for, our own words name the files that changed")
    void ourOwnSummaryNamesFiles() {
        FileChange change = new FileChange("a.txt", FileChange.Kind.MODIFIED, 1, 1);
        FakeTool write =
                new FakeTool(
                        "write",
                        Effect.FILE,
                        (_, _) -> ToolResult.ok("written").withChanges(List.of(change)));
        ScriptedLlm.Turn call = counting(calls("write", "{\"path\":\"a\"}"), 44_000, 8_000);
        ScriptedLlm llm = ScriptedLlm.of(call);
        RunResult result =
                AgentFixture.with(llm).tool(write).maxOutput(8_000).budget("0.08", "1").run(LONG);
        assertEquals("The agent stopped (budget_exceeded).\nFiles changed: a.txt.", result.text());
    }

    @Test
    @Tag("E20")
    @DisplayName("what a request can use at most is on record before it is sent")
    void theReservationIsOnRecord() {
        AgentFixture[] agent = new AgentFixture[1];
        ScriptedLlm llm =
                ScriptedLlm.of((request, cancellation) -> {
                    var sent = (JournalRecord.RequestSent) agent[0].journal().records().getLast();
                    JournalRecord.Reserved most = sent.reserved();
                    assertEquals(request.maxOutputTokens(), most.output());
                    BigDecimal tokens = BigDecimal.valueOf(most.input() + most.output());
                    assertEquals(0, tokens.movePointLeft(6).compareTo(new BigDecimal(most.usd())));
                    return says("done").apply(request, cancellation);
                });
        agent[0] = AgentFixture.with(llm).budget("1", "1");
        assertEquals(StopReason.LLM_DONE, agent[0].run("go").stopReason());
    }

    @Test
    @Tag("E21")
    @DisplayName("figures that cannot be true are cut, told, and end the run")
    void impossibleFiguresEndTheRun() {
        ScriptedLlm llm = ScriptedLlm.of(counting(CALL, 100, 90_000_000));
        AgentFixture agent = AgentFixture.with(llm).tool(LOOK).budget("1", "1");

        RunResult result = agent.run("go");

        assertEquals(
                new RunResult(
                        StopReason.BUDGET_EXCEEDED, "The agent stopped (budget_exceeded).", 1),
                result);
        assertEquals(1_100, agent.costs().usage().total());
        assertTrue(agent.costs().usage().estimated());
        String told = agent.events(AgentEvent.Warning.class).getFirst().message();
        assertTrue(told.contains("90000000 written"), told);
    }

    @Test
    @Tag("E06")
    @Tag("E21")
    @DisplayName("no provider, however it fails or lies, makes a run pass its caps")
    void noProviderMakesARunPassItsCaps() {
        int replies = 0;
        for (int seed = 0; seed < 300; seed++) {
            Adversary adversary = new Adversary(seed);
            FakeTime time = FakeTime.auto();
            AgentFixture agent =
                    AgentFixture.with(new RetryingLlm(adversary, time, 3, () -> 0))
                            .time(time)
                            .tool(LOOK)
                            .budget("0.05", "1");
            agent.run("go");
            replies += adversary.replies;
            BigDecimal spent = agent.costs().usd();
            assertTrue(spent.compareTo(new BigDecimal("0.05")) <= 0, "seed " + seed + ": " + spent);
            BigDecimal sum =
                    agent.costs().lines().values().stream()
                            .map(line -> line.usd())
                            .reduce(BigDecimal.ZERO, BigDecimal::add);
            assertEquals(0, spent.compareTo(sum), "every call stands in the breakdown");
        }
        assertTrue(replies > 500, "an adversary that hardly ever answers proves nothing");
    }

    /** Answers, fails in the middle, and tells any figures, as its seed says. */
    private static final class Adversary implements LlmAdapter {
        private final Random random;
        private int replies;

        Adversary(long seed) {
            this.random = new Random(seed);
        }

        @Override
        public LlmResponse complete(
                LlmRequest request, LlmListener listener, Cancellation cancellation) {
            Usage told = usage(request.maxOutputTokens());
            if (random.nextInt(4) == 0) {
                throw new LlmException.BrokenReply("cut", null)
                        .after(new PartialReply("half", told, random.nextBoolean(), 5_000));
            }
            if (random.nextInt(40) == 0) {
                throw new LlmException.Cancelled(new Cause.StepDeadline());
            }
            replies++;
            Block block =
                    request.mayCallTools() && random.nextInt(12) > 0
                            ? new Block.Call(
                                    new ToolCall("c" + replies, "look", "{\"path\":\"a\"}"))
                            : new Block.Text("text");
            return new LlmResponse(
                    new Message.Assistant(List.of(block)),
                    FinishReason.END_TURN,
                    told,
                    Set.of(),
                    "");
        }

        private Usage usage(int maxOutput) {
            return switch (random.nextInt(6)) {
                case 0 -> new Usage(99_000_000, 99_000_000, 0, 0, 0, false);
                case 1 -> Usage.NONE;
                case 2 -> new Usage(0, maxOutput + 1_000, 3_000, 3_000, maxOutput, false);
                default -> new Usage(300, random.nextInt(maxOutput + 1), 0, 0, 0, false);
            };
        }

        @Override
        public ModelInfo model() {
            return new ModelInfo("test", "adversary", 100_000, 4_000);
        }
    }

    @Test
    @Tag("E06")
    @DisplayName("without a cap a reply may be as long as the model likes")
    void withoutACapNothingIsCut() {
        ScriptedLlm llm = ScriptedLlm.of(counting(says("done"), 90_000_000, 90_000_000));
        AgentFixture agent = AgentFixture.with(llm);
        assertEquals(StopReason.LLM_DONE, agent.run("go").stopReason());
        assertEquals(0, llm.requests().getFirst().maxOutputTokens());
        assertEquals(180_000_000, agent.costs().usage().total());
    }
}
