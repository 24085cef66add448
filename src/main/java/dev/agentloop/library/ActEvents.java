package dev.agentloop.library;

import dev.agentloop.event.AgentEvent;
import dev.agentloop.event.EventSink;
import dev.agentloop.message.ToolResult;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Tells a run's events as {@link ActEvent}s. */
final class ActEvents implements EventSink {
    private final EventBuffer<ActEvent> out;
    private final ToolBox tools;
    private final String run;
    private final Map<String, String> names = new ConcurrentHashMap<>();
    private volatile String messageId;
    private int messages;

    /**
     * @param run names the replies, together with their number
     */
    ActEvents(EventBuffer<ActEvent> out, ToolBox tools, String run) {
        this.out = out;
        this.tools = tools;
        this.run = run;
        this.messageId = run + "-0";
    }

    @Override
    public void emit(AgentEvent event) {
        switch (event) {
            case AgentEvent.UserMessage(String text, var _) ->
                    out.put(new ActEvent.UserMessage(text));
            case AgentEvent.LlmRequested _ -> {
                messages++;
                messageId = run + "-" + messages;
            }
            case AgentEvent.TextDelta(String text) ->
                    out.put(new ActEvent.Assistant(text, false, messageId));
            case AgentEvent.ThinkingDelta(String text) ->
                    out.put(new ActEvent.Reasoning(text, messageId));
            case AgentEvent.ToolStarted(var call) -> {
                names.put(call.id(), call.name());
                String made = tools.className(call.name());
                out.put(new ActEvent.ToolCall(call.name(), made, call.arguments(), call.id()));
            }
            case AgentEvent.ToolProgress(String id, String message, var _) ->
                    out.put(new ActEvent.ToolStream(names.getOrDefault(id, ""), message, id));
            case AgentEvent.ToolFinished end -> out.put(ended(end));
            case AgentEvent.ContextCompacted(long before, long after, var _) -> {
                out.put(new ActEvent.CompactStart(before));
                out.put(new ActEvent.CompactEnd(before, after));
            }
            default -> {} // no part of the conversation
        }
    }

    private static ActEvent ended(AgentEvent.ToolFinished end) {
        ToolResult result = end.result();
        boolean skipped =
                result.kind() == ToolResult.Kind.DENIED || result.kind() == ToolResult.Kind.SKIPPED;
        return new ActEvent.ToolResult(
                end.call().name(),
                result.isError() ? null : result.text(),
                result.isError() && !skipped ? result.text() : null,
                skipped,
                skipped ? result.text() : null,
                end.took(),
                end.call().id());
    }

    /** A limit or a hook ended the run: no failure, but the last thing that is said. */
    void stopped(LoopException why) {
        out.put(new ActEvent.Assistant(String.valueOf(why.getMessage()), true, messageId));
    }
}
