package dev.agentloop.cli.setup;

import dev.agentloop.cli.command.AuthException;
import dev.agentloop.cli.command.RunOption;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.config.AgentConfig;
import dev.agentloop.config.catalog.ModelChoice;
import dev.agentloop.config.source.ConfigException;
import dev.agentloop.config.source.Origin;
import dev.agentloop.llm.Capabilities;
import dev.agentloop.session.SavedSession;
import dev.agentloop.trust.KeyHosts;
import dev.agentloop.wiring.model.LocalProbe;
import dev.agentloop.wiring.model.Providers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParseResult;

/** The models of a run, with everything about them that can be wrong before it begins. */
public final class ModelSelection {
    private static final String FALLBACK = "--fallback-model (llm.fallback_models) ";

    /** What the models that are scripts begin with. */
    public static final String DEMO = "demo/";

    public static final String DEMO_IS_FIXED = "demo/scripted plays one fixed conversation: ";

    private final Map<String, String> environment;
    private final boolean keys;

    public ModelSelection(Map<String, String> environment) {
        this(environment, true);
    }

    /**
     * @param keys whether they are needed, because a server is to be asked
     */
    public ModelSelection(Map<String, String> environment, boolean keys) {
        this.environment = environment;
        this.keys = keys;
    }

    /**
     * Refuses what no run could begin with, as far as the configuration says it. Keys and what
     * variables add to it are left out: a configuration is as good where they are not set.
     */
    public static void checkConfigured(
            AgentConfig config, Map<String, String> environment, Origin budgetOrigin)
            throws AuthException, UsageException {
        if (config.llm().model().isEmpty()) { // a key decides, and whoever has one speaks TLS
            Providers.checkAuthorities(config.llm(), Map.of());
            return;
        }
        ModelSelection selection = new ModelSelection(environment, false);
        checkBudget(config, selection.withFallbacks(config, selection.model(config)), budgetOrigin);
    }

    public ModelChoice.Chosen model(AgentConfig config) throws AuthException {
        ModelChoice.Chosen chosen = choose(config);
        chosen.checkAddress();
        if (keys) {
            checkKey(chosen, environment);
        }
        checkAuthorities(chosen, config);
        return chosen;
    }

    /** The model, and then those that may take over. */
    public List<ModelChoice.Chosen> withFallbacks(AgentConfig config, ModelChoice.Chosen first)
            throws AuthException, UsageException {
        List<ModelChoice.Chosen> models = new ArrayList<>(List.of(first));
        models.addAll(fallbacks(config, first));
        return models;
    }

    /**
     * Whether the model's key may go to its server, of which only a journal has told. Others may
     * have written that: a person must have said it once, or a provider must be known there.
     *
     * @param known servers for which a person has named a key
     */
    void checkServerOfSession(ModelChoice.Chosen model, AgentConfig config, KeyHosts known)
            throws UsageException, IOException {
        if (!keys
                || model.key(environment).isEmpty()
                || ModelChoice.isKeyOfServer(model, config, environment)
                || known.has(variable(model), model.baseUrl())) {
            return;
        }
        throw new UsageException(
                "the session wants to go on at "
                        + model.baseUrl()
                        + ", and nobody on this machine has said that the key in "
                        + variable(model)
                        + " may be sent there.\n  If it may: add --base-url "
                        + model.baseUrl()
                        + " --api-key-env "
                        + variable(model)
                        + ". If you do not know this server, somebody may have changed the"
                        + " session's journal.");
    }

    /** A person has named the server: a session may go on there without being told again. */
    void remember(ModelChoice.Chosen model, KeyHosts known) {
        if (keys && model.key(environment).isPresent()) {
            try {
                known.add(variable(model), model.baseUrl());
            } catch (IOException e) {
                return; // the session then asks for it again
            }
        }
    }

    private void checkAuthorities(ModelChoice.Chosen model, AgentConfig config) {
        Providers.checkAuthorities(model, config.llm(), keys ? environment : Map.of());
    }

    private ModelChoice.Chosen choose(AgentConfig config) throws AuthException {
        return switch (ModelChoice.of(config, environment, new LocalProbe())) {
            case ModelChoice.None(String help) ->
                    throw new AuthException(
                            "There is no model: no key is set and no local server answers.\n"
                                    + help.indent(2).stripTrailing());
            case ModelChoice.Chosen chosen -> chosen;
        };
    }

    /** All is looked for now: a run must not find out at night that it cannot be taken over. */
    private List<ModelChoice.Chosen> fallbacks(AgentConfig config, ModelChoice.Chosen first)
            throws AuthException, UsageException {
        List<ModelChoice.Chosen> fallbacks = new ArrayList<>();
        for (String id : config.llm().fallbackModels()) {
            boolean sameProvider = id.startsWith(first.model().info().provider() + "/");
            ModelChoice.Chosen fallback = fallback(config.withModel(id, sameProvider), id);
            if (fallback.protocol() == AgentConfig.Protocol.EMBEDDED) {
                throw new UsageException(FALLBACK + id + ": a script cannot take over.");
            }
            if (capabilities(first).tools() && !capabilities(fallback).tools()) {
                throw new UsageException(
                        FALLBACK
                                + id
                                + ": it has no tools, so it could not go on with the work of "
                                + first.model().info().id()
                                + ".\n  Choose another one, or correct capabilities.tools of the"
                                + " model in the configuration.");
            }
            fallbacks.add(fallback);
        }
        return fallbacks;
    }

    private ModelChoice.Chosen fallback(AgentConfig config, String id)
            throws AuthException, UsageException {
        ModelChoice.Chosen fallback;
        try {
            fallback = choose(config);
        } catch (ConfigException e) {
            ConfigException.Problem problem = e.problems().getFirst();
            if (!problem.key().equals("llm.model")) {
                throw e;
            }
            throw new UsageException(
                    FALLBACK
                            + id
                            + ": "
                            + problem.problem()
                            + ".\n  Correct the name, or describe its provider in the section"
                            + " providers of the configuration.");
        }
        fallback.checkAddress();
        if (keys && fallback.lacksKey(environment)) {
            throw new AuthException(
                    FALLBACK
                            + id
                            + ": "
                            + noKey(fallback)
                            + ".\n  Set "
                            + variable(fallback)
                            + ", or leave this model out.");
        }
        checkAuthorities(fallback, config);
        return fallback;
    }

    private static Capabilities capabilities(ModelChoice.Chosen model) {
        return model.model().info().capabilities();
    }

    /** A key that the user names must be there; a local server needs none else. */
    public static void checkKey(ModelChoice.Chosen chosen, Map<String, String> environment)
            throws AuthException {
        if (chosen.lacksKey(environment)) {
            throw new AuthException(
                    noKey(chosen)
                            + ".\n  "
                            + keyRemedy(chosen)
                            + ", or try --model demo/scripted, which needs none.");
        }
    }

    private static String noKey(ModelChoice.Chosen chosen) {
        String by = chosen.keyNamedBy();
        String asGiven = by.equals("llm.api_key_env") ? "--api-key-env, or AGENT_API_KEY_ENV," : by;
        String named = ": " + asGiven + " names " + variable(chosen) + ", which is not set";
        return "there is no key for " + chosen.model().info().id() + (by.isEmpty() ? "" : named);
    }

    /** What to do about a missing key. */
    public static String keyRemedy(ModelChoice.Chosen chosen) {
        return "Set "
                + variable(chosen)
                + (chosen.isLocal()
                        ? ", or name no variable if the server wants no key"
                        : ", or name another variable with --api-key-env");
    }

    private static String variable(ModelChoice.Chosen chosen) {
        return chosen.apiKeyEnv().orElse("");
    }

    /**
     * @param origin where the budget comes from
     */
    public static void checkBudget(
            AgentConfig config, List<ModelChoice.Chosen> models, Origin origin)
            throws UsageException {
        String budget =
                origin.kind().isInvocation() ? origin.text() : origin.text() + ": limits.budget";
        for (ModelChoice.Chosen model : models) {
            boolean first = model == models.getFirst();
            String who = first ? "" : FALLBACK + model.model().info().id() + ": ";
            checkBudget(config, model, who + budget);
        }
    }

    private static void checkBudget(AgentConfig config, ModelChoice.Chosen model, String what)
            throws UsageException {
        if (config.limits().budget().isPresent()
                && !model.model().price().isKnown()
                && model.protocol() != AgentConfig.Protocol.EMBEDDED) {
            String name = model.model().info().name();
            throw new UsageException(
                    what
                            + " cannot be kept: the price of "
                            + model.model().info().id()
                            + " is unknown.\n  Set providers."
                            + model.model().info().provider()
                            + ".models."
                            + name
                            + ".price in the configuration, or limit tokens with"
                            + " --max-tokens-total.");
        }
    }

    /**
     * The demo plays one fixed conversation; anything else would make it tell untruths.
     *
     * @param earlier the session that goes on; null for a new one
     */
    public static void checkDemo(
            ModelChoice.Chosen model, ParseResult arguments, @Nullable SavedSession earlier)
            throws UsageException {
        boolean changed =
                RunOption.MODE.isGiven(arguments)
                        || RunOption.AGENT.isGiven(arguments)
                        || RunOption.DRY_RUN.isGiven(arguments)
                        || RunOption.SELF_EVAL.isGiven(arguments);
        boolean embedded = model.protocol() == AgentConfig.Protocol.EMBEDDED;
        if (embedded && !model.model().info().name().equals("scripted")) {
            throw new UsageException("the only model of demo is demo/scripted.");
        }
        if (changed && embedded) {
            throw new UsageException(
                    DEMO_IS_FIXED
                            + "it knows neither --mode nor --agent nor --dry-run nor --self-eval.");
        }
        if (embedded && earlier != null && !earlier.summary().model().startsWith(DEMO)) {
            throw new UsageException(
                    DEMO_IS_FIXED
                            + "it works in a project of its own, so it cannot go on with a session"
                            + " of another model. Begin a new one (in a chat: /new).");
        }
    }
}
