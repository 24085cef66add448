package sample;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.agentloop.control.Cancellation;
import dev.agentloop.library.AgentLoop;
import dev.agentloop.library.AgentResult;
import dev.agentloop.library.AgentSteps;
import dev.agentloop.library.EventStream;
import dev.agentloop.library.LoopException;
import dev.agentloop.library.StreamEvent;
import dev.agentloop.library.StepResult;
import dev.agentloop.llm.FinishReason;
import dev.agentloop.llm.LlmAdapter;
import dev.agentloop.llm.LlmListener;
import dev.agentloop.llm.LlmRequest;
import dev.agentloop.llm.LlmResponse;
import dev.agentloop.llm.ModelInfo;
import dev.agentloop.message.Block;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.Usage;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TripPlannerTest {
    /** Says what it is told to, so that the test needs no key and no network. */
    static final class Scripted implements LlmAdapter {
        private final Queue<Block> script;
        private int calls;

        Scripted(Block... script) {
            this.script = new ArrayDeque<>(List.of(script));
        }

        @Override
        public LlmResponse complete(
                LlmRequest request, LlmListener listener, Cancellation cancellation) {
            Block next = script.remove();
            if (next instanceof Block.Text(String text)) {
                listener.text(text);
            }
            return new LlmResponse(
                    new Message.Assistant(List.of(next)),
                    next instanceof Block.Text ? FinishReason.END_TURN : FinishReason.TOOL_USE,
                    new Usage(100, 10, 0, 0, 0, false),
                    Set.of(),
                    "request-" + calls++);
        }

        @Override
        public ModelInfo model() {
            return new ModelInfo("sample", "scripted", 100_000, 1_000);
        }
    }

    private static Block says(String text) {
        return new Block.Text(text);
    }

    private static Block looksUp(String id, String country) {
        String arguments = "{\"country\":\"%s\",\"cities\":[\"Paris\",\"Lyon\"]}".formatted(country);
        return new Block.Call(new ToolCall(id, "get_weather", arguments));
    }

    private static Scripted model() {
        return new Scripted(looksUp("c1", "France"), looksUp("c2", "FR"), says("No coat."));
    }

    @Test
    void theModelCorrectsItselfAfterAHint() {
        try (AgentLoop agent = TripPlanner.agent(model()).build()) {
            AgentResult result = agent.runText("Do I need a coat?");

            assertEquals("No coat.", result.text());
            assertEquals(3, result.turns());
            assertEquals(2, agent.stats().toolCallsAgreed());
            assertEquals(1, agent.stats().toolCallsFailed());
        }
    }

    @Test
    void theEventsCanBeReadWhileItWorks() {
        try (AgentLoop agent = TripPlanner.agent(model()).build();
                EventStream<StreamEvent> events = agent.runStream("Do I need a coat?")) {
            List<String> results =
                    events.stream()
                            .filter(StreamEvent.ToolEnd.class::isInstance)
                            .map(event -> ((StreamEvent.ToolEnd) event).result())
                            .toList();

            assertEquals("Use the country's ISO code, e.g. FR, not France", results.getFirst());
            assertEquals("Paris and Lyon: 21 C, sunny", results.getLast());
            assertEquals("No coat.", events.result().text());
        }
    }

    @Test
    void theProgramMayStepInBetweenTurns() {
        try (AgentLoop agent = TripPlanner.agent(model()).build();
                AgentSteps steps = agent.runStep("Do I need a coat?")) {
            assertInstanceOf(StepResult.ToolsExecuted.class, steps.next());
            steps.injectMessage("And an umbrella?");
            assertInstanceOf(StepResult.ToolsExecuted.class, steps.next());
            assertInstanceOf(StepResult.FinalResponse.class, steps.next());
            assertFalse(steps.hasNext());
        }
    }

    @Test
    void aLimitOfTurnsEndsTheRun() {
        var llm = new Scripted(looksUp("c1", "FR"), says("I was not done."));
        try (AgentLoop agent = TripPlanner.agent(llm).maxTurns(1).build()) {
            var e = assertThrows(LoopException.MaxTurns.class, () -> agent.runText("Plan it."));

            assertEquals("I was not done.", e.result().text());
        }
    }
}
