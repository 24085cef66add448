package dev.agentloop.library;

import static dev.agentloop.library.AgentLoopTest.WEATHER;
import static dev.agentloop.library.AgentLoopTest.agent;
import static dev.agentloop.library.AgentLoopTest.results;
import static dev.agentloop.testing.ScriptedLlm.calls;
import static dev.agentloop.testing.ScriptedLlm.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.control.Cancellation;
import dev.agentloop.cost.Price;
import dev.agentloop.llm.FinishReason;
import dev.agentloop.llm.LlmAdapter;
import dev.agentloop.llm.LlmListener;
import dev.agentloop.llm.LlmRequest;
import dev.agentloop.llm.LlmResponse;
import dev.agentloop.llm.ModelInfo;
import dev.agentloop.message.Block;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.permission.ConfirmPreset;
import dev.agentloop.testing.ScriptedLlm;
import dev.agentloop.tool.Tool;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a loop is made of, and what it is without a word. */
@Timeout(60)
class LoopBuilderTest {
    record Number(int number) {}

    static final Price PRICE =
            new Price(
                    BigDecimal.TEN,
                    BigDecimal.ONE,
                    BigDecimal.TEN,
                    BigDecimal.valueOf(20),
                    BigDecimal.valueOf(20));

    /** Calls a tool with a number that grows, and says "done" at last. */
    private record Counting(int calls, List<LlmRequest> requests) implements LlmAdapter {
        @Override
        public LlmResponse complete(
                LlmRequest request, LlmListener listener, Cancellation cancellation) {
            int number = requests.size();
            requests.add(request);
            return number < calls
                    ? ScriptedLlm.reply(
                            FinishReason.TOOL_USE,
                            new Block.Call(
                                    new ToolCall(
                                            "call_" + number,
                                            "count",
                                            "{\"number\":" + number + "}")))
                    : ScriptedLlm.reply(FinishReason.END_TURN, new Block.Text("done"));
        }

        @Override
        public ModelInfo model() {
            return new ModelInfo("test", "counting", 100_000, 1_000);
        }
    }

    @Test
    @Tag("S2-2")
    @DisplayName("from model and context alone: no tools, no instructions, no limit of turns")
    void theRestHasDefaults() {
        var bare = new Counting(0, new ArrayList<>());
        try (AgentLoop agent = AgentLoop.builder(bare, Contexts.slidingWindow(20, 0)).build()) {
            assertEquals("done", agent.runText("Hi").text());
            assertEquals(List.of(), agent.tools().names());
        }
        LlmRequest asked = bare.requests().getFirst();
        assertEquals("", asked.systemText());
        assertEquals(new Message.User("Hi"), asked.messages().getFirst());
        assertEquals(List.of(), asked.tools());
        assertTrue(asked.stream());

        var busy = new Counting(300, new ArrayList<>());
        Tool<?> count = TypedTool.of("count", "Counts.", Number.class, (it, _) -> it.toString());
        try (AgentLoop agent =
                AgentLoop.builder(busy, Contexts.slidingWindow(20, 0)).tool(count).build()) {
            assertEquals(301, agent.runText("Count").turns());
        }
    }

    @Test
    @Tag("S2-3")
    @DisplayName("a loop made from its settings obeys each of them")
    void theSettingsAreObeyed() {
        var both = new CyclicBarrier(2);
        Tool<?> meet =
                TypedTool.of(
                                "meet",
                                "Waits for the other.",
                                Number.class,
                                (_, _) -> "met " + both.await(10, TimeUnit.SECONDS))
                        .readingOnly();
        var llm =
                ScriptedLlm.of(
                        calls("meet", "{\"number\":1}", "meet", "{\"number\":2}"),
                        says("We have met."));
        try (AgentLoop agent =
                AgentLoop.of(
                        llm,
                        List.of(meet),
                        Contexts.slidingWindow(20, 100_000),
                        new LoopConfig("Be brief.", 1, true))) {
            var e = assertThrows(LoopException.MaxTurns.class, () -> agent.runText("Go"));

            assertEquals(1, e.limit());
            assertTrue(results(e.result().messages()).stream().noneMatch(it -> it.isError()));
            assertEquals("Be brief.", llm.requests().getFirst().systemText());
        }
        assertThrows(IllegalArgumentException.class, () -> new LoopConfig("", -1, false));
    }

    private static ScriptedLlm script() {
        return ScriptedLlm.of(calls("get_weather", "{\"city\":\"Rome\"}"), says("Warm."));
    }

    @Test
    @Tag("S2-5")
    @Tag("S2-6")
    @DisplayName("run, runText, a stream and the last step have one and the same result")
    void everyWayToRunHasTheSameResult() {
        AgentResult result;
        try (AgentLoop agent = agent(script()).tool(WEATHER).build()) {
            result = agent.run(new Message.User("Weather?"));
        }
        assertEquals("Warm.", result.text());
        assertEquals(new Message.User("Weather?"), result.messages().get(1));
        assertEquals(2, result.turns());
        assertEquals(220, result.usage().total());
        try (AgentLoop agent = agent(script()).tool(WEATHER).build()) {
            assertEquals(result, agent.runText("Weather?"));
        }
        try (AgentLoop agent = agent(script()).tool(WEATHER).build();
                EventStream<StreamEvent> events = agent.runStream("Weather?")) {
            assertEquals(result, events.result());
        }
        try (AgentLoop agent = agent(script()).tool(WEATHER).build();
                AgentSteps steps = agent.runStep("Weather?")) {
            assertInstanceOf(StepResult.ToolsExecuted.class, steps.next());
            assertEquals(new StepResult.FinalResponse(result), steps.next());
        }
    }

    @Test
    @Tag("S2-21")
    @DisplayName("what breaks around a tool ends the run with Tool, and the next one goes on")
    void whatBreaksAroundAToolEndsWithTool() {
        var llm = ScriptedLlm.of(calls("get_weather", "{\"city\":\"Rome\"}"), says("Anyway."));
        try (AgentLoop agent =
                agent(llm)
                        .tool(WEATHER)
                        .confirm(
                                ConfirmPreset.CONFIRM_ALL,
                                (_, _, _) -> {
                                    throw new IllegalStateException("no window to ask in");
                                })
                        .build()) {
            var e = assertThrows(LoopException.Tool.class, () -> agent.runText("Weather?"));

            assertEquals("tool_error", e.code());
            assertTrue(String.valueOf(e.getMessage()).contains("get_weather"), e::toString);
            assertInstanceOf(IllegalStateException.class, e.getCause());
            assertEquals("Anyway.", agent.runText("Go on").text());
        }
    }

    @Test
    @Tag("S4-1")
    @DisplayName("limits of turns and money, an observer, a model, replies in one piece")
    void theBuilderTakesEverythingAtOnce() {
        List<Message> heard = new ArrayList<>();
        var llm =
                ScriptedLlm.of(
                        calls("get_weather", "{\"city\":\"Rome\"}"),
                        says("I was stopped."),
                        calls("get_weather", "{\"city\":\"Oslo\"}"));
        try (AgentLoop agent =
                agent(llm)
                        .tool(WEATHER)
                        .enableStreaming(false)
                        .maxTurns(1)
                        .maxPrice(new BigDecimal("0.002"))
                        .price(PRICE)
                        .messageObserver(heard::add)
                        .build()) {
            assertThrows(LoopException.MaxTurns.class, () -> agent.runText("Go"));
            var e = assertThrows(LoopException.HookTerminated.class, () -> agent.runText("Again"));

            assertEquals("price limit", e.hook());
            assertEquals(2, llm.requests().size());
            assertFalse(llm.requests().getFirst().stream());
            assertEquals(agent.messages().subList(1, agent.messages().size()), heard);
        }
    }

    @Test
    @Tag("S4-6")
    @DisplayName("COMPACT: the history is made shorter between two turns, and act tells it")
    void autoCompactMakesTheHistoryShorter() {
        ScriptedLlm.Turn longCall =
                calls("get_weather", "{\"city\":\"" + "Rome ".repeat(1_000) + "\"}");
        var llm = ScriptedLlm.of(longCall, longCall, says("Two places."), says("Warm."));
        try (AgentLoop agent = agent(llm).tool(WEATHER).autoCompact(1_000).build();
                EventStream<ActEvent> events = agent.act("Weather?")) {
            List<ActEvent> all = events.stream().toList();
            int start = all.indexOf(new ActEvent.CompactStart(before(all)));

            var end = assertInstanceOf(ActEvent.CompactEnd.class, all.get(start + 1));
            assertTrue(end.newTokens() < end.oldTokens(), end::toString);
            assertEquals("Warm.", events.result().text());
        }
    }

    private static long before(List<ActEvent> all) {
        return all.stream()
                .filter(ActEvent.CompactStart.class::isInstance)
                .map(it -> ((ActEvent.CompactStart) it).oldTokens())
                .findFirst()
                .orElseThrow(() -> new AssertionError(all));
    }
}
