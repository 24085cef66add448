package dev.agentloop.library;

import java.math.BigDecimal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a conversation has used so far; {@link AgentLoop#clearHistory} begins it anew.
 *
 * @param steps replies of the model to a step
 * @param sessionPromptTokens tokens read in all calls, cached ones included
 * @param sessionCompletionTokens tokens written in all calls
 * @param toolCallsAgreed calls that were allowed to run
 * @param toolCallsRejected calls that the policy, a person or a hook kept from running
 * @param toolCallsFailed calls that ended in an error
 * @param toolCallsSucceeded calls that ended well
 * @param contextTokens tokens of the conversation, as of the newest reply
 * @param lastTurnPromptTokens tokens that the newest step's call read
 * @param lastTurnCompletionTokens tokens that it wrote
 * @param lastTurnDuration how long it took
 * @param tokensPerSecond written by it; 0 when it took no time
 * @param inputPricePerMillion US dollars; null when unknown
 * @param outputPricePerMillion US dollars; null when unknown
 * @param sessionCost US dollars of all calls, cached tokens at their own price; null when unknown
 */
public record AgentStats(
        int steps,
        long sessionPromptTokens,
        long sessionCompletionTokens,
        int toolCallsAgreed,
        int toolCallsRejected,
        int toolCallsFailed,
        int toolCallsSucceeded,
        long contextTokens,
        long lastTurnPromptTokens,
        long lastTurnCompletionTokens,
        Duration lastTurnDuration,
        double tokensPerSecond,
        @Nullable BigDecimal inputPricePerMillion,
        @Nullable BigDecimal outputPricePerMillion,
        @Nullable BigDecimal sessionCost) {}
