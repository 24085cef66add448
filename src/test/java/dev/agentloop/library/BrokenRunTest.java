package dev.agentloop.library;

import static dev.agentloop.library.AgentLoopTest.results;
import static dev.agentloop.testing.ScriptedLlm.calls;
import static dev.agentloop.testing.ScriptedLlm.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.context.ContextManager;
import dev.agentloop.control.Cancellation;
import dev.agentloop.control.Cause;
import dev.agentloop.hook.HookOutcome;
import dev.agentloop.hook.HookPoint;
import dev.agentloop.llm.LlmAdapter;
import dev.agentloop.loop.run.StopReason;
import dev.agentloop.message.Message;
import dev.agentloop.permission.ConfirmPreset;
import dev.agentloop.testing.ScriptedLlm;
import dev.agentloop.tool.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What an embedder's own parts throw, and when it closes, must not lose what a run has done. */
@Timeout(60)
class BrokenRunTest {
    record Word(String word) {}

    record Unprintable(String word) {
        @Override
        public String toString() {
            throw new IllegalStateException("no words for it");
        }
    }

    @TempDir Path folder;

    private static final Tool<?> ECHO =
            TypedTool.of("echo", "Says a word again.", Word.class, (said, _) -> said.word());
    private static final ScriptedLlm.Turn CALL = calls("echo", "{\"word\":\"hi\"}");
    private static final ScriptedLlm.Turn BREAKS =
            (_, _) -> {
                throw new IllegalStateException("no connection");
            };

    private AgentLoopBuilder agent(LlmAdapter llm) {
        return AgentLoop.builder(llm, Contexts.compacting(100_000))
                .systemPrompt("You are a test.")
                .sessions(folder)
                .tool(ECHO);
    }

    /** How often a run has begun and ended by the records of the session. */
    private String onRecord() throws IOException {
        StringBuilder all = new StringBuilder();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(it -> it.toString().endsWith(".jsonl")).toList()) {
                all.append(Files.readString(file));
            }
        }
        return all.toString();
    }

    private void assertEndIsOnRecord(StopReason reason) throws IOException {
        String records = onRecord();
        assertTrue(records.contains("\"t\":\"end\""), records);
        assertTrue(records.contains(reason.wireName()), records);
    }

    @Test
    @Tag("S2-21")
    @DisplayName("an exception of one's own model is a LoopException; the run is kept")
    void anExceptionOfAModelIsALoopException() throws Exception {
        try (AgentLoop agent = agent(ScriptedLlm.of(CALL, BREAKS, says("Again."))).build()) {
            var e = assertThrows(LoopException.Provider.class, () -> agent.runText("Go"));

            assertEquals("no connection", e.failure().getCause().getMessage());
            assertEquals(1, results(e.result().messages()).size());
            assertEndIsOnRecord(StopReason.LLM_ERROR);
            assertEquals("Again.", agent.runText("Once more").text());
            assertEquals(1, results(agent.messages()).size());
        }
    }

    @Test
    @Tag("S2-21")
    @DisplayName("a stream tells of it by Error and Done")
    void aStreamTellsOfIt() {
        try (AgentLoop agent = agent(ScriptedLlm.of(BREAKS)).build();
                EventStream<StreamEvent> events = agent.runStream("Go")) {
            List<StreamEvent> all = events.stream().toList();

            assertInstanceOf(StreamEvent.Error.class, all.get(all.size() - 2));
            assertInstanceOf(StreamEvent.Done.class, all.getLast());
            assertThrows(LoopException.Provider.class, events::result);
        }
    }

    @Test
    @DisplayName("An Error of a model is thrown as it is; what was done is kept and on record")
    void anErrorKeepsWhatWasDone() throws Exception {
        ScriptedLlm.Turn fails =
                (_, _) -> {
                    throw new AssertionError("one more was asked for");
                };
        try (AgentLoop agent = agent(ScriptedLlm.of(CALL, fails, says("Again."))).build()) {
            assertThrows(AssertionError.class, () -> agent.runText("Go"));

            assertEquals(1, results(agent.messages()).size());
            assertEndIsOnRecord(StopReason.INTERNAL_ERROR);
            assertEquals("Again.", agent.runText("Once more").text());
        }
    }

    @Test
    @DisplayName("An observer of messages that fails is a warning, and hears of the next one")
    void anObserverThatFailsIsAWarning() {
        List<Message> heard = new ArrayList<>();
        try (AgentLoop agent =
                        agent(ScriptedLlm.of(CALL, says("Done.")))
                                .messageObserver(message -> {
                                    heard.add(message);
                                    if (message instanceof Message.Tool) {
                                        throw new IllegalStateException("disk full");
                                    }
                                    if (message instanceof Message.User) {
                                        throw new AssertionError("not expected");
                                    }
                                })
                                .build();
                EventStream<StreamEvent> events = agent.runStream("Go")) {
            List<String> warnings =
                    events.stream()
                            .filter(StreamEvent.Warning.class::isInstance)
                            .map(Object::toString)
                            .toList();

            assertEquals("Done.", events.result().text());
            assertEquals(4, heard.size());
            assertEquals(2, warnings.size(), warnings::toString);
            assertTrue(warnings.getLast().contains("disk full"), warnings::toString);
        }
    }

    @Test
    @Tag("S4-5")
    @DisplayName("an observer hears once of what a compaction has made shorter")
    void anObserverHearsOnceOfWhatWasMadeShorter() {
        List<Message> heard = new ArrayList<>();
        ScriptedLlm.Turn[] turns = new ScriptedLlm.Turn[9];
        Arrays.setAll(turns, i -> calls("echo", "{\"word\":\"" + i + " word".repeat(800) + "\"}"));
        turns[8] = says("Done.");
        try (AgentLoop agent =
                AgentLoop.builder(ScriptedLlm.of(turns), Contexts.compacting(8_000))
                        .systemPrompt("You are a test.")
                        .tool(ECHO)
                        .messageObserver(heard::add)
                        .build()) {
            agent.runText("Go");

            long results = heard.stream().filter(Message.Tool.class::isInstance).count();
            assertEquals(8, results);
            assertEquals(18, heard.size());
            assertNotEquals(heard, agent.messages().subList(1, 19), "it was made shorter");
        }
    }

    @Test
    @DisplayName("A hook's Error, an approver's exception: the run ends and is kept")
    void whatHooksAndApproversThrowEndsTheRun() throws Exception {
        try (AgentLoop agent =
                agent(ScriptedLlm.of(CALL, says("Again.")))
                        .hook(
                                "assert",
                                Set.of(HookPoint.POST_TOOL),
                                _ -> {
                                    throw new AssertionError("not that one");
                                })
                        .build()) {
            assertThrows(AssertionError.class, () -> agent.runText("Go"));
            assertEquals(1, results(agent.messages()).size());
            assertEndIsOnRecord(StopReason.INTERNAL_ERROR);
            assertEquals("Again.", agent.runText("Once more").text());
        }
        try (AgentLoop agent =
                agent(ScriptedLlm.of(CALL, says("Again.")))
                        .confirm(
                                ConfirmPreset.CONFIRM_ALL,
                                (_, _, _) -> {
                                    throw new IllegalStateException("no terminal");
                                })
                        .build()) {
            var e = assertThrows(LoopException.Tool.class, () -> agent.runText("Go"));
            assertEquals("no terminal", e.getCause().getMessage());
            assertEquals("Again.", agent.runText("Once more").text());
        }
    }

    @Test
    @DisplayName("A record that cannot be printed fails its call, not the run")
    void aRecordThatCannotBePrintedFailsItsCall() {
        Tool<?> shy = TypedTool.of("shy", "Is shy.", Unprintable.class, (it, _) -> it.word());
        var llm = ScriptedLlm.of(calls("shy", "{\"word\":\"x\"}"), says("A pity."));
        try (AgentLoop agent = agent(llm).tool(shy).build()) {
            assertEquals("A pity.", agent.runText("Go").text());
            assertTrue(
                    results(agent.messages()).getFirst().text().contains("no words for it"),
                    () -> agent.messages().toString());
        }
    }

    @RepeatedTest(10)
    @Tag("S4-5")
    @DisplayName("a loop that is closed in the middle of a run has its end on record")
    void aLoopThatIsClosedHasItsEndOnRecord() throws Exception {
        var asked = new CountDownLatch(1);
        ScriptedLlm.Turn slow =
                (request, cancellation) -> {
                    asked.countDown();
                    return ScriptedLlm.stalls().apply(request, cancellation);
                };
        AgentLoop agent = agent(ScriptedLlm.of(CALL, slow)).build();
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread runner =
                Thread.ofPlatform()
                        .start(() -> {
                            try {
                                agent.runText("Go");
                            } catch (RuntimeException e) {
                                thrown.set(e);
                            }
                        });
        asked.await();
        agent.close();
        assertEndIsOnRecord(StopReason.USER_INTERRUPT);
        runner.join();
        assertInstanceOf(LoopException.Cancelled.class, thrown.get());
    }

    @Test
    @DisplayName("A loop that is closed between two steps has its end on record, and its messages")
    void closedBetweenTwoSteps() throws Exception {
        AgentLoop agent = agent(ScriptedLlm.of(CALL)).build();
        AgentSteps steps = agent.runStep("Go");
        steps.next();
        agent.close();

        assertEndIsOnRecord(StopReason.USER_INTERRUPT);
        assertEquals(4, agent.messages().size());
        var last = assertInstanceOf(StepResult.Error.class, steps.next());
        assertInstanceOf(LoopException.Cancelled.class, last.exception());
        assertFalse(steps.hasNext());
        assertThrows(IllegalStateException.class, () -> agent.runText("More"));
    }

    @Test
    @DisplayName("Steps that another thread closes end before another run begins")
    void stepsThatAnotherThreadCloses() throws Exception {
        var working = new CountDownLatch(1);
        var stopped = new AtomicReference<>(false);
        Tool<?> slow =
                TypedTool.of(
                        "slow",
                        "Takes its time.",
                        Word.class,
                        (_, _) -> {
                            working.countDown();
                            try {
                                Thread.sleep(60_000);
                            } finally {
                                stopped.set(true);
                            }
                            return "";
                        });
        var llm = ScriptedLlm.of(calls("slow", "{\"word\":\"x\"}"), says("Fine."));
        try (AgentLoop agent = agent(llm).tool(slow).build()) {
            AgentSteps steps = agent.runStep("Go");
            List<StepResult> told = new ArrayList<>();
            Thread reader = Thread.ofPlatform().start(() -> steps.forEachRemaining(told::add));
            assertTrue(working.await(10, TimeUnit.SECONDS));
            steps.close();

            assertTrue(stopped.get());
            assertEquals("Fine.", agent.runText("Another").text());
            reader.join();
            assertEquals(1, results(agent.messages()).size());
        }
    }

    @Test
    @Tag("S2-12")
    @DisplayName("a run that is cancelled by a hook before a request asks no model")
    void aRunThatIsCancelledBeforeARequestAsksNoModel() {
        var cancellation = new Cancellation();
        var llm = ScriptedLlm.of(says("Done."));
        try (AgentLoop agent =
                agent(llm)
                        .observer(
                                "stop",
                                Set.of(HookPoint.PRE_LLM),
                                _ -> cancellation.cancel(new Cause.Interrupt("test")))
                        .build()) {
            assertThrows(
                    LoopException.Cancelled.class,
                    () -> agent.run(new Message.User("Go"), cancellation));
            assertEquals(0, llm.requests().size());
        }
    }

    @Test
    @DisplayName("Two loops with one context count each for itself")
    void twoLoopsShareAContext() throws Exception {
        ContextManager shared = Contexts.compacting(100_000);
        var both = new CyclicBarrier(2);
        List<Future<AgentResult>> results = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            for (int calls : List.of(30, 7)) {
                ScriptedLlm.Turn[] turns = new ScriptedLlm.Turn[calls + 1];
                Arrays.setAll(turns, i -> calls("echo", "{\"word\":\"" + i + "\"}"));
                turns[calls] = says("Done.");
                AgentLoop agent =
                        AgentLoop.builder(ScriptedLlm.of(turns), shared)
                                .systemPrompt("You are a test.")
                                .tool(ECHO)
                                .betweenSteps(
                                        "together",
                                        () ->
                                                _ -> {
                                                    meet(both);
                                                    return HookOutcome.goOn();
                                                })
                                .build();
                results.add(threads.submit(() -> agent.runText("Go")));
            }
            for (Future<AgentResult> result : results) {
                assertEquals("Done.", result.get().text());
            }
        }
    }

    /** Waits for the other as long as there is one. */
    private static void meet(CyclicBarrier both) {
        try {
            both.await(100, TimeUnit.MILLISECONDS);
        } catch (Exception e) {
            return; // the other one is done
        }
    }

    @Test
    @DisplayName("A tool that cannot be made leaves no session open")
    void aToolThatCannotBeMadeLeavesNoSession() throws Exception {
        AgentLoopBuilder builder =
                agent(ScriptedLlm.of())
                        .tool(() -> {
                            throw new IllegalStateException("no such tool");
                        });
        assertThrows(IllegalStateException.class, builder::build);
        assertEquals("", onRecord());
    }
}
