package dev.agentloop.replay.cassette;

import dev.agentloop.event.AgentEvent;
import dev.agentloop.hook.HookAnswer;
import dev.agentloop.llm.FinishReason;
import dev.agentloop.loop.call.ToolAnswers;
import dev.agentloop.loop.run.FinalChecks;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.Usage;
import dev.agentloop.tool.ToolSpec;
import dev.agentloop.verification.CheckedWork;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One line of a cassette, behind its header: something that happened, or what a port answered.
 * Names of records and components are the names in the file.
 */
public sealed interface CassetteLine {
    /** What listeners were told. */
    record Event(Instant at, AgentEvent event) implements CassetteLine {}

    /** The history that the run began with, the task included. */
    record Opened(List<Message> history) implements CassetteLine {}

    /** The system prompt of an agent that took over. */
    record Prompted(String systemPrompt) implements CassetteLine {}

    /** The tools that were offered from here on. */
    record Offered(List<ToolSpec> tools) implements CassetteLine {}

    /**
     * A model was asked.
     *
     * @param step that it belongs to; 0 before the first
     * @param model {@code provider/model} that was to answer
     * @param kept messages at the beginning that are those of the request before
     * @param messages the others
     * @param tools names of the tools declared
     */
    record Requested(
            int step,
            String model,
            int kept,
            List<Message> messages,
            List<String> tools,
            boolean mayCallTools,
            @Nullable String effort,
            @Nullable Double temperature,
            @Nullable String answerSchema)
            implements CassetteLine {}

    /** An attempt failed, and it was asked whether another may follow. */
    record AttemptFailed(String model, Failure failure) implements CassetteLine {}

    /**
     * Another attempt follows.
     *
     * @param failure null if it is the one that was told before
     */
    record Retried(
            String model,
            int attempt,
            Duration delay,
            @Nullable Failure failure,
            boolean textWithdrawn)
            implements CassetteLine {}

    /** The reply of the model as the loop got it. */
    record Replied(
            String model,
            Message.Assistant message,
            FinishReason finish,
            Usage usage,
            Set<String> cutCalls,
            String requestId,
            boolean compacted)
            implements CassetteLine {}

    /**
     * The request ended without a reply.
     *
     * @param failure null if it is the one that was told before
     */
    record Broke(String model, @Nullable Failure failure) implements CassetteLine {}

    /** The tools were asked; what they did until {@link ToolsAnswered} stands between. */
    record ToolsAsked(List<ToolCall> calls) implements CassetteLine {}

    /** The results of all calls of one reply. */
    record ToolsAnswered(ToolAnswers answers) implements CassetteLine {}

    /**
     * The work had been changed or checked in a way that no result told; not there if it was not.
     */
    record Settled(CheckedWork.Found found) implements CassetteLine {}

    /** What had become of the files. */
    record Diffed(String diff) implements CassetteLine {}

    /** What a hook answered, at a moment that is not of a tool call. */
    record HookAnswered(String point, HookAnswer answer) implements CassetteLine {}

    /** What was checked when the model said it is done. */
    record Checked(List<FinalChecks.Check> checks) implements CassetteLine {}

    /** The run ended; without this line the cassette is not whole. */
    record Ended(String status, String stopReason, int exitCode, int steps, Duration took)
            implements CassetteLine {}

    /** Its name in the file. */
    default String name() {
        return RecordWriter.name(getClass().getSimpleName());
    }
}
