package dev.agentloop.library;

import static dev.agentloop.library.AgentLoopTest.WEATHER;
import static dev.agentloop.library.AgentLoopTest.agent;
import static dev.agentloop.library.AgentLoopTest.results;
import static dev.agentloop.testing.ScriptedLlm.calls;
import static dev.agentloop.testing.ScriptedLlm.counting;
import static dev.agentloop.testing.ScriptedLlm.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.agentloop.message.Message;
import dev.agentloop.message.ToolResult;
import dev.agentloop.testing.ScriptedLlm;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LibrarySessionTest {
    @Test
    @DisplayName("S4-18: the statistics of a conversation")
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
    @DisplayName("S4-16: after clearHistory only the system prompt is left")
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
    @DisplayName("S4-5: an observer hears of each message once, in order")
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
    @DisplayName("S4-4: a history with a gap is mended before it is sent")
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
}
