package dev.agentloop.library.run;

import dev.agentloop.event.AgentEvent;
import dev.agentloop.event.EventSink;
import java.util.LinkedHashMap;
import java.util.Map;

/** The calls that have begun and not ended, and how many have ended in this step. */
public final class OpenCalls implements EventSink {
    private final Map<String, String> open = new LinkedHashMap<>();

    @Override
    public synchronized void emit(AgentEvent event) {
        if (event instanceof AgentEvent.ToolStarted(var call)) {
            open.put(call.id(), call.name());
        } else if (event instanceof AgentEvent.ToolFinished end) {
            open.remove(end.call().id());
        }
    }

    /** Name of one of them; empty if there is none. */
    public synchronized String any() {
        return open.isEmpty() ? "" : open.values().iterator().next();
    }
}
