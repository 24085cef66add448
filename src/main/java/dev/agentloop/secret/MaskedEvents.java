package dev.agentloop.secret;

import dev.agentloop.event.AgentEvent;
import dev.agentloop.event.EventSink;
import dev.agentloop.event.RunSummary;
import dev.agentloop.message.FileChange;
import java.util.List;

/** Lets events through with their secrets masked: all outputs of a run are behind it. */
public final class MaskedEvents implements EventSink {
    private final EventSink sink;
    private final Secrets secrets;
    private final MaskedStream text;
    private final MaskedStream thinking;

    public MaskedEvents(EventSink sink, Secrets secrets) {
        this.sink = sink;
        this.secrets = secrets;
        this.text = new MaskedStream(secrets);
        this.thinking = new MaskedStream(secrets);
    }

    @Override
    public synchronized void emit(AgentEvent event) {
        switch (event) {
            case AgentEvent.TextDelta(String piece) -> {
                endThinking();
                text(text.add(piece));
            }
            case AgentEvent.ThinkingDelta(String piece) -> {
                endText();
                thinking(thinking.add(piece));
            }
            case AgentEvent.ToolProgress progress -> sink.emit(masked(progress)); // any time
            default -> {
                endText();
                endThinking();
                sink.emit(masked(event));
            }
        }
    }

    private void endText() {
        text(text.end());
    }

    private void endThinking() {
        thinking(thinking.end());
    }

    private void text(String shown) {
        if (!shown.isEmpty()) {
            sink.emit(new AgentEvent.TextDelta(shown));
        }
    }

    private void thinking(String shown) {
        if (!shown.isEmpty()) {
            sink.emit(new AgentEvent.ThinkingDelta(shown));
        }
    }

    /** No default branch: somebody decides about each new event. */
    private AgentEvent masked(AgentEvent event) {
        return switch (event) {
            case AgentEvent.UserMessage(String said, String origin) ->
                    new AgentEvent.UserMessage(mask(said), origin);
            case AgentEvent.LlmRetried retried -> masked(retried);
            case AgentEvent.LlmResponded reply -> masked(reply);
            case AgentEvent.PermissionDecided decided -> masked(decided);
            case AgentEvent.ToolStarted(var call) -> new AgentEvent.ToolStarted(secrets.mask(call));
            case AgentEvent.ToolProgress progress ->
                    new AgentEvent.ToolProgress(
                            progress.callId(), mask(progress.message()), progress.percent());
            case AgentEvent.ToolFinished end -> masked(end);
            case AgentEvent.HookFinished hook -> masked(hook);
            case AgentEvent.LimitReached(String reason, String detail) ->
                    new AgentEvent.LimitReached(reason, mask(detail));
            case AgentEvent.Warning(String message) -> new AgentEvent.Warning(mask(message));
            case AgentEvent.Failed failed -> masked(failed);
            case AgentEvent.SubagentStarted begun -> masked(begun);
            case AgentEvent.SubagentDid did -> masked(did);
            case AgentEvent.SubagentFinished ended -> masked(ended);
            case AgentEvent.SessionStarted started -> masked(started);
            case AgentEvent.EditApplied(String id, FileChange change, String diff) ->
                    new AgentEvent.EditApplied(
                            id, secrets.mask(change), diff == null ? null : mask(diff));
            case AgentEvent.AgentSwitched(String from, String to) ->
                    new AgentEvent.AgentSwitched(mask(from), mask(to));
            case AgentEvent.Finished(RunSummary summary) ->
                    new AgentEvent.Finished(summary.withTexts(this::mask));
            case AgentEvent.TextDelta _,
                    AgentEvent.ThinkingDelta _, // masked while they are streamed
                    AgentEvent.StepStarted _, // this and those below hold numbers and fixed words
                    AgentEvent.LlmRequested _,
                    AgentEvent.UsageReported _,
                    AgentEvent.ContextCompacted _,
                    AgentEvent.BudgetUpdated _,
                    AgentEvent.Closing _ ->
                    event;
        };
    }

    private AgentEvent masked(AgentEvent.SubagentStarted begun) {
        return new AgentEvent.SubagentStarted(
                begun.callId(),
                mask(begun.agent()),
                begun.depth(),
                mask(begun.task()),
                all(begun.tools()));
    }

    private AgentEvent masked(AgentEvent.SubagentFinished ended) {
        return new AgentEvent.SubagentFinished(
                ended.callId(),
                mask(ended.agent()),
                ended.depth(),
                ended.status(),
                ended.stopReason(),
                ended.steps(),
                ended.tokens(),
                ended.usd(),
                ended.took());
    }

    /** The names of tools come from servers, those of models from the command line. */
    private AgentEvent masked(AgentEvent.SessionStarted started) {
        return new AgentEvent.SessionStarted(
                started.sessionId(),
                mask(started.workspace()),
                mask(started.agent()),
                mask(started.model()),
                all(started.tools()),
                started.resumed(),
                started.sandbox(),
                all(started.guidance()));
    }

    private AgentEvent masked(AgentEvent.SubagentDid did) {
        return new AgentEvent.SubagentDid(
                did.callId(), mask(did.agent()), did.depth(), masked(did.event()));
    }

    private AgentEvent masked(AgentEvent.LlmRetried retried) {
        return new AgentEvent.LlmRetried(
                retried.attempt(),
                retried.delay(),
                retried.code(),
                mask(retried.message()),
                retried.textWithdrawn());
    }

    private AgentEvent masked(AgentEvent.LlmResponded reply) {
        return new AgentEvent.LlmResponded(
                reply.step(),
                mask(reply.text()),
                reply.toolCalls(),
                reply.finish(),
                reply.took(),
                reply.error() == null ? null : mask(reply.error()));
    }

    private AgentEvent masked(AgentEvent.HookFinished hook) {
        return new AgentEvent.HookFinished(
                hook.callId(),
                mask(hook.name()),
                hook.event(),
                mask(hook.file()),
                hook.exitCode(),
                hook.took(),
                mask(hook.output()));
    }

    private AgentEvent masked(AgentEvent.PermissionDecided decided) {
        return new AgentEvent.PermissionDecided(
                decided.callId(),
                mask(decided.tool()),
                decided.verdict(),
                mask(decided.rule()),
                mask(decided.by()));
    }

    private AgentEvent masked(AgentEvent.ToolFinished end) {
        return new AgentEvent.ToolFinished(
                secrets.mask(end.call()), secrets.mask(end.result()), end.took());
    }

    private AgentEvent masked(AgentEvent.Failed failed) {
        return new AgentEvent.Failed(
                failed.code(),
                mask(failed.message()),
                failed.terminal(),
                failed.retryable(),
                failed.retryAfter());
    }

    private List<String> all(List<String> foreign) {
        return foreign.stream().map(this::mask).toList();
    }

    private String mask(String foreign) {
        return secrets.mask(foreign);
    }
}
