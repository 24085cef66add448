package dev.agentloop.config.catalog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.config.AgentConfig;
import dev.agentloop.config.AgentConfig.Protocol;
import dev.agentloop.config.ConfigLoader;
import dev.agentloop.config.ConfigSources;
import dev.agentloop.config.catalog.ModelChoice.Chosen;
import dev.agentloop.config.source.ConfigException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ModelChoiceTest {
    @TempDir Path folder;
    private final Map<String, String> environment = new HashMap<>();
    private final Map<String, List<String>> options = new HashMap<>();
    private String yaml = "";

    private AgentConfig config() {
        try {
            Path file = Files.writeString(folder.resolve("c.yaml"), yaml);
            return ConfigLoader.load(
                            ConfigSources.of(environment, folder, folder)
                                    .withConfigFile(file)
                                    .withOptions(options))
                    .config();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private Chosen chosen() {
        return assertInstanceOf(
                Chosen.class, ModelChoice.of(config(), environment, LocalServers.NONE));
    }

    private String refusal() {
        ConfigException refused = assertThrows(ConfigException.class, this::chosen);
        return String.valueOf(refused.getMessage());
    }

    private void model(String id) {
        options.put("llm.model", List.of(id));
    }

    @ParameterizedTest(name = "{0}: {1} at {2}")
    @CsvSource({
        "anthropic/claude-sonnet-5, ANTHROPIC, https://api.anthropic.com, ANTHROPIC_API_KEY",
        "openai/gpt-5.5, OPENAI_RESPONSES, https://api.openai.com/v1, OPENAI_API_KEY",
        "openai/gpt-4.1, OPENAI_CHAT, https://api.openai.com/v1, OPENAI_API_KEY",
        "openai/x, OPENAI_CHAT, https://api.openai.com/v1, OPENAI_API_KEY",
        "openrouter/a/b/c, OPENAI_CHAT, https://openrouter.ai/api/v1, OPENROUTER_API_KEY",
        "mistral/x, OPENAI_CHAT, https://api.mistral.ai/v1, MISTRAL_API_KEY",
        "deepseek/x, OPENAI_CHAT, https://api.deepseek.com/v1, DEEPSEEK_API_KEY",
        "groq/x, OPENAI_CHAT, https://api.groq.com/openai/v1, GROQ_API_KEY",
        "together/x, OPENAI_CHAT, https://api.together.xyz/v1, TOGETHER_API_KEY",
        "xai/x, OPENAI_CHAT, https://api.x.ai/v1, XAI_API_KEY",
        "gemini/x, GEMINI, https://generativelanguage.googleapis.com/v1beta, GEMINI_API_KEY",
        "ollama/qwen3:8b, OPENAI_CHAT, http://127.0.0.1:11434/v1,",
        "llamacpp/x, OPENAI_CHAT, http://127.0.0.1:8080/v1,",
        "lmstudio/x, OPENAI_CHAT, http://127.0.0.1:1234/v1,",
        "vllm/x, OPENAI_CHAT, http://127.0.0.1:8000/v1,",
        "litellm/x, OPENAI_CHAT, http://127.0.0.1:4000/v1, LITELLM_API_KEY",
        "demo/scripted, EMBEDDED, demo:scripted,",
    })
    void builtInProvidersNeedNoConfiguration(String id, Protocol protocol, URI url, String key) {
        model(id);
        Chosen chosen = chosen();

        assertEquals(id, chosen.model().info().id());
        assertEquals(protocol, chosen.protocol());
        assertEquals(url, chosen.baseUrl());
        assertEquals(Optional.ofNullable(key), chosen.apiKeyEnv());
        assertEquals("configured", chosen.why());
    }

    @Test
    void keysInTheEnvironmentDecideInTheOrderOfTheContract() {
        List<String> order = new ArrayList<>();
        List<String> variables =
                List.of(
                        "ANTHROPIC_API_KEY",
                        "OPENAI_API_KEY",
                        "GEMINI_API_KEY",
                        "MISTRAL_API_KEY",
                        "OPENROUTER_API_KEY");
        variables.forEach(variable -> environment.put(variable, "k"));
        for (String variable : variables) {
            Chosen chosen = chosen();
            assertEquals(variable + " is set", chosen.why());
            order.add(chosen.model().info().id());
            environment.put(variable, " "); // an empty variable is not a key
        }

        assertEquals(
                List.of(
                        "anthropic/claude-sonnet-5",
                        "openai/gpt-5.5",
                        "gemini/gemini-3.8-flash",
                        "mistral/mistral-medium-latest",
                        "openrouter/anthropic/claude-sonnet-5"),
                order);
    }

    @Test
    void aLocalServerIsTheLastResort() {
        List<URI> asked = new ArrayList<>();
        LocalServers lmStudio =
                base -> {
                    asked.add(base);
                    return base.getPort() == 1234 ? Optional.of("qwen/q3") : Optional.empty();
                };
        Chosen chosen =
                assertInstanceOf(Chosen.class, ModelChoice.of(config(), environment, lmStudio));

        assertEquals("lmstudio/qwen/q3", chosen.model().info().id());
        assertEquals("lmstudio answers at http://127.0.0.1:1234/v1", chosen.why());
        assertFalse(chosen.lacksKey(environment));
        assertEquals(List.of(11434, 8080, 1234), asked.stream().map(URI::getPort).toList());
    }

    @Test
    void aModelOrAKeyKeepsThePortsUntouched() {
        environment.put("OPENAI_API_KEY", "k");
        LocalServers never =
                base -> {
                    throw new AssertionError("asked " + base);
                };

        assertInstanceOf(Chosen.class, ModelChoice.of(config(), environment, never));
    }

    @Test
    void aProviderThatWasMovedAwayIsNotLookedForHere() {
        yaml = "providers: {ollama: {base_url: \"http://10.0.0.5:11434/v1\"}}";
        LocalServers any = base -> Optional.of(String.valueOf(base.getPort()));
        Chosen chosen = assertInstanceOf(Chosen.class, ModelChoice.of(config(), environment, any));

        assertEquals("llamacpp/8080", chosen.model().info().id());
    }

    @Test
    void withoutAnythingThreeLinesHelp() {
        ModelChoice choice = ModelChoice.of(config(), environment, LocalServers.NONE);

        String help = assertInstanceOf(ModelChoice.None.class, choice).help();
        assertEquals(3, help.lines().count());
        assertTrue(help.lines().toList().getLast().contains("--model demo/scripted"));
    }

    @Test
    void unknownProvidersAreRefusedWithASuggestion() {
        model("opnai/gpt-5.5");

        assertEquals(
                "llm.model: unknown provider \"opnai\"; did you mean \"openai\"?\n"
                        + "  Known: anthropic, azure, deepseek, demo, gemini, groq, litellm, llamacpp,"
                        + " lmstudio, mistral, ollama, openai, openrouter, together, vllm, xai; any"
                        + " other name needs --base-url, or the --config file that describes it.",
                refusal());
    }

    @Test
    void anAddressMakesAnyNameAProviderWithoutAKey() {
        model("mine/some/model");
        options.put("llm.base_url", List.of("https://llm.example/v1"));
        environment.put("OPENAI_API_KEY", "k");
        Chosen chosen = chosen();

        assertEquals(Protocol.OPENAI_CHAT, chosen.protocol());
        assertEquals("mine/some/model", chosen.model().info().id());
        assertEquals(Optional.empty(), chosen.apiKeyEnv());
        assertFalse(chosen.lacksKey(environment));
    }

    @Test
    void anAddressAloneIsNotEnough() {
        options.put("llm.base_url", List.of("http://127.0.0.1:9/v1"));

        assertEquals(
                "llm.base_url: an address without a model\n"
                        + "  Name both: --model NAME/MODEL --base-url URL.",
                refusal());
    }

    @Test
    void anAddressOfTheCommandLineKeepsProtocolAndUsualKey() {
        model("anthropic/claude-sonnet-5");
        options.put("llm.base_url", List.of("http://127.0.0.1:7777"));
        Chosen chosen = chosen();
        assertEquals(Protocol.ANTHROPIC, chosen.protocol());
        assertEquals(URI.create("http://127.0.0.1:7777"), chosen.baseUrl());
        assertEquals(Optional.of("ANTHROPIC_API_KEY"), chosen.apiKeyEnv());
        assertFalse(chosen.lacksKey(environment), "a server on this machine needs no key");

        options.put("llm.api_key_env", List.of("OTHER_KEY"));
        environment.put("OTHER_KEY", " k ");
        environment.put("ANTHROPIC_API_KEY", "not this one");
        assertEquals(Optional.of("k"), chosen().key(environment));
    }

    @ParameterizedTest
    @Tag("D38")
    @DisplayName("a key goes to its own provider's servers and to this machine")
    @ValueSource(
            strings = {
                "https://eu.api.openai.com/v1",
                "http://localhost:8080/v1",
                "http://[::1]/v1"
            })
    void theUsualKeyGoesHome(String url) {
        model("openai/gpt-5");
        options.put("llm.base_url", List.of(url));
        environment.put("OPENAI_API_KEY", "k");

        assertEquals(Optional.of("k"), chosen().key(environment));
    }

    @ParameterizedTest
    @Tag("D38")
    @DisplayName("to another server a key goes only if it is named for it")
    @ValueSource(
            strings = {
                "https://gateway.example/v1",
                "https://openai.com.evil.example/v1",
                "https://xopenai.com/v1",
                "http://10.0.0.5/v1"
            })
    void noKeyGoesElsewhere(String url) {
        model("openai/gpt-5");
        options.put("llm.base_url", List.of(url));
        environment.put("OPENAI_API_KEY", "k");
        String host = URI.create(url).getHost();
        assertEquals(
                "llm.base_url: OPENAI_API_KEY is the key for api.openai.com, not for "
                        + host
                        + "\n  Name the variable with the key of that server, --api-key-env"
                        + " OPENAI_API_KEY if it is this one, or give the server a name of its own:"
                        + " --model NAME/MODEL.",
                refusal());

        options.put("llm.api_key_env", List.of("OPENAI_API_KEY"));
        assertEquals(Optional.of("k"), chosen().key(environment));
    }

    @ParameterizedTest(name = "{0}={1} gives {3}")
    @CsvSource({
        "OPENAI_BASE_URL, https://p.example/v1, openai/x, https://p.example/v1",
        "OPENAI_BASE_URL, https://p.example/v1/, openai/x, https://p.example/v1",
        "ANTHROPIC_BASE_URL, https://p.example, anthropic/x, https://p.example",
        "GOOGLE_GEMINI_BASE_URL, https://p.example, gemini/x, https://p.example",
        "OPENAI_BASE_URL, https://p.example/v1, groq/x, https://api.groq.com/openai/v1",
    })
    void addressesOfTheVendorsVariablesCount(String name, String value, String id, URI url) {
        environment.put(name, value);
        yaml = "providers: {openai: {base_url: \"https://file.example/v1\"}}";
        model(id);

        assertEquals(url, chosen().baseUrl());
    }

    @ParameterizedTest(name = "{0} at {1}: {2}")
    @CsvSource({
        "'', https://proxy.example/v1, OPENAI_CHAT",
        "'', http://127.0.0.1:4000/v1, OPENAI_CHAT",
        "'', https://API.openai.com/v1/, OPENAI_RESPONSES",
        "openai-chat, '', OPENAI_CHAT",
        "openai-responses, https://proxy.example/v1, OPENAI_RESPONSES",
    })
    void aModelsOwnProtocolIsForItsProvidersOwnAddress(String said, String url, Protocol protocol) {
        yaml = said.isEmpty() ? "" : "providers: {openai: {protocol: " + said + "}}";
        model("openai/gpt-5.5");
        if (!url.isEmpty()) {
            options.put("llm.base_url", List.of(url));
        }

        assertEquals(protocol, chosen().protocol());
    }

    @Test
    void aVendorsVariableWithAnotherServerKeepsTheProvidersProtocol() {
        environment.put("OPENAI_BASE_URL", "https://proxy.example/v1");
        model("openai/gpt-5.5");

        assertEquals(Protocol.OPENAI_CHAT, chosen().protocol());
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "file:///etc/SECRET", "http://u:SECRET@h/", "http://a b/SECRET"})
    void aBrokenAddressInAVariableIsRefusedAndNotRepeated(String url) {
        environment.put("OPENAI_BASE_URL", url);
        model("openai/x");

        assertEquals(
                "OPENAI_BASE_URL: is not a web address\n"
                        + "  Allowed: an http or https address without user and password.",
                refusal());
    }

    @Test
    void providersOfTheUserLieOverTheBuiltInOnes() {
        yaml =
                """
                llm: {model: openai/gpt-5.5}
                providers:
                  openai: {base_url: "https://azure.example/v1", api_key_env: AZURE}
                  own: {base_url: "http://h/v1", protocol: anthropic}
                  half: {api_key_env: X}
                """;
        Chosen chosen = chosen();
        assertEquals(URI.create("https://azure.example/v1"), chosen.baseUrl());
        assertEquals(Optional.of("AZURE"), chosen.apiKeyEnv());
        assertTrue(chosen.lacksKey(environment));

        model("own/m");
        assertEquals(Protocol.ANTHROPIC, chosen().protocol());
        assertEquals(Optional.empty(), chosen().apiKeyEnv());
        model("half/m");
        assertEquals("providers.half: has no base_url\n  Set providers.half.base_url.", refusal());
    }

    @Test
    void azureHasAnAddressForEachOfItsCustomers() {
        model("azure/my-deployment");
        assertEquals(
                "providers.azure: has no base_url\n  Set providers.azure.base_url.", refusal());

        yaml =
                """
                providers:
                  azure: {base_url: "https://r.example/openai/v1", query: "api-version=preview"}
                """;
        assertEquals(Optional.of("AZURE_OPENAI_API_KEY"), chosen().apiKeyEnv());
        assertEquals(Optional.of("api-key"), chosen().keyHeader());
        assertEquals(Optional.of("api-version=preview"), chosen().query());
    }

    @Test
    void aProviderThatIsAskedForItselfIsNotWhereThisRunGoes() {
        model("openai/gpt-5.5");
        options.put("llm.base_url", List.of("http://127.0.0.1:9/v1"));
        options.put("llm.api_key_env", List.of("MINE"));
        ModelCatalog.Provider mistral =
                ModelCatalog.of(config().providers()).provider("mistral").orElseThrow();
        Chosen asked = ModelChoice.at(mistral, "m", config(), environment);

        assertEquals(URI.create("https://api.mistral.ai/v1"), asked.baseUrl());
        assertEquals(Optional.of("MISTRAL_API_KEY"), asked.apiKeyEnv());
    }

    @ParameterizedTest(name = "{0} is local: {1}")
    @DisplayName("only a written loopback address counts as this machine")
    @CsvSource({
        "http://localhost:1/v1, true",
        "http://LOCALHOST/v1, true",
        "http://127.0.0.1, true",
        "http://127.9.9.9:80, true",
        "http://[::1]:5/v1, true",
        "http://localhost.evil.example/v1, false",
        "http://127.0.0.1.evil.example/v1, false",
        "http://0.0.0.0/v1, false",
        "http://10.0.0.1/v1, false",
    })
    void loopbackIsJudgedByTheWrittenAddress(String url, boolean local) {
        model("openai/x");
        options.put("llm.base_url", List.of(url));

        assertEquals(local, chosen().isLocal());
        assertEquals(!local, chosen().lacksKey(environment));
    }
}
