package dev.agentloop.library;

import dev.agentloop.event.AgentEvent;
import dev.agentloop.event.EventSink;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Tells a run's events as {@link StreamEvent}s. */
final class StreamEvents implements EventSink {
    private final EventBuffer<StreamEvent> out;
    private final Map<String, String> names = new ConcurrentHashMap<>();

    StreamEvents(EventBuffer<StreamEvent> out) {
        this.out = out;
    }

    @Override
    public void emit(AgentEvent event) {
        switch (event) {
            case AgentEvent.TextDelta(String text) -> out.put(new StreamEvent.TextDelta(text));
            case AgentEvent.ThinkingDelta(String text) ->
                    out.put(new StreamEvent.ThinkingDelta(text));
            case AgentEvent.LlmRetried again ->
                    out.put(
                            new StreamEvent.Retried(
                                    again.code(), again.message(), again.textWithdrawn()));
            case AgentEvent.LlmResponded reply when reply.error() == null ->
                    out.put(new StreamEvent.MessageComplete(reply.text(), reply.toolCalls()));
            case AgentEvent.UsageReported(var _, var usage, var usd) ->
                    out.put(new StreamEvent.Usage(usage.prompt(), usage.output(), usd));
            case AgentEvent.ToolStarted(var call) -> {
                names.put(call.id(), call.name());
                out.put(new StreamEvent.ToolUse(call.id(), call.name(), call.arguments()));
            }
            case AgentEvent.ToolProgress(String id, String message, Integer percent) ->
                    out.put(
                            new StreamEvent.ToolProgress(
                                    id, names.getOrDefault(id, ""), message, percent));
            case AgentEvent.ToolFinished end ->
                    out.put(
                            new StreamEvent.ToolEnd(
                                    end.call().id(),
                                    end.call().name(),
                                    !end.result().isError(),
                                    end.took(),
                                    end.result().text()));
            case AgentEvent.ContextCompacted(long before, long after, var _) ->
                    out.put(new StreamEvent.Compacted(before, after));
            case AgentEvent.Warning(String message) -> out.put(new StreamEvent.Warning(message));
            case AgentEvent.Failed failed when !failed.terminal() ->
                    out.put(new StreamEvent.Warning(failed.message()));
            default -> {} // for people who watch a command, not for a program
        }
    }

    /** The run came to an answer. */
    void done(AgentResult result) {
        out.put(new StreamEvent.Done(result.text(), result.turns(), result.stopReason()));
    }

    /** The run ended without an answer: the reader gets the error as its last event. */
    void failed(LoopException failure) {
        boolean retryable =
                failure instanceof LoopException.Provider provider
                        && provider.failure().isRetryable();
        String message = String.valueOf(failure.getMessage());
        out.put(new StreamEvent.Error(message, failure.code(), retryable));
        done(failure.result());
    }
}
