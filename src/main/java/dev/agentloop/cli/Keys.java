package dev.agentloop.cli;

import dev.agentloop.config.AgentConfig;
import dev.agentloop.config.catalog.ModelChoice;
import java.util.HashMap;
import java.util.Map;

/** Keeps the keys of providers from commands and hooks, whatever their variables are called. */
final class Keys {
    private Keys() {}

    /** The environment without every variable that the configuration names as holding a key. */
    static Map<String, String> withheld(
            Map<String, String> environment, AgentConfig config, ModelChoice.Chosen model) {
        Map<String, String> rest = new HashMap<>(environment);
        model.apiKeyEnv().ifPresent(rest::remove);
        config.llm().apiKeyEnv().ifPresent(rest::remove);
        config.providers()
                .values()
                .forEach(provider -> provider.apiKeyEnv().ifPresent(rest::remove));
        return rest;
    }
}
