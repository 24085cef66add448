package dev.agentloop.cli.tool;

import dev.agentloop.config.AgentConfig;
import dev.agentloop.config.catalog.LocalServers;
import dev.agentloop.config.catalog.ModelCatalog;
import dev.agentloop.config.catalog.ModelChoice;
import dev.agentloop.config.catalog.ModelChoice.Chosen;
import dev.agentloop.config.source.ConfigException;
import dev.agentloop.llm.ModelInfo;
import java.util.Map;

/**
 * The model that stands for the run's where none is called: the scripted one, which needs neither
 * key nor server, with the window of the model that a run would use.
 */
final class TrialModel {
    private static final String PROVIDER = "demo";
    private static final String NAME = "scripted";

    private TrialModel() {}

    static Chosen of(AgentConfig config, Map<String, String> environment) {
        ModelCatalog.Provider provider =
                ModelCatalog.of(config.providers()).provider(PROVIDER).orElseThrow();
        Chosen scripted = ModelChoice.at(provider, NAME, config, environment);
        try {
            return ModelChoice.of(config, environment, LocalServers.NONE) instanceof Chosen model
                    ? withWindow(scripted, model.model().info().contextWindow())
                    : scripted;
        } catch (ConfigException e) {
            return scripted; // a run would end with this message; a tool can be tried all the same
        }
    }

    private static Chosen withWindow(Chosen scripted, int window) {
        ModelCatalog.Entry entry = scripted.model();
        ModelInfo info = entry.info();
        ModelInfo wide =
                new ModelInfo(
                        info.provider(),
                        info.name(),
                        window,
                        info.maxOutputTokens(),
                        info.capabilities());
        return new Chosen(
                new ModelCatalog.Entry(wide, entry.price(), entry.basis()),
                scripted.protocol(),
                scripted.baseUrl(),
                scripted.apiKeyEnv(),
                scripted.keyNamedBy(),
                scripted.keyHeader(),
                scripted.query(),
                scripted.why());
    }
}
