package dev.agentloop.library;

import static dev.agentloop.testing.ScriptedLlm.calls;
import static dev.agentloop.testing.ScriptedLlm.ends;
import static dev.agentloop.testing.ScriptedLlm.fails;
import static dev.agentloop.testing.ScriptedLlm.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.hook.HookOutcome;
import dev.agentloop.hook.HookPoint;
import dev.agentloop.llm.FinishReason;
import dev.agentloop.llm.LlmException;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import dev.agentloop.testing.ScriptedLlm;
import dev.agentloop.tool.ModelRetry;
import dev.agentloop.tool.Tool;
import dev.agentloop.tool.ToolSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AgentStepsTest {
    record Word(String word) {}

    private static Tool<?> echo(String name) {
        return TypedTool.of(
                name,
                "Says a word again.",
                Word.class,
                (said, _) -> {
                    if (said.word().isEmpty()) {
                        throw new ModelRetry("Say something.");
                    }
                    return said.word();
                });
    }

    private static AgentLoopBuilder agent(ScriptedLlm llm) {
        return AgentLoop.builder(llm, Contexts.compacting(100_000))
                .systemPrompt("You are a test.")
                .tool(echo("echo"));
    }

    @Test
    @Tag("S2-8")
    @DisplayName("calls and results of each step, then the answer, then nothing")
    void eachStepIsToldThenTheAnswer() {
        var llm =
                ScriptedLlm.of(
                        calls("echo", "{\"word\":\"a\"}", "echo", "{\"word\":\"\"}"),
                        says("Fine."));
        try (AgentLoop agent = agent(llm).build();
                AgentSteps steps = agent.runStep("Go")) {
            assertEquals(0, llm.requests().size(), "nothing happens before next()");

            var first = assertInstanceOf(StepResult.ToolsExecuted.class, steps.next());
            assertEquals(
                    List.of("{\"word\":\"a\"}", "{\"word\":\"\"}"),
                    first.calls().stream().map(ToolCall::arguments).toList());
            assertEquals(
                    List.of(
                            ToolResult.ok("a"),
                            ToolResult.of(ToolResult.Kind.RETRY_HINT, "Say something.")),
                    first.results());
            assertEquals(1, llm.requests().size(), "the loop waits between steps");
            assertEquals(5, steps.messages().size());

            var last = assertInstanceOf(StepResult.FinalResponse.class, steps.next());
            assertEquals("Fine.", last.result().text());
            assertFalse(steps.hasNext());
            assertThrows(NoSuchElementException.class, steps::next);
        }
    }

    @Test
    @Tag("S2-9")
    @Tag("scenario-72")
    @DisplayName("what is injected and what is offered holds at the next step")
    void whatIsChangedInBetweenHoldsAtTheNextStep() {
        var llm =
                ScriptedLlm.of(
                        calls("echo", "{\"word\":\"a\"}"),
                        calls("shout", "{\"word\":\"b\"}"),
                        says("Fine."));
        try (AgentLoop agent = agent(llm).build();
                AgentSteps steps = agent.runStep("Go")) {
            steps.next();
            steps.injectMessage("Use the other one.");
            steps.tools().add(echo("shout"));
            steps.tools().remove("echo");
            var second = assertInstanceOf(StepResult.ToolsExecuted.class, steps.next());

            assertEquals(List.of(ToolResult.ok("b")), second.results());
            assertEquals(new Message.User("Use the other one."), llm.messagesOf(1).getLast());
            assertEquals(
                    List.of("shout"),
                    llm.requests().get(1).tools().stream().map(ToolSpec::name).toList());
            assertInstanceOf(StepResult.FinalResponse.class, steps.next());
            assertThrows(IllegalStateException.class, () -> steps.injectMessage("Too late."));
            assertThrows(IllegalArgumentException.class, () -> steps.tools().add(echo("shout")));
        }
    }

    @Test
    @Tag("S2-8")
    @Tag("C1")
    @DisplayName("MaxTurnsReached, then the summary, then nothing")
    void maxTurnsReachedThenTheSummary() {
        var llm = ScriptedLlm.of(calls("echo", "{\"word\":\"a\"}"), says("Half done."));
        try (AgentLoop agent = agent(llm).maxTurns(1).build();
                AgentSteps steps = agent.runStep("Go")) {
            steps.next();

            assertEquals(new StepResult.MaxTurnsReached(1), steps.next());
            var last = assertInstanceOf(StepResult.FinalResponse.class, steps.next());
            assertEquals("Half done.", last.result().text());
            assertFalse(last.result().isDone());
            assertFalse(steps.hasNext());
        }
    }

    @Test
    @Tag("S2-8")
    @DisplayName("a compaction is told before the step that it was made for")
    void aCompactionIsTold() {
        var llm =
                ScriptedLlm.of(
                        calls("echo", "{\"word\":\"" + "a".repeat(4000) + "\"}"),
                        calls("echo", "{\"word\":\"" + "b".repeat(4000) + "\"}"),
                        calls("echo", "{\"word\":\"c\"}"),
                        says("Fine."));
        try (AgentLoop agent =
                        AgentLoop.builder(llm, Contexts.slidingWindow(4, 0))
                                .systemPrompt("You are a test.")
                                .tool(echo("echo"))
                                .build();
                AgentSteps steps = agent.runStep("Go")) {
            List<String> kinds = new ArrayList<>();
            steps.forEachRemaining(it -> {
                kinds.add(it.getClass().getSimpleName());
                if (it instanceof StepResult.CompactionOccurred(long old, long now)) {
                    assertTrue(now < old, it::toString);
                }
            });

            assertEquals(
                    List.of(
                            "ToolsExecuted",
                            "ToolsExecuted",
                            "CompactionOccurred",
                            "ToolsExecuted",
                            "CompactionOccurred",
                            "FinalResponse"),
                    kinds);
            assertEquals(4, llm.messagesOf(2).size());
            assertEquals(new Message.User("Go"), llm.messagesOf(2).get(1));
        }
    }

    @Test
    @Tag("S2-8")
    @Tag("S2-21")
    @DisplayName("a failure is the last step")
    void aFailureIsTheLastStep() {
        var llm = ScriptedLlm.of(fails(new LlmException.BadRequest("no")), says("Now yes."));
        try (AgentLoop agent = agent(llm).build()) {
            try (AgentSteps steps = agent.runStep("Go")) {
                var last = assertInstanceOf(StepResult.Error.class, steps.next());

                assertInstanceOf(LoopException.Provider.class, last.exception());
                assertFalse(steps.hasNext());
            }
            assertEquals("Now yes.", agent.runText("Again").text());
        }
    }

    @Test
    @DisplayName("A step that the model needs more than one reply for is one step")
    void aCutReplyIsContinuedWithinTheStep() {
        var llm = ScriptedLlm.of(ends(FinishReason.MAX_TOKENS, "One and "), says("two."));
        try (AgentLoop agent = agent(llm).build();
                AgentSteps steps = agent.runStep("Go")) {
            var last = assertInstanceOf(StepResult.FinalResponse.class, steps.next());

            assertEquals("One and two.", last.result().text());
        }
    }

    @Test
    @DisplayName("Steps that are given up leave a conversation that goes on")
    void stepsThatAreGivenUpLeaveAConversation() {
        var llm = ScriptedLlm.of(calls("echo", "{\"word\":\"a\"}"), says("I go on."));
        List<String> ends = new ArrayList<>();
        try (AgentLoop agent =
                agent(llm)
                        .observer(
                                "end",
                                Set.of(HookPoint.SESSION_END),
                                event -> ends.add(event.toString()))
                        .build()) {
            try (AgentSteps steps = agent.runStep("Go")) {
                steps.next();
                assertThrows(IllegalStateException.class, () -> agent.runText("Meanwhile"));
                assertThrows(IllegalStateException.class, agent::clearHistory);
            }
            assertTrue(ends.getFirst().contains("user_interrupt"), ends::toString);
            assertEquals("I go on.", agent.runText("And?").text());
            assertEquals(6, agent.messages().size());
        }
    }

    @Test
    @Tag("scenario-69")
    @DisplayName("a hook that ends the run between two steps ends the steps")
    void aHookEndsTheSteps() {
        var llm = ScriptedLlm.of(calls("echo", "{\"word\":\"a\"}"));
        try (AgentLoop agent =
                        agent(llm)
                                .hook(
                                        "enough",
                                        Set.of(HookPoint.STEP_END),
                                        _ -> new HookOutcome.Terminate("that is enough"))
                                .build();
                AgentSteps steps = agent.runStep("Go")) {
            assertInstanceOf(StepResult.ToolsExecuted.class, steps.next());
            var last = assertInstanceOf(StepResult.Error.class, steps.next());
            assertInstanceOf(LoopException.HookTerminated.class, last.exception());
        }
    }
}
