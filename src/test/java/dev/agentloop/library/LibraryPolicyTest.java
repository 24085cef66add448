package dev.agentloop.library;

import static dev.agentloop.library.AgentLoopTest.WEATHER;
import static dev.agentloop.library.AgentLoopTest.results;
import static dev.agentloop.testing.ScriptedLlm.calls;
import static dev.agentloop.testing.ScriptedLlm.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.hook.HookOutcome;
import dev.agentloop.hook.HookPoint;
import dev.agentloop.message.ToolResult;
import dev.agentloop.permission.Approver;
import dev.agentloop.permission.ConfirmPreset;
import dev.agentloop.testing.ScriptedLlm;
import dev.agentloop.tool.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a loop of one's own keeps from the model and from records, and what it lets tools do. */
@Timeout(60)
class LibraryPolicyTest {
    private static final String KEY = "sk-ant-" + "api03-Qf7bT2xW9rLm4Zc8VhYp1Nd6Ks3Jg5Ta0EuRiOwX";

    record Name(String name) {}

    @TempDir Path folder;

    private static final Tool<?> KEYS =
            TypedTool.of("get_key", "Tells a key.", Name.class, (_, _) -> "the key is " + KEY);

    private AgentLoopBuilder agent(ScriptedLlm llm) {
        return AgentLoop.builder(llm, Contexts.compacting(100_000))
                .systemPrompt("You are a test.")
                .workspace(folder);
    }

    private static String all(Path folder) throws IOException {
        StringBuilder all = new StringBuilder();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(it -> it.toString().endsWith(".jsonl")).toList()) {
                all.append(Files.readString(file));
            }
        }
        return all.toString();
    }

    @Test
    @DisplayName("A secret reaches neither the model nor the records; redactSecrets(false) lets it")
    void aSecretReachesNeitherModelNorRecords() throws Exception {
        var llm = ScriptedLlm.of(calls("get_key", "{\"name\":\"a\"}"), says("It is " + KEY));
        try (AgentLoop agent = agent(llm).tool(KEYS).sessions(folder.resolve("kept")).build()) {
            agent.runText("My key is " + KEY);

            String seen = results(llm.messagesOf(1)).getFirst().text();
            assertTrue(seen.contains("[[secret:"), seen);
            assertFalse(seen.contains(KEY), seen);
        }
        String records = all(folder.resolve("kept"));
        assertTrue(records.contains("[redacted"), records);
        assertFalse(records.contains(KEY), records);

        var open = ScriptedLlm.of(calls("get_key", "{\"name\":\"a\"}"), says("Fine."));
        try (AgentLoop agent =
                agent(open)
                        .tool(KEYS)
                        .redactSecrets(false)
                        .sessions(folder.resolve("open"))
                        .build()) {
            agent.runText("Go");
            assertTrue(results(open.messagesOf(1)).getFirst().text().contains(KEY));
        }
        assertTrue(all(folder.resolve("open")).contains(KEY));
    }

    @Test
    @DisplayName("A secret that the program names is kept from the model as well")
    void aSecretThatIsNamedIsKept() {
        Tool<?> vault = TypedTool.of("open", "Opens.", Name.class, (_, _) -> "tulip-Ox7-93-basalt");
        var llm = ScriptedLlm.of(calls("open", "{\"name\":\"a\"}"), says("Fine."));
        try (AgentLoop agent =
                agent(llm).tool(vault).secret("VAULT", "tulip-Ox7-93-basalt").build()) {
            agent.runText("Go");

            String seen = results(llm.messagesOf(1)).getFirst().text();
            assertTrue(seen.startsWith("[[secret:VAULT:"), seen);
        }
    }

    @Test
    @DisplayName("A cassette holds no secret, also one that streams in pieces, and is held again")
    void aCassetteHoldsNoSecret() throws Exception {
        Path file = folder.resolve("keys.jsonl");
        var llm = ScriptedLlm.of(calls("get_key", "{\"name\":\"a\"}"), says("It is " + KEY));
        try (Recording recording = Cassettes.record(file, llm);
                AgentLoop agent = agent(llm).tool(KEYS).tape(recording::tape).build()) {
            agent.runText("My key is " + KEY);
        }
        assertFalse(Files.readString(file).contains(KEY), () -> "in the cassette");

        try (AgentLoop agent =
                AgentLoop.builder(Cassettes.replay(file), Contexts.compacting(100_000))
                        .systemPrompt("You are a test.")
                        .tool(KEYS)
                        .build()) {
            String said = agent.runText("My key is " + KEY).text();
            assertTrue(said.startsWith("It is [redacted"), said);
        }
    }

    private List<ToolResult> write(boolean trust, String... files) {
        List<String> calls = new ArrayList<>();
        for (String file : files) {
            calls.add("write_file");
            calls.add("{\"file_path\":\"" + file + "\",\"content\":\"x\"}");
        }
        var llm = ScriptedLlm.of(calls(calls.toArray(String[]::new)), says("Done."));
        try (CodingTools coding = CodingTools.open()) {
            AgentLoopBuilder builder = agent(llm).sessions(folder.resolve("kept"));
            coding.named("write_file").forEach(builder::tool);
            try (AgentLoop agent = (trust ? builder.trustWorkspace() : builder).build()) {
                agent.runText("Go");
                return results(agent.messages());
            }
        }
    }

    @Test
    @Tag("P5")
    @DisplayName("in a workspace that nobody trusts, no tool writes what programs obey")
    void nobodyWritesWhatProgramsObey() {
        List<ToolResult> plain = write(false, "a.txt", ".github/workflows/x.yml", ".envrc");
        assertFalse(plain.getFirst().isError(), plain::toString);
        assertEquals(ToolResult.Kind.DENIED, plain.get(1).kind());
        assertEquals(ToolResult.Kind.DENIED, plain.get(2).kind());

        List<ToolResult> trusted =
                write(true, ".envrc", ".github/workflows/x.yml", "kept/x/journal.jsonl");
        assertFalse(trusted.getFirst().isError(), trusted::toString);
        assertEquals(ToolResult.Kind.DENIED, trusted.get(1).kind(), "pipelines run with secrets");
        assertEquals(ToolResult.Kind.DENIED, trusted.get(2).kind(), "its own records");
    }

    @Test
    @DisplayName("Records in the workspace itself do not close it to tools")
    void recordsInTheWorkspaceDoNotCloseIt() {
        var llm =
                ScriptedLlm.of(
                        calls("write_file", "{\"file_path\":\"a.txt\",\"content\":\"x\"}"),
                        says("Done."));
        try (CodingTools coding = CodingTools.open()) {
            AgentLoopBuilder builder = agent(llm).sessions(folder);
            coding.named("write_file").forEach(builder::tool);
            try (AgentLoop agent = builder.build()) {
                agent.runText("Go");
                assertFalse(results(agent.messages()).getFirst().isError());
            }
        }
    }

    @Test
    @DisplayName("Rules and hooks that could never do anything are refused")
    void whatCouldNeverDoAnythingIsRefused() {
        AgentLoopBuilder typo = agent(ScriptedLlm.of()).tool(WEATHER).deny("get_wether");
        var e = assertThrows(IllegalArgumentException.class, typo::build);
        assertTrue(String.valueOf(e.getMessage()).contains("[get_weather]"), e::toString);

        agent(ScriptedLlm.of()).tool(WEATHER).deny("get_weather(*)").deny("delete_*").build();
        var never =
                assertThrows(
                        IllegalArgumentException.class,
                        () ->
                                agent(ScriptedLlm.of())
                                        .hook(
                                                "more",
                                                Set.of(HookPoint.PROMPT_BUILD),
                                                _ -> HookOutcome.goOn()));
        assertTrue(String.valueOf(never.getMessage()).contains("prompt_build"), never::toString);
    }

    @Test
    @DisplayName("A yes for the whole run holds when the tools change in it")
    void aYesForTheRunOutlivesAChangeOfTheTools() {
        List<String> asked = new ArrayList<>();
        ScriptedLlm.Turn call = calls("get_key", "{\"name\":\"a\"}");
        var llm = ScriptedLlm.of(call, call, says("Done."));
        try (AgentLoop agent =
                        agent(llm)
                                .tool(KEYS)
                                .confirm(
                                        ConfirmPreset.CONFIRM_SENSITIVE,
                                        (ready, _, _) -> {
                                            asked.add(ready.subject());
                                            return new Approver.Answer.Yes(
                                                    Approver.Lasting.SESSION);
                                        })
                                .build();
                AgentSteps steps = agent.runStep("Go")) {
            steps.next();
            assertEquals(1, asked.size());
            steps.tools().add(WEATHER);
            steps.next();
            assertEquals(1, asked.size(), asked::toString);
            assertFalse(results(agent.messages()).stream().anyMatch(ToolResult::isError));
        }
    }
}
