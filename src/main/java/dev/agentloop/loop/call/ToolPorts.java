package dev.agentloop.loop.call;

import dev.agentloop.context.ContextManager;
import dev.agentloop.guardrail.RunGuardrails;
import dev.agentloop.hook.PostEditHooks;
import dev.agentloop.loop.run.RunPorts;
import dev.agentloop.permission.Approver;
import dev.agentloop.permission.PermissionPolicy;
import dev.agentloop.secret.Placeholders;
import dev.agentloop.syntax.SyntaxCheck;
import dev.agentloop.tool.SeenFiles;
import dev.agentloop.tool.Workspace;
import dev.agentloop.tool.call.ToolRegistry;

/**
 * Everything that a tool call passes through on its way.
 *
 * @param postEdit commands that run after an edit
 * @param context shortens results
 * @param run what calls are reported to
 */
public record ToolPorts(
        ToolRegistry registry,
        Judging judging,
        Files files,
        PostEditHooks postEdit,
        ContextManager context,
        RunPorts run) {

    /** Who decides whether a call may run, in this order: rules, a person, caps of the run. */
    public record Judging(PermissionPolicy policy, Approver approver, RunGuardrails guardrails) {}

    /**
     * Where calls work.
     *
     * @param seen what the model knows of the files
     * @param placeholders what it sees in the place of secrets
     * @param syntax looks at files that were edited
     */
    public record Files(
            Workspace workspace, SeenFiles seen, Placeholders placeholders, SyntaxCheck syntax) {}
}
