package dev.agentloop.config;

import dev.agentloop.config.AgentConfig.Abilities;
import dev.agentloop.config.AgentConfig.Model;
import dev.agentloop.config.AgentConfig.Price;
import dev.agentloop.config.AgentConfig.Provider;
import dev.agentloop.config.key.HookKeys;
import dev.agentloop.config.key.KeyPath;
import dev.agentloop.config.source.Origin;
import dev.agentloop.config.source.Settings;
import dev.agentloop.llm.Effort;
import dev.agentloop.llm.ToolNames;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/** Settings into records. Everything was checked when it was read, so nothing can fail here. */
final class ConfigBuilder {
    private final Settings settings;
    private final Path home;
    private final Path base;

    /**
     * @param base what relative paths start from
     */
    ConfigBuilder(Settings settings, Path home, Path base) {
        this.settings = settings;
        this.home = home;
        this.base = base;
    }

    AgentConfig build(Path workspace) {
        return new AgentConfig(
                workspace,
                llm(),
                providers(),
                AgentProfile.all(settings),
                new AgentConfig.Tools(
                        whole("tools.max_parallel"),
                        whole("tools.result_budget_chars"),
                        whole("tools.max_calls_per_step"),
                        texts("tools.web_private_hosts")),
                permissions(),
                guardrails(),
                sandbox(),
                context(),
                limits(),
                new AgentConfig.Hooks(hooks(), otherHooks()),
                McpServerConfig.all(settings),
                new AgentConfig.Commands(span("commands.timeout"), texts("commands.pass_env")),
                new AgentConfig.Secrets(flag("secrets.redact_to_model")),
                new AgentConfig.Sessions(
                        flag("sessions.auto_save"),
                        word(AgentConfig.Fsync.values(), "sessions.fsync")),
                new MemoryConfig(flag("memory.enabled"), whole("memory.max_bytes")),
                new EvaluationConfig(
                        word(EvaluationConfig.Mode.values(), "evaluation.mode"),
                        whole("evaluation.max_retries"),
                        money(KeyPath.of("evaluation.confidence_threshold")).orElseThrow()),
                new AgentConfig.Logging(
                        word(LogLevel.values(), "logging.level"),
                        text("logging.file").map(this::path)));
    }

    private AgentConfig.Llm llm() {
        return new AgentConfig.Llm(
                text("llm.model"),
                text("llm.base_url").map(URI::create),
                text("llm.api_key_env"),
                effort(KeyPath.of("llm.effort")),
                money(KeyPath.of("llm.temperature")),
                settings.value(KeyPath.of("llm.fallback_models"))
                        .map(ConfigBuilder::asTexts)
                        .orElse(List.of()),
                maybeWhole(KeyPath.of("llm.max_output_tokens")),
                whole("llm.max_retries"),
                span("llm.idle_timeout"),
                limit("llm.request_timeout"),
                whole("llm.max_continuations"),
                beside("llm.ca_file"));
    }

    private Map<String, Provider> providers() {
        Map<String, Provider> providers = new LinkedHashMap<>();
        KeyPath section = KeyPath.of("providers");
        for (String name : settings.namesBelow(section)) {
            KeyPath at = section.then(name);
            Map<String, Model> models = new LinkedHashMap<>();
            for (String model : settings.namesBelow(at.then("models"))) {
                models.put(model, model(at.then("models").then(model)));
            }
            providers.put(
                    name,
                    new Provider(
                            text(at.then("protocol"))
                                    .map(text -> constant(AgentConfig.Protocol.values(), text)),
                            text(at.then("base_url")).map(URI::create),
                            text(at.then("api_key_env")),
                            text(at.then("key_header")),
                            text(at.then("query")),
                            Collections.unmodifiableMap(models)));
        }
        return Collections.unmodifiableMap(providers);
    }

    private Model model(KeyPath at) {
        KeyPath price = at.then("price");
        return new Model(
                maybeWhole(at.then("context_window")),
                maybeWhole(at.then("max_output_tokens")),
                new Price(
                        money(price.then("input")),
                        money(price.then("cached_input")),
                        money(price.then("cache_write")),
                        money(price.then("output")),
                        money(price.then("reasoning"))),
                abilities(at.then("capabilities")));
    }

    private Abilities abilities(KeyPath at) {
        return new Abilities(
                maybeFlag(at.then("tools")),
                maybeFlag(at.then("images")),
                settings.value(at.then("efforts")).map(ConfigBuilder::efforts),
                maybeFlag(at.then("parallel_tools")),
                maybeFlag(at.then("answer_schema")),
                maybeFlag(at.then("text_calls")),
                maybeFlag(at.then("reasoning_goes_back")),
                maybeFlag(at.then("max_completion_tokens")),
                maybeFlag(at.then("temperature")),
                text(at.then("tool_names")).map(name -> constant(ToolNames.values(), name)));
    }

    private static Set<Effort> efforts(Object words) {
        Set<Effort> efforts = new LinkedHashSet<>();
        for (String word : asTexts(words)) {
            efforts.add(constant(Effort.values(), word));
        }
        return efforts;
    }

    private AgentConfig.Permissions permissions() {
        return new AgentConfig.Permissions(
                word(AgentConfig.Confirm.values(), "permissions.confirm"),
                texts("permissions.allow"),
                texts("permissions.ask"),
                texts("permissions.deny"),
                rules(),
                text("permissions.audit_log").map(this::path));
    }

    private List<RuleConfig> rules() {
        List<RuleConfig> rules = new ArrayList<>();
        for (Map<?, ?> rule : maps("permissions.rules")) {
            rules.add(
                    new RuleConfig(
                            (String) of(rule, "verdict"),
                            (String) of(rule, "rule"),
                            rule.get("reason") instanceof String reason ? reason : "",
                            asTexts(of(rule, "match")),
                            asTexts(of(rule, "not_match"))));
        }
        return List.copyOf(rules);
    }

    private GuardrailConfig guardrails() {
        List<GuardrailConfig.CodeRule> codeRules = new ArrayList<>();
        for (Map<?, ?> rule : maps("guardrails.code_rules")) {
            codeRules.add(
                    new GuardrailConfig.CodeRule(
                            (String) of(rule, "pattern"),
                            (String) of(rule, "message"),
                            of(rule, "severity").equals("block")));
        }
        List<GuardrailConfig.Gate> gates = new ArrayList<>();
        for (Map<?, ?> gate : maps("guardrails.quality_gates")) {
            gates.add(
                    new GuardrailConfig.Gate(
                            (String) of(gate, "name"),
                            (String) of(gate, "command"),
                            (Boolean) of(gate, "required"),
                            (Duration) of(gate, "timeout")));
        }
        return new GuardrailConfig(
                texts("guardrails.protected_files"),
                texts("guardrails.sensitive_files"),
                texts("guardrails.blocked_commands"),
                maybeWhole(KeyPath.of("guardrails.max_files_modified")),
                maybeWhole(KeyPath.of("guardrails.max_lines_changed")),
                maybeWhole(KeyPath.of("guardrails.max_commands_executed")),
                flag("guardrails.require_test_after_edit"),
                List.copyOf(codeRules),
                List.copyOf(gates),
                whole("guardrails.max_gate_retries"));
    }

    private AgentConfig.Sandbox sandbox() {
        return new AgentConfig.Sandbox(
                word(AgentConfig.SandboxMode.values(), "sandbox.mode"),
                text("sandbox.network").orElseThrow().equals("on"),
                paths("sandbox.writable"),
                paths("sandbox.readable"));
    }

    private List<Path> paths(String key) {
        List<Path> paths = new ArrayList<>();
        for (String path : texts(key)) {
            paths.add(path(path));
        }
        return List.copyOf(paths);
    }

    private ContextConfig context() {
        return new ContextConfig(
                maybeWhole(KeyPath.of("context.max_context_tokens")),
                whole("context.summarize_after_steps"),
                whole("context.keep_recent_steps"),
                flag("context.server_compaction"),
                whole("context.max_tool_result_tokens"),
                flag("context.parallel_tools"));
    }

    private LimitsConfig limits() {
        return new LimitsConfig(
                whole("limits.max_steps"),
                money(KeyPath.of("limits.budget")),
                limit("limits.timeout"),
                limit("limits.step_timeout"),
                count("limits.max_tokens_total"),
                count("limits.max_tool_calls"));
    }

    private OptionalLong count(String key) {
        Optional<Object> set = settings.value(key);
        return set.isPresent() ? OptionalLong.of((Long) set.get()) : OptionalLong.empty();
    }

    private List<HookConfig> hooks() {
        List<HookConfig> hooks = new ArrayList<>();
        for (Map<?, ?> hook : maps("hooks.post_edit")) {
            hooks.add(HookConfig.of(hook));
        }
        return List.copyOf(hooks);
    }

    private List<HookConfig.ForEvent> otherHooks() {
        List<HookConfig.ForEvent> hooks = new ArrayList<>();
        for (String event : HookKeys.EVENTS) {
            for (Map<?, ?> hook : maps("hooks." + event)) {
                hooks.add(HookConfig.ForEvent.of(event, hook));
            }
        }
        return List.copyOf(hooks);
    }

    private List<Map<?, ?>> maps(String path) {
        List<Map<?, ?>> maps = new ArrayList<>();
        for (Object map : (List<?>) settings.value(path).orElseThrow()) {
            maps.add((Map<?, ?>) map);
        }
        return maps;
    }

    private static Object of(Map<?, ?> map, String name) {
        Object value = map.get(name);
        if (value == null) {
            throw new IllegalStateException("a map without " + name);
        }
        return value;
    }

    private int whole(String path) {
        return Math.toIntExact((Long) settings.value(path).orElseThrow());
    }

    private OptionalInt maybeWhole(KeyPath path) {
        Optional<Object> value = settings.value(path);
        return value.isPresent()
                ? OptionalInt.of(Math.toIntExact((Long) value.get()))
                : OptionalInt.empty();
    }

    private boolean flag(String path) {
        return (Boolean) settings.value(path).orElseThrow();
    }

    private Optional<Boolean> maybeFlag(KeyPath path) {
        return settings.value(path).map(Boolean.class::cast);
    }

    private Duration span(String path) {
        return (Duration) settings.value(path).orElseThrow();
    }

    /** 0 and unset are both no limit. */
    private Optional<Duration> limit(String path) {
        return settings.value(path).map(Duration.class::cast).filter(span -> !span.isZero());
    }

    private Optional<Effort> effort(KeyPath path) {
        return text(path).map(text -> constant(Effort.values(), text));
    }

    private Optional<BigDecimal> money(KeyPath path) {
        return settings.value(path).map(BigDecimal.class::cast);
    }

    private Optional<String> text(String path) {
        return text(KeyPath.of(path));
    }

    private Optional<String> text(KeyPath path) {
        return settings.value(path).map(String.class::cast);
    }

    private List<String> texts(String path) {
        return asTexts(settings.value(path).orElseThrow());
    }

    private static List<String> asTexts(Object list) {
        List<String> texts = new ArrayList<>();
        for (Object text : (List<?>) list) {
            texts.add((String) text);
        }
        return List.copyOf(texts);
    }

    private <E extends Enum<E>> E word(E[] constants, String path) {
        return constant(constants, text(path).orElseThrow());
    }

    /** Not by Enum.valueOf, which starts the whole of reflection: milliseconds at each start. */
    private static <E extends Enum<E>> E constant(E[] constants, String word) {
        String name = word.replace('-', '_').toUpperCase(Locale.ROOT);
        for (E constant : constants) {
            if (constant.name().equals(name)) {
                return constant;
            }
        }
        throw new IllegalStateException("no constant for " + word);
    }

    /** A path that starts from the folder of the file that names it. */
    private Optional<Path> beside(String key) {
        Origin origin = settings.origin(KeyPath.of(key));
        String place = origin.text();
        Path folder =
                origin.kind().isFile()
                        ? Path.of(place.substring(0, place.lastIndexOf(':'))).getParent()
                        : base;
        Path from = folder == null ? base : base.resolve(folder);
        return text(key).map(text -> resolve(text, home, from));
    }

    private Path path(String text) {
        return resolve(text, home, base);
    }

    /** {@code ~/} is the home directory; anything else relative starts from {@code base}. */
    static Path resolve(String text, Path home, Path base) {
        if (text.equals("~")) {
            return home;
        }
        Path path = text.startsWith("~/") ? home.resolve(text.substring(2)) : base.resolve(text);
        return path.toAbsolutePath().normalize();
    }
}
