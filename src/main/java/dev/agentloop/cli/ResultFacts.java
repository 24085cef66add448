package dev.agentloop.cli;

import dev.agentloop.config.catalog.ModelCatalog;
import dev.agentloop.cost.CostTracker;
import dev.agentloop.event.RunSummary;
import dev.agentloop.loop.Run;
import dev.agentloop.message.Usage;
import dev.agentloop.sandbox.Tier;
import dev.agentloop.wiring.StructuredAnswer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is known of a run at the moment its result is reported; filled while the run is set up. */
final class ResultFacts {
    String sessionId = "";
    String agent = "";
    String model = "";
    String workspace = "";
    String journal = "";
    boolean durable = true;
    String sandbox = Tier.NONE.wireName();
    private final Map<String, ModelCatalog.PriceBasis> bases = new HashMap<>();
    boolean strictDenials;
    boolean resumed;
    int onPartial = ExitCode.PARTIAL.code();
    @Nullable CostTracker costs;
    @Nullable Run run;
    @Nullable StructuredAnswer answer;
    RunSummary.@Nullable CassetteUse cassette;

    void learn(RunPreparation.Prepared prepared) {
        agent = prepared.agent();
        model = prepared.model().model().info().id();
        workspace = prepared.workspace().toString();
        learn(prepared.model().model());
        prepared.fallbacks().forEach(fallback -> learn(fallback.model()));
    }

    void learn(ModelCatalog.Entry entry) {
        bases.putIfAbsent(entry.info().id(), entry.basis());
    }

    /** The model of the last answer; without one, the chosen one, as far as it is known. */
    String model() {
        String last = costs == null ? "" : costs.lastModel();
        return last.isEmpty() ? model : last;
    }

    List<RunSummary.ModelUse> modelsUsed() {
        List<RunSummary.ModelUse> uses = new ArrayList<>();
        if (costs != null) {
            costs.answers()
                    .forEach((id, answers) ->
                            uses.add(
                                    new RunSummary.ModelUse(
                                            id,
                                            answers.calls(),
                                            answers.usd(),
                                            answers.tokens(),
                                            word(basisOf(id)))));
        }
        return uses;
    }

    /** Of all that answered; of the chosen model before the first answer. */
    String basis() {
        List<String> ids = costs == null ? List.of() : List.copyOf(costs.answers().keySet());
        Set<ModelCatalog.PriceBasis> all = EnumSet.noneOf(ModelCatalog.PriceBasis.class);
        for (String id : ids.isEmpty() ? List.of(model) : ids) {
            all.add(basisOf(id));
        }
        boolean noSum = costs != null && costs.usd() == null;
        if (noSum || all.contains(ModelCatalog.PriceBasis.UNKNOWN)) {
            return word(ModelCatalog.PriceBasis.UNKNOWN);
        }
        return word(
                all.contains(ModelCatalog.PriceBasis.CONFIG)
                        ? ModelCatalog.PriceBasis.CONFIG
                        : ModelCatalog.PriceBasis.LIST);
    }

    private ModelCatalog.PriceBasis basisOf(String id) {
        return bases.getOrDefault(id, ModelCatalog.PriceBasis.UNKNOWN);
    }

    private static String word(ModelCatalog.PriceBasis basis) {
        return basis.name().toLowerCase(Locale.ROOT);
    }

    int steps() {
        return run == null ? 0 : run.steps();
    }

    Usage usage() {
        return costs == null ? Usage.NONE : costs.usage();
    }
}
