package dev.agentloop.event;

import dev.agentloop.message.FileChange;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import dev.agentloop.message.Usage;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything that happens in a run. Every {@code …Started} is followed by exactly one matching end,
 * also when the run is interrupted.
 */
public sealed interface AgentEvent {
    /**
     * A run begins.
     *
     * @param resumed whether it goes on with an older session
     * @param sandbox tier in force for commands: bwrap, landlock, none
     * @param guidance files whose guidance is part of a new system prompt
     */
    record SessionStarted(
            String sessionId,
            String workspace,
            String agent,
            String model,
            List<String> tools,
            boolean resumed,
            String sandbox,
            List<String> guidance)
            implements AgentEvent {}

    /** A user message enters the history; {@code origin} as in the journal: person, nudge, … */
    record UserMessage(String text, String origin) implements AgentEvent {}

    /** A step begins; {@code step} counts from 1. */
    record StepStarted(int step) implements AgentEvent {}

    /**
     * A request is sent with this many messages.
     *
     * @param step 0 for a call beside the steps, such as an evaluation
     */
    record LlmRequested(int step, int messages, boolean closing) implements AgentEvent {}

    /** A piece of the answer's text. */
    record TextDelta(String text) implements AgentEvent {}

    /** A piece of the model's reasoning. */
    record ThinkingDelta(String text) implements AgentEvent {}

    /** An attempt failed and another follows after {@code delay}. */
    record LlmRetried(
            int attempt, Duration delay, String code, String message, boolean textWithdrawn)
            implements AgentEvent {}

    /**
     * A request ended, with or without a reply.
     *
     * @param error null when a reply came
     */
    record LlmResponded(
            int step,
            String text,
            int toolCalls,
            String finish,
            Duration took,
            @Nullable String error)
            implements AgentEvent {}

    /** Tokens and cost of one call; {@code usd} is null when the price is unknown. */
    record UsageReported(String source, Usage usage, @Nullable BigDecimal usd)
            implements AgentEvent {}

    /** The policy or a person decided about a call; verdict is allow, ask or deny. */
    record PermissionDecided(String callId, String tool, String verdict, String rule, String by)
            implements AgentEvent {}

    /** A call begins (also a call that will be refused). */
    record ToolStarted(ToolCall call) implements AgentEvent {}

    /** One line about a call that takes long. */
    record ToolProgress(String callId, String message, @Nullable Integer percent)
            implements AgentEvent {}

    /** A tool call has its result; every started call ends with exactly one of these. */
    record ToolFinished(ToolCall call, ToolResult result, Duration took) implements AgentEvent {}

    /**
     * A file was changed by a call.
     *
     * @param diff unified diff of its text, cut if it is long; null for what is no text, and where
     *     only the name has changed
     */
    record EditApplied(String callId, FileChange change, @Nullable String diff)
            implements AgentEvent {}

    /**
     * A hook ran.
     *
     * @param exitCode -1 when it was killed at its timeout, could not start or was cut
     * @param output what it printed, trimmed; shown when it failed
     */
    record HookFinished(
            String callId,
            String name,
            String event,
            String file,
            int exitCode,
            Duration took,
            String output)
            implements AgentEvent {}

    /**
     * Old messages were replaced by less.
     *
     * @param by what was done: clearing, summary, mechanical, window
     */
    record ContextCompacted(long oldTokens, long newTokens, String by) implements AgentEvent {}

    /** Money spent so far against the cap; either may be null when unknown or not set. */
    record BudgetUpdated(@Nullable BigDecimal usd, @Nullable BigDecimal capUsd)
            implements AgentEvent {}

    /** A watchdog tripped; {@code reason} is a stop reason, {@code detail} one line for people. */
    record LimitReached(String reason, String detail) implements AgentEvent {}

    /** The run closes gracefully. */
    record Closing(String reason, int steps) implements AgentEvent {}

    /** Another agent profile takes over. */
    record AgentSwitched(String from, String to) implements AgentEvent {}

    /**
     * Another agent begins to work on a task for the agent of the run.
     *
     * @param callId of the call that started it; below another such agent, the ids of all calls
     *     that lead to it, with slashes between them
     * @param depth 1 for those that the run's own agent starts
     */
    record SubagentStarted(String callId, String agent, int depth, String task, List<String> tools)
            implements AgentEvent {}

    /** What happened in the work of such an agent; never one of the pieces of a text. */
    record SubagentDid(String callId, String agent, int depth, AgentEvent event)
            implements AgentEvent {}

    /**
     * It ended; {@code usd} is null when the price is unknown.
     *
     * @param stopReason wire name
     */
    record SubagentFinished(
            String callId,
            String agent,
            int depth,
            String status,
            String stopReason,
            int steps,
            long tokens,
            @Nullable BigDecimal usd,
            Duration took)
            implements AgentEvent {}

    /** Something a person should know; the run goes on. */
    record Warning(String message) implements AgentEvent {}

    /**
     * Something failed.
     *
     * @param terminal whether it ends the run
     * @param retryAfter when the provider wants to be asked again; null if it did not say
     */
    record Failed(
            String code,
            String message,
            boolean terminal,
            boolean retryable,
            @Nullable Duration retryAfter)
            implements AgentEvent {
        public Failed(String code, String message, boolean terminal, boolean retryable) {
            this(code, message, terminal, retryable, null);
        }
    }

    /** The last event of every run. */
    record Finished(RunSummary summary) implements AgentEvent {}
}
