package dev.agentloop.config;

import dev.agentloop.config.AgentConfig.Agent;
import dev.agentloop.config.AgentConfig.Llm;
import dev.agentloop.config.AgentConfig.Permissions;
import dev.agentloop.config.key.KeyPath;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

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
            String key = open ? ofAgent(problem.key(), agent) : "";
            Origin origin = open ? origin(key) : Origin.BUILT_IN;
            problems.add(
                    origin.kind() == Origin.Kind.BUILT_IN
                            ? problem
                            : new ConfigException.Problem(
                                    key, problem.problem(), problem.remedy(), origin.text()));
        }
        return new ConfigException(problems);
    }

    /** The key that the value really has: the profile's own model goes before llm.model. */
    private String ofAgent(String key, String agent) {
        Agent profile = config.agents().getOrDefault(agent, Agent.EMPTY);
        boolean own = key.equals("llm.model") && !isFixed(key) && profile.model().isPresent();
        return own ? "agents." + agent + ".model" : key;
    }

    /**
     * The configuration as the profile wants it: its steps, model and confirm preset replace the
     * general ones, unless those were said for this invocation. Its tools and prompt stay in {@code
     * agents}.
     */
    public AgentConfig forAgent(String name) {
        Agent agent = config.agents().getOrDefault(name, Agent.EMPTY);
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
                config.evaluation(),
                config.logging());
    }

    private Llm llm(Agent agent) {
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

    private Permissions permissions(Agent agent) {
        Permissions rules = config.permissions();
        if (isFixed("permissions.confirm") || agent.confirm().isEmpty()) {
            return rules;
        }
        return new Permissions(
                agent.confirm().get(),
                rules.allow(),
                rules.ask(),
                rules.deny(),
                rules.rules(),
                rules.auditLog());
    }

    private LimitsConfig limits(Agent agent) {
        OptionalInt steps = agent.maxSteps();
        return isFixed("limits.max_steps") || steps.isEmpty()
                ? config.limits()
                : config.limits().withMaxSteps(steps.getAsInt());
    }

    private boolean isFixed(String key) {
        return origin(key).kind().isInvocation();
    }
}
