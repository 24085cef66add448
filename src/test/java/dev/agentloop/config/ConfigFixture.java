package dev.agentloop.config;

import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.agentloop.config.source.ConfigException;
import dev.agentloop.config.source.ProjectStanding;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A home, a workspace and their configuration files, real ones below a temporary folder. */
final class ConfigFixture {
    final Path home;
    final Path workspace;
    final Map<String, String> environment = new HashMap<>();
    private ConfigSources sources;

    ConfigFixture(Path folder) {
        home = folder.resolve("home");
        workspace = folder.resolve("ws");
        sources = ConfigSources.of(environment, home, workspace);
        make(home);
        make(workspace);
    }

    /** Permissions with nothing but these rules. */
    static AgentConfig.Permissions permissions(List<String> ask, List<String> deny) {
        return new AgentConfig.Permissions(
                AgentConfig.Confirm.CONFIRM_SENSITIVE,
                List.of(),
                ask,
                deny,
                List.of(),
                Optional.empty(),
                List.of());
    }

    Path userFile() {
        return home.resolve(".config/agent/config.yaml");
    }

    Path projectFile() {
        return workspace.resolve(".agent/config.yaml");
    }

    ConfigFixture user(String yaml) {
        return write(userFile(), yaml);
    }

    ConfigFixture project(String yaml) {
        return write(projectFile(), yaml);
    }

    ConfigFixture trusted() {
        sources = sources.with(ProjectStanding.TRUSTED);
        return this;
    }

    ConfigFixture extra(String yaml) {
        Path file = workspace.resolveSibling("extra.yaml");
        sources = sources.withConfigFile(file);
        return write(file, yaml);
    }

    ConfigFixture variable(String name, String value) {
        environment.put(name, value);
        return this;
    }

    ConfigFixture options(Map<String, List<String>> options) {
        sources = sources.withOptions(options);
        return this;
    }

    ConfigSources sources() {
        return sources;
    }

    LoadedConfig load() {
        return ConfigLoader.load(sources);
    }

    AgentConfig config() {
        return load().config();
    }

    /** The message of the refusal, with {@code FILE} for the path of the user's file. */
    String refusal() {
        ConfigException refused = assertThrows(ConfigException.class, this::load);
        return String.valueOf(refused.getMessage()).replace(userFile().toString(), "FILE");
    }

    private ConfigFixture write(Path file, String yaml) {
        make(file.getParent());
        try {
            Files.writeString(file, yaml);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    private static void make(Path folder) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
