package dev.agentloop.event;

/**
 * Takes the events of a run.
 *
 * <p><b>Contract.</b> Called from the loop's thread and from tool threads, never concurrently (the
 * {@link EventFan} serialises). Must not block for long; may throw only to say that output is lost.
 */
@FunctionalInterface
public interface EventSink {
    void emit(AgentEvent event);
}
