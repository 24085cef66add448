package dev.agentloop.library;

import static dev.agentloop.testing.ScriptedLlm.calls;
import static dev.agentloop.testing.ScriptedLlm.fails;
import static dev.agentloop.testing.ScriptedLlm.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.control.Cancellation;
import dev.agentloop.hook.HookPoint;
import dev.agentloop.llm.FinishReason;
import dev.agentloop.llm.LlmAdapter;
import dev.agentloop.llm.LlmException;
import dev.agentloop.llm.LlmListener;
import dev.agentloop.llm.LlmRequest;
import dev.agentloop.llm.LlmResponse;
import dev.agentloop.llm.ModelInfo;
import dev.agentloop.loop.run.StopReason;
import dev.agentloop.message.Block;
import dev.agentloop.message.Message;
import dev.agentloop.testing.ScriptedLlm;
import dev.agentloop.tool.ModelRetry;
import dev.agentloop.tool.Tool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class EventStreamTest {
    record Word(String word) {}

    private static final Tool<?> ECHO =
            TypedTool.of(
                    "echo",
                    "Says a word again.",
                    Word.class,
                    (said, context) -> {
                        context.progress().accept("listening");
                        if (said.word().isEmpty()) {
                            throw new ModelRetry("Say something.");
                        }
                        return said.word();
                    });

    /** Says its number of words, one delta each; tells how many it has said so far. */
    private record Talker(int words, AtomicInteger said) implements LlmAdapter {
        @Override
        public LlmResponse complete(
                LlmRequest request, LlmListener listener, Cancellation cancellation) {
            for (int i = 0; i < words; i++) {
                if (cancellation.isCancelled()) {
                    throw new LlmException.Cancelled(cancellation.cause().orElseThrow());
                }
                listener.text("word " + i + " ");
                said.incrementAndGet();
            }
            return ScriptedLlm.reply(FinishReason.END_TURN, new Block.Text("done"));
        }

        @Override
        public ModelInfo model() {
            return new ModelInfo("test", "talker", 100_000, 0);
        }
    }

    private static AgentLoopBuilder agent(LlmAdapter llm) {
        return AgentLoop.builder(llm, Contexts.compacting(100_000)).systemPrompt("You are a test.");
    }

    @Test
    @Tag("S2-7")
    @Tag("S3-3")
    @DisplayName("text, tools, tokens and the end are told in order")
    void everythingIsToldInOrder() {
        var llm = ScriptedLlm.of(calls("echo", "{\"word\":\"hi\"}"), says("It said hi."));
        try (AgentLoop agent = agent(llm).tool(ECHO).build();
                EventStream<StreamEvent> events = agent.runStream("Say hi.")) {
            List<String> told = new ArrayList<>();
            for (StreamEvent event : events) {
                told.add(
                        switch (event) {
                            case StreamEvent.ToolEnd end -> "end " + end.ok() + " " + end.result();
                            case StreamEvent.ToolUse use -> use.toolName() + use.args();
                            case StreamEvent.ToolProgress on -> on.toolName() + " " + on.message();
                            case StreamEvent.Usage used ->
                                    used.inputTokens() + "/" + used.outputTokens();
                            default -> event.toString();
                        });
            }

            assertEquals(
                    List.of(
                            "MessageComplete[text=, toolCalls=1]",
                            "100/10",
                            "echo{\"word\":\"hi\"}",
                            "echo listening",
                            "end true hi",
                            "TextDelta[text=It said hi.]",
                            "MessageComplete[text=It said hi., toolCalls=0]",
                            "100/10",
                            "Done[text=It said hi., turnCount=2, stopReason=LLM_DONE]"),
                    told);
            assertEquals(2, events.result().turns());
        }
    }

    @Test
    void oneSinkHearsAWholeRunWhileItGoesOn() {
        var llm = ScriptedLlm.of(calls("echo", "{\"word\":\"hi\"}"), says("It said hi."));
        List<String> heard = new ArrayList<>();
        try (AgentLoop agent = agent(llm).tool(ECHO).build()) {
            agent.run(
                    new Message.User("Say hi."),
                    event -> heard.add(event.getClass().getSimpleName()),
                    new Cancellation());
        }

        assertEquals(
                List.of(
                        "UserMessage",
                        "StepStarted",
                        "LlmRequested",
                        "LlmResponded",
                        "UsageReported",
                        "ToolStarted",
                        "PermissionDecided",
                        "ToolProgress",
                        "ToolFinished",
                        "StepStarted",
                        "LlmRequested",
                        "TextDelta",
                        "LlmResponded",
                        "UsageReported"),
                heard);
    }

    @Test
    @Tag("S2-21")
    @DisplayName("an error is an event before the end, and the exception of the result")
    void anErrorIsAnEvent() {
        var llm = ScriptedLlm.of(fails(new LlmException.BadRequest("no such model")));
        try (AgentLoop agent = agent(llm).build();
                EventStream<StreamEvent> events = agent.runStream("Go")) {
            List<StreamEvent> all = events.stream().toList();

            assertEquals(
                    new StreamEvent.Error("no such model", "bad_request", false),
                    all.get(all.size() - 2));
            assertTrue(
                    all.getLast() instanceof StreamEvent.Done done
                            && done.stopReason() == StopReason.LLM_ERROR);
            assertThrows(LoopException.Provider.class, events::result);
        }
    }

    @Test
    @Tag("scenario-28")
    @DisplayName("a ModelRetry is told as a failed call, and the stream goes on")
    void aModelRetryIsTold() {
        var llm = ScriptedLlm.of(calls("echo", "{\"word\":\"\"}"), says("Nothing to say."));
        try (AgentLoop agent = agent(llm).tool(ECHO).build();
                EventStream<StreamEvent> events = agent.runStream("Go")) {
            assertTrue(
                    events.stream()
                            .anyMatch(event ->
                                    event instanceof StreamEvent.ToolEnd end
                                            && !end.ok()
                                            && end.result().equals("Say something.")));
            assertEquals("Nothing to say.", events.result().text());
        }
    }

    @Test
    @Tag("scenario-74")
    @DisplayName("10,000 deltas reach a reader on the calling thread, none is lost")
    void tenThousandDeltasReachTheReader() {
        var llm = new Talker(10_000, new AtomicInteger());
        try (AgentLoop agent = agent(llm).build();
                EventStream<StreamEvent> events = agent.runStream("Talk")) {
            long deltas = events.stream().filter(StreamEvent.TextDelta.class::isInstance).count();

            assertEquals(10_000, deltas);
            assertEquals("done", events.result().text());
        }
    }

    @Test
    @Tag("scenario-74")
    @DisplayName("who reads slowly slows the run down")
    void whoReadsSlowlySlowsTheRunDown() throws Exception {
        var llm = new Talker(10_000, new AtomicInteger());
        try (AgentLoop agent = agent(llm).build();
                EventStream<StreamEvent> events = agent.runStream("Talk")) {
            Iterator<StreamEvent> reader = events.iterator();
            for (int read = 1; read <= 500; read++) {
                reader.next();
                int ahead = llm.said().get() - read;
                assertTrue(ahead <= EventStream.CAPACITY + 1, () -> "ahead by " + ahead);
            }
            Thread.sleep(100); // nothing is read
            assertTrue(llm.said().get() <= 500 + EventStream.CAPACITY + 1);
        }
    }

    @Test
    @Tag("S2-7")
    @DisplayName("who walks away ends the run, and another may begin")
    void whoWalksAwayEndsTheRun() {
        var llm = new Talker(10_000, new AtomicInteger());
        try (AgentLoop agent = agent(llm).build()) {
            try (EventStream<StreamEvent> events = agent.runStream("Talk")) {
                events.iterator().next();
            }
            int said = llm.said().get();
            assertTrue(said < 200, () -> "it went on to " + said);
            try (EventStream<StreamEvent> events = agent.runStream("Once more")) {
                assertEquals("done", events.result().text());
            }
        }
    }

    @Test
    @Tag("C4")
    @DisplayName("a run that is cancelled while nobody reads ends all the same")
    void aRunIsCancelledWhileNobodyReads() throws Exception {
        var llm = new Talker(10_000, new AtomicInteger());
        try (AgentLoop agent = agent(llm).build();
                EventStream<StreamEvent> events = agent.runStream("Talk")) {
            while (llm.said().get() < EventStream.CAPACITY) {
                Thread.sleep(5);
            }
            long start = System.nanoTime();
            agent.cancel();
            List<StreamEvent> all = events.stream().toList();

            assertTrue(Duration.ofNanos(System.nanoTime() - start).toMillis() < 1000);
            assertTrue(
                    all.getLast() instanceof StreamEvent.Done done
                            && done.stopReason() == StopReason.USER_INTERRUPT);
            assertThrows(LoopException.Cancelled.class, events::result);
            assertFalse(events.iterator().hasNext());
            assertThrows(NoSuchElementException.class, () -> events.iterator().next());
        }
    }

    @Test
    @Tag("C4")
    @DisplayName("the deadline of a run ends it while nobody reads")
    void aDeadlineEndsARunThatNobodyReads() throws Exception {
        var llm = new Talker(10_000, new AtomicInteger());
        var ended = new CountDownLatch(1);
        try (AgentLoop agent =
                        agent(llm)
                                .timeouts(Duration.ofMillis(300), null)
                                .observer(
                                        "end",
                                        Set.of(HookPoint.SESSION_END),
                                        _ -> ended.countDown())
                                .build();
                EventStream<StreamEvent> events = agent.runStream("Talk")) {
            assertTrue(ended.await(10, TimeUnit.SECONDS), "it waits for its reader");
            assertEquals(
                    StopReason.TIMEOUT,
                    assertThrows(LoopException.Unfinished.class, events::result)
                            .result()
                            .stopReason());
        }
    }

    @Test
    @DisplayName("A reader who is interrupted ends the run")
    void aReaderWhoIsInterruptedEndsTheRun() throws Exception {
        var begun = new CountDownLatch(1);
        Tool<?> slow =
                TypedTool.of(
                        "slow",
                        "Takes its time.",
                        Word.class,
                        (_, _) -> {
                            begun.countDown();
                            Thread.sleep(60_000);
                            return "";
                        });
        var llm = ScriptedLlm.of(calls("slow", "{\"word\":\"x\"}"));
        try (AgentLoop agent = agent(llm).tool(slow).build();
                EventStream<StreamEvent> events = agent.runStream("Go")) {
            Thread reader =
                    Thread.ofPlatform()
                            .start(() -> {
                                assertThrows(
                                        IllegalStateException.class, () -> events.forEach(_ -> {}));
                                assertTrue(Thread.interrupted());
                            });
            begun.await();
            reader.interrupt();
            reader.join();

            assertThrows(LoopException.Cancelled.class, events::result);
        }
    }

    @Test
    @Tag("S4-4")
    @Tag("S4-17")
    @DisplayName("act yields the shapes of a user interface")
    void actYieldsTheShapesOfAUserInterface() {
        var llm =
                ScriptedLlm.of(
                        calls("echo", "{\"word\":\"hi\"}", "nobody", "{}"), says("It said hi."));
        try (AgentLoop agent = agent(llm).tool(ECHO).build();
                EventStream<ActEvent> events = agent.act("Say hi.")) {
            List<String> told =
                    events.stream()
                            .map(event ->
                                    switch (event) {
                                        case ActEvent.UserMessage(String text) -> "user " + text;
                                        case ActEvent.Assistant said -> "said " + said.content();
                                        case ActEvent.ToolCall call ->
                                                call.toolName() + " of " + call.toolClass();
                                        case ActEvent.ToolStream on ->
                                                on.toolName() + " " + on.message();
                                        case ActEvent.ToolResult end ->
                                                end.result() == null
                                                        ? "failed " + end.toolName()
                                                        : "result " + end.result();
                                        default -> event.toString();
                                    })
                            .toList();

            assertEquals(
                    List.of(
                            "user Say hi.",
                            "echo of TypedTool",
                            "echo listening",
                            "result hi",
                            "nobody of ",
                            "failed nobody",
                            "said It said hi."),
                    told);
        }
    }

    @Test
    @Tag("S4-6")
    @Tag("S4-7")
    @DisplayName("a limit is the last thing that act says; a failure is thrown")
    void aLimitIsTheLastThingThatActSays() {
        var llm =
                ScriptedLlm.of(
                        calls("echo", "{\"word\":\"hi\"}"),
                        says("So far so good."),
                        fails(new LlmException.BadRequest("no")));
        try (AgentLoop agent = agent(llm).tool(ECHO).maxTurns(1).build()) {
            try (EventStream<ActEvent> events = agent.act("Say hi.")) {
                ActEvent last = events.stream().toList().getLast();

                assertTrue(
                        last instanceof ActEvent.Assistant said && said.stoppedByMiddleware(),
                        last::toString);
            }
            try (EventStream<ActEvent> events = agent.act("Again")) {
                assertThrows(LoopException.Provider.class, () -> events.forEach(_ -> {}));
            }
        }
    }
}
