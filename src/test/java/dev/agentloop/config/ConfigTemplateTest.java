package dev.agentloop.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.agentloop.config.AgentConfig.Price;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigTemplateTest {
    @TempDir Path folder;

    /** The template with every line in effect. */
    static String uncommented() {
        String text = ConfigTemplate.text();
        String keys = text.substring(text.indexOf("\n\n") + 1);
        return keys.replaceAll("(?m)^# ", "");
    }

    @Test
    void theTemplateAsItIsChangesNothing() {
        AgentConfig before = new ConfigFixture(folder).config();

        assertEquals(before, new ConfigFixture(folder).user(ConfigTemplate.text()).config());
    }

    @Test
    void theTemplateInFullIsValidAndSaysTheDefaults() {
        AgentConfig before = new ConfigFixture(folder).config();
        AgentConfig full = new ConfigFixture(folder).user(uncommented()).config();

        assertEquals(
                new AgentConfig(
                        before.workspace(),
                        before.llm(),
                        full.providers(),
                        full.agents(),
                        before.tools(),
                        before.permissions(),
                        before.guardrails(),
                        before.sandbox(),
                        before.context(),
                        before.limits(),
                        before.hooks(),
                        before.mcpServers(),
                        before.commands(),
                        before.secrets(),
                        before.sessions(),
                        before.memory(),
                        before.evaluation(),
                        before.logging()),
                full);
        assertEquals(Map.of("build", AgentProfile.EMPTY), full.agents());
        assertEquals(
                new AgentConfig.Model(
                        OptionalInt.empty(),
                        OptionalInt.empty(),
                        Price.UNKNOWN,
                        AgentConfig.Abilities.UNSAID),
                full.providers().get("local").models().get("my-model"));
    }

    @Test
    void theExampleFileLoads() throws IOException {
        String example = Files.readString(Path.of("config/agent.example.yaml"));
        AgentConfig config = new ConfigFixture(folder).user(example).config();

        assertEquals(Optional.of("anthropic/claude-sonnet-5"), config.llm().model());
        assertEquals(2, config.hooks().postEdit().size());
    }
}
