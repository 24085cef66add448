package dev.agentloop.library;

import static dev.agentloop.testing.ScriptedLlm.calls;
import static dev.agentloop.testing.ScriptedLlm.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.blackbox.Await;
import dev.agentloop.control.Cancellation;
import dev.agentloop.hook.HookOutcome;
import dev.agentloop.hook.HookPoint;
import dev.agentloop.llm.LlmException;
import dev.agentloop.loop.run.StopReason;
import dev.agentloop.permission.Approver;
import dev.agentloop.permission.ConfirmPreset;
import dev.agentloop.testing.RawServer;
import dev.agentloop.testing.ScriptedLlm;
import dev.agentloop.tool.Tool;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whoever interrupts the thread that leads a run ends the run, wherever it is. */
@Timeout(60)
class InterruptedCallerTest {
    record Word(String word) {}

    private static final String SAY = "{\"word\":\"hi\"}";
    private final CountDownLatch reached = new CountDownLatch(1);

    @TempDir Path folder;

    @Test
    @DisplayName("during a model call that does not notice interrupts itself")
    void modelCall() throws Exception {
        interrupted(
                loop(
                        ScriptedLlm.of((_, cancellation) -> {
                            standStill(cancellation);
                            throw new LlmException.Cancelled(cancellation.cause().orElseThrow());
                        })));
    }

    @Test
    @DisplayName("during a tool of the program")
    void tool() throws Exception {
        Tool<?> slow =
                TypedTool.of(
                        "slow",
                        "Takes long.",
                        Word.class,
                        (_, context) -> {
                            standStill(context.cancellation());
                            return "ended";
                        });
        interrupted(
                builder(ScriptedLlm.of(calls("slow", SAY)))
                        .tool(slow)
                        .confirm(ConfirmPreset.YOLO, (_, _, _) -> new Approver.Answer.Yes())
                        .build());
    }

    @Test
    @DisplayName("while a person is asked")
    void approval() throws Exception {
        Tool<?> echo = TypedTool.of("echo", "Says it.", Word.class, (said, _) -> said.word());
        Approver person =
                (_, _, cancellation) -> {
                    standStill(cancellation);
                    return new Approver.Answer.No("nobody answered");
                };
        interrupted(
                builder(ScriptedLlm.of(calls("echo", SAY)))
                        .tool(echo)
                        .confirm(ConfirmPreset.CONFIRM_ALL, person)
                        .build());
    }

    @Test
    @DisplayName("while the way to the provider is silent: a proxy that never answers")
    void silentProxy() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        try (RawServer proxy =
                        RawServer.start((_, _) -> {
                            reached.countDown();
                            Await.latch(end);
                            return false;
                        });
                CatalogModel model =
                        Models.open(
                                "openai/gpt-5.5",
                                Map.of(
                                        "OPENAI_API_KEY",
                                        "k",
                                        "HTTPS_PROXY",
                                        "http://127.0.0.1:" + proxy.port()))) {
            interrupted(
                    AgentLoop.builder(model, Contexts.compacting(100_000))
                            .systemPrompt("You are a test.")
                            .sessions(folder)
                            .build());
            end.countDown();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"PRE_LLM", "POST_LLM", "PRE_TOOL", "POST_TOOL", "STEP_END", "ITERATION"})
    @DisplayName("in a hook of the program, which fails for that reason")
    void hook(HookPoint point) throws Exception {
        Tool<?> echo = TypedTool.of("echo", "Says it.", Word.class, (said, _) -> said.word());
        interrupted(
                builder(ScriptedLlm.of(calls("echo", SAY), says("never")))
                        .tool(echo)
                        .confirm(ConfirmPreset.YOLO, (_, _, _) -> new Approver.Answer.Yes())
                        .hook(
                                "slow",
                                List.of(point),
                                _ -> {
                                    reached.countDown();
                                    Thread.sleep(60_000);
                                    return HookOutcome.goOn();
                                })
                        .build());
    }

    @Test
    @DisplayName("in a command that the model runs")
    void command() throws Exception {
        try (CodingTools coding = CodingTools.open()) {
            AgentLoopBuilder builder =
                    builder(
                                    ScriptedLlm.of(
                                            calls(
                                                    "run_command",
                                                    "{\"command\":\"touch begun; sleep 300\"}"),
                                            says("never")))
                            .workspace(folder)
                            .confirm(ConfirmPreset.YOLO, (_, _, _) -> new Approver.Answer.Yes());
            coding.named("run_command").forEach(builder::tool);
            Thread watch =
                    Thread.ofVirtual()
                            .start(() -> {
                                Await.until(
                                        "the command", () -> Files.exists(folder.resolve("begun")));
                                reached.countDown();
                            });
            interrupted(builder.build());
            watch.join();
        }
    }

    @Test
    @DisplayName("before it begins")
    void before() throws Exception {
        reached.countDown();
        AgentLoop loop = loop(ScriptedLlm.of(says("never")));
        CompletableFuture<StopReason> end = new CompletableFuture<>();
        Thread caller = new Thread(() -> end.complete(ended(loop, it -> it.runText("go"))));
        caller.start();
        assertEquals(StopReason.USER_INTERRUPT, end.get(30, TimeUnit.SECONDS));
    }

    @Test
    @DisplayName("while it waits for the result of a run that another thread leads")
    void stream() throws Exception {
        AgentLoop loop =
                loop(
                        ScriptedLlm.of((_, cancellation) -> {
                            standStill(cancellation);
                            throw new LlmException.Cancelled(cancellation.cause().orElseThrow());
                        }));
        interrupted(loop, it -> it.runStream("go").result());
    }

    private AgentLoopBuilder builder(ScriptedLlm llm) {
        return AgentLoop.builder(llm, Contexts.compacting(100_000))
                .systemPrompt("You are a test.")
                .sessions(folder);
    }

    private AgentLoop loop(ScriptedLlm llm) {
        return builder(llm).build();
    }

    private void interrupted(AgentLoop loop) throws Exception {
        interrupted(loop, it -> it.runText("go"));
    }

    private void interrupted(AgentLoop loop, Function<AgentLoop, AgentResult> work)
            throws Exception {
        CompletableFuture<List<Object>> end = new CompletableFuture<>();
        Thread caller =
                new Thread(() -> {
                    Object reason = ended(loop, work);
                    end.complete(List.of(reason, Thread.currentThread().isInterrupted()));
                });
        caller.start();
        assertTrue(reached.await(30, TimeUnit.SECONDS));
        caller.interrupt();
        assertEquals(List.of(StopReason.USER_INTERRUPT, true), end.get(30, TimeUnit.SECONDS));
    }

    private StopReason ended(AgentLoop loop, Function<AgentLoop, AgentResult> work) {
        if (reached.getCount() == 0) {
            Thread.currentThread().interrupt();
        }
        try {
            work.apply(loop);
            throw new AssertionError("it was not interrupted");
        } catch (LoopException e) {
            return assertInstanceOf(LoopException.Cancelled.class, e).result().stopReason();
        }
    }

    /** Until the run is cancelled; an interrupt alone does not wake it. */
    private void standStill(Cancellation cancellation) {
        CountDownLatch cancelled = new CountDownLatch(1);
        try (var _ = cancellation.onCancel(cancelled::countDown)) {
            reached.countDown();
            while (cancelled.getCount() > 0) {
                LockSupport.parkNanos(1_000_000); // an interrupt stays set
            }
        }
    }
}
