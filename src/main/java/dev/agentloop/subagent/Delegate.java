package dev.agentloop.subagent;

import dev.agentloop.message.ToolResult;
import dev.agentloop.tool.ToolContext;

/** Has another agent do a task. */
@FunctionalInterface
public interface Delegate {
    /**
     * Blocks until the agent has ended; whatever becomes of it is in the result. Called from
     * several threads at once.
     *
     * @param agent a name that was offered
     */
    ToolResult dispatch(String agent, String task, ToolContext context);
}
