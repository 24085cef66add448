package dev.agentloop.cli.setup;

import dev.agentloop.cli.command.ExitCode;
import dev.agentloop.config.catalog.ModelCatalog;
import dev.agentloop.cost.CostTracker;
import dev.agentloop.event.RunSummary;
import dev.agentloop.loop.run.Run;
import dev.agentloop.message.Usage;
import dev.agentloop.sandbox.Tier;
import dev.agentloop.wiring.run.StructuredAnswer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is known of a run at the moment its result is reported; filled while the run is set up. */
public final class ResultFacts {
    public String sessionId = "";
    public String agent = "";
    public String model = "";
    public String workspace = "";
    public String journal = "";
    public boolean durable = true;
    public String sandbox = Tier.NONE.wireName();
    private final Map<String, ModelCatalog.PriceBasis> bases = new HashMap<>();
    public boolean strictDenials;
    public boolean resumed;
    public int onPartial = ExitCode.PARTIAL.code();
    @Nullable public CostTracker costs;
    @Nullable public Run run;
    @Nullable public StructuredAnswer answer;
    public RunSummary.@Nullable CassetteUse cassette;
    public boolean keepsBackground;
    public boolean programGoesOn; // after the run, as in a chat
    public List<RunSummary.LeftRunning> leftRunning = List.of();

    public void learn(RunPreparation.Prepared prepared) {
        agent = prepared.agent();
        model = prepared.model().model().info().id();
        workspace = prepared.workspace().toString();
        keepsBackground = prepared.config().commands().keepBackground();
        learn(prepared.model().model());
        prepared.fallbacks().forEach(fallback -> learn(fallback.model()));
    }

    public void learn(ModelCatalog.Entry entry) {
        bases.putIfAbsent(entry.info().id(), entry.basis());
    }

    /** The model of the last answer; without one, the chosen one, as far as it is known. */
    public String model() {
        String last = costs == null ? "" : costs.lastModel();
        return last.isEmpty() ? model : last;
    }

    public List<RunSummary.ModelUse> modelsUsed() {
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
    public String basis() {
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

    public int steps() {
        return run == null ? 0 : run.steps();
    }

    public Usage usage() {
        return costs == null ? Usage.NONE : costs.usage();
    }
}
