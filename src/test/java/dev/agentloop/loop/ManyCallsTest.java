package dev.agentloop.loop;

import static dev.agentloop.testing.ScriptedLlm.calls;
import static dev.agentloop.testing.ScriptedLlm.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.loop.call.ToolSettings;
import dev.agentloop.loop.run.StopReason;
import dev.agentloop.message.ToolResult;
import dev.agentloop.testing.AgentFixture;
import dev.agentloop.testing.FakeTool;
import dev.agentloop.testing.ScriptedLlm;
import dev.agentloop.tool.Effect;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Replies with more calls than are run, and with calls of tools that there are not. */
final class ManyCallsTest {
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final AtomicInteger ran = new AtomicInteger();
    private final FakeTool read =
            new FakeTool(
                    "read",
                    Effect.PURE,
                    (path, _) -> {
                        most.accumulateAndGet(running.incrementAndGet(), Math::max);
                        ran.incrementAndGet();
                        pause();
                        running.decrementAndGet();
                        return ToolResult.ok(path);
                    });

    @Test
    @Tag("A54")
    @DisplayName("of 200 calls in one reply 32 are run, four at once; all are answered")
    void manyCalls() {
        String[] words =
                IntStream.range(0, 200)
                        .boxed()
                        .flatMap(i -> List.of("read", "{\"path\":\"" + i + "\"}").stream())
                        .toArray(String[]::new);
        AgentFixture agent =
                AgentFixture.with(ScriptedLlm.of(calls(words), says("done")))
                        .tool(read)
                        .tools(new ToolSettings(true, 4, 32, false));

        assertEquals(StopReason.LLM_DONE, agent.run("go").stopReason());
        assertEquals(32, ran.get());
        assertTrue(most.get() >= 2 && most.get() <= 4, most + " at once");
        assertEquals(200, agent.results().size());
        assertEquals(168, agent.results().stream().filter(it -> it.result().isError()).count());
    }

    @ParameterizedTest(name = "A52: the tool {0} is none of ours and nothing runs in its place")
    @ValueSource(strings = {"Read", "functions.read", "rea", "read ", "read_file"})
    void lookAlikes(String name) {
        AgentFixture agent =
                AgentFixture.with(ScriptedLlm.of(calls(name, "{\"path\":\"a\"}"), says("done")))
                        .tool(read);

        assertEquals(StopReason.LLM_DONE, agent.run("go").stopReason());
        assertEquals(0, ran.get());
        ToolResult result = agent.results().getFirst().result();
        assertTrue(result.isError() && result.text().contains("read"), result.text());
    }

    private static void pause() {
        try {
            Thread.sleep(5);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
