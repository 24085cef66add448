package dev.agentloop.loop.call;

import static dev.agentloop.testing.ScriptedLlm.calls;
import static dev.agentloop.testing.ScriptedLlm.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.agentloop.control.Cancellation;
import dev.agentloop.control.Cause;
import dev.agentloop.message.ToolResult;
import dev.agentloop.testing.AgentFixture;
import dev.agentloop.testing.FakeTool;
import dev.agentloop.testing.ScriptedLlm;
import dev.agentloop.tool.Effect;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class DetachedToolTest {
    private static final Duration SOON = Duration.ofMillis(50);

    @Test
    @Tag("E16")
    @DisplayName("a tool that obeys nothing is left behind when the run is cut")
    void whatObeysNothingIsLeft() {
        CountDownLatch never = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        Cancellation work = new Cancellation();
        Thread.ofPlatform()
                .start(() -> {
                    awaitForEver(begun);
                    work.cancel(new Cause.RunDeadline());
                });
        ToolResult result =
                DetachedTool.run(
                        () -> {
                            begun.countDown();
                            awaitForEver(never);
                            return ToolResult.ok("at last");
                        },
                        work,
                        SOON);
        assertEquals(ToolResult.Kind.CANCELLED, result.kind());
        never.countDown();
    }

    @Test
    @Tag("E16")
    @DisplayName("a tool has a thread of its own, which does not keep the program alive")
    void aToolHasAThreadOfItsOwn() {
        Thread here = Thread.currentThread();
        FakeTool look =
                new FakeTool(
                        "look",
                        Effect.FILE,
                        (_, _) -> {
                            Thread now = Thread.currentThread();
                            return ToolResult.ok(now.isDaemon() + " " + (now == here));
                        });
        AgentFixture agent =
                AgentFixture.with(ScriptedLlm.of(calls("look", "{\"path\":\"a\"}"), says("ok")))
                        .tool(look);
        agent.run("go");
        assertEquals("true false", agent.results().getFirst().result().text());
    }

    @Test
    @Tag("E16")
    @DisplayName("a tool that ends within the grace tells itself what it has done")
    void whatEndsInTimeIsHeard() {
        Cancellation work = new Cancellation();
        work.cancel(new Cause.RunDeadline());
        assertEquals(
                ToolResult.ok("half"),
                DetachedTool.run(() -> ToolResult.ok("half"), work, Duration.ofSeconds(60)));
    }

    @Test
    void aBugIsThrownAsItIs() {
        assertThrows(
                IllegalStateException.class,
                () ->
                        DetachedTool.run(
                                () -> {
                                    throw new IllegalStateException("bug");
                                },
                                new Cancellation(),
                                SOON));
    }

    private static void awaitForEver(CountDownLatch latch) {
        while (latch.getCount() > 0) {
            try {
                latch.await();
            } catch (InterruptedException e) {
                continue; // obeys nothing
            }
        }
    }
}
