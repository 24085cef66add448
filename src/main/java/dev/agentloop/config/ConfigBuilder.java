package dev.agentloop.config;

import dev.agentloop.config.AgentConfig.Abilities;
import dev.agentloop.config.AgentConfig.Model;
import dev.agentloop.config.AgentConfig.Price;
import dev.agentloop.config.AgentConfig.Provider;
import dev.agentloop.config.key.HookKeys;
import dev.agentloop.config.key.KeyPath;
import dev.agentloop.config.source.Settings;
import dev.agentloop.llm.Effort;
import dev.agentloop.llm.ToolNames;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Settings into records. Everything was checked when it was read, so nothing can fail here. */
final class ConfigBuilder {
    private final SettingsReader read;
    private final Settings settings;

    /**
     * @param base what relative paths start from
     */
    ConfigBuilder(Settings settings, Path home, Path base) {
        this.read = new SettingsReader(settings, home, base);
        this.settings = settings;
    }

    AgentConfig build(Path workspace) {
        return new AgentConfig(
                workspace,
                llm(),
                providers(),
                AgentProfile.all(settings),
                new AgentConfig.Tools(
                        read.whole("tools.max_parallel"),
                        read.whole("tools.result_budget_chars"),
                        read.whole("tools.max_calls_per_step"),
                        read.flag("tools.syntax_check"),
                        read.texts("tools.web_private_hosts")),
                permissions(),
                GuardrailConfig.of(read),
                sandbox(),
                ContextConfig.of(read),
                LimitsConfig.of(read),
                new AgentConfig.Hooks(hooks(), otherHooks()),
                McpServerConfig.all(settings),
                new AgentConfig.Commands(
                        read.span("commands.timeout"),
                        read.texts("commands.pass_env"),
                        read.flag("commands.keep_background")),
                new AgentConfig.Secrets(read.flag("secrets.redact_to_model")),
                new AgentConfig.Sessions(
                        read.flag("sessions.auto_save"),
                        read.word(AgentConfig.Fsync.values(), "sessions.fsync")),
                MemoryConfig.of(read),
                EvaluationConfig.of(read),
                new AgentConfig.Logging(
                        read.word(LogLevel.values(), "logging.level"),
                        read.text("logging.file").map(read::path)));
    }

    private AgentConfig.Llm llm() {
        return new AgentConfig.Llm(
                read.text("llm.model"),
                read.text("llm.base_url").map(URI::create),
                read.text("llm.api_key_env"),
                read.effort(KeyPath.of("llm.effort")),
                read.money(KeyPath.of("llm.temperature")),
                settings.value(KeyPath.of("llm.fallback_models"))
                        .map(SettingsReader::asTexts)
                        .orElse(List.of()),
                read.maybeWhole(KeyPath.of("llm.max_output_tokens")),
                read.whole("llm.max_retries"),
                read.span("llm.idle_timeout"),
                read.limit("llm.request_timeout"),
                read.whole("llm.max_continuations"),
                read.beside("llm.ca_file"));
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
                            read.text(at.then("protocol"))
                                    .map(text ->
                                            SettingsReader.constant(
                                                    AgentConfig.Protocol.values(), text)),
                            read.text(at.then("base_url")).map(URI::create),
                            read.text(at.then("api_key_env")),
                            read.text(at.then("key_header")),
                            read.text(at.then("query")),
                            Collections.unmodifiableMap(models)));
        }
        return Collections.unmodifiableMap(providers);
    }

    private Model model(KeyPath at) {
        KeyPath price = at.then("price");
        return new Model(
                read.maybeWhole(at.then("context_window")),
                read.maybeWhole(at.then("max_output_tokens")),
                new Price(
                        read.money(price.then("input")),
                        read.money(price.then("cached_input")),
                        read.money(price.then("cache_write")),
                        read.money(price.then("output")),
                        read.money(price.then("reasoning"))),
                abilities(at.then("capabilities")));
    }

    private Abilities abilities(KeyPath at) {
        return new Abilities(
                read.maybeFlag(at.then("tools")),
                read.maybeFlag(at.then("images")),
                settings.value(at.then("efforts")).map(ConfigBuilder::efforts),
                read.maybeFlag(at.then("parallel_tools")),
                read.maybeFlag(at.then("answer_schema")),
                read.maybeFlag(at.then("text_calls")),
                read.maybeFlag(at.then("reasoning_goes_back")),
                read.maybeFlag(at.then("max_completion_tokens")),
                read.maybeFlag(at.then("temperature")),
                read.text(at.then("tool_names"))
                        .map(name -> SettingsReader.constant(ToolNames.values(), name)));
    }

    private static Set<Effort> efforts(Object words) {
        Set<Effort> efforts = new LinkedHashSet<>();
        for (String word : SettingsReader.asTexts(words)) {
            efforts.add(SettingsReader.constant(Effort.values(), word));
        }
        return efforts;
    }

    private AgentConfig.Permissions permissions() {
        return new AgentConfig.Permissions(
                read.word(AgentConfig.Confirm.values(), "permissions.confirm"),
                read.texts("permissions.allow"),
                read.texts("permissions.ask"),
                read.texts("permissions.deny"),
                RuleConfig.all(read),
                read.text("permissions.audit_log").map(read::path),
                read.paths("permissions.add_dirs"));
    }

    private AgentConfig.Sandbox sandbox() {
        return new AgentConfig.Sandbox(
                read.word(AgentConfig.SandboxMode.values(), "sandbox.mode"),
                read.text("sandbox.network").orElseThrow().equals("on"),
                read.paths("sandbox.writable"),
                read.paths("sandbox.readable"));
    }

    private List<HookConfig> hooks() {
        List<HookConfig> hooks = new ArrayList<>();
        for (Map<?, ?> hook : read.maps("hooks.post_edit")) {
            hooks.add(HookConfig.of(hook));
        }
        return List.copyOf(hooks);
    }

    private List<HookConfig.ForEvent> otherHooks() {
        List<HookConfig.ForEvent> hooks = new ArrayList<>();
        for (String event : HookKeys.EVENTS) {
            for (Map<?, ?> hook : read.maps("hooks." + event)) {
                hooks.add(HookConfig.ForEvent.of(event, hook));
            }
        }
        return List.copyOf(hooks);
    }
}
