package dev.agentloop.replay.view;

import dev.agentloop.event.AgentEvent;
import dev.agentloop.message.FileChange;
import dev.agentloop.message.Message;
import dev.agentloop.message.ToolCall;
import dev.agentloop.message.ToolResult;
import dev.agentloop.replay.cassette.Cassette;
import dev.agentloop.replay.cassette.CassetteLine;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Puts the steps of a run together from what was recorded of it. */
public final class StepViews {
    private final List<StepView> done = new ArrayList<>();
    private final List<String> said = new ArrayList<>();
    private final List<String> notices = new ArrayList<>();
    private final List<StepView.Hook> hooks = new ArrayList<>();
    private final Map<String, OpenCall> calls = new LinkedHashMap<>();
    private String text = "";
    private int number;
    private boolean closing;
    private boolean begun; // the step of a history whose reply comes next
    private long tokens;
    private @Nullable BigDecimal usd = BigDecimal.ZERO;

    /** A call of which not all is known yet. */
    private static final class OpenCall {
        final ToolCall call;
        String verdict = "";
        @Nullable ToolResult result;
        @Nullable Duration took;
        final List<FileChange> changes = new ArrayList<>();

        OpenCall(ToolCall call) {
            this.call = call;
        }
    }

    private StepViews() {}

    /** The steps of a cassette, also of one that is not whole. */
    public static List<StepView> of(Cassette cassette) {
        StepViews views = new StepViews();
        for (CassetteLine line : cassette.lines()) {
            if (line instanceof CassetteLine.Event(_, AgentEvent event)) {
                views.add(event);
            }
        }
        views.end();
        return views.done;
    }

    /** The steps of a history; what they cost is not known then. */
    public static List<StepView> of(List<Message> history) {
        StepViews views = new StepViews();
        views.usd = null;
        for (Message message : history) {
            views.add(message);
        }
        views.end();
        return views.done;
    }

    private void add(Message message) {
        switch (message) {
            case Message.System _ -> {} // long, and the same in every step
            case Message.User(String words, _) -> {
                if (!text.isEmpty() || !calls.isEmpty()) {
                    end();
                    number++; // the next reply is the next step, and begins with these words
                    begun = true;
                }
                said.add(words);
            }
            case Message.Assistant reply -> {
                if (!begun) {
                    end();
                    number++;
                }
                begun = false;
                text = reply.text();
                reply.toolCalls().forEach(call -> calls.put(call.id(), new OpenCall(call)));
            }
            case Message.Tool(String id, ToolResult result) -> {
                OpenCall call = calls.get(id);
                if (call != null) {
                    call.result = result;
                    call.changes.addAll(result.changes());
                }
            }
        }
    }

    private void add(AgentEvent event) {
        switch (event) {
            case AgentEvent.UserMessage(String words, _) -> said.add(words);
            case AgentEvent.StepStarted(int step) -> begin(step, false);
            case AgentEvent.LlmRequested(int step, _, boolean last) -> {
                if (last) {
                    begin(step + 1, true);
                }
            }
            case AgentEvent.LlmResponded reply -> {
                if (!reply.text().isEmpty()) {
                    text = reply.text();
                }
            }
            case AgentEvent.UsageReported used -> count(used);
            case AgentEvent.ToolStarted(ToolCall call) -> calls.put(call.id(), new OpenCall(call));
            case AgentEvent.PermissionDecided decided -> decided(decided);
            case AgentEvent.EditApplied(String id, FileChange change, _) -> {
                OpenCall call = calls.get(id);
                if (call != null) {
                    call.changes.add(change);
                }
            }
            case AgentEvent.ToolFinished end -> finished(end);
            case AgentEvent.HookFinished hook ->
                    hooks.add(
                            new StepView.Hook(
                                    hook.name(), hook.event(), hook.exitCode(), hook.output()));
            default -> notice(event);
        }
    }

    private void notice(AgentEvent event) {
        switch (event) {
            case AgentEvent.LlmRetried retry ->
                    notices.add("retry after " + retry.code() + ": " + retry.message());
            case AgentEvent.ContextCompacted(long old, long now, String by) ->
                    notices.add("context made shorter by " + by + ": " + old + " to " + now);
            case AgentEvent.LimitReached(String reason, String detail) ->
                    notices.add("limit " + reason + ": " + detail);
            case AgentEvent.AgentSwitched(String from, String to) ->
                    notices.add("agent " + from + " hands over to " + to);
            case AgentEvent.Warning(String message) -> notices.add("warning: " + message);
            case AgentEvent.Failed failed ->
                    notices.add("error " + failed.code() + ": " + failed.message());
            default -> {} // pieces, and beginnings whose ends are shown
        }
    }

    private void begin(int step, boolean last) {
        end();
        number = step;
        closing = last;
    }

    private void count(AgentEvent.UsageReported used) {
        tokens += used.usage().total();
        usd = usd == null || used.usd() == null ? null : usd.add(used.usd());
    }

    private void decided(AgentEvent.PermissionDecided decided) {
        OpenCall call = calls.get(decided.callId());
        if (call != null) {
            call.verdict = decided.verdict() + " (" + decided.rule() + ", " + decided.by() + ")";
        }
    }

    private void finished(AgentEvent.ToolFinished end) {
        OpenCall call = calls.get(end.call().id());
        if (call != null) {
            call.result = end.result();
            call.took = end.took();
        }
    }

    private void end() {
        boolean empty =
                number == 0
                        && said.isEmpty()
                        && notices.isEmpty()
                        && hooks.isEmpty()
                        && calls.isEmpty();
        if (!empty) {
            List<StepView.Call> ended = new ArrayList<>();
            calls.values()
                    .forEach(one ->
                            ended.add(
                                    new StepView.Call(
                                            one.call,
                                            one.verdict,
                                            one.result,
                                            one.took,
                                            List.copyOf(one.changes))));
            done.add(new StepView(number, closing, said, text, ended, hooks, notices, tokens, usd));
        }
        said.clear();
        notices.clear();
        hooks.clear();
        calls.clear();
        text = "";
    }
}
