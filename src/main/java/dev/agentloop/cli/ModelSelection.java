package dev.agentloop.cli;

import dev.agentloop.config.AgentConfig;
import dev.agentloop.config.catalog.ModelChoice;
import dev.agentloop.wiring.LocalProbe;
import dev.agentloop.wiring.Providers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The models of a run, with everything about them that can be wrong before it begins. */
final class ModelSelection {
    private final Map<String, String> environment;

    ModelSelection(Map<String, String> environment) {
        this.environment = environment;
    }

    ModelChoice.Chosen model(AgentConfig config) throws AuthException {
        return switch (ModelChoice.of(config, environment, new LocalProbe())) {
            case ModelChoice.None(String help) ->
                    throw new AuthException(
                            "There is no model: no key is set and no local server answers.\n"
                                    + help.indent(2).stripTrailing());
            case ModelChoice.Chosen chosen -> {
                checkKey(chosen, config, environment);
                Providers.checkAuthorities(chosen, config.llm(), environment);
                yield chosen;
            }
        };
    }

    /** Their keys are looked for now: a run must not find out at night that there is none. */
    List<ModelChoice.Chosen> fallbacks(AgentConfig config, ModelChoice.Chosen first)
            throws AuthException, UsageException {
        List<ModelChoice.Chosen> fallbacks = new ArrayList<>();
        for (String id : config.llm().fallbackModels()) {
            boolean sameProvider = id.startsWith(first.model().info().provider() + "/");
            ModelChoice.Chosen fallback = model(config.withModel(id, sameProvider));
            if (fallback.protocol() == AgentConfig.Protocol.EMBEDDED) {
                throw new UsageException("--fallback-model " + id + ": a script cannot take over.");
            }
            fallbacks.add(fallback);
        }
        return fallbacks;
    }

    /** A key that the command line names must be there; a local server needs none else. */
    static void checkKey(
            ModelChoice.Chosen chosen, AgentConfig config, Map<String, String> environment)
            throws AuthException {
        boolean named = config.llm().apiKeyEnv().isPresent();
        boolean missing = named && chosen.key(environment).isEmpty();
        if (missing || chosen.lacksKey(environment)) {
            throw new AuthException(
                    "There is no key for "
                            + chosen.model().info().id()
                            + ".\n  Set "
                            + chosen.apiKeyEnv().orElse("")
                            + ", or name another variable with --api-key-env, or try"
                            + " --model demo/scripted, which needs none.");
        }
    }

    static void checkBudget(AgentConfig config, ModelChoice.Chosen model) throws UsageException {
        if (config.limits().budget().isPresent()
                && !model.model().price().isKnown()
                && model.protocol() != AgentConfig.Protocol.EMBEDDED) {
            String name = model.model().info().name();
            throw new UsageException(
                    "--budget cannot be kept: the price of "
                            + model.model().info().id()
                            + " is unknown.\n  Set providers."
                            + model.model().info().provider()
                            + ".models."
                            + name
                            + ".price in the configuration, or limit tokens with"
                            + " --max-tokens-total.");
        }
    }
}
