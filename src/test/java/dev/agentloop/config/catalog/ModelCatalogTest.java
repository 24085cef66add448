package dev.agentloop.config.catalog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.config.AgentConfig;
import dev.agentloop.config.AgentConfig.Abilities;
import dev.agentloop.config.AgentConfig.Model;
import dev.agentloop.config.AgentConfig.Price;
import dev.agentloop.config.catalog.ModelCatalog.Entry;
import dev.agentloop.config.catalog.ModelCatalog.PriceBasis;
import dev.agentloop.llm.Capabilities;
import dev.agentloop.llm.Effort;
import dev.agentloop.llm.ModelInfo;
import dev.agentloop.llm.ToolNames;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ModelCatalogTest {
    private static final ModelCatalog BUILT_IN = ModelCatalog.of(Map.of());
    private static final Capabilities WITHOUT_EFFORT =
            new Capabilities(true, true, Set.of(), true, true, false);

    @Test
    void aKnownModelHasLimitsAndListPrices() {
        assertEquals(
                new Entry(
                        new ModelInfo(
                                "anthropic", "claude-haiku-4-5", 200_000, 64_000, WITHOUT_EFFORT),
                        new Price(money("1"), money("0.1"), money("1.25"), money("5"), none()),
                        PriceBasis.LIST),
                BUILT_IN.find("anthropic", "claude-haiku-4-5"));
    }

    @ParameterizedTest
    @Tag("M11")
    @DisplayName("a price is never guessed from a name that is nearly the same")
    @CsvSource({
        "openai, gpt-5.5-mini",
        "openai, gpt-4o-mini-2024-07-18",
        "openai, gpt-",
        "openai, GPT-4O",
        "openai, o3-mini",
        "gemini, gemini-2.5-flash-lite",
        "openrouter, gpt-4o",
        "nobody, gpt-4o",
    })
    void onlyTheExactNameHasAPrice(String provider, String model) {
        assertEquals(
                new Entry(new ModelInfo(provider, model, 0, 0), Price.UNKNOWN, PriceBasis.UNKNOWN),
                BUILT_IN.find(provider, model));
    }

    @Test
    void theUsersWordLiesOverTheList() {
        ModelCatalog catalog =
                ModelCatalog.of(
                        Map.of(
                                "openai",
                                new AgentConfig.Provider(
                                        Optional.empty(),
                                        Optional.empty(),
                                        Optional.empty(),
                                        Optional.empty(),
                                        Optional.empty(),
                                        Map.of(
                                                "gpt-4o",
                                                new Model(
                                                        OptionalInt.of(5),
                                                        OptionalInt.empty(),
                                                        new Price(
                                                                none(),
                                                                none(),
                                                                none(),
                                                                money("99"),
                                                                none()),
                                                        Abilities.UNSAID)))));

        assertEquals(
                new Entry(
                        new ModelInfo("openai", "gpt-4o", 5, 16_384, WITHOUT_EFFORT),
                        new Price(money("2.5"), money("1.25"), none(), money("99"), none()),
                        PriceBasis.CONFIG),
                catalog.find("openai", "gpt-4o"));
        assertEquals(PriceBasis.LIST, catalog.find("openai", "gpt-4o-mini").basis());
    }

    @Test
    void everyListedModelIsComplete() {
        for (Entry entry : BUILT_IN.models()) {
            assertTrue(entry.info().contextWindow() > 0, entry.info().id());
            boolean unpublished = Set.of("mistral", "xai").contains(entry.info().provider());
            assertEquals(unpublished, entry.info().maxOutputTokens() == 0, entry.info().id());
            assertEquals(
                    !entry.info().provider().equals("deepseek"), // its price is that of the hour
                    entry.price().isKnown(),
                    entry.info().id());
        }
    }

    @Test
    void everyDefaultModelBelongsToAProviderWithAKey() {
        for (String name : BUILT_IN.providers()) {
            ModelCatalog.Provider provider = BUILT_IN.provider(name).orElseThrow();
            assertTrue(provider.baseUrl().isPresent() || name.equals("azure"), name);
            assertTrue(provider.defaultModel().isEmpty() || provider.apiKeyEnv().isPresent(), name);
        }
    }

    @Test
    void aModelSaysWhatItCanDoElseItsProviderElseEverythingIsPossible() {
        assertEquals(
                Set.of(Effort.LOW, Effort.MEDIUM, Effort.HIGH, Effort.MAX),
                capabilities(BUILT_IN, "anthropic", "claude-opus-5-5").efforts());
        assertTrue(capabilities(BUILT_IN, "ollama", "qwen3").textCalls());
        assertEquals(Capabilities.UNKNOWN, capabilities(BUILT_IN, "nobody", "x"));
        assertEquals(Capabilities.UNKNOWN, capabilities(BUILT_IN, "gemini", "gemini-2.5-flash"));
        assertFalse(capabilities(BUILT_IN, "openai", "gpt-5.5").temperature());
        assertFalse(
                capabilities(BUILT_IN, "gemini", "gemini-2.5-pro").efforts().contains(Effort.OFF));
    }

    private static AgentConfig.Provider ollama(Abilities said) {
        Model model = new Model(OptionalInt.empty(), OptionalInt.empty(), Price.UNKNOWN, said);
        return new AgentConfig.Provider(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of("x-key"),
                Optional.of("v=1"),
                Map.of("qwen3", model));
    }

    @Test
    void theUserSaysWhatAModelCanDoOneByOne() {
        Abilities said =
                new Abilities(
                        Optional.of(false),
                        Optional.empty(),
                        Optional.of(Set.of(Effort.LOW)),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(false),
                        Optional.of(true),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(ToolNames.CODEX));
        ModelCatalog catalog = ModelCatalog.of(Map.of("ollama", ollama(said)));

        assertEquals(
                new Capabilities(
                        false,
                        true,
                        Set.of(Effort.LOW),
                        true,
                        true,
                        false,
                        true,
                        false,
                        true,
                        ToolNames.CODEX),
                capabilities(catalog, "ollama", "qwen3"));
        assertTrue(capabilities(catalog, "ollama", "other").textCalls());
        ModelCatalog.Provider provider = catalog.provider("ollama").orElseThrow();
        assertEquals(Optional.of("x-key"), provider.keyHeader());
        assertEquals(Optional.of("v=1"), provider.query());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "openai",
                "anthropic",
                "gemini",
                "openrouter",
                "mistral",
                "deepseek",
                "groq",
                "together",
                "xai",
                "azure",
                "ollama",
                "llamacpp",
                "vllm",
                "lmstudio",
                "litellm"
            })
    void everyVendorOfTheContractIsThereAndOnlyServersOfThisMachineNeedNoKey(String name) {
        ModelCatalog.Provider provider = BUILT_IN.provider(name).orElseThrow();
        boolean local = provider.baseUrl().filter(Hosts::isLoopback).isPresent();

        assertTrue(local || provider.apiKeyEnv().isPresent());
    }

    @Test
    void azureTakesItsKeyInItsOwnHeader() {
        ModelCatalog.Provider azure = BUILT_IN.provider("azure").orElseThrow();

        assertEquals(Optional.of("api-key"), azure.keyHeader());
        assertEquals(Optional.empty(), azure.baseUrl());
    }

    private static Capabilities capabilities(ModelCatalog catalog, String provider, String model) {
        return catalog.find(provider, model).info().capabilities();
    }

    private static Optional<BigDecimal> money(String amount) {
        return Optional.of(new BigDecimal(amount));
    }

    private static Optional<BigDecimal> none() {
        return Optional.empty();
    }
}
