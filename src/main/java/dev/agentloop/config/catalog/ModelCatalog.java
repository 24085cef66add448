package dev.agentloop.config.catalog;

import dev.agentloop.config.AgentConfig;
import dev.agentloop.config.AgentConfig.Abilities;
import dev.agentloop.config.AgentConfig.Model;
import dev.agentloop.config.AgentConfig.Price;
import dev.agentloop.config.AgentConfig.Protocol;
import dev.agentloop.json.Json;
import dev.agentloop.json.JsonException;
import dev.agentloop.json.JsonValue;
import dev.agentloop.llm.Capabilities;
import dev.agentloop.llm.Effort;
import dev.agentloop.llm.ModelInfo;
import dev.agentloop.llm.ToolNames;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;

/**
 * The providers and models we know, with the user's entries laid over them. Names match exactly,
 * never by prefix: an unknown model has an unknown price.
 */
public final class ModelCatalog {
    private static final String RESOURCE = "/models.json";
    private static final Model UNKNOWN =
            new Model(OptionalInt.empty(), OptionalInt.empty(), Price.UNKNOWN, Abilities.UNSAID);

    private final JsonValue builtIn;
    private final Map<String, AgentConfig.Provider> own;

    private ModelCatalog(JsonValue builtIn, Map<String, AgentConfig.Provider> own) {
        this.builtIn = builtIn;
        this.own = own;
    }

    /**
     * How to reach a provider.
     *
     * @param baseUrlEnv variable of the vendor that overrides the address
     * @param keyHeader header that carries the key in place of the protocol's own
     * @param query of every address
     */
    public record Provider(
            String name,
            Protocol protocol,
            Optional<URI> baseUrl,
            Optional<String> baseUrlEnv,
            Optional<String> apiKeyEnv,
            Optional<String> keyHeader,
            Optional<String> query,
            Optional<String> defaultModel) {}

    /** Where a price comes from; the words are those of the result's {@code cost.basis}. */
    public enum PriceBasis {
        LIST,
        CONFIG,
        UNKNOWN
    }

    /** A model's limits (0 when unknown) and prices. */
    public record Entry(ModelInfo info, Price price, PriceBasis basis) {}

    /** The built-in catalog with the user's {@code providers} over it. */
    public static ModelCatalog of(Map<String, AgentConfig.Provider> providers) {
        try (InputStream in = ModelCatalog.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException("the program has no " + RESOURCE);
            }
            return new ModelCatalog(Json.parse(in.readAllBytes()).at("providers"), providers);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (JsonException e) {
            throw new IllegalStateException(RESOURCE, e);
        }
    }

    /** A model by its exact name; limits 0 and price unknown when nobody described it. */
    public Entry find(String provider, String model) {
        JsonValue known = builtIn.at(provider).at("models").at(model);
        Model said = ownModel(provider, model);
        Price price = said.price().over(price(known.at("price")));
        PriceBasis basis = said.price().isSilent() ? PriceBasis.LIST : PriceBasis.CONFIG;
        return new Entry(
                new ModelInfo(
                        provider,
                        model,
                        said.contextWindow().orElse(tokens(known.at("context_window"))),
                        said.maxOutputTokens().orElse(tokens(known.at("max_output_tokens"))),
                        said.abilities()
                                .over(abilities(known))
                                .over(abilities(builtIn.at(provider)))
                                .over(Capabilities.UNKNOWN)),
                price,
                price.isKnown() ? basis : PriceBasis.UNKNOWN);
    }

    /** A provider; empty when neither we nor the user know the name. */
    public Optional<Provider> provider(String name) {
        JsonValue known = builtIn.at(name);
        AgentConfig.Provider said = own.get(name);
        if (said == null && !known.isObject()) {
            return Optional.empty();
        }
        Optional<Protocol> protocol = said == null ? Optional.empty() : said.protocol();
        Optional<URI> baseUrl = said == null ? Optional.empty() : said.baseUrl();
        Optional<String> keyEnv = said == null ? Optional.empty() : said.apiKeyEnv();
        Optional<String> keyHeader = said == null ? Optional.empty() : said.keyHeader();
        Optional<String> query = said == null ? Optional.empty() : said.query();
        return Optional.of(
                new Provider(
                        name,
                        protocol.orElse(protocol(known.at("protocol"))),
                        baseUrl.or(() -> text(known, "base_url").map(URI::create)),
                        text(known, "base_url_env"),
                        keyEnv.or(() -> text(known, "api_key_env")),
                        keyHeader.or(() -> text(known, "key_header")),
                        query.or(() -> text(known, "query")),
                        text(known, "default_model")));
    }

    /**
     * How a model is spoken to. Where nobody says it for the whole provider, some models speak
     * another protocol than the others of theirs, but only where the provider itself is: what
     * serves them elsewhere may not know it.
     */
    Protocol protocol(Provider provider, String model, URI address) {
        JsonValue known = builtIn.at(provider.name());
        JsonValue special = known.at("models").at(model).at("protocol");
        AgentConfig.Provider said = own.get(provider.name());
        boolean chosen = said != null && said.protocol().isPresent();
        boolean home =
                text(known, "base_url")
                        .filter(base -> Hosts.areSame(URI.create(base), address))
                        .isPresent();
        return special.isText() && home && !chosen ? protocol(special) : provider.protocol();
    }

    /** All names of providers, the user's among them. */
    public Set<String> providers() {
        Set<String> names = new TreeSet<>(builtIn.keys());
        names.addAll(own.keySet());
        return names;
    }

    /** All described models, by provider, for {@code agent models list}. */
    public List<Entry> models() {
        List<Entry> entries = new ArrayList<>();
        for (String provider : providers()) {
            Set<String> names = new TreeSet<>(builtIn.at(provider).at("models").keys());
            AgentConfig.Provider said = own.get(provider);
            if (said != null) {
                names.addAll(said.models().keySet());
            }
            names.forEach(name -> entries.add(find(provider, name)));
        }
        return entries;
    }

    private Model ownModel(String provider, String model) {
        AgentConfig.Provider said = own.get(provider);
        return said == null ? UNKNOWN : said.models().getOrDefault(model, UNKNOWN);
    }

    private static Price price(JsonValue price) {
        return new Price(
                money(price.at("input")),
                money(price.at("cached_input")),
                money(price.at("cache_write")),
                money(price.at("output")),
                money(price.at("reasoning")));
    }

    /** What the entry of a model or a provider says under {@code capabilities}. */
    private static Abilities abilities(JsonValue entry) {
        JsonValue said = entry.at("capabilities");
        return new Abilities(
                flag(said.at("tools")),
                flag(said.at("images")),
                said.has("efforts") ? Optional.of(efforts(said.at("efforts"))) : Optional.empty(),
                flag(said.at("parallel_tools")),
                flag(said.at("answer_schema")),
                flag(said.at("text_calls")),
                flag(said.at("reasoning_goes_back")),
                flag(said.at("max_completion_tokens")),
                flag(said.at("temperature")),
                text(said, "tool_names").map(ModelCatalog::toolNames));
    }

    private static Set<Effort> efforts(JsonValue words) {
        Set<Effort> efforts = new HashSet<>();
        for (JsonValue word : words.items()) {
            efforts.add(effort(word.text()));
        }
        return efforts;
    }

    /** Not by Enum.valueOf, which starts the whole of reflection. */
    private static Effort effort(String word) {
        for (Effort effort : Effort.values()) {
            if (effort.name().equalsIgnoreCase(word)) {
                return effort;
            }
        }
        throw new IllegalStateException(RESOURCE + ": no effort " + word);
    }

    private static ToolNames toolNames(String word) {
        for (ToolNames names : ToolNames.values()) {
            if (names.name().equalsIgnoreCase(word)) {
                return names;
            }
        }
        throw new IllegalStateException(RESOURCE + ": no tool_names " + word);
    }

    private static Optional<Boolean> flag(JsonValue value) {
        return value.raw() instanceof Boolean said ? Optional.of(said) : Optional.empty();
    }

    private static Optional<BigDecimal> money(JsonValue value) {
        return value.isNumber()
                ? Optional.of(new BigDecimal(String.valueOf(value.raw())))
                : Optional.empty();
    }

    private static int tokens(JsonValue value) {
        return Math.toIntExact(value.asLong());
    }

    private static Protocol protocol(JsonValue value) {
        String name = value.textOr("openai-chat");
        return Protocol.valueOf(name.replace('-', '_').toUpperCase(Locale.ROOT));
    }

    private static Optional<String> text(JsonValue value, String key) {
        return value.at(key).isText() ? Optional.of(value.at(key).text()) : Optional.empty();
    }
}
