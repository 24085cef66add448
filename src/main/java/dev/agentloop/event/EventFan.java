package dev.agentloop.event;

import java.util.List;

/** Hands each event to several sinks, one event at a time whatever thread it comes from. */
public final class EventFan implements EventSink {
    private final List<EventSink> sinks;

    public EventFan(List<EventSink> sinks) {
        this.sinks = List.copyOf(sinks);
    }

    @Override
    public synchronized void emit(AgentEvent event) {
        for (EventSink sink : sinks) {
            sink.emit(event);
        }
    }
}
