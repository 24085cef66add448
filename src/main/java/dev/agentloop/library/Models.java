package dev.agentloop.library;

import dev.agentloop.config.AgentConfig;
import dev.agentloop.config.ConfigLoader;
import dev.agentloop.config.catalog.ModelChoice;
import dev.agentloop.config.source.ConfigException;
import dev.agentloop.control.SystemTime;
import dev.agentloop.cost.Price;
import dev.agentloop.wiring.model.LocalProbe;
import dev.agentloop.wiring.model.Providers;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Opens models of the catalog by the names that the command line knows them by. */
public final class Models {
    private Models() {}

    /**
     * A model, with retries, timeouts and its price; its key is read from the environment.
     *
     * <pre>{@code
     * CatalogModel llm = Models.open("ollama/qwen3"); // a server of one's own needs no key
     * show(llm.model().id());
     * }</pre>
     *
     * @param id {@code provider/model}
     * @throws ConfigException if nobody knows the provider
     * @throws IllegalArgumentException if its key is not set
     */
    public static CatalogModel open(String id) {
        return open(id, System.getenv());
    }

    /** The same with another environment, from which key and proxies are read. */
    public static CatalogModel open(String id, Map<String, String> environment) {
        ModelChoice.Chosen model = choose(id, environment);
        if (model.lacksKey(environment)) {
            throw new IllegalArgumentException(
                    "no key for " + id + ": set " + model.apiKeyEnv().orElse("its variable") + ".");
        }
        AgentConfig.Llm config = config(id).llm();
        return new CatalogModel(
                Providers.open(model, config, new SystemTime(), environment),
                Providers.price(model.model().price()));
    }

    /** What the catalog says a model costs; null when it does not know. */
    public static @Nullable Price price(String id) {
        try {
            return Providers.price(choose(id, Map.of()).model().price());
        } catch (ConfigException e) { // nobody knows its provider
            return null;
        }
    }

    private static AgentConfig config(String id) {
        return ConfigLoader.only("library", "", Path.of("")).config().withModel(id, false);
    }

    private static ModelChoice.Chosen choose(String id, Map<String, String> environment) {
        return switch (ModelChoice.of(config(id), environment, new LocalProbe())) {
            case ModelChoice.None(String help) -> throw new IllegalArgumentException(help);
            case ModelChoice.Chosen model -> model;
        };
    }
}
