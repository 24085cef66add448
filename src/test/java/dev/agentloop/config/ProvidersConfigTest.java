package dev.agentloop.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.agentloop.config.AgentConfig.Abilities;
import dev.agentloop.config.AgentConfig.Price;
import dev.agentloop.llm.Effort;
import dev.agentloop.llm.ToolNames;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProvidersConfigTest {
    private static final String SAID =
            """
            providers:
              azure:
                base_url: https://r.example/openai/v1
                key_header: api-key
                query: api-version=2024-10-21&x=1
                models:
                  m: {capabilities: {images: no, efforts: [off, high]}}
                  n: {capabilities: {efforts: [], text_calls: true, max_completion_tokens: true,
                      temperature: no, tool_names: claude}}
            """;

    @TempDir Path folder;

    @Test
    void whatIsSaidIsReadAndWhatIsNotIsLeftToTheCatalog() {
        AgentConfig config = new ConfigFixture(folder).user(SAID).config();

        assertEquals(
                Map.of(
                        "azure",
                        new AgentConfig.Provider(
                                Optional.empty(),
                                Optional.of(URI.create("https://r.example/openai/v1")),
                                Optional.empty(),
                                Optional.of("api-key"),
                                Optional.of("api-version=2024-10-21&x=1"),
                                Map.of(
                                        "m",
                                        model(
                                                Optional.of(false),
                                                Optional.empty(),
                                                Effort.OFF,
                                                Effort.HIGH),
                                        "n",
                                        model(Optional.empty(), Optional.of(true))))),
                config.providers());
    }

    private static AgentConfig.Model model(
            Optional<Boolean> images, Optional<Boolean> textCalls, Effort... efforts) {
        return new AgentConfig.Model(
                OptionalInt.empty(),
                OptionalInt.empty(),
                Price.UNKNOWN,
                new Abilities(
                        Optional.empty(),
                        images,
                        Optional.of(Set.of(efforts)),
                        Optional.empty(),
                        Optional.empty(),
                        textCalls,
                        Optional.empty(),
                        textCalls,
                        textCalls.map(_ -> false),
                        textCalls.map(_ -> ToolNames.CLAUDE)));
    }
}
