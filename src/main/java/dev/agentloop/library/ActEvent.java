package dev.agentloop.library;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What {@link AgentLoop#act} yields: the shapes that a user interface shows. */
public sealed interface ActEvent {
    /** The person, or the program in the person's place, says something. */
    record UserMessage(String content) implements ActEvent {}

    /**
     * A piece of what the model says.
     *
     * @param stoppedByMiddleware whether a limit or a hook ended the run; the text tells which
     * @param messageId the same for all pieces of one reply
     */
    record Assistant(String content, boolean stoppedByMiddleware, String messageId)
            implements ActEvent {}

    /** A piece of the model's reasoning. */
    record Reasoning(String content, String messageId) implements ActEvent {}

    /**
     * A call begins.
     *
     * @param toolClass simple name of the tool's class; empty for a tool that does not exist
     * @param args JSON text as the model wrote it
     */
    record ToolCall(String toolName, String toolClass, String args, String toolCallId)
            implements ActEvent {}

    /** One line about a call that takes long. */
    record ToolStream(String toolName, String message, String toolCallId) implements ActEvent {}

    /**
     * A call ended: exactly one of result, error and skip reason is there.
     *
     * @param skipped whether it was kept from running
     */
    record ToolResult(
            String toolName,
            @Nullable String result,
            @Nullable String error,
            boolean skipped,
            @Nullable String skipReason,
            Duration duration,
            String toolCallId)
            implements ActEvent {}

    /** Old messages are about to be replaced; estimated tokens. */
    record CompactStart(long oldTokens) implements ActEvent {}

    /** Old steps were summed up; sizes are in tokens. */
    record CompactEnd(long oldTokens, long newTokens) implements ActEvent {}
}
