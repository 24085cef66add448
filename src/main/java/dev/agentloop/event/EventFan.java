package dev.agentloop.event;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Hands each event to several sinks, one event at a time whatever thread it comes from. */
public final class EventFan implements EventSink {
    private final List<EventSink> sinks;

    public EventFan(List<EventSink> sinks) {
        this.sinks = new CopyOnWriteArrayList<>(sinks);
    }

    /** One more, for the events from now on. */
    public void add(EventSink sink) {
        sinks.add(sink);
    }

    @Override
    public synchronized void emit(AgentEvent event) {
        for (EventSink sink : sinks) {
            sink.emit(event);
        }
    }
}
