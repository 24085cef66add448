package dev.agentloop.library;

import dev.agentloop.loop.run.StopReason;
import java.math.BigDecimal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What {@link AgentLoop#runStream} tells while a run is under way. {@link Done} is the last of
 * every stream; an {@link Error} stands before it if the run did not come to an answer.
 */
public sealed interface StreamEvent {
    /** A piece of the answer's text. */
    record TextDelta(String text) implements StreamEvent {}

    /** A piece of the model's reasoning. */
    record ThinkingDelta(String thinking) implements StreamEvent {}

    /** One reply of the model is whole; its text and how many tools it calls. */
    record MessageComplete(String text, int toolCalls) implements StreamEvent {}

    /**
     * A reply broke off and is asked for again.
     *
     * @param textWithdrawn whether text of it was told, which no longer counts
     */
    record Retried(String code, String message, boolean textWithdrawn) implements StreamEvent {}

    /** A call begins; {@code args} is JSON text as the model wrote it. */
    record ToolUse(String toolCallId, String toolName, String args) implements StreamEvent {}

    /** One line about a call that takes long; {@code percent} is null if it did not say. */
    record ToolProgress(
            String toolCallId, String toolName, String message, @Nullable Integer percent)
            implements StreamEvent {}

    /** A call ended; {@code result} is what the model reads. */
    record ToolEnd(String toolCallId, String toolName, boolean ok, Duration duration, String result)
            implements StreamEvent {}

    /** Tokens and cost of one model call; the cost is null when unknown. */
    record Usage(long inputTokens, long outputTokens, @Nullable BigDecimal estimatedCostUsd)
            implements StreamEvent {}

    /** Old messages were replaced by less. */
    record Compacted(long oldTokens, long newTokens) implements StreamEvent {}

    /** Something a person should know; the run goes on. */
    record Warning(String message) implements StreamEvent {}

    /** The run did not come to an answer. */
    record Error(String error, String code, boolean retryable) implements StreamEvent {}

    /** The run is over. */
    record Done(String text, int turnCount, StopReason stopReason) implements StreamEvent {}
}
