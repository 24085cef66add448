package dev.agentloop.config;

import dev.agentloop.config.source.ProjectStanding;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything a configuration is made of, handed in so that tests and callers own it.
 *
 * @param environment the process' real environment; files such as {@code .env} are never read
 * @param home the user's home directory
 * @param currentDirectory the workspace, unless an option or AGENT_WORKSPACE names another one
 * @param project how far the workspace's own configuration counts
 * @param configFile of {@code --config}
 * @param options dotted key to its texts from the command line, e.g. {@code limits.max_steps} to
 *     {@code ["80"]}; keys with one value have one text
 */
public record ConfigSources(
        Map<String, String> environment,
        Path home,
        Path currentDirectory,
        ProjectStanding project,
        Optional<Path> configFile,
        Map<String, List<String>> options) {

    /** Only the environment and the files of the user. */
    public static ConfigSources of(Map<String, String> environment, Path home, Path directory) {
        return new ConfigSources(
                environment, home, directory, ProjectStanding.UNKNOWN, Optional.empty(), Map.of());
    }

    public ConfigSources with(ProjectStanding standing) {
        return new ConfigSources(
                environment, home, currentDirectory, standing, configFile, options);
    }

    public ConfigSources withConfigFile(Path file) {
        return new ConfigSources(
                environment, home, currentDirectory, project, Optional.of(file), options);
    }

    public ConfigSources withOptions(Map<String, List<String>> options) {
        return new ConfigSources(environment, home, currentDirectory, project, configFile, options);
    }
}
