package dev.agentloop.config;

import dev.agentloop.config.key.KeyPath;
import java.util.OptionalInt;

/**
 * What of the history is sent.
 *
 * @param maxContextTokens empty: the model's context window, else {@link #FALLBACK_TOKENS}; 0: no
 *     limit
 * @param summarizeAfterSteps steps before old ones may be summarised; 0: from the first on
 * @param keepRecentSteps newest steps that a summary leaves alone
 * @param serverCompaction whether the model's server is asked to sum up old steps itself
 * @param maxToolResultTokens longer results are truncated; 0: never; empty: by the model's window
 * @param parallelTools whether calls of one step may run side by side
 * @param finishCheck whether the model may be asked to check its work
 */
public record ContextConfig(
        OptionalInt maxContextTokens,
        int summarizeAfterSteps,
        int keepRecentSteps,
        boolean serverCompaction,
        OptionalInt maxToolResultTokens,
        boolean parallelTools,
        boolean finishCheck) {
    /** Window of a model that nobody described. */
    public static final int FALLBACK_TOKENS = 80_000;

    /**
     * Tokens the history may have; 0 is no limit.
     *
     * @param contextWindow of the model at hand; 0 when unknown
     */
    public int tokensFor(int contextWindow) {
        return maxContextTokens.orElse(contextWindow > 0 ? contextWindow : FALLBACK_TOKENS);
    }

    static ContextConfig of(SettingsReader read) {
        return new ContextConfig(
                read.maybeWhole(KeyPath.of("context.max_context_tokens")),
                read.whole("context.summarize_after_steps"),
                read.whole("context.keep_recent_steps"),
                read.flag("context.server_compaction"),
                read.wholeOrAuto("context.max_tool_result_tokens"),
                read.flag("context.parallel_tools"),
                read.text("context.finish_check").filter("auto"::equals).isPresent());
    }
}
