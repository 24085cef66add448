package dev.agentloop.config;

import dev.agentloop.llm.Capabilities;
import dev.agentloop.llm.Effort;
import dev.agentloop.llm.ToolNames;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The whole configuration of one run, checked: every limit is in its range, every name is known. An
 * empty {@code Optional} means "not set", and each component says what that stands for.
 *
 * @param workspace root of the workspace, absolute
 * @param providers entries of the user; they override the built-in ones of the same name
 * @param agents profiles by name
 */
public record AgentConfig(
        Path workspace,
        Llm llm,
        Map<String, Provider> providers,
        Map<String, AgentProfile> agents,
        Tools tools,
        Permissions permissions,
        GuardrailConfig guardrails,
        Sandbox sandbox,
        ContextConfig context,
        LimitsConfig limits,
        Hooks hooks,
        Map<String, McpServerConfig> mcpServers,
        Commands commands,
        Secrets secrets,
        Sessions sessions,
        MemoryConfig memory,
        EvaluationConfig evaluation,
        Logging logging) {

    /** The same with other permissions and another sandbox. */
    public AgentConfig restricted(Permissions stricter, Sandbox tighter) {
        return with(llm, stricter, tighter);
    }

    private AgentConfig with(Llm otherLlm, Permissions otherPermissions, Sandbox otherSandbox) {
        return new AgentConfig(
                workspace,
                otherLlm,
                providers,
                agents,
                tools,
                otherPermissions,
                guardrails,
                otherSandbox,
                context,
                limits,
                hooks,
                mcpServers,
                commands,
                secrets,
                sessions,
                memory,
                evaluation,
                logging);
    }

    /**
     * An agent, with what the program says of it where the configuration is silent; empty if nobody
     * knows it.
     */
    public Optional<AgentProfile> agent(String name) {
        AgentProfile configured = agents.get(name);
        Optional<AgentProfile> builtIn = BuiltInAgents.find(name);
        if (configured == null) {
            return builtIn;
        }
        return Optional.of(builtIn.map(configured::over).orElse(configured));
    }

    /**
     * The same with another model.
     *
     * @param sameServer whether the address and key that this invocation names are for it, too
     */
    public AgentConfig withModel(String id, boolean sameServer) {
        return withModel(
                id,
                sameServer ? llm.baseUrl() : Optional.empty(),
                sameServer ? llm.apiKeyEnv() : Optional.empty());
    }

    /** The same with another model at a server that needs no key. */
    public AgentConfig withModel(String id, URI server) {
        return withModel(id, Optional.of(server), Optional.empty());
    }

    private AgentConfig withModel(String id, Optional<URI> baseUrl, Optional<String> apiKeyEnv) {
        Llm other =
                new Llm(
                        Optional.of(id),
                        baseUrl,
                        apiKeyEnv,
                        llm.effort(),
                        llm.temperature(),
                        llm.fallbackModels(),
                        llm.maxOutputTokens(),
                        llm.maxRetries(),
                        llm.idleTimeout(),
                        llm.requestTimeout(),
                        llm.maxContinuations(),
                        llm.caFile());
        return with(other, permissions, sandbox);
    }

    /**
     * How models are called.
     *
     * @param model {@code provider/model}; empty: chosen by the keys at hand
     * @param baseUrl of the command line or AGENT_BASE_URL, for the chosen provider
     * @param apiKeyEnv of the command line or AGENT_API_KEY_ENV, for the chosen provider
     * @param effort of reasoning; empty: the model's own default
     * @param temperature 0 to 2; empty: the model's own default
     * @param fallbackModels {@code provider/model} each, in the order in which they take over
     * @param maxOutputTokens cap of one reply; empty: the model's own limit
     * @param maxRetries further attempts after a failed call
     * @param idleTimeout longest silence between two pieces of a reply
     * @param requestTimeout of one attempt, from connect to the last byte; empty: no limit
     * @param maxContinuations how often a reply cut by its token cap is taken up again
     * @param caFile PEM file with authorities to trust besides the system's
     */
    public record Llm(
            Optional<String> model,
            Optional<URI> baseUrl,
            Optional<String> apiKeyEnv,
            Optional<Effort> effort,
            Optional<BigDecimal> temperature,
            List<String> fallbackModels,
            OptionalInt maxOutputTokens,
            int maxRetries,
            Duration idleTimeout,
            Optional<Duration> requestTimeout,
            int maxContinuations,
            Optional<Path> caFile) {}

    /**
     * What the user says about a provider. An empty value leaves the built-in one.
     *
     * @param apiKeyEnv name of the environment variable that holds the key, never a key
     * @param keyHeader header that carries the key in place of the protocol's own
     * @param query of every address, e.g. {@code api-version=2024-10-21}
     * @param models by the exact name at the provider
     */
    public record Provider(
            Optional<Protocol> protocol,
            Optional<URI> baseUrl,
            Optional<String> apiKeyEnv,
            Optional<String> keyHeader,
            Optional<String> query,
            Map<String, Model> models) {}

    /** Wire protocols. {@code EMBEDDED} is the scripted model inside the program. */
    public enum Protocol {
        OPENAI_CHAT,
        OPENAI_RESPONSES,
        ANTHROPIC,
        GEMINI,
        EMBEDDED
    }

    /** What is said about a model; an empty value leaves the built-in one. */
    public record Model(
            OptionalInt contextWindow,
            OptionalInt maxOutputTokens,
            Price price,
            Abilities abilities) {}

    /** What is said about {@link Capabilities}; what is empty is left to others. */
    public record Abilities(
            Optional<Boolean> tools,
            Optional<Boolean> images,
            Optional<Set<Effort>> efforts,
            Optional<Boolean> parallelTools,
            Optional<Boolean> answerSchema,
            Optional<Boolean> textCalls,
            Optional<Boolean> reasoningGoesBack,
            Optional<Boolean> maxCompletionTokens,
            Optional<Boolean> temperature,
            Optional<ToolNames> toolNames) {
        public static final Abilities UNSAID =
                new Abilities(
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty());

        /** These, with what {@code base} says where these are silent. */
        public Abilities over(Abilities base) {
            return new Abilities(
                    tools.or(base::tools),
                    images.or(base::images),
                    efforts.or(base::efforts),
                    parallelTools.or(base::parallelTools),
                    answerSchema.or(base::answerSchema),
                    textCalls.or(base::textCalls),
                    reasoningGoesBack.or(base::reasoningGoesBack),
                    maxCompletionTokens.or(base::maxCompletionTokens),
                    temperature.or(base::temperature),
                    toolNames.or(base::toolNames));
        }

        /** These, with {@code base} where these are silent. */
        public Capabilities over(Capabilities base) {
            return new Capabilities(
                    tools.orElse(base.tools()),
                    images.orElse(base.images()),
                    efforts.orElse(base.efforts()),
                    parallelTools.orElse(base.parallelTools()),
                    answerSchema.orElse(base.answerSchema()),
                    textCalls.orElse(base.textCalls()),
                    reasoningGoesBack.orElse(base.reasoningGoesBack()),
                    maxCompletionTokens.orElse(base.maxCompletionTokens()),
                    temperature.orElse(base.temperature()),
                    toolNames.orElse(base.toolNames()));
        }
    }

    /**
     * List prices in US dollars per million tokens; an empty one is unknown, never free.
     *
     * @param cachedInput prompt tokens read from a cache
     * @param cacheWrite prompt tokens written to a cache
     * @param reasoning of reasoning tokens, where they do not cost what output costs
     */
    public record Price(
            Optional<BigDecimal> input,
            Optional<BigDecimal> cachedInput,
            Optional<BigDecimal> cacheWrite,
            Optional<BigDecimal> output,
            Optional<BigDecimal> reasoning) {
        public static final Price UNKNOWN =
                new Price(
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty());

        /** Whether nothing is known. Record equality would cost 8 ms at each start. */
        public boolean isSilent() {
            return input.isEmpty()
                    && cachedInput.isEmpty()
                    && cacheWrite.isEmpty()
                    && output.isEmpty()
                    && reasoning.isEmpty();
        }

        /** Whether the two prices that every call needs are known. */
        public boolean isKnown() {
            return input.isPresent() && output.isPresent();
        }

        /** This price, with what {@code base} knows where this one is silent. */
        public Price over(Price base) {
            return new Price(
                    input.or(base::input),
                    cachedInput.or(base::cachedInput),
                    cacheWrite.or(base::cacheWrite),
                    output.or(base::output),
                    reasoning.or(base::reasoning));
        }
    }

    /**
     * How tool calls are carried out.
     *
     * @param maxParallel calls at once
     * @param resultBudgetChars characters of all results of one step together
     * @param maxCallsPerStep calls of one reply that are run; further ones are answered with an
     *     error
     * @param syntaxCheck whether edited files are looked at by a parser
     * @param webPrivateHosts servers that may be fetched from wherever they are
     */
    public record Tools(
            int maxParallel,
            int resultBudgetChars,
            int maxCallsPerStep,
            boolean syntaxCheck,
            List<String> webPrivateHosts) {}

    /**
     * Who is asked, and the rules of the user; a deny rule always wins.
     *
     * @param rules those with a reason and examples
     * @param auditLog file that every decision is added to
     * @param addDirs folders that count as part of the workspace; a run has their real paths
     */
    public record Permissions(
            Confirm confirm,
            List<String> allow,
            List<String> ask,
            List<String> deny,
            List<RuleConfig> rules,
            Optional<Path> auditLog,
            List<Path> addDirs) {
        /** These permissions with other folders that count as part of the workspace. */
        public Permissions adding(List<Path> folders) {
            return new Permissions(confirm, allow, ask, deny, rules, auditLog, folders);
        }
    }

    /** The confirm presets. */
    public enum Confirm {
        CONFIRM_ALL,
        CONFIRM_SENSITIVE,
        YOLO
    }

    /**
     * The sandbox of commands.
     *
     * @param network whether commands may use it
     * @param writable folders outside the workspace that commands may write to
     * @param readable what they may read in the home beside what builds need
     */
    public record Sandbox(
            SandboxMode mode, boolean network, List<Path> writable, List<Path> readable) {}

    /** Which sandbox commands get. */
    public enum SandboxMode {
        AUTO,
        REQUIRED,
        BWRAP,
        LANDLOCK,
        OFF
    }

    /** Commands of the user at named moments; disabled hooks are in the list. */
    public record Hooks(List<HookConfig> postEdit, List<HookConfig.ForEvent> others) {}

    /**
     * What is kept from others.
     *
     * @param redactToModel whether the model sees placeholders in place of secrets
     */
    public record Secrets(boolean redactToModel) {}

    /**
     * Commands that the model runs.
     *
     * @param timeout unless the model asks for another one
     * @param passEnv environment variables that commands may see besides the harmless ones
     * @param keepBackground whether background commands go on after the run
     */
    public record Commands(Duration timeout, List<String> passEnv, boolean keepBackground) {
        /** Longest time that the model may ask for. */
        public static final Duration MAX_TIMEOUT = Duration.ofMinutes(10); // contract 6
    }

    /** Whether sessions are kept, and how hard they are pressed onto the disk. */
    public record Sessions(boolean autoSave, Fsync fsync) {}

    /** When the journal waits for the disk. */
    public enum Fsync {
        /** Before each effect: a killed machine forgets no intent. */
        INTENT,
        /** The journal waits for the disk after each record. */
        EVERY,
        NEVER
    }

    /** The log for people and the log file with everything. */
    public record Logging(LogLevel level, Optional<Path> file) {}
}
