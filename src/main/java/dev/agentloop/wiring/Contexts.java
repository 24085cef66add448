package dev.agentloop.wiring;

import dev.agentloop.config.ContextConfig;
import dev.agentloop.config.catalog.ModelChoice;
import dev.agentloop.context.CompactingContext;
import dev.agentloop.context.ContextManager;
import dev.agentloop.context.Truncation;
import dev.agentloop.session.SavedSession;

/** Makes what keeps the history within the model's window. */
final class Contexts {
    private Contexts() {}

    static ContextManager of(RunSetup setup) {
        ContextConfig config = setup.config().context();
        ContextManager context =
                new CompactingContext(
                        new Truncation(
                                config.maxToolResultTokens(),
                                setup.config().tools().resultBudgetChars()),
                        new CompactingContext.Limits(
                                config.tokensFor(smallestWindow(setup)),
                                config.summarizeAfterSteps(),
                                config.keepRecentSteps()));
        setup.reopened().ifPresent(old -> learn(context, old.session()));
        return context;
    }

    /**
     * Tokens from which the model's server is to sum up old steps itself; 0 if it is not to. That
     * is before it would be done here.
     */
    static long serverThreshold(RunSetup setup) {
        ContextConfig config = setup.config().context();
        return config.serverCompaction() ? config.tokensFor(smallestWindow(setup)) * 2L / 3 : 0;
    }

    /** What the model counted before holds for the first request of this run as well. */
    private static void learn(ContextManager context, SavedSession old) {
        SavedSession.Measure measure = old.measure();
        context.learn(old.summary().model(), measure.estimate(), measure.counted());
    }

    /** A model that takes over must be able to read what is there then; 0 when none is known. */
    private static int smallestWindow(RunSetup setup) {
        int smallest = setup.model().model().info().contextWindow();
        for (ModelChoice.Chosen fallback : setup.fallbacks()) {
            int window = fallback.model().info().contextWindow();
            smallest = window > 0 && (window < smallest || smallest == 0) ? window : smallest;
        }
        return smallest;
    }
}
