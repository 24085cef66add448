package dev.agentloop.config.catalog;

import dev.agentloop.config.AgentConfig;
import dev.agentloop.config.AgentConfig.Protocol;
import dev.agentloop.config.source.ConfigException;
import java.net.URI;
import java.util.Map;
import java.util.Optional;

/** Which model answers, or why none can. */
public sealed interface ModelChoice {
    /**
     * A model and how to reach it.
     *
     * @param model its name, limits and price; the price is unknown unless the exact name is in the
     *     catalog or in the configuration
     * @param apiKeyEnv variable that holds the key for this very address; empty: none is sent
     * @param keyNamedBy what of the user names that variable, so that it must be set; empty when
     *     only the catalog does
     * @param keyHeader header that carries the key in place of the protocol's own
     * @param query of every address
     * @param why for the log, e.g. {@code ANTHROPIC_API_KEY is set}
     */
    record Chosen(
            ModelCatalog.Entry model,
            Protocol protocol,
            URI baseUrl,
            Optional<String> apiKeyEnv,
            String keyNamedBy,
            Optional<String> keyHeader,
            Optional<String> query,
            String why)
            implements ModelChoice {

        /** The same model, spoken to in another protocol. */
        public Chosen speaking(Protocol other) {
            return new Chosen(model, other, baseUrl, apiKeyEnv, keyNamedBy, keyHeader, query, why);
        }

        /** The key to send, if there is one. */
        public Optional<String> key(Map<String, String> environment) {
            return apiKeyEnv
                    .map(name -> environment.getOrDefault(name, "").strip())
                    .filter(key -> !key.isEmpty());
        }

        /** Whether a call would be refused for want of a key: exit code 4. */
        public boolean lacksKey(Map<String, String> environment) {
            boolean wanted = apiKeyEnv.isPresent() && !(isLocal() && keyNamedBy.isEmpty());
            return wanted && key(environment).isEmpty();
        }

        /**
         * Vendors serve Chat Completions beside their own protocol, below another address.
         *
         * @throws ConfigException when the address is not one of the protocol
         */
        public void checkAddress() {
            String path = baseUrl.getPath();
            if (protocol == Protocol.GEMINI && path != null && path.matches(".*/openai/*")) {
                String key = "providers." + model.info().provider() + ".protocol";
                throw new ConfigException(
                        key,
                        "gemini is not spoken at " + baseUrl + ", where openai-chat is",
                        "Drop /openai from the base URL, or set " + key + ": openai-chat.",
                        "");
            }
        }

        /** Whether the server is on this machine. */
        public boolean isLocal() {
            return protocol == Protocol.EMBEDDED || Hosts.isLoopback(baseUrl);
        }
    }

    /**
     * No model is configured and none was found: exit code 4.
     *
     * @param help three lines that say how to go on
     */
    record None(String help) implements ModelChoice {}

    /**
     * Chooses by configuration, else by the first key in the environment, else a local server.
     *
     * @param environment the process' real environment
     * @throws ConfigException when the configured model cannot be reached
     */
    static ModelChoice of(
            AgentConfig config, Map<String, String> environment, LocalServers servers) {
        return new ModelChooser(config, environment).choose(servers);
    }

    /**
     * Whether the catalog or the user's configuration has a provider at the model's address whose
     * key is in the model's variable.
     */
    static boolean isKeyOfServer(
            Chosen model, AgentConfig config, Map<String, String> environment) {
        return new ModelChooser(config, environment).isKeyOfServer(model);
    }

    /**
     * A model of a provider where that provider itself is, whatever address this run has for its
     * own: its key must not go there.
     *
     * @throws ConfigException when the provider has no address
     */
    static Chosen at(
            ModelCatalog.Provider provider,
            String model,
            AgentConfig config,
            Map<String, String> environment) {
        return new ModelChooser(config, environment).at(provider, model);
    }
}
