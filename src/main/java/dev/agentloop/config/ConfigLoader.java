package dev.agentloop.config;

import dev.agentloop.config.key.KeyPath;
import dev.agentloop.config.source.AgentFiles;
import dev.agentloop.config.source.ConfigException;
import dev.agentloop.config.source.ConfigFiles;
import dev.agentloop.config.source.LayerReader;
import dev.agentloop.config.source.Origin;
import dev.agentloop.config.source.Settings;
import dev.agentloop.config.source.Settings.Setting;
import dev.agentloop.config.source.YamlReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Puts the layers of the configuration together. Reads the files that exist, nothing else. */
public final class ConfigLoader {
    private static final List<String> POLICY = List.of("permissions", "guardrails");

    private final ConfigSources sources;
    private final Settings settings = Settings.builtIn();
    private final List<String> warnings = new ArrayList<>();

    private ConfigLoader(ConfigSources sources) {
        this.sources = sources;
    }

    /**
     * The effective configuration.
     *
     * @throws ConfigException when anything in a file, a variable or an option is wrong
     */
    public static LoadedConfig load(ConfigSources sources) {
        return new ConfigLoader(sources).load();
    }

    /**
     * The configuration that one text says, and no file, variable or option of this machine.
     *
     * @param name of the text in messages
     * @throws ConfigException when anything in it is wrong
     */
    public static LoadedConfig only(String name, String text, Path workspace) {
        Settings settings = Settings.builtIn();
        settings.putAll(
                LayerReader.file(Origin.Kind.CONFIG_FILE, name, YamlReader.read(name, text)));
        AgentConfig config = new ConfigBuilder(settings, workspace, workspace).build(workspace);
        return new LoadedConfig(config, settings, List.of(), Optional.empty());
    }

    /**
     * The configuration that options say, and no file or variable of this machine.
     *
     * @param options the texts of each configuration key
     * @throws ConfigException when anything in them is wrong
     */
    public static LoadedConfig ofOptions(Map<String, List<String>> options, Path workspace) {
        Settings settings = Settings.builtIn();
        settings.putAll(LayerReader.options(options));
        AgentConfig config = new ConfigBuilder(settings, workspace, workspace).build(workspace);
        return new LoadedConfig(config, settings, List.of(), Optional.empty());
    }

    /** The workspace that {@link #load} will use, for a decision about trust before it. */
    public static Path workspace(ConfigSources sources) {
        Settings invocation = new Settings();
        invocation.putAll(LayerReader.variables(sources.environment()));
        invocation.putAll(LayerReader.options(sources.options()));
        Setting setting = invocation.find(KeyPath.of("workspace")).orElse(null);
        if (setting == null || !(setting.value() instanceof String text)) {
            return sources.currentDirectory().toAbsolutePath().normalize();
        }
        Path workspace = SettingsReader.resolve(text, sources.home(), sources.currentDirectory());
        if (!Files.isDirectory(workspace)) {
            throw new ConfigException(
                    "workspace",
                    workspace + " is not a directory",
                    "Name an existing directory.",
                    setting.origin().text());
        }
        return workspace;
    }

    /** The places where configuration is looked for, lowest layer first. */
    public static List<Place> places(ConfigSources sources) {
        List<Place> places = new ArrayList<>();
        Path user = ConfigFiles.user(sources.environment(), sources.home());
        Path project = ConfigFiles.project(workspace(sources));
        for (Path file : List.of(user, ConfigFiles.policy(user))) {
            places.add(place(Origin.Kind.USER_FILE, file, true));
        }
        for (Path file : List.of(project, ConfigFiles.policy(project))) {
            places.add(place(Origin.Kind.PROJECT_FILE, file, sources.project().trusted()));
        }
        sources.configFile()
                .ifPresent(file -> places.add(place(Origin.Kind.CONFIG_FILE, file, true)));
        return places;
    }

    private static Place place(Origin.Kind layer, Path file, boolean read) {
        if (!Files.exists(file)) {
            return new Place(layer, file, "not there");
        }
        return new Place(layer, file, read ? "loaded" : "skipped: not trusted");
    }

    /**
     * A place of a configuration file.
     *
     * @param state {@code loaded}, {@code not there}, or {@code skipped: not trusted}
     */
    public record Place(Origin.Kind layer, Path file, String state) {}

    private LoadedConfig load() {
        Map<KeyPath, Setting> variables = LayerReader.variables(sources.environment());
        Map<KeyPath, Setting> options = LayerReader.options(sources.options());
        Path workspace = workspace(sources);
        Path user = ConfigFiles.user(sources.environment(), sources.home());
        read(Origin.Kind.USER_FILE, user).ifPresent(settings::putAll);
        read(Origin.Kind.USER_FILE, ConfigFiles.policy(user))
                .map(ConfigLoader::policyOnly)
                .ifPresent(settings::addAll);
        agents(ConfigFiles.agents(user));
        Optional<Path> skipped =
                new ProjectLayer(sources.project(), ConfigFiles.project(workspace), warnings)
                        .addTo(settings);
        sources.configFile().ifPresent(file -> settings.putAll(mustRead(file)));
        settings.putAll(variables);
        settings.putAll(options);
        AgentConfig config =
                new ConfigBuilder(settings, sources.home(), sources.currentDirectory())
                        .build(workspace);
        return new LoadedConfig(config, settings, warnings, skipped);
    }

    /** Agents of the user; their own files go before what {@code config.yaml} says of them. */
    private void agents(Path folder) {
        if (Files.isDirectory(folder)) { // else nothing of this is loaded
            AgentFiles.read(Origin.Kind.USER_FILE, folder, warnings)
                    .values()
                    .forEach(settings::putAll);
        }
    }

    /** A file beside a configuration file, which may speak of nothing but the policy. */
    static Map<KeyPath, Setting> policyOnly(Map<KeyPath, Setting> layer) {
        layer.forEach((path, setting) -> {
            if (!POLICY.contains(path.part(0))) {
                throw new ConfigException(
                        path.toString(),
                        "does not belong into a policy",
                        "Known here: " + String.join(", ", POLICY) + ".",
                        setting.origin().text());
            }
        });
        return layer;
    }

    private Map<KeyPath, Setting> mustRead(Path file) {
        return read(Origin.Kind.CONFIG_FILE, file)
                .orElseThrow(() ->
                        new ConfigException(
                                "",
                                "does not exist",
                                "Give --config a file that does (-c is --config; --continue goes on with the newest session).",
                                file.toString()));
    }

    private Optional<Map<KeyPath, Setting>> read(Origin.Kind layer, Path file) {
        return ConfigFiles.read(layer, file, warnings)
                .map(text -> YamlReader.read(file.toString(), text))
                .map(fields -> LayerReader.file(layer, file.toString(), fields));
    }
}
