package dev.agentloop.output;

import dev.agentloop.event.AgentEvent;
import dev.agentloop.event.EventSink;
import dev.agentloop.message.ToolCall;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * The classic human log: each step with its model call, its tool calls and hooks, and how they
 * ended. For CI jobs and files; a person at a terminal sees {@link WorkLog}.
 */
public final class HumanRenderer implements EventSink {
    private static final int MAX_TASK = 100; // characters
    private static final int MAX_ERROR = 300; // characters of a tool's error in the log
    private static final int HOOK_LINES = 8;

    private final LogLines lines;
    private final Style style;
    private final boolean liveText;
    private final Map<String, String> hookLines = new HashMap<>();

    /**
     * @param out takes text as it is to be written, line feeds included
     * @param liveText whether the model's text is shown while it arrives
     */
    public HumanRenderer(Consumer<String> out, Style style, boolean liveText) {
        this(new LogLines(out, style, null, UnaryOperator.identity()), liveText);
    }

    HumanRenderer(LogLines lines, boolean liveText) {
        this.lines = lines;
        this.style = lines.style();
        this.liveText = liveText;
    }

    @Override
    public void emit(AgentEvent event) {
        switch (event) {
            case AgentEvent.TextDelta(String text) -> live(text);
            case AgentEvent.ToolStarted(ToolCall call) -> open(call);
            case AgentEvent.ToolProgress progress ->
                    lines.line(progress.callId(), progress(progress));
            case AgentEvent.HookFinished hook when hook.callId().isEmpty() -> line(hookLines(hook));
            case AgentEvent.HookFinished hook ->
                    hookLines.merge(hook.callId(), hookLines(hook) + "\n", String::concat);
            case AgentEvent.ToolFinished end -> close(end);
            case AgentEvent.LlmRequested asked -> line(requestLine(asked));
            case AgentEvent.LlmResponded reply -> answered(reply);
            case AgentEvent.LlmRetried retry -> line(retryLine(retry));
            case AgentEvent.LimitReached limit ->
                    line(style.warning() + " " + limit.detail() + "…");
            case AgentEvent.Closing closing -> line(closingLine(closing));
            case AgentEvent.AgentSwitched(String from, String to) ->
                    line("\n" + style.step() + " Agent " + from + " " + style.arrow() + " " + to);
            case AgentEvent.SubagentStarted begun ->
                    below(begun.callId(), begun.agent(), SafeText.line(begun.task(), MAX_TASK));
            case AgentEvent.SubagentDid did -> did(did.callId(), did.agent(), did.event());
            case AgentEvent.SubagentFinished end -> below(end.callId(), end.agent(), ending(end));
            case AgentEvent.ContextCompacted done -> line(compacted(done));
            case AgentEvent.Warning(String message) ->
                    line(style.warning() + " " + SafeText.line(message));
            case AgentEvent.Failed failed ->
                    line(style.failed() + " " + what(failed) + SafeText.line(failed.message()));
            case AgentEvent.Finished(var summary) -> line(EndLines.of(summary, style));
            case AgentEvent.SessionStarted started -> guidance(started.guidance());
            case AgentEvent.UserMessage _,
                    AgentEvent.StepStarted _,
                    AgentEvent.ThinkingDelta _,
                    AgentEvent.UsageReported _,
                    AgentEvent.PermissionDecided _,
                    AgentEvent.EditApplied _,
                    AgentEvent.BudgetUpdated _ -> {}
        }
    }

    private void live(String text) {
        if (liveText && !text.isEmpty()) {
            lines.text(text);
        }
    }

    private void line(String text) {
        lines.line(text);
    }

    /** Of what others do for the run, a person sees which tools they use and what fails. */
    private void did(String callId, String agent, AgentEvent event) {
        switch (event) {
            case AgentEvent.ToolStarted(ToolCall call) ->
                    below(
                            callId,
                            agent,
                            SafeText.line(call.name(), 64)
                                    + " "
                                    + style.arrow()
                                    + " "
                                    + ToolSummary.of(call));
            case AgentEvent.ToolFinished end when end.result().isError() ->
                    below(callId, agent, resultLine(end).strip());
            case AgentEvent.Warning(String message) ->
                    below(callId, agent, style.warning() + " " + SafeText.line(message));
            case AgentEvent.Failed failed ->
                    below(callId, agent, style.failed() + " " + SafeText.line(failed.message()));
            default -> {} // its report says the rest
        }
    }

    private static String ending(AgentEvent.SubagentFinished end) {
        return end.stopReason() + " (" + Plural.of(end.steps(), "step") + ")";
    }

    private void below(String callId, String agent, String text) {
        int end = callId.indexOf('/');
        String line = "      " + style.arrow() + " " + SafeText.line(agent, 64) + ": " + text;
        lines.line(end < 0 ? callId : callId.substring(0, end), line);
    }

    /** What else than the task steers the model. */
    private void guidance(List<String> files) {
        if (!files.isEmpty()) {
            lines.line("   Guidance: " + SafeText.line(String.join(", ", files)));
        }
    }

    private String compacted(AgentEvent.ContextCompacted done) {
        String how =
                switch (done.by()) {
                    case "clearing" -> "old results left out";
                    case "window" -> "old steps dropped";
                    default -> "old steps summed up";
                };
        String tokens = done.oldTokens() + style.arrow() + done.newTokens() + " tokens";
        return "   Context compacted: " + how + " (" + tokens + ")";
    }

    /** Trouble with a provider says so; everything else speaks for itself. */
    private static String what(AgentEvent.Failed failed) {
        return switch (failed.code()) {
            case "auth_error",
                    "bad_request",
                    "context_overflow",
                    "provider_unavailable",
                    "broken_reply",
                    "cancelled" ->
                    "LLM error: ";
            default -> "";
        };
    }

    private String requestLine(AgentEvent.LlmRequested asked) {
        String call = " LLM call (" + Plural.of(asked.messages(), "message") + ")";
        return asked.closing() || asked.step() == 0
                ? "   " + style.arrow() + call
                : (asked.step() == 1 ? "" : "\n")
                        + style.step()
                        + " Step "
                        + asked.step()
                        + " "
                        + style.arrow()
                        + call;
    }

    private void answered(AgentEvent.LlmResponded reply) {
        lines.endText();
        if (reply.error() == null) {
            lines.line("   " + style.ok() + " LLM responded with " + content(reply));
            if (reply.toolCalls() > 0) {
                lines.line("");
            }
        }
    }

    private static String content(AgentEvent.LlmResponded reply) {
        int calls = reply.toolCalls();
        if (calls > 0) {
            return calls + " tool call" + (calls == 1 ? "" : "s");
        }
        return switch (reply.finish()) {
            case "max_tokens" -> "text, cut at the output limit";
            case "paused" -> "a turn that its provider interrupted";
            case "refusal" -> "a refusal";
            default -> "final text";
        };
    }

    private String retryLine(AgentEvent.LlmRetried retry) {
        return "   "
                + style.warning()
                + " "
                + SafeText.line(retry.message(), MAX_ERROR)
                + "; retry "
                + retry.attempt()
                + " in "
                + seconds(retry.delay().toMillis())
                + (retry.textWithdrawn() ? " (the text above is withdrawn)" : "");
    }

    private String closingLine(AgentEvent.Closing closing) {
        String steps = Plural.of(closing.steps(), "step");
        return style.step() + " Closing (" + closing.reason() + ", " + steps + ")";
    }

    private void open(ToolCall call) {
        String server = ToolSummary.mcpServer(call.name());
        String summary = ToolSummary.of(call);
        String text =
                "   "
                        + (server.isEmpty() ? style.tool() : style.mcp())
                        + " "
                        + SafeText.line(call.name(), 64)
                        + " "
                        + style.arrow()
                        + " "
                        + summary
                        + (server.isEmpty() ? "" : " (MCP: " + server + ")");
        lines.open(call.id());
        lines.line(call.id(), text);
    }

    private void close(AgentEvent.ToolFinished end) {
        String id = end.call().id();
        String hooks = hookLines.remove(id);
        lines.line(id, resultLine(end) + (hooks == null ? "" : "\n" + hooks.stripTrailing()));
        lines.close(id);
    }

    private String resultLine(AgentEvent.ToolFinished end) {
        if (!end.result().isError()) {
            return "      " + style.ok() + " OK";
        }
        String text = end.result().text().strip();
        int feed = text.indexOf('\n');
        String firstLine = feed < 0 ? text : text.substring(0, feed);
        return "      " + style.bad() + " ERROR: " + SafeText.line(firstLine, MAX_ERROR);
    }

    private String progress(AgentEvent.ToolProgress progress) {
        return "      " + SafeText.line(progress.message(), MAX_ERROR);
    }

    private String hookLines(AgentEvent.HookFinished hook) {
        String head = "      " + style.hook() + " Hook " + SafeText.line(hook.name(), 64) + ": ";
        if (hook.exitCode() == 0) {
            return head + style.ok();
        }
        StringBuilder shown = new StringBuilder(head).append(style.warning());
        hook.output()
                .lines()
                .limit(HOOK_LINES)
                .forEach(l -> shown.append("\n         ").append(SafeText.line(l, MAX_ERROR)));
        return shown.toString();
    }

    static String seconds(long millis) {
        return millis / 1000 + "." + millis % 1000 / 100 + "s";
    }
}
