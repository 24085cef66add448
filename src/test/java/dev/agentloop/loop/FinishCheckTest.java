package dev.agentloop.loop;

import static dev.agentloop.testing.ScriptedLlm.calls;
import static dev.agentloop.testing.ScriptedLlm.says;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.agentloop.event.AgentEvent;
import dev.agentloop.loop.run.RunResult;
import dev.agentloop.loop.run.StopReason;
import dev.agentloop.message.FileChange;
import dev.agentloop.message.ToolResult;
import dev.agentloop.process.ProcessRunner;
import dev.agentloop.testing.AgentFixture;
import dev.agentloop.testing.FakeTool;
import dev.agentloop.testing.ScriptedLlm;
import dev.agentloop.tool.Effect;
import dev.agentloop.tool.builtin.TodoWriteTool;
import dev.agentloop.tool.builtin.command.RunCommandTool;
import dev.agentloop.verification.Verification;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A model that says it is done is asked once to check what it has changed. */
final class FinishCheckTest {
    private static final String EDIT = "{\"path\":\"a.py\"}";
    private static final String TEST = "{\"command\":\"bash -n /dev/null\"}";

    @Test
    void aModelThatChangedAFileAndRanNothingIsAskedOnce() {
        AgentFixture agent =
                agent(
                        calls("edit", EDIT),
                        says("Done."),
                        calls("run_command", TEST),
                        says("Done, the tests pass."));
        RunResult result = agent.run("go");

        assertEquals("Done, the tests pass.", result.text());
        assertEquals(List.of("finish_check"), origins(agent));
        assertEquals(
                new Verification(Verification.State.PASSED, "bash -n /dev/null"),
                agent.run().checkedWork().verification());
    }

    @Test
    void anAnswerWithoutACheckIsTakenTheSecondTime() {
        AgentFixture agent =
                agent(calls("edit", EDIT), says("Done."), says("There are no tests. Done."));
        RunResult result = agent.run("go");

        assertEquals(StopReason.LLM_DONE, result.stopReason());
        assertEquals("There are no tests. Done.", result.text());
        assertEquals(Verification.NONE, agent.run().checkedWork().verification());
    }

    @Test
    void whoCheckedAfterTheLastChangeIsNotAsked() {
        AgentFixture agent = agent(calls("edit", EDIT), calls("run_command", TEST), says("Done."));

        assertEquals("Done.", agent.run("go").text());
        assertEquals(List.of(), origins(agent));
    }

    @Test
    void whereNoCommandCanBeRunNobodyIsAsked() {
        AgentFixture agent = AgentFixture.with(ScriptedLlm.of(calls("edit", EDIT), says("Done.")));

        assertEquals("Done.", agent.tool(edit()).run("go").text());
    }

    @Test
    void aLimitKeepsTheAnswerThatWasGiven() {
        AgentFixture last = agent(calls("edit", EDIT), says("Done.")).maxSteps(2);
        assertEquals(new RunResult(StopReason.LLM_DONE, "Done.", 2), last.run("go"));
        assertEquals(List.of(), origins(last));

        AgentFixture more =
                agent(calls("edit", EDIT), says("Done."), calls("run_command", TEST)).maxSteps(3);
        assertEquals(new RunResult(StopReason.LLM_DONE, "Done.", 3), more.run("go"));
        assertEquals(List.of("finish_check"), origins(more));
    }

    @Test
    void whoHasNothingToAddKeepsTheAnswer() {
        AgentFixture agent = agent(calls("edit", EDIT), says("It is 42."), says(""));

        assertEquals(new RunResult(StopReason.LLM_DONE, "It is 42.", 3), agent.run("go"));
        assertEquals(List.of("finish_check"), origins(agent));
    }

    @Test
    void aRepairThatALimitCutsIsNoSuccess() {
        AgentFixture agent =
                agent(
                                calls("edit", EDIT),
                                says("Done."),
                                calls("edit", EDIT),
                                says("It is half repaired."))
                        .maxSteps(3);

        assertEquals(StopReason.MAX_STEPS, agent.run("go").stopReason());
    }

    @Test
    void afterTenStepsWithoutAPlanTheModelIsRemindedOnce() {
        ScriptedLlm.Turn[] turns = new ScriptedLlm.Turn[15];
        for (int i = 0; i < 14; i++) {
            turns[i] = calls("run_command", "{\"command\":\"echo " + i + "\"}");
        }
        turns[14] = says("Done.");
        TodoWriteTool plan = new TodoWriteTool();
        AgentFixture agent = agent(turns).tool(plan);
        agent.run("go");
        assertEquals(List.of("plan"), origins(agent));

        turns[3] = calls("todo_write", "{\"todos\":[{\"content\":\"a\",\"status\":\"pending\"}]}");
        AgentFixture planned = agent(turns).tool(plan);
        planned.run("go");
        assertTrue(origins(planned).isEmpty());
    }

    private static List<String> origins(AgentFixture agent) {
        return agent.events(AgentEvent.UserMessage.class).stream()
                .map(AgentEvent.UserMessage::origin)
                .filter(origin -> !origin.equals("person"))
                .toList();
    }

    private static AgentFixture agent(ScriptedLlm.Turn... turns) {
        ProcessRunner runner = new ProcessRunner(System.getenv(), List.of());
        RunCommandTool run = new RunCommandTool(runner, Duration.ofMinutes(1));
        return AgentFixture.with(ScriptedLlm.of(turns)).mayCheck().tool(edit()).tool(run);
    }

    private static FakeTool edit() {
        FileChange change = new FileChange("a.py", FileChange.Kind.MODIFIED, 1, 1);
        return new FakeTool(
                "edit",
                Effect.PURE,
                (_, _) -> ToolResult.ok("Edited").withChanges(List.of(change)));
    }
}
