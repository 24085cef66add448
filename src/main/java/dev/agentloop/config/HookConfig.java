package dev.agentloop.config;

import java.time.Duration;
import java.util.List;

/**
 * A command that runs after a file was changed.
 *
 * @param command {@code {file}} in it becomes one argument: the changed path
 * @param filePatterns globs; a hook without any speaks about every file
 */
public record HookConfig(
        String name, String command, List<String> filePatterns, Duration timeout, boolean enabled) {
    public HookConfig {
        filePatterns = filePatterns.isEmpty() ? List.of("*") : List.copyOf(filePatterns);
    }
}
