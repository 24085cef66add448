package dev.agentloop.tool.builtin;

import static dev.agentloop.testing.ScriptedLlm.calls;
import static dev.agentloop.testing.ScriptedLlm.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.control.Cancellation;
import dev.agentloop.event.AgentEvent;
import dev.agentloop.message.ToolResult;
import dev.agentloop.permission.ConfirmPreset;
import dev.agentloop.testing.AgentFixture;
import dev.agentloop.testing.ScriptedLlm;
import dev.agentloop.testing.ToolFixture;
import dev.agentloop.tool.Person;
import dev.agentloop.tool.Tool;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PlanAndQuestionTest {
    private static final String PLAN =
            "{\"todos\":[{\"content\":\"look\",\"status\":\"completed\"},"
                    + "{\"content\":\"mend\",\"status\":\"in_progress\"},"
                    + "{\"content\":\"test\",\"status\":\"pending\"}]}";

    /** Somebody who always says the same, or goes away. */
    private record Somebody(String says) implements Person {
        @Override
        public boolean isThere() {
            return true;
        }

        @Override
        public String answer(String question, List<String> options, Cancellation cancellation)
                throws IOException {
            if (says.equals("gone")) {
                throw new IOException("the run is ending");
            }
            return says.isEmpty() ? "" : says + " of " + options;
        }
    }

    private static ToolResult call(Path folder, Tool<?> tool, String json) {
        return ToolFixture.with(folder, List.of(tool)).callRaw(tool.spec().name(), json);
    }

    @Test
    @DisplayName("the plan is shown line by line, unasked, and the model reads one line")
    void aPlan() {
        var llm = ScriptedLlm.of(calls("todo_write", PLAN), says("Done."));
        var agent =
                AgentFixture.with(llm)
                        .confirming(ConfirmPreset.CONFIRM_ALL)
                        .tool(new TodoWriteTool());

        agent.run("mend it");

        assertEquals(
                List.of("[x] look", "[>] mend", "[ ] test"),
                agent.events(AgentEvent.ToolProgress.class).stream()
                        .map(AgentEvent.ToolProgress::message)
                        .toList());
        assertEquals(
                "Plan noted: 1 of 3 completed, 1 in progress.",
                agent.results().getFirst().result().text());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{\"todos\":[{\"content\":\"a\",\"status\":\"done\"}]}; must be one of pending",
                "{\"todos\":[{\"content\":\" \",\"status\":\"pending\"}]}; 1 to 500 characters",
                "{\"todos\":[{\"content\":\"a\"}]}; missing \"todos[0].status\"",
                "{}; missing \"todos\"",
            })
    void aBadPlanIsRefusedWithTheReason(String json, String told, @TempDir Path folder) {
        ToolResult result = call(folder, new TodoWriteTool(), json);

        assertTrue(result.isError() && result.text().contains(told), result.text());
    }

    @Test
    @DisplayName("where nobody is, the question is not offered, and a call is answered at once")
    void nobodyThere(@TempDir Path folder) {
        AskUserTool tool = new AskUserTool(Person.NOBODY);
        ToolFixture tools = ToolFixture.with(folder, List.of(tool));

        assertEquals(List.of(), tools.registry.specs());
        ToolResult result = tools.call("ask_user", "question", "Which port?");
        assertFalse(result.isError());
        assertTrue(result.text().startsWith("Nobody is there to answer"), result.text());
        assertTrue(result.text().contains("name the assumption"), result.text());
    }

    @Test
    void thePersonsWordsReachTheModel(@TempDir Path folder) {
        AskUserTool tool = new AskUserTool(new Somebody("none"));
        ToolFixture tools = ToolFixture.with(folder, List.of(tool));

        assertEquals(1, tools.registry.specs().size());
        String json = "{\"question\":\"Which port?\",\"options\":[\"8080\",\"9090\"]}";
        assertEquals(
                "The person answered: none of [8080, 9090]",
                tools.callRaw("ask_user", json).text());
        String open = call(folder, new AskUserTool(new Somebody("")), json).text();
        assertTrue(open.startsWith("The person left it open. Decide yourself"), open);
    }

    @Test
    @DisplayName("a question that the end of the run cuts off is a cancelled call")
    void cutOff(@TempDir Path folder) {
        String json = "{\"question\":\"Which port?\"}";
        ToolResult result = call(folder, new AskUserTool(new Somebody("gone")), json);

        assertEquals(ToolResult.Kind.CANCELLED, result.kind());
    }
}
