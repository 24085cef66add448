package dev.agentloop.cli.command;

import dev.agentloop.config.AgentConfig;
import dev.agentloop.config.catalog.ModelChoice;
import dev.agentloop.secret.Secrets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Keeps the keys of providers from commands and hooks, whatever their variables are called. */
public final class ProviderKeys {
    private ProviderKeys() {}

    /**
     * Lets the keys that the configuration names be masked, whatever their variables are called.
     */
    public static void tell(Secrets secrets, Map<String, String> environment, AgentConfig config) {
        tell(secrets, environment, config.llm().apiKeyEnv());
        config.providers()
                .values()
                .forEach(provider -> tell(secrets, environment, provider.apiKeyEnv()));
    }

    private static void tell(
            Secrets secrets, Map<String, String> environment, Optional<String> variable) {
        variable.ifPresent(name -> {
            String value = environment.getOrDefault(name, "").strip();
            secrets.add(name, value);
        });
    }

    /** The environment without every variable that the configuration names as holding a key. */
    public static Map<String, String> withheld(
            Map<String, String> environment, AgentConfig config, ModelChoice.Chosen model) {
        Map<String, String> rest = withheld(environment, config);
        model.apiKeyEnv().ifPresent(rest::remove);
        return rest;
    }

    /** The same without a model that was chosen. */
    public static Map<String, String> withheld(
            Map<String, String> environment, AgentConfig config) {
        Map<String, String> rest = new HashMap<>(environment);
        config.llm().apiKeyEnv().ifPresent(rest::remove);
        config.providers()
                .values()
                .forEach(provider -> provider.apiKeyEnv().ifPresent(rest::remove));
        return rest;
    }
}
