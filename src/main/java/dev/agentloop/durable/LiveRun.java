package dev.agentloop.durable;

import dev.agentloop.durable.gate.WaitRequest;
import java.util.Optional;

/**
 * A run that works on a task now, seen by its worker.
 *
 * <p><b>Contract.</b> After {@link Event#ASKS} and {@link Event#ACTS} the run waits until {@link
 * #go}, after {@link Event#WAITS} until {@link #answer}. Safe from one thread, but {@link #kill}
 * from any.
 */
interface LiveRun {
    /** What a run tells. */
    enum Event {
        /** It wants to ask the model: nothing is under way, a good moment to hand over. */
        ASKS,
        /** It wants to do something that has effects: what it intends must be stored before. */
        ACTS,
        /** It waits for a time or a signal, see {@link #wish}. */
        WAITS,
        /** Its journal has grown. */
        WROTE,
        /** Its process has ended. */
        ENDED,
        /** Nothing within the time. */
        NOTHING
    }

    /** The next event; waits at most so long. */
    Event next(long millis);

    /** What its journal has got since this was asked last. */
    Optional<SessionPart> collect();

    void go();

    /** What it waits for; after {@link Event#WAITS}. */
    WaitRequest wish();

    /** Ends its waiting: the line that {@link Tasks#await} gives. */
    void answer(String line);

    /** How it ended; after {@link Event#ENDED}. */
    Outcome outcome();

    /** Ends it at once, and what it has started; returns when it has ended. */
    void kill();
}
