package dev.agentloop.config.catalog;

import dev.agentloop.config.AgentConfig;
import dev.agentloop.config.AgentConfig.Protocol;
import dev.agentloop.config.catalog.ModelCatalog.Provider;
import dev.agentloop.config.catalog.ModelChoice.Chosen;
import dev.agentloop.config.key.Suggestion;
import dev.agentloop.config.source.ConfigException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The choice of {@link ModelChoice#of}. */
final class ModelChooser {
    private static final List<String> BY_KEY =
            List.of("anthropic", "openai", "gemini", "mistral", "openrouter"); // contract 8
    private static final List<String> LOCAL = List.of("ollama", "llamacpp", "lmstudio");
    private static final String HELP =
            """
            Set a key: ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY, MISTRAL_API_KEY or \
            OPENROUTER_API_KEY.
            Or start Ollama, llama.cpp or LM Studio, or name a server: --model NAME/MODEL \
            --base-url URL.
            Or try it without key and network: --model demo/scripted.\
            """;

    private final AgentConfig.Llm llm;
    private final Map<String, AgentConfig.Provider> described;
    private final Map<String, String> environment;
    private final ModelCatalog catalog;

    ModelChooser(AgentConfig config, Map<String, String> environment) {
        this.llm = config.llm();
        this.described = config.providers();
        this.environment = environment;
        this.catalog = ModelCatalog.of(config.providers());
    }

    ModelChoice choose(LocalServers servers) {
        if (llm.model().isPresent()) {
            return configured(llm.model().get());
        }
        if (llm.baseUrl().isPresent()) {
            throw new ConfigException(
                    "llm.base_url",
                    "an address without a model",
                    "Name both: --model NAME/MODEL --base-url URL.",
                    "");
        }
        Optional<ModelChoice> found = byKey().or(() -> local(servers));
        return found.orElseGet(() -> new ModelChoice.None(HELP));
    }

    private Optional<ModelChoice> byKey() {
        for (String name : BY_KEY) {
            Provider provider = catalog.provider(name).orElseThrow();
            String variable = provider.apiKeyEnv().orElse("");
            String model = provider.defaultModel().orElseThrow();
            if (isSet(variable)) {
                return Optional.of(chosen(provider, model, variable + " is set"));
            }
        }
        return Optional.empty();
    }

    private Optional<ModelChoice> local(LocalServers servers) {
        for (String name : LOCAL) {
            Provider provider = catalog.provider(name).orElseThrow();
            URI base = provider.baseUrl().orElseThrow();
            if (!Hosts.isLoopback(base)) {
                continue; // the user moved it elsewhere: nothing to look for on this machine
            }
            Optional<String> model = servers.firstModel(base);
            if (model.isPresent()) {
                return Optional.of(chosen(provider, model.get(), name + " answers at " + base));
            }
        }
        return Optional.empty();
    }

    private Chosen configured(String id) {
        int slash = id.indexOf('/');
        String name = id.substring(0, slash);
        Optional<Provider> provider = catalog.provider(name);
        if (provider.isEmpty() && llm.baseUrl().isEmpty()) {
            throw new ConfigException(
                    "llm.model",
                    "unknown provider \""
                            + name
                            + '"'
                            + Suggestion.among(name, catalog.providers()),
                    "Known: "
                            + String.join(", ", catalog.providers())
                            + "; any other name needs --base-url, or the --config file that"
                            + " describes it.",
                    "");
        }
        return chosen(provider.orElse(unknown(name)), id.substring(slash + 1), "configured");
    }

    private static Provider unknown(String name) {
        return new Provider(
                name,
                Protocol.OPENAI_CHAT,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    private Chosen chosen(Provider provider, String model, String why) {
        boolean embedded = provider.protocol() == Protocol.EMBEDDED;
        URI address = embedded ? provider.baseUrl().orElseThrow() : address(provider);
        return new Chosen(
                catalog.find(provider.name(), model),
                catalog.protocol(provider, model, address),
                address,
                embedded ? Optional.empty() : llm.apiKeyEnv().or(() -> usualKey(provider)),
                llm.apiKeyEnv().isPresent() ? "llm.api_key_env" : keyNamedBy(provider),
                provider.keyHeader(),
                provider.query(),
                why);
    }

    Chosen at(Provider provider, String model) {
        URI address = ownAddress(provider);
        return new Chosen(
                catalog.find(provider.name(), model),
                catalog.protocol(provider, model, address),
                address,
                provider.apiKeyEnv(),
                keyNamedBy(provider),
                provider.keyHeader(),
                provider.query(),
                "asked for");
    }

    boolean isKeyOfServer(Chosen model) {
        for (String name : catalog.providers()) {
            Provider provider = catalog.provider(name).orElseThrow();
            Optional<URI> own = fromVariable(provider).or(provider::baseUrl);
            if (provider.apiKeyEnv().isPresent()
                    && provider.apiKeyEnv().equals(model.apiKeyEnv())
                    && own.isPresent()
                    && Hosts.areOneServer(own.get(), model.baseUrl())) {
                return true;
            }
        }
        return false;
    }

    /** The provider's own key goes to its own servers; to another one only if the user says so. */
    private Optional<String> usualKey(Provider provider) {
        String variable = provider.apiKeyEnv().orElse("");
        Optional<URI> home = provider.baseUrl();
        Optional<URI> there = llm.baseUrl();
        if (home.isPresent()
                && there.isPresent()
                && isSet(variable)
                && !Hosts.isLoopback(home.get())
                && !Hosts.isLoopback(there.get())
                && !Hosts.areRelated(home.get(), there.get())) {
            throw new ConfigException(
                    "llm.base_url",
                    variable
                            + " is the key for "
                            + home.get().getHost()
                            + ", not for "
                            + there.get().getHost(),
                    "Name the variable with the key of that server, --api-key-env "
                            + variable
                            + " if it is this one, or give the server a name of its own: --model"
                            + " NAME/MODEL.",
                    "");
        }
        return provider.apiKeyEnv();
    }

    private String keyNamedBy(Provider provider) {
        AgentConfig.Provider said = described.get(provider.name());
        return said != null && said.apiKeyEnv().isPresent()
                ? "providers." + provider.name() + ".api_key_env"
                : "";
    }

    /** The command line before the vendor's variable before the files before the built-in one. */
    private URI address(Provider provider) {
        return llm.baseUrl().orElseGet(() -> ownAddress(provider));
    }

    private URI ownAddress(Provider provider) {
        return fromVariable(provider)
                .or(provider::baseUrl)
                .orElseThrow(() ->
                        new ConfigException(
                                "providers." + provider.name(),
                                "has no base_url",
                                "Set providers." + provider.name() + ".base_url.",
                                ""));
    }

    private Optional<URI> fromVariable(Provider provider) {
        String variable = provider.baseUrlEnv().orElse("");
        if (!isSet(variable)) {
            return Optional.empty();
        }
        String text = environment.getOrDefault(variable, "").strip();
        String bare = text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
        return Optional.of(Hosts.webAddress(bare, variable));
    }

    private boolean isSet(String variable) {
        return !variable.isEmpty() && !environment.getOrDefault(variable, "").isBlank();
    }
}
