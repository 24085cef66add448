package dev.agentloop.config;

import dev.agentloop.config.AgentConfig.Llm;
import dev.agentloop.config.AgentConfig.Permissions;
import dev.agentloop.config.key.KeyPath;
import dev.agentloop.config.source.ConfigDocument;
import dev.agentloop.config.source.ConfigException;
import dev.agentloop.config.source.ConfigReport;
import dev.agentloop.config.source.Origin;
import dev.agentloop.config.source.Settings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A configuration with its history. The report is made when it is asked for. */
public final class LoadedConfig {
    private final AgentConfig config;
    private final Settings settings;
    private final List<String> warnings;
    private final Optional<Path> skippedProjectFile;

    LoadedConfig(
            AgentConfig config,
            Settings settings,
            List<String> warnings,
            Optional<Path> skippedProjectFile) {
        this.config = config;
        this.settings = settings;
        this.warnings = List.copyOf(warnings);
        this.skippedProjectFile = skippedProjectFile;
    }

    /** The values in force. */
    public AgentConfig config() {
        return config;
    }

    /**
     * One line each, for stderr and {@code warnings[]}; they name a skipped project file, ignored
     * keys and files that others may write to.
     */
    public List<String> warnings() {
        return warnings;
    }

    /** The same with more to say, which comes first. */
    public LoadedConfig warning(List<String> more) {
        List<String> all = new ArrayList<>(more);
        all.addAll(warnings);
        return new LoadedConfig(config, settings, all, skippedProjectFile);
    }

    /** The project's configuration, when there is one that is not trusted. */
    public Optional<Path> skippedProjectFile() {
        return skippedProjectFile;
    }

    /** Every key with its value and origin. */
    public ConfigReport report() {
        return ConfigReport.of(settings, config.workspace());
    }

    /** A text for {@link ConfigLoader#only} that says the same about how a run goes. */
    public String document() {
        return ConfigDocument.of(settings);
    }

    /** Where the value of a key without names came from, e.g. of {@code sandbox.mode}. */
    public Origin origin(String key) {
        return settings.origin(KeyPath.of(key));
    }

    /**
     * The same trouble with the key and the place of each value that nobody has said yet.
     *
     * @param agent whose values stand in place of the general ones
     */
    public ConfigException located(ConfigException trouble, String agent) {
        List<ConfigException.Problem> problems = new ArrayList<>();
        for (ConfigException.Problem problem : trouble.problems()) {
            boolean open = problem.location().isEmpty() && !problem.key().isEmpty();
            String key = open ? ofAgent(problem, agent) : "";
            Origin origin = open ? origin(key) : Origin.BUILT_IN;
            problems.add(
                    origin.kind() == Origin.Kind.BUILT_IN
                            ? problem
                            : new ConfigException.Problem(
                                    key, problem.problem(), problem.remedy(), origin.text()));
        }
        return new ConfigException(problems);
    }

    /** The key that the value really has: the agent's own model goes before llm.model. */
    private String ofAgent(ConfigException.Problem problem, String agent) {
        AgentProfile profile = config.agents().getOrDefault(agent, AgentProfile.EMPTY);
        String own = "agents." + agent + ".";
        return switch (problem.key()) {
            case "llm.model" ->
                    !isFixed("llm.model") && profile.model().isPresent()
                            ? own + "model"
                            : "llm.model";
            case "permissions.allow" -> isOf(profile.rules().allow(), problem, own + "allow");
            case "permissions.ask" -> isOf(profile.rules().ask(), problem, own + "ask");
            case "permissions.deny" -> isOf(profile.rules().deny(), problem, own + "deny");
            default -> problem.key();
        };
    }

    private static String isOf(List<String> rules, ConfigException.Problem problem, String own) {
        boolean named =
                rules.stream().anyMatch(rule -> problem.problem().startsWith("\"" + rule + "\""));
        return named ? own : problem.key();
    }

    /**
     * The configuration as the profile wants it: its limits, model and confirm preset replace the
     * general ones, unless those were said for this invocation; its rules are added. Its tools,
     * reach and prompt stay in {@code agents}.
     */
    public AgentConfig forAgent(String name) {
        AgentProfile agent = config.agent(name).orElse(AgentProfile.EMPTY);
        return new AgentConfig(
                config.workspace(),
                llm(agent),
                config.providers(),
                config.agents(),
                config.tools(),
                permissions(agent),
                config.guardrails(),
                config.sandbox(),
                config.context(),
                limits(agent),
                config.hooks(),
                config.mcpServers(),
                config.commands(),
                config.secrets(),
                config.sessions(),
                config.memory(),
                config.evaluation(),
                config.logging());
    }

    private Llm llm(AgentProfile agent) {
        Llm llm = config.llm();
        return new Llm(
                isFixed("llm.model") ? llm.model() : agent.model().or(llm::model),
                llm.baseUrl(),
                llm.apiKeyEnv(),
                isFixed("llm.effort") ? llm.effort() : agent.effort().or(llm::effort),
                llm.temperature(),
                llm.fallbackModels(),
                llm.maxOutputTokens(),
                llm.maxRetries(),
                llm.idleTimeout(),
                llm.requestTimeout(),
                llm.maxContinuations(),
                llm.caFile());
    }

    private Permissions permissions(AgentProfile agent) {
        Permissions rules = config.permissions();
        boolean fixed = isFixed("permissions.confirm");
        return new Permissions(
                fixed ? rules.confirm() : agent.confirm().orElse(rules.confirm()),
                AgentProfile.both(rules.allow(), agent.rules().allow()),
                AgentProfile.both(rules.ask(), agent.rules().ask()),
                AgentProfile.both(rules.deny(), agent.rules().deny()),
                rules.rules(),
                rules.auditLog(),
                rules.addDirs());
    }

    private LimitsConfig limits(AgentProfile agent) {
        return config.limits().with(agent.limits(), name -> isFixed("limits." + name));
    }

    private boolean isFixed(String key) {
        return origin(key).kind().isInvocation();
    }
}
