package dev.agentloop.cli.terminal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.mockito.Mockito.mock;

import dev.agentloop.event.AgentEvent;
import dev.agentloop.event.RunSummary;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import dev.agentloop.output.Style;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LivePlanTest {
    private final List<AgentEvent> log = new ArrayList<>();
    private final LivePlan plan = new LivePlan(log::add, new Style(true, true));

    /** Emits a plan whose first steps are done. */
    private void plans(int done, int steps) {
        StringBuilder todos = new StringBuilder();
        for (int i = 0; i < steps; i++) {
            String status = i < done ? "completed" : i == done ? "in_progress" : "pending";
            todos.append(i == 0 ? "" : ",").append("{\"content\":\"step ").append(i);
            todos.append("\",\"status\":\"").append(status).append("\"}");
        }
        emit("p" + done, "{\"todos\":[" + todos + "]}", ToolResult.ok("ok"));
    }

    private void emit(String id, String arguments, ToolResult result) {
        ToolCall call = new ToolCall(id, "todo_write", arguments);
        plan.emit(new AgentEvent.ToolStarted(call));
        plan.emit(new AgentEvent.ToolProgress(id, "[>] step", null));
        plan.emit(new AgentEvent.ToolFinished(call, result, Duration.ZERO));
    }

    @Test
    @DisplayName("a plan stands in one place while it changes, and once in the log at the end")
    void once() {
        assertEquals(List.of(), plan.lines());
        plans(0, 2);
        plans(1, 2);
        assertEquals(List.of("☑ step 0", "▸ step 1"), plan.lines());
        assertEquals(List.of(), log);
        plans(2, 2);
        assertEquals(List.of(), plan.lines()); // all is done: nothing to watch
        AgentEvent end = new AgentEvent.Finished(mock(RunSummary.class));
        plan.emit(end);
        assertEquals(3, log.size(), log::toString);
        assertEquals("p2", ((AgentEvent.ToolStarted) log.getFirst()).call().id());
        assertEquals("p2", ((AgentEvent.ToolFinished) log.get(1)).call().id());
        assertEquals(end, log.getLast());
    }

    @Test
    @DisplayName("of a long plan the steps around the current one are shown")
    void longPlan() {
        plans(7, 12);
        assertEquals(
                List.of(
                        "Plan: 7 of 12 done",
                        "☑ step 6",
                        "▸ step 7",
                        "☐ step 8",
                        "☐ step 9",
                        "☐ step 10"),
                plan.lines());
        plans(11, 12);
        assertEquals("▸ step 11", plan.lines().getLast());
        assertEquals(6, plan.lines().size());
    }

    @Test
    @DisplayName("a plan that the tool refuses is in the log at once, and replaces none")
    void refused() {
        plans(1, 2);
        emit("bad", "{}", ToolResult.error("todos is missing"));
        assertEquals(List.of("☑ step 0", "▸ step 1"), plan.lines());
        assertEquals("bad", ((AgentEvent.ToolFinished) log.getLast()).call().id());
    }
}
