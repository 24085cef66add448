package dev.agentloop.event;

import dev.agentloop.message.FileChange;
import dev.agentloop.message.ToolResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Counts what a result reports. Everything in it is read from events; nothing is kept twice. */
public final class Tally implements EventSink {
    private static final int MAX_REPORTED =
            200; // denials, hooks, warnings; a result stays readable

    private final Map<String, RunSummary.ToolUse> tools = new LinkedHashMap<>();
    private final Map<String, FileChange> changes = new LinkedHashMap<>();
    private final Map<String, RunSummary.Denial> openDenials = new LinkedHashMap<>();
    private final List<RunSummary.Denial> denials = new ArrayList<>();
    private final List<RunSummary.HookUse> hooks = new ArrayList<>();
    private final List<RunSummary.Problem> problems = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private Duration apiTook = Duration.ZERO;
    private String partialText = "";
    private int toolCalls;
    private int retries;
    private int commandsFailed;

    @Override
    public synchronized void emit(AgentEvent event) {
        switch (event) {
            case AgentEvent.ToolFinished end -> count(end, end.call().id());
            case AgentEvent.EditApplied(var _, FileChange change, var _) -> changed(change);
            case AgentEvent.PermissionDecided decided -> decided(decided, decided.callId());
            case AgentEvent.HookFinished hook -> hooked(hook);
            case AgentEvent.LlmRetried _ -> retries++;
            case AgentEvent.LlmResponded response -> responded(response);
            case AgentEvent.Warning(String message) -> warn(message);
            case AgentEvent.Failed failed -> problems.add(problem(failed));
            case AgentEvent.SubagentDid(String callId, _, _, AgentEvent what) ->
                    below(callId, what);
            case AgentEvent.SessionStarted _,
                    AgentEvent.UserMessage _,
                    AgentEvent.StepStarted _,
                    AgentEvent.LlmRequested _,
                    AgentEvent.TextDelta _,
                    AgentEvent.ThinkingDelta _,
                    AgentEvent.UsageReported _,
                    AgentEvent.ToolStarted _,
                    AgentEvent.ToolProgress _,
                    AgentEvent.ContextCompacted _,
                    AgentEvent.BudgetUpdated _,
                    AgentEvent.LimitReached _,
                    AgentEvent.Closing _,
                    AgentEvent.AgentSwitched _,
                    AgentEvent.SubagentStarted _,
                    AgentEvent.SubagentFinished _,
                    AgentEvent.Finished _ -> {}
        }
    }

    /** What others did for the run is its work; how a model failed them is in their reports. */
    private void below(String path, AgentEvent event) {
        switch (event) {
            case AgentEvent.ToolFinished end -> count(end, path + "/" + end.call().id());
            case AgentEvent.PermissionDecided decided ->
                    decided(decided, path + "/" + decided.callId());
            case AgentEvent.LlmResponded response -> apiTook = apiTook.plus(response.took());
            case AgentEvent.EditApplied _,
                    AgentEvent.HookFinished _,
                    AgentEvent.LlmRetried _,
                    AgentEvent.Warning _ ->
                    emit(event);
            default -> {} // counts for nothing in the result
        }
    }

    public synchronized int toolCalls() {
        return toolCalls;
    }

    public synchronized int retries() {
        return retries;
    }

    public synchronized int commandsFailed() {
        return commandsFailed;
    }

    public synchronized Duration apiTook() {
        return apiTook;
    }

    public synchronized List<RunSummary.ToolUse> tools() {
        return List.copyOf(tools.values());
    }

    public synchronized List<FileChange> changes() {
        return List.copyOf(changes.values());
    }

    public synchronized List<RunSummary.Denial> denials() {
        return List.copyOf(denials);
    }

    public synchronized List<RunSummary.HookUse> hooks() {
        return List.copyOf(hooks);
    }

    public synchronized List<RunSummary.Problem> problems() {
        return List.copyOf(problems);
    }

    /** What came of the last reply if it broke off; empty if it was whole. */
    public synchronized String partialText() {
        return partialText;
    }

    public synchronized List<String> warnings() {
        return List.copyOf(warnings);
    }

    private void responded(AgentEvent.LlmResponded response) {
        apiTook = apiTook.plus(response.took());
        partialText = response.error() == null ? "" : response.text();
    }

    private void count(AgentEvent.ToolFinished end, String id) {
        ToolResult result = end.result();
        boolean denied = result.kind() == ToolResult.Kind.DENIED;
        boolean failed = result.isError() && !denied;
        toolCalls++;
        commandsFailed += failed && result.exitCode().orElse(0) > 0 ? 1 : 0;
        tools.merge(
                end.call().name(),
                new RunSummary.ToolUse(end.call().name(), 1, failed ? 1 : 0, denied ? 1 : 0),
                (a, b) ->
                        new RunSummary.ToolUse(
                                a.name(),
                                a.calls() + b.calls(),
                                a.failures() + b.failures(),
                                a.denied() + b.denied()));
        RunSummary.Denial denial = openDenials.remove(id);
        if (denied && denials.size() < MAX_REPORTED) {
            denials.add(
                    denial == null
                            ? new RunSummary.Denial(end.call().name(), "", result.text())
                            : denial);
        }
    }

    private void decided(AgentEvent.PermissionDecided decided, String id) {
        if (decided.verdict().equals("deny")) {
            openDenials.put(
                    id, new RunSummary.Denial(decided.tool(), decided.rule(), decided.by()));
        }
    }

    /** One entry a file: added then modified stays added, sums of lines. */
    private void changed(FileChange change) {
        changes.merge(change.path(), change, Tally::merge);
    }

    private static FileChange merge(FileChange before, FileChange after) {
        boolean stillNew =
                before.kind() == FileChange.Kind.ADDED && after.kind() == FileChange.Kind.MODIFIED;
        return new FileChange(
                before.path(),
                stillNew ? FileChange.Kind.ADDED : after.kind(),
                before.added() + after.added(),
                before.removed() + after.removed());
    }

    private void hooked(AgentEvent.HookFinished hook) {
        if (hooks.size() < MAX_REPORTED) {
            hooks.add(
                    new RunSummary.HookUse(
                            hook.name(), hook.event(), hook.exitCode(), hook.took()));
        }
    }

    private void warn(String message) {
        if (warnings.size() < MAX_REPORTED) {
            warnings.add(message);
        }
    }

    private static RunSummary.Problem problem(AgentEvent.Failed failed) {
        return new RunSummary.Problem(
                failed.code(), failed.message(), failed.retryable(), failed.retryAfter());
    }
}
