package dev.agentloop.library.run;

import dev.agentloop.event.AgentEvent;
import dev.agentloop.event.EventSink;
import dev.agentloop.message.Message;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What the observers of a run's messages have yet to be told. They hear of each message once, when
 * nothing else is going on; one that fails is a warning.
 */
public final class MessageObservers {
    private final List<Consumer<Message>> observers;
    private final EventSink events;
    private final List<Message> waiting = new ArrayList<>();

    public MessageObservers(List<Consumer<Message>> observers, EventSink events) {
        this.observers = observers;
        this.events = events;
    }

    public synchronized void add(Message message) {
        if (!observers.isEmpty()) {
            waiting.add(message);
        }
    }

    /** Those that make a history legal, e.g. a result of a call that was cut. */
    public void addMissing(List<Message> history, List<Message> legal) {
        if (observers.isEmpty()) {
            return;
        }
        Set<Message> known = Collections.newSetFromMap(new IdentityHashMap<>());
        known.addAll(history);
        legal.stream().filter(message -> !known.contains(message)).forEach(this::add);
    }

    /** Hands the messages that came since the last call to the observers. */
    public void tell() {
        for (Message message : take()) {
            observers.forEach(observer -> tell(observer, message));
        }
    }

    private synchronized List<Message> take() {
        List<Message> all = List.copyOf(waiting);
        waiting.clear();
        return all;
    }

    private void tell(Consumer<Message> observer, Message message) {
        try {
            observer.accept(message);
        } catch (RuntimeException | Error e) { // somebody else's code; the run is not its business
            events.emit(new AgentEvent.Warning("an observer of messages failed: " + e));
        }
    }
}
