package dev.agentloop.wiring;

import dev.agentloop.config.LimitsConfig;
import dev.agentloop.config.catalog.ModelCatalog;
import dev.agentloop.config.catalog.ModelChoice;
import dev.agentloop.cost.CostTracker;
import dev.agentloop.cost.Ledger;
import dev.agentloop.session.SavedSession;
import dev.agentloop.session.SessionStore;
import dev.agentloop.wiring.model.Providers;
import dev.agentloop.wiring.run.RunSetup;

/** Prices and caps of a run; what its session has cost before counts. */
final class Costs {
    private Costs() {}

    static CostTracker of(RunSetup setup) {
        LimitsConfig limits = setup.config().limits();
        Ledger ledger =
                new Ledger(
                        new Ledger.Caps(
                                limits.budget().orElse(null),
                                limits.maxTokensTotal().orElse(-1),
                                limits.maxToolCalls().orElse(-1)));
        CostTracker costs = new CostTracker(Providers.price(setup.model().model().price()), ledger);
        for (ModelChoice.Chosen fallback : setup.fallbacks()) {
            ModelCatalog.Entry entry = fallback.model();
            costs.alsoAnswers(entry.info().id(), Providers.price(entry.price()));
        }
        if (setup.reopened().isPresent()) {
            SessionStore.Reopened reopened = setup.reopened().get();
            SavedSession old = reopened.session();
            costs.restore(old.usage(), old.usd());
            costs.restoreHeld(old.held().tokens(), old.held().usd());
        }
        return costs;
    }
}
