package dev.agentloop.library;

import static dev.agentloop.library.AgentLoopTest.WEATHER;
import static dev.agentloop.testing.ScriptedLlm.calls;
import static dev.agentloop.testing.ScriptedLlm.fails;
import static dev.agentloop.testing.ScriptedLlm.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.llm.LlmAdapter;
import dev.agentloop.llm.LlmException;
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
    @DisplayName("What the builder was told is secret is in no cassette, and may be held again")
    void secretsOfTheBuilderAreKeptOut(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("vault.jsonl");
        String secret = "Vq7-93kd-Zx81-pp04";
        LlmAdapter llm =
                ScriptedLlm.of(
                        calls("get_weather", "{\"city\":\"" + secret + "\"}"),
                        says("It is " + secret + "."));
        try (Recording recording = Cassettes.record(file, llm);
                AgentLoop agent =
                        agent(llm)
                                .systemPrompt("The word is " + secret)
                                .secret("WORD", secret)
                                .tape(recording::tape)
                                .build()) {
            agent.runText("Is it " + secret + "?");
        }

        String kept = Files.readString(file);
        assertFalse(kept.contains(secret), kept);
        assertTrue(kept.contains("[redacted:WORD]"), kept);
        try (AgentLoop agent =
                agent(Cassettes.replay(file))
                        .systemPrompt("The word is " + secret)
                        .secret("WORD", secret)
                        .build()) {
            assertEquals("It is [redacted:WORD].", agent.runText("Is it " + secret + "?").text());
        }
    }

    @Test
    @DisplayName("A cassette ends as its last run did; one without a run is not whole")
    void aCassetteEndsAsItsLastRunDid(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("weather.jsonl");
        LlmAdapter llm = ScriptedLlm.of(fails(new LlmException.BadRequest("no such model")));
        try (Recording recording = Cassettes.record(file, llm);
                AgentLoop agent = agent(llm).tape(recording::tape).build()) {
            assertThrows(LoopException.Provider.class, () -> agent.runText("Weather?"));
        }
        assertTrue(Files.readString(file).contains("llm_error"));
        assertFalse(Files.readString(file).contains("llm_done"));

        Path empty = folder.resolve("empty.jsonl");
        Cassettes.record(empty, llm).close();
        assertThrows(UncheckedIOException.class, () -> Cassettes.replay(empty));
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
