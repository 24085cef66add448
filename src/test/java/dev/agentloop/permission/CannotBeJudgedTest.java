package dev.agentloop.permission;

import static dev.agentloop.testing.ScriptedLlm.calls;
import static dev.agentloop.testing.ScriptedLlm.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.loop.run.RunResult;
import dev.agentloop.loop.run.StopReason;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolResult;
import dev.agentloop.testing.AgentFixture;
import dev.agentloop.testing.FakeTool;
import dev.agentloop.testing.ScriptedLlm;
import dev.agentloop.tool.Effect;
import dev.agentloop.tool.Tool;
import dev.agentloop.tool.ToolContext;
import dev.agentloop.tool.ToolException;
import dev.agentloop.tool.ToolSpec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A call about which the policy fails is denied; the run and its other calls go on. */
class CannotBeJudgedTest {
    private final List<String> done = new ArrayList<>();

    static Stream<Throwable> failures() {
        return Stream.of(
                new IllegalStateException("a mistake"),
                new StackOverflowError(),
                new OutOfMemoryError("a trial"),
                new AssertionError("a mistake"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    @DisplayName("One of two calls cannot be judged: it is denied, the other one runs")
    void denied(Throwable failure) {
        ScriptedLlm llm =
                ScriptedLlm.of(
                        calls("odd", "{\"path\":\"a\"}", "plain", "{\"path\":\"b\"}"),
                        says("done"));
        AgentFixture fixture =
                AgentFixture.with(llm)
                        .tool(new Odd(tool("odd"), failure))
                        .tool(tool("plain"))
                        .denying("nothing(x)");
        RunResult result = fixture.run("go");

        assertEquals(StopReason.LLM_DONE, result.stopReason());
        assertEquals(List.of("b"), done);
        List<Message.Tool> results = fixture.results();
        assertEquals(2, results.size());
        assertEquals(ToolResult.Kind.DENIED, results.getFirst().result().kind());
        String text = results.getFirst().result().text();
        assertTrue(text.contains("cannot be judged"), text);
        assertEquals(ToolResult.Kind.OK, results.getLast().result().kind());
    }

    private FakeTool tool(String name) {
        return new FakeTool(
                name,
                Effect.FILE,
                (path, _) -> {
                    done.add(path);
                    return ToolResult.ok(path);
                });
    }

    /** Of which the policy cannot find out what it does. */
    private record Odd(FakeTool tool, Throwable failure) implements Tool<FakeTool.Args> {
        @Override
        public List<String> alsoDoes() {
            return fail(failure);
        }

        @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // throws what it may not
        private static <T, E extends Throwable> T fail(Throwable failure) throws E {
            throw (E) failure;
        }

        @Override
        public ToolSpec spec() {
            return tool.spec();
        }

        @Override
        public Class<FakeTool.Args> argumentType() {
            return tool.argumentType();
        }

        @Override
        public String subject(FakeTool.Args args) {
            return tool.subject(args);
        }

        @Override
        public List<String> paths(FakeTool.Args args) {
            return tool.paths(args);
        }

        @Override
        public ToolResult run(FakeTool.Args args, ToolContext context)
                throws IOException, ToolException {
            return tool.run(args, context);
        }
    }
}
