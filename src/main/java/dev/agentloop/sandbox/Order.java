package dev.agentloop.sandbox;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A command that is to run in a sandbox.
 *
 * @param variables besides those that all commands have; names as a shell takes them
 * @param network whether it gets the network
 * @param sharesProcesses whether commands in the background and this one see each other
 * @param input what it reads from its standard input; null: nothing
 * @param fifo a pipe with a name that is its standard input instead; null: none
 */
public record Order(
        List<String> argv,
        Path cwd,
        Map<String, String> variables,
        boolean network,
        boolean sharesProcesses,
        @Nullable String input,
        @Nullable Path fifo) {
    /** Out of sight of others, with nothing to read. */
    public Order(List<String> argv, Path cwd, Map<String, String> variables, boolean network) {
        this(argv, cwd, variables, network, false, null, null);
    }

    /** With variables for git, unless the command has settings for it of its own. */
    Order withGitSettings(Map<String, String> settings) {
        if (settings.isEmpty() || variables.containsKey("GIT_CONFIG_COUNT")) {
            return this;
        }
        Map<String, String> all = new LinkedHashMap<>(settings);
        all.putAll(variables);
        return new Order(argv, cwd, all, network, sharesProcesses, input, fifo);
    }
}
