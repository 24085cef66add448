package dev.agentloop.loop;

import static dev.agentloop.testing.ScriptedLlm.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.context.Truncation;
import dev.agentloop.event.AgentEvent;
import dev.agentloop.llm.LlmRequest;
import dev.agentloop.loop.run.StopReason;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolResult;
import dev.agentloop.testing.AgentFixture;
import dev.agentloop.testing.FakeTool;
import dev.agentloop.testing.ScriptedLlm;
import dev.agentloop.tool.Effect;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A thousand steps with large results in a window that holds ten of them. */
final class LongRunTest {
    private static final int STEPS = 1_000;
    private static final long WINDOW = 100_000;
    private static final int RESULT = 24_000; // characters, so 8,000 tokens of this model
    private static final String SUMMARY = "They looked around. ".repeat(200);
    private static final String TASK = "Look around, and mind the sign of the rounding.";

    @Test
    @Tag("E17")
    @DisplayName("1,000 steps end well; the task is whole in each request; no request is full")
    void aThousandSteps() {
        FakeTool look =
                new FakeTool("look", Effect.PURE, (_, _) -> ToolResult.ok("x".repeat(RESULT)));
        ScriptedLlm llm = ScriptedLlm.always(new BusyModel(STEPS, "", says(SUMMARY)));
        AgentFixture agent =
                AgentFixture.with(llm)
                        .tool(look)
                        .truncation(Truncation.fixed(0, 0))
                        .context(WINDOW)
                        .maxSteps(STEPS + 1);

        assertEquals(StopReason.LLM_DONE, agent.run(TASK).stopReason());

        assertEquals(STEPS + 1, agent.run().steps());
        int begunAnew = 0;
        for (int i = 0; i < llm.requests().size(); i++) {
            LlmRequest request = llm.requests().get(i);
            assertEquals(new Message.User(TASK), request.messages().get(1));
            long tokens = BusyModel.letters(request) / BusyModel.LETTERS;
            assertTrue(tokens < 0.85 * WINDOW, tokens + " tokens in request " + i);
            begunAnew += i > 0 && !continues(request, llm.requests().get(i - 1)) ? 1 : 0;
        }
        List<AgentEvent.ContextCompacted> done = agent.events(AgentEvent.ContextCompacted.class);
        int expected = new Arithmetic(llm.requests().getFirst()).compactions();
        assertEquals(expected, done.size(), expected / 50.0); // the estimate may err a little
        assertEquals(done.size(), begunAnew);
        assertTrue(agent.run().history().size() < 2 * STEPS, "the history is bounded");
    }

    @Test
    @DisplayName("results that fill their share of the window do not fill it half as often again")
    void longResultsFillTheWindowHardlySooner() {
        int few = compactions(Truncation.fixed(2000, 80_000));
        int full = compactions(Truncation.byWindow(80_000));

        assertTrue(full <= 1.5 * few, () -> full + " compactions instead of " + few);
    }

    /** Of 1,000 steps with results of 30 kB. */
    private static int compactions(Truncation truncation) {
        String file = ("x".repeat(74) + "\n").repeat(400);
        FakeTool look = new FakeTool("look", Effect.PURE, (_, _) -> ToolResult.ok(file));
        AgentFixture agent =
                AgentFixture.with(ScriptedLlm.always(new BusyModel(STEPS, "", says(SUMMARY))))
                        .tool(look)
                        .truncation(truncation)
                        .context(WINDOW)
                        .maxSteps(STEPS + 1);

        assertEquals(StopReason.LLM_DONE, agent.run(TASK).stopReason());
        return agent.events(AgentEvent.ContextCompacted.class).size();
    }

    /** Whether it sends all messages of the one before, the same objects, and more. */
    private static boolean continues(LlmRequest request, LlmRequest before) {
        List<Message> sent = before.messages();
        int same = sent.size() - (BusyModel.isForSummary(before) ? 1 : 0);
        if (request.messages().size() < same) {
            return false;
        }
        for (int i = 0; i < same; i++) {
            if (request.messages().get(i) != sent.get(i)) {
                return false;
            }
        }
        assertSame(before.tools(), request.tools());
        return true;
    }

    /**
     * How often the history must be made shorter, from sizes alone: whenever it fills 75 % of the
     * window, all but four steps shrink to their calls and a placeholder, if that leaves half of
     * the window; else all of them become a summary.
     */
    private record Arithmetic(LlmRequest first) {
        private static final double PER_LETTER = 1.0 / BusyModel.LETTERS;
        private static final double STEP = (RESULT + 4 + 17) * PER_LETTER;
        private static final double STUB = (122 + 4 + 17) * PER_LETTER; // with the placeholder

        int compactions() {
            double fixed = BusyModel.letters(first) * PER_LETTER;
            double summary = 0;
            int whole = 0;
            int stubs = 0;
            int compactions = 0;
            for (int step = 0; step <= STEPS; step++) {
                if (fixed + summary + stubs * STUB + whole * STEP > 0.75 * WINDOW) {
                    double cleared = fixed + summary + (stubs + whole - 4) * STUB + 4 * STEP;
                    stubs = cleared <= 0.5 * WINDOW ? stubs + whole - 4 : 0;
                    summary = cleared <= 0.5 * WINDOW ? summary : SUMMARY.length() * PER_LETTER;
                    whole = 4;
                    compactions++;
                }
                whole++;
            }
            return compactions;
        }
    }
}
