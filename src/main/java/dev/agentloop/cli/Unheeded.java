package dev.agentloop.cli;

import dev.agentloop.config.LoadedConfig;
import dev.agentloop.config.Origin;
import java.util.ArrayList;
import java.util.List;

/**
 * Configuration keys that are part of the promise but have no effect in this version. Whoever sets
 * one is told, because a key that silently does nothing is worse than an error.
 */
final class Unheeded {
    private static final List<String> KEYS =
            List.of("context.summarize_after_steps", "context.keep_recent_steps");

    private Unheeded() {}

    /** One warning for each such key that was set anywhere. */
    static List<String> keys(LoadedConfig loaded) {
        List<String> warnings = new ArrayList<>();
        for (String key : KEYS) {
            Origin origin = loaded.origin(key);
            if (origin.kind() != Origin.Kind.BUILT_IN) {
                warnings.add(key + " has no effect in this version (" + origin.text() + ")");
            }
        }
        return warnings;
    }
}
