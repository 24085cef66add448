package dev.agentloop.library;

import static dev.agentloop.library.AgentLoopTest.WEATHER;
import static dev.agentloop.testing.ScriptedLlm.calls;
import static dev.agentloop.testing.ScriptedLlm.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.llm.LlmAdapter;
import dev.agentloop.testing.ScriptedLlm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class CassettesTest {
    private static AgentLoopBuilder agent(LlmAdapter llm) {
        return AgentLoop.builder(llm, Contexts.compacting(100_000))
                .systemPrompt("You are a test.")
                .tool(WEATHER);
    }

    @Test
    @DisplayName("A conversation of two runs is recorded, and held again without the model")
    void aConversationIsHeldAgain(@TempDir Path folder) {
        Path file = folder.resolve("weather.jsonl");
        LlmAdapter llm =
                ScriptedLlm.of(
                        calls("get_weather", "{\"city\":\"Rome\"}"), says("Warm."), says("Bye."));
        try (Recording recording = Cassettes.record(file, llm);
                AgentLoop agent = agent(llm).tape(recording::tape).build()) {
            agent.runText("Weather?");
            agent.runText("Thanks");
        }

        try (AgentLoop agent = agent(Cassettes.replay(file)).build()) {
            AgentResult first = agent.runText("Weather?");
            assertEquals("Warm.", first.text());
            assertEquals(220, first.usage().total());
            assertEquals("Bye.", agent.runText("Thanks").text());
        }
        try (AgentLoop agent = agent(Cassettes.replay(file)).build()) {
            var e = assertThrows(LoopException.Provider.class, () -> agent.runText("Else?"));
            assertEquals("replay_mismatch", e.code());
        }
    }

    @Test
    void whatIsNoCassetteIsRefused(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("x.jsonl"), "{}\n");

        assertThrows(UncheckedIOException.class, () -> Cassettes.replay(file));
        var e =
                assertThrows(
                        UncheckedIOException.class,
                        () -> Cassettes.replay(folder.resolve("missing.jsonl")));
        assertTrue(String.valueOf(e.getMessage()).contains("missing.jsonl"), e::toString);
    }
}
