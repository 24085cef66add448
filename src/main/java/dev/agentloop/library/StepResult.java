package dev.agentloop.library;

import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import java.util.List;

/** What came of one step of {@link AgentSteps}. */
public sealed interface StepResult {
    /**
     * The model called tools, and all calls are answered.
     *
     * @param calls in the model's order
     * @param results one for each call, in the same order
     */
    record ToolsExecuted(List<ToolCall> calls, List<ToolResult> results) implements StepResult {
        public ToolsExecuted {
            calls = List.copyOf(calls);
            results = List.copyOf(results);
        }
    }

    /** Old messages were replaced by less; estimated tokens before and after. */
    record CompactionOccurred(long oldTokens, long newTokens) implements StepResult {}

    /** The model may have no more turns; the {@link FinalResponse} that follows is its summary. */
    record MaxTurnsReached(int turns) implements StepResult {}

    /** The last of a run that came to an answer, or to its limit of turns. */
    record FinalResponse(AgentResult result) implements StepResult {}

    /** The last of a run that did not. */
    record Error(LoopException exception) implements StepResult {}
}
