package dev.agentloop.loop.call;

import dev.agentloop.context.ContextManager;
import dev.agentloop.control.Time;
import dev.agentloop.event.EventSink;
import dev.agentloop.guardrail.RunGuardrails;
import dev.agentloop.hook.PostEditHooks;
import dev.agentloop.loop.run.RunHooks;
import dev.agentloop.permission.Approver;
import dev.agentloop.permission.PermissionPolicy;
import dev.agentloop.secret.Placeholders;
import dev.agentloop.session.Journal;
import dev.agentloop.tool.SeenFiles;
import dev.agentloop.tool.Workspace;
import dev.agentloop.tool.call.ToolRegistry;

/**
 * Everything that a tool call passes through on its way.
 *
 * @param hooks commands that run after an edit
 * @param runHooks hooks of all other moments
 */
public record ToolPorts(
        ToolRegistry registry,
        PermissionPolicy policy,
        Approver approver,
        PostEditHooks hooks,
        ContextManager context,
        Workspace workspace,
        SeenFiles seen,
        Placeholders placeholders,
        Journal journal,
        RunGuardrails guardrails,
        EventSink events,
        Time time,
        RunHooks runHooks) {

    /** The same, with another count of what is done. */
    public ToolPorts with(RunGuardrails count) {
        return new ToolPorts(
                registry,
                policy,
                approver,
                hooks,
                context,
                workspace,
                seen,
                placeholders,
                journal,
                count,
                events,
                time,
                runHooks);
    }
}
