package dev.agentloop.cli.mcp;

import dev.agentloop.event.AgentEvent;
import dev.agentloop.event.EventSink;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Hands the progress of each call to whoever made it. */
final class CallProgress implements EventSink {
    private final Map<String, Consumer<String>> listeners = new ConcurrentHashMap<>();

    /** From now on until {@link #forget}. */
    void tell(String call, Consumer<String> listener) {
        listeners.put(call, listener);
    }

    void forget(String call) {
        listeners.remove(call);
    }

    @Override
    public void emit(AgentEvent event) {
        if (event instanceof AgentEvent.ToolProgress(String call, String message, Integer _)) {
            Consumer<String> listener = listeners.get(call);
            if (listener != null) {
                listener.accept(message);
            }
        }
    }
}
