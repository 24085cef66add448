package dev.agentloop.wiring.prompt;

import dev.agentloop.config.AgentConfig;
import dev.agentloop.config.ContextConfig;
import dev.agentloop.config.LimitsConfig;
import dev.agentloop.context.CompactingContext;
import dev.agentloop.context.ContextManager;
import dev.agentloop.context.Truncation;
import dev.agentloop.session.SavedSession;
import dev.agentloop.wiring.run.RunSetup;
import java.util.Optional;

/** Makes what keeps the history within the model's window. */
public final class ContextManagers {
    private ContextManagers() {}

    public static ContextManager of(RunSetup setup) {
        ContextConfig config = setup.config().context();
        ContextManager context =
                new CompactingContext(
                        new Truncation(
                                config.maxToolResultTokens(),
                                setup.config().tools().resultBudgetChars()),
                        new CompactingContext.Limits(
                                config.tokensFor(setup.smallestWindow()),
                                config.summarizeAfterSteps(),
                                config.keepRecentSteps()));
        setup.reopened().ifPresent(old -> learn(context, old.session()));
        return context;
    }

    /**
     * Tokens from which the model's server is to sum up old steps itself; 0 if it is not to. That
     * is before it would be done here. Not under a cap: what it reads and writes for that is not
     * limited by anything that a request says, so it cannot be set aside.
     */
    public static long serverThreshold(RunSetup setup) {
        ContextConfig config = setup.config().context();
        return config.serverCompaction() && !isCapped(setup.config())
                ? config.tokensFor(setup.smallestWindow()) * 2L / 3
                : 0;
    }

    /** Says so if the model's server is not asked to although it should be. */
    public static Optional<String> unheeded(AgentConfig config) {
        return config.context().serverCompaction() && isCapped(config)
                ? Optional.of(
                        "context.server_compaction has no effect under a cap on money or tokens:"
                                + " what the server needs for it cannot be set aside")
                : Optional.empty();
    }

    private static boolean isCapped(AgentConfig config) {
        LimitsConfig limits = config.limits();
        return limits.budget().isPresent() || limits.maxTokensTotal().isPresent();
    }

    /** What the model counted before holds for the first request of this run as well. */
    private static void learn(ContextManager context, SavedSession old) {
        SavedSession.Measure measure = old.measure();
        context.learn(old.summary().model(), measure.estimate(), measure.counted());
    }
}
