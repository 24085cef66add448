package dev.agentloop.output;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.agentloop.event.AgentEvent;
import dev.agentloop.json.Json;
import dev.agentloop.message.ToolCall;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;

/** Events as the public JSON shapes of {@code stream-json}, see events.schema.json. */
public final class EventJson {
    private static final int MAX_PREVIEW = 4000; // characters of a tool result in an event

    private EventJson() {}

    /** Wire name of the event. */
    public static String type(AgentEvent event) {
        return switch (event) {
            case AgentEvent.SessionStarted _ -> "session.started";
            case AgentEvent.UserMessage _ -> "user.message";
            case AgentEvent.StepStarted _ -> "step.started";
            case AgentEvent.LlmRequested _ -> "llm.request";
            case AgentEvent.TextDelta _ -> "text.delta";
            case AgentEvent.ThinkingDelta _ -> "thinking.delta";
            case AgentEvent.LlmRetried _ -> "llm.retry";
            case AgentEvent.LlmResponded _ -> "llm.response";
            case AgentEvent.UsageReported _ -> "usage";
            case AgentEvent.PermissionDecided _ -> "permission.decided";
            case AgentEvent.ToolStarted _ -> "tool.started";
            case AgentEvent.ToolProgress _ -> "tool.progress";
            case AgentEvent.ToolFinished _ -> "tool.finished";
            case AgentEvent.EditApplied _ -> "edit.applied";
            case AgentEvent.HookFinished _ -> "hook.finished";
            case AgentEvent.ContextCompacted _ -> "context.compacted";
            case AgentEvent.BudgetUpdated _ -> "budget.updated";
            case AgentEvent.LimitReached _ -> "limit.reached";
            case AgentEvent.Closing _ -> "closing";
            case AgentEvent.AgentSwitched _ -> "agent.switched";
            case AgentEvent.SubagentStarted _ -> "subagent.started";
            case AgentEvent.SubagentDid _ -> "subagent.event";
            case AgentEvent.SubagentFinished _ -> "subagent.finished";
            case AgentEvent.Warning _ -> "warning";
            case AgentEvent.Failed _ -> "error";
            case AgentEvent.Finished _ -> "result";
        };
    }

    /** Writes the event's own fields; the caller has written the envelope. */
    public static void writeFields(JsonGenerator json, AgentEvent event) throws IOException {
        switch (event) {
            case AgentEvent.LlmRequested _,
                    AgentEvent.LlmRetried _,
                    AgentEvent.LlmResponded _,
                    AgentEvent.UsageReported _,
                    AgentEvent.BudgetUpdated _ ->
                    ModelEventJson.write(json, event);
            case AgentEvent.PermissionDecided _,
                    AgentEvent.ToolStarted _,
                    AgentEvent.ToolProgress _,
                    AgentEvent.ToolFinished _,
                    AgentEvent.EditApplied _,
                    AgentEvent.HookFinished _ ->
                    tool(json, event);
            case AgentEvent.ContextCompacted _,
                    AgentEvent.LimitReached _,
                    AgentEvent.Closing _,
                    AgentEvent.AgentSwitched _ ->
                    course(json, event);
            case AgentEvent.SubagentStarted _,
                    AgentEvent.SubagentDid _,
                    AgentEvent.SubagentFinished _ ->
                    SubagentEventJson.write(json, event);
            case AgentEvent.SessionStarted started -> session(json, started);
            case AgentEvent.UserMessage(String text, String origin) -> {
                text(json, "text", text);
                text(json, "origin", origin);
            }
            case AgentEvent.StepStarted(int step) -> json.writeNumberField("step", step);
            case AgentEvent.TextDelta(String text) -> text(json, "text", text);
            case AgentEvent.ThinkingDelta(String text) -> text(json, "text", text);
            case AgentEvent.Warning(String message) -> text(json, "message", message);
            case AgentEvent.Failed failed -> failed(json, failed);
            case AgentEvent.Finished(var summary) -> ResultJson.writeFields(json, summary);
        }
    }

    private static void course(JsonGenerator json, AgentEvent event) throws IOException {
        switch (event) {
            case AgentEvent.ContextCompacted(long before, long after, String by) -> {
                json.writeNumberField("old_tokens", before);
                json.writeNumberField("new_tokens", after);
                text(json, "by", by);
            }
            case AgentEvent.LimitReached(String reason, String detail) -> {
                text(json, "reason", reason);
                text(json, "detail", detail);
            }
            case AgentEvent.Closing(String reason, int steps) -> {
                text(json, "reason", reason);
                json.writeNumberField("steps", steps);
            }
            case AgentEvent.AgentSwitched(String from, String to) -> {
                text(json, "from", from);
                text(json, "to", to);
            }
            default -> throw new IllegalStateException("not about the course of a run: " + event);
        }
    }

    private static void session(JsonGenerator json, AgentEvent.SessionStarted started)
            throws IOException {
        text(json, "workspace", started.workspace());
        text(json, "agent", started.agent());
        text(json, "model", started.model());
        json.writeArrayFieldStart("tools");
        for (String tool : started.tools()) {
            json.writeString(tool);
        }
        json.writeEndArray();
        json.writeBooleanField("resumed", started.resumed());
        text(json, "sandbox", started.sandbox());
        json.writeArrayFieldStart("guidance");
        for (String file : started.guidance()) {
            json.writeString(Json.wellFormed(file));
        }
        json.writeEndArray();
    }

    private static void tool(JsonGenerator json, AgentEvent event) throws IOException {
        switch (event) {
            case AgentEvent.PermissionDecided decided -> {
                text(json, "tool_call_id", decided.callId());
                text(json, "tool", decided.tool());
                text(json, "verdict", decided.verdict());
                text(json, "rule", decided.rule());
                text(json, "by", decided.by());
            }
            case AgentEvent.ToolStarted(ToolCall call) -> {
                call(json, call);
                text(json, "arguments", call.arguments());
            }
            case AgentEvent.ToolProgress progress -> {
                text(json, "tool_call_id", progress.callId());
                text(json, "message", progress.message());
                if (progress.percent() != null) {
                    json.writeNumberField("percent", progress.percent());
                }
            }
            case AgentEvent.ToolFinished end -> finished(json, end);
            case AgentEvent.EditApplied edit -> {
                text(json, "tool_call_id", edit.callId());
                ResultJson.writeChange(json, edit.change());
                if (edit.diff() != null) {
                    text(json, "diff", edit.diff());
                }
            }
            case AgentEvent.HookFinished hook -> hook(json, hook);
            default -> throw new IllegalStateException("not a tool event: " + event);
        }
    }

    private static void finished(JsonGenerator json, AgentEvent.ToolFinished end)
            throws IOException {
        call(json, end.call());
        text(json, "kind", end.result().kind().name().toLowerCase(Locale.ROOT));
        millis(json, end.took());
        json.writeBooleanField("truncated", end.result().truncated());
        if (end.result().exitCode().isPresent()) {
            json.writeNumberField("exit_code", end.result().exitCode().getAsInt());
        }
        String text = end.result().text();
        text(json, "preview", text.length() > MAX_PREVIEW ? text.substring(0, MAX_PREVIEW) : text);
    }

    private static void hook(JsonGenerator json, AgentEvent.HookFinished hook) throws IOException {
        text(json, "tool_call_id", hook.callId());
        text(json, "name", hook.name());
        text(json, "event", hook.event());
        text(json, "file", hook.file());
        json.writeNumberField("exit_code", hook.exitCode());
        millis(json, hook.took());
        text(json, "output", hook.output());
    }

    private static void call(JsonGenerator json, ToolCall call) throws IOException {
        text(json, "tool_call_id", call.id());
        text(json, "tool", call.name());
    }

    private static void failed(JsonGenerator json, AgentEvent.Failed failed) throws IOException {
        text(json, "code", failed.code());
        text(json, "message", failed.message());
        json.writeBooleanField("terminal", failed.terminal());
        json.writeBooleanField("retryable", failed.retryable());
        ResultJson.writeRetryAfter(json, failed.retryAfter());
    }

    static void text(JsonGenerator json, String name, String value) throws IOException {
        json.writeStringField(name, Json.wellFormed(value));
    }

    static void millis(JsonGenerator json, Duration took) throws IOException {
        json.writeNumberField("duration_ms", took.toMillis());
    }
}
