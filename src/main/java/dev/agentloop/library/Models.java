package dev.agentloop.library;

import dev.agentloop.config.AgentConfig;
import dev.agentloop.config.ConfigLoader;
import dev.agentloop.config.catalog.ModelChoice;
import dev.agentloop.control.SystemTime;
import dev.agentloop.wiring.LocalProbe;
import dev.agentloop.wiring.Providers;
import java.nio.file.Path;
import java.util.Map;

/** Opens models of the catalog by the names that the command line knows them by. */
public final class Models {
    private Models() {}

    /**
     * A model, with retries, timeouts and its price; its key is read from the environment.
     *
     * <pre>{@code
     * try (CatalogModel llm = Models.open("anthropic/claude-sonnet-4-5")) { … }
     * }</pre>
     *
     * @param id {@code provider/model}
     * @throws IllegalArgumentException if nobody knows the provider, or its key is not set
     */
    public static CatalogModel open(String id) {
        return open(id, System.getenv());
    }

    /** The same with another environment, from which key and proxies are read. */
    public static CatalogModel open(String id, Map<String, String> environment) {
        AgentConfig config =
                ConfigLoader.only("library", "", Path.of("")).config().withModel(id, false);
        return switch (ModelChoice.of(config, environment, new LocalProbe())) {
            case ModelChoice.None(String help) -> throw new IllegalArgumentException(help);
            case ModelChoice.Chosen model -> {
                if (model.lacksKey(environment)) {
                    throw new IllegalArgumentException(
                            "no key for "
                                    + id
                                    + ": set "
                                    + model.apiKeyEnv().orElse("its variable")
                                    + ".");
                }
                yield new CatalogModel(
                        Providers.open(model, config.llm(), new SystemTime(), environment),
                        Providers.price(model.model().price()));
            }
        };
    }
}
