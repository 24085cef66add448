package dev.agentloop.config;

import dev.agentloop.config.key.KeyPath;
import dev.agentloop.config.source.AgentFiles;
import dev.agentloop.config.source.ConfigFiles;
import dev.agentloop.config.source.LayerReader;
import dev.agentloop.config.source.Origin;
import dev.agentloop.config.source.ProjectRules;
import dev.agentloop.config.source.ProjectStanding;
import dev.agentloop.config.source.Settings;
import dev.agentloop.config.source.Settings.Setting;
import dev.agentloop.config.source.YamlReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The project's part of the configuration: its files, a commit's version of them, or nothing. */
final class ProjectLayer {
    private static final List<String> FOLDERS = List.of("agents", "skills", "commands");

    private final ProjectStanding standing;
    private final Path config;
    private final List<String> warnings;

    /**
     * @param config the project's file, which need not exist
     * @param warnings gets a line for what does not count
     */
    ProjectLayer(ProjectStanding standing, Path config, List<String> warnings) {
        this.standing = standing;
        this.config = config;
        this.warnings = warnings;
    }

    /**
     * Lays what counts over the settings so far.
     *
     * @return the project's file, if it was left out
     */
    Optional<Path> addTo(Settings settings) {
        if (!standing.trusted() && standing.base().isEmpty()) {
            return leaveOut();
        }
        standing.base()
                .map(ProjectStanding.Base::notice)
                .filter(notice -> !notice.isEmpty())
                .ifPresent(warnings::add);
        agents(settings);
        read(config).map(layer -> rules(layer, settings, config)).ifPresent(settings::putAll);
        Path policy = ConfigFiles.policy(config);
        read(policy)
                .map(ConfigLoader::policyOnly)
                .map(layer -> rules(layer, settings, policy))
                .ifPresent(settings::putAll);
        return Optional.empty();
    }

    /** Agents are more than rules: a commit's are not read, nor those beside what it replaces. */
    private void agents(Settings settings) {
        Path folder = ConfigFiles.agents(config);
        if (!Files.isDirectory(folder)) {
            return;
        }
        if (standing.base().isPresent()) {
            warnings.add("Not loaded with --rules-from: " + folder);
            return;
        }
        AgentFiles.read(Origin.Kind.PROJECT_FILE, folder, warnings)
                .forEach((file, layer) ->
                        settings.putAll(ProjectRules.apply(layer, settings, file + "", warnings)));
    }

    private Map<KeyPath, Setting> rules(Map<KeyPath, Setting> layer, Settings below, Path file) {
        Map<KeyPath, Setting> counts = standing.trusted() ? layer : onlyRules(layer, file);
        return ProjectRules.apply(counts, below, place(file), warnings);
    }

    /** What a commit says holds back whoever changed the files; what it wants run needs trust. */
    private Map<KeyPath, Setting> onlyRules(Map<KeyPath, Setting> layer, Path file) {
        Map<KeyPath, Setting> rules = new LinkedHashMap<>();
        List<String> left = new ArrayList<>();
        layer.forEach((path, setting) -> {
            if (isDefinition(path)) {
                left.add(path.toString());
            } else {
                rules.put(path, setting);
            }
        });
        if (!left.isEmpty()) {
            warnings.add(
                    "Ignored in "
                            + place(file)
                            + ", needs --trust as well: "
                            + String.join(", ", left));
        }
        return rules;
    }

    /** Programs to run, servers and agents: more than rules. */
    private static boolean isDefinition(KeyPath path) {
        return path.part(0).equals("hooks")
                || path.part(0).equals("agents")
                || path.part(0).equals("mcp_servers")
                || path.toString().equals("guardrails.quality_gates");
    }

    private Optional<Map<KeyPath, Setting>> read(Path file) {
        return text(file)
                .map(text -> YamlReader.read(place(file), text))
                .map(fields -> LayerReader.file(Origin.Kind.PROJECT_FILE, place(file), fields));
    }

    private Optional<String> text(Path file) {
        return standing.base().isPresent()
                ? Optional.ofNullable(standing.base().get().texts().get(name(file)))
                : ConfigFiles.read(Origin.Kind.PROJECT_FILE, file, warnings);
    }

    /** As it stands in messages: {@code main:.agent/config.yaml} of a commit. */
    private String place(Path file) {
        return standing.base().map(base -> base.ref() + ":.agent/" + name(file)).orElse(file + "");
    }

    private static String name(Path file) {
        return String.valueOf(file.getFileName());
    }

    private Optional<Path> leaveOut() {
        List<String> left = new ArrayList<>();
        for (Path file : List.of(config, ConfigFiles.policy(config))) {
            if (Files.exists(file)) {
                left.add(file.toString());
            }
        }
        boolean configured = !left.isEmpty();
        for (String folder : FOLDERS) {
            if (Files.exists(config.resolveSibling(folder))) {
                left.add(config.resolveSibling(folder).toString());
            }
        }
        left.addAll(standing.others());
        if (left.isEmpty() && !standing.lost()) {
            return Optional.empty();
        }
        warnings.add(
                "Not loaded, "
                        + standing.refusal()
                        + ": "
                        + (left.isEmpty() ? "there is nothing left" : String.join(", ", left)));
        return configured ? Optional.of(config) : Optional.empty();
    }
}
