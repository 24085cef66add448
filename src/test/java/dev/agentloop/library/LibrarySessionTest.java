package dev.agentloop.library;

import static dev.agentloop.library.AgentLoopTest.WEATHER;
import static dev.agentloop.library.AgentLoopTest.agent;
import static dev.agentloop.library.AgentLoopTest.results;
import static dev.agentloop.testing.ScriptedLlm.calls;
import static dev.agentloop.testing.ScriptedLlm.counting;
import static dev.agentloop.testing.ScriptedLlm.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.message.Block;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import dev.agentloop.testing.ScriptedLlm;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LibrarySessionTest {
    @Test
    @Tag("S4-18")
    @DisplayName("the statistics of a conversation")
    void theStatisticsOfAConversation() {
        var llm =
                ScriptedLlm.of(
                        calls("get_weather", "{\"city\":\"FR\"}", "nothing", "{}"),
                        calls("get_weather", "{\"city\":\"France\"}"),
                        counting(says("Warm."), 500, 20));
        try (AgentLoop agent = agent(llm).tool(WEATHER).build()) {
            agent.runText("Weather?");
            AgentStats stats = agent.stats();

            assertEquals(3, stats.steps());
            assertEquals(700, stats.sessionPromptTokens());
            assertEquals(40, stats.sessionCompletionTokens());
            assertEquals(2, stats.toolCallsAgreed());
            assertEquals(2, stats.toolCallsFailed());
            assertEquals(1, stats.toolCallsSucceeded());
            assertEquals(520, stats.contextTokens());
            assertEquals(500, stats.lastTurnPromptTokens());
            assertEquals(20, stats.lastTurnCompletionTokens());
            assertEquals(null, stats.sessionCost());
        }
    }

    @Test
    @Tag("S4-8")
    @Tag("S4-18")
    @DisplayName("how long the last turn took, its speed, prices, cost, refused calls")
    void speedAndCostOfAConversation() {
        ScriptedLlm.Turn slow =
                (request, cancellation) -> {
                    LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
                    return counting(says("Warm."), 500, 20).apply(request, cancellation);
                };
        var llm = ScriptedLlm.of(calls("get_weather", "{\"city\":\"Rome\"}"), slow);
        try (AgentLoop agent =
                agent(llm).tool(WEATHER).deny("get_weather").price(LoopBuilderTest.PRICE).build()) {
            agent.runText("Weather?");
            AgentStats stats = agent.stats();

            assertEquals(1, stats.toolCallsRejected());
            assertEquals(0, stats.toolCallsAgreed());
            double seconds = stats.lastTurnDuration().toNanos() / 1e9;
            assertTrue(seconds > 0.02, () -> seconds + " s");
            assertEquals(20 / seconds, stats.tokensPerSecond(), 1e-6);
            assertEquals(BigDecimal.TEN, stats.inputPricePerMillion());
            assertEquals(BigDecimal.valueOf(20), stats.outputPricePerMillion());
            BigDecimal cost = new BigDecimal("0.0066"); // 600 read, 30 written
            assertEquals(0, cost.compareTo(stats.sessionCost()), stats::toString);
        }
    }

    @Test
    @Tag("S4-16")
    @DisplayName("after clearHistory only the system prompt is left")
    void afterClearHistoryOnlyTheSystemPromptIsLeft() {
        var made = new AtomicInteger();
        var llm = ScriptedLlm.always(says("Hello."));
        try (AgentLoop agent =
                agent(llm)
                        .tool(() -> {
                            made.incrementAndGet();
                            return WEATHER;
                        })
                        .reminder("Only plan.")
                        .build()) {
            agent.runText("Hi");
            agent.tools().remove("get_weather");
            String before = agent.sessionId();

            agent.clearHistory();

            assertEquals(List.of(new Message.System("You are a test.")), agent.messages());
            assertNotEquals(before, agent.sessionId());
            assertEquals(0, agent.stats().steps());
            assertEquals(List.of("get_weather"), agent.tools().names());
            assertEquals(2, made.get());
            agent.runText("Hi");
            assertEquals(3, llm.messagesOf(1).size(), "the reminder is said anew");
        }
    }

    @Test
    @Tag("S4-5")
    @DisplayName("an observer hears of each message once, in order")
    void anObserverHearsOfEachMessageOnce() {
        List<Message> heard = new ArrayList<>();
        var llm =
                ScriptedLlm.of(
                        calls("get_weather", "{\"city\":\"Rome\"}"), says("Warm."), says("Bye."));
        try (AgentLoop agent = agent(llm).tool(WEATHER).messageObserver(heard::add).build()) {
            agent.runText("Weather?");
            agent.runText("Thanks");

            assertEquals(agent.messages().subList(1, agent.messages().size()), heard);
        }
    }

    @Test
    @Tag("S4-4")
    @DisplayName("a history with a gap is mended before it is sent")
    void aHistoryWithAGapIsMended() {
        var first = ScriptedLlm.of(calls("get_weather", "{\"city\":\"Rome\"}"), says("Warm."));
        List<Message> broken;
        try (AgentLoop agent = agent(first).tool(WEATHER).build()) {
            broken = new ArrayList<>(agent.runText("Weather?").messages());
        }
        broken.removeIf(Message.Tool.class::isInstance);
        var llm = ScriptedLlm.of(says("As I said."));
        try (AgentLoop agent = agent(llm).history(broken).build()) {
            assertEquals("As I said.", agent.runText("Again").text());
            assertEquals(ToolResult.Kind.CANCELLED, results(agent.messages()).getFirst().kind());
        }
    }

    @Test
    @Tag("S4-4")
    @DisplayName("act mends a history as well, and then tells what happens")
    void actMendsAHistory() {
        List<Message> broken =
                List.of(
                        new Message.User("Weather?"),
                        new Message.Assistant(
                                List.of(
                                        new Block.Call(
                                                new ToolCall("lost", "get_weather", "{}")))));
        var llm = ScriptedLlm.of(says("Warm."));
        try (AgentLoop agent = agent(llm).history(broken).build();
                EventStream<ActEvent> events = agent.act("Again")) {
            List<ActEvent> told = events.stream().toList();

            assertEquals(new ActEvent.UserMessage("Again"), told.getFirst());
            assertTrue(
                    told.getLast() instanceof ActEvent.Assistant said
                            && said.content().equals("Warm."),
                    told::toString);
            assertEquals(ToolResult.Kind.CANCELLED, results(llm.messagesOf(0)).getFirst().kind());
        }
    }
}
