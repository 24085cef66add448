package dev.agentloop.library;

import static dev.agentloop.library.AgentLoopTest.WEATHER;
import static dev.agentloop.library.AgentLoopTest.agent;
import static dev.agentloop.library.AgentLoopTest.results;
import static dev.agentloop.testing.ScriptedLlm.calls;
import static dev.agentloop.testing.ScriptedLlm.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.llm.LlmAdapter;
import dev.agentloop.loop.call.ToolAnswers;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import dev.agentloop.replay.Tape;
import dev.agentloop.session.SavedSession;
import dev.agentloop.session.SessionStore;
import dev.agentloop.testing.ScriptedLlm;
import dev.agentloop.tool.Tool;
import dev.agentloop.wiring.Sessions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class LoopPortsTest {
    record Nothing() {}

    private static Tool<?> meeting(CyclicBarrier all) {
        return TypedTool.of(
                        "meet",
                        "Waits for the other.",
                        Nothing.class,
                        (_, _) -> "number " + all.await(500, TimeUnit.MILLISECONDS))
                .readingOnly();
    }

    @Test
    @Tag("S2-13")
    @Tag("C16")
    @DisplayName("calls of a reply run side by side if that is wanted, else in turn")
    void callsRunSideBySideIfThatIsWanted() {
        try (AgentLoop agent =
                agent(ScriptedLlm.of(calls("meet", "{}", "meet", "{}"), says("Met.")))
                        .tool(meeting(new CyclicBarrier(2)))
                        .parallelToolExecution(true)
                        .build()) {
            assertEquals(0, failures(agent));
        }
        try (AgentLoop agent =
                agent(ScriptedLlm.of(calls("meet", "{}", "meet", "{}"), says("Missed.")))
                        .tool(meeting(new CyclicBarrier(2)))
                        .build()) {
            assertEquals(2, failures(agent));
        }
    }

    @Test
    @Tag("S4-12")
    @DisplayName("a tool knows the id of its call; what it tells is told of that call")
    void aToolKnowsItsCall() {
        Tool<?> who =
                TypedTool.of(
                        "who",
                        "Tells.",
                        Nothing.class,
                        (_, context) -> {
                            context.progress().accept("this is " + context.callId());
                            return context.callId();
                        });
        var llm = ScriptedLlm.of(calls("who", "{}", "who", "{}"), says("Two."));
        try (AgentLoop agent = agent(llm).tool(who).build();
                EventStream<StreamEvent> events = agent.runStream("Who?")) {
            List<StreamEvent> told =
                    events.stream().filter(StreamEvent.ToolProgress.class::isInstance).toList();

            assertEquals(List.of(progress("call_2_0"), progress("call_2_1")), told);
            assertEquals(
                    List.of(ToolResult.ok("call_2_0"), ToolResult.ok("call_2_1")),
                    results(agent.messages()));
        }
    }

    private static StreamEvent progress(String id) {
        return new StreamEvent.ToolProgress(id, "who", "this is " + id, null);
    }

    private static long failures(AgentLoop agent) {
        return results(agent.runText("Meet").messages()).stream()
                .filter(result -> result.isError())
                .count();
    }

    @Test
    @Tag("S2-20")
    @Tag("scenario-73")
    @DisplayName("with a tape neither the model nor a tool is asked directly")
    void withATapeNobodyIsAskedDirectly() {
        List<String> asked = new ArrayList<>();
        var llm = ScriptedLlm.of(calls("get_weather", "{\"city\":\"Rome\"}"), says("Warm."));
        Tape engine =
                new Tape() {
                    @Override
                    public LlmAdapter llm(Supplier<LlmAdapter> real) {
                        asked.add("model");
                        return real.get();
                    }

                    @Override
                    public ToolAnswers answer(List<ToolCall> calls, Supplier<ToolAnswers> real) {
                        asked.add(calls.getFirst().name());
                        return real.get();
                    }
                };
        try (AgentLoop agent = agent(llm).tool(WEATHER).tape(() -> engine).build()) {
            assertEquals("Warm.", agent.runText("Weather?").text());
        }
        assertEquals(List.of("model", "get_weather"), asked);
    }

    @Test
    @Tag("S4-16")
    @DisplayName("each conversation is on record; a cleared one stays")
    void eachConversationIsOnRecord(@TempDir Path folder) throws Exception {
        var llm = ScriptedLlm.always(says("Hello."));
        String first;
        try (AgentLoop agent = agent(llm).sessions(folder).build()) {
            agent.runText("Hi");
            first = agent.sessionId();
            agent.clearHistory();
            agent.runText("Hi again");
            assertNotEquals(first, agent.sessionId());
        }
        SessionStore store = Sessions.store(folder, null);
        SavedSession saved = store.read(first);

        assertEquals(2, store.list().size());
        assertEquals(3, saved.history().size());
        assertEquals("success", saved.summary().status());
    }

    @Test
    @Tag("C4")
    @DisplayName("a cancelled run takes a command and its process with it, within a second")
    void aCancelledRunTakesACommandWithIt(@TempDir Path folder) throws Exception {
        var llm =
                ScriptedLlm.of(
                        calls("run_command", "{\"command\":\"echo $$ > pid; exec sleep 60\"}"));
        try (CodingTools tools = CodingTools.open()) {
            AgentLoopBuilder builder = agent(llm).workspace(folder);
            tools.named("run_command").forEach(builder::tool);
            try (AgentLoop agent = builder.build();
                    EventStream<StreamEvent> events = agent.runStream("Sleep")) {
                long pid = pid(folder.resolve("pid"));
                long start = System.nanoTime();
                agent.cancel();

                assertThrows(LoopException.Cancelled.class, events::result);
                Duration took = Duration.ofNanos(System.nanoTime() - start);
                assertTrue(took.toMillis() < 1500, took::toString);
                assertTrue(ProcessHandle.of(pid).map(it -> !it.isAlive()).orElse(true));
            }
        }
    }

    @Test
    @Tag("C37")
    @DisplayName("what destroys a folder or a repository is refused without a person")
    void whatDestroysIsRefused(@TempDir Path folder) throws Exception {
        Path kept = Files.writeString(folder.resolve("kept.txt"), "kept");
        var llm =
                ScriptedLlm.of(
                        calls("run_command", "{\"command\":\"rm -rf .\"}"),
                        calls("run_command", "{\"command\":\"git clean -fdx\"}"),
                        calls("run_command", "{\"command\":\"cat kept.txt\"}"),
                        says("Done."));
        try (CodingTools tools = CodingTools.open()) {
            AgentLoopBuilder builder = agent(llm).workspace(folder);
            tools.named("run_command").forEach(builder::tool);
            try (AgentLoop agent = builder.build()) {
                assertEquals(
                        List.of(ToolResult.Kind.DENIED, ToolResult.Kind.DENIED, ToolResult.Kind.OK),
                        results(agent.runText("Clean up").messages()).stream()
                                .map(ToolResult::kind)
                                .toList());
            }
        }
        assertTrue(Files.exists(kept));
    }

    private static long pid(Path file) throws IOException, InterruptedException {
        while (Files.notExists(file) || Files.readString(file).isBlank()) {
            Thread.sleep(10);
        }
        return Long.parseLong(Files.readString(file).strip());
    }

    @Test
    void whatIsClosedOrUnknownIsRefused() {
        AgentLoop agent = agent(ScriptedLlm.of(says("Hello."))).build();
        agent.close();

        assertThrows(IllegalStateException.class, () -> agent.runText("Hi"));
        try (CodingTools tools = CodingTools.open()) {
            assertThrows(IllegalArgumentException.class, () -> tools.named("fly"));
        }
    }
}
