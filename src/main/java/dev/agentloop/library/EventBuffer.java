package dev.agentloop.library;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Between the thread of a run and whoever reads its events. The run waits while the buffer is full,
 * unless nobody reads any more or the run is to end: then nothing may hold it up.
 */
final class EventBuffer<E> {
    private static final long LOOK_MILLIS = 50;

    private final Queue<E> events = new ArrayDeque<>();
    private final int capacity;
    private BooleanSupplier ending = () -> false;
    private boolean hurried;
    private boolean abandoned;
    private boolean ended;
    private @Nullable RuntimeException trouble;

    EventBuffer(int capacity) {
        this.capacity = capacity;
    }

    /**
     * Before the first {@link #put}.
     *
     * @param ending whether the run is to end; a deadline among what says so. It is looked at and
     *     does not tell: the run would go on before all of it has heard of its end
     */
    synchronized void watch(BooleanSupplier ending) {
        this.ending = ending;
    }

    /** Waits for room. An interrupt does not lose the event; it stays set for whoever minds it. */
    synchronized void put(E event) {
        boolean interrupted = false;
        while (events.size() >= capacity && !hurried && !abandoned) {
            try {
                wait(LOOK_MILLIS);
                hurried |= ending.getAsBoolean();
            } catch (InterruptedException e) {
                interrupted = true;
                hurried = true;
            }
        }
        if (!abandoned) {
            events.add(event);
            notifyAll();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** The run is to end: what it still says is kept, however much it is. */
    synchronized void hurry() {
        hurried = true;
        notifyAll();
    }

    /** Nobody reads any more. */
    synchronized void abandon() {
        abandoned = true;
        events.clear();
        notifyAll();
    }

    /** The writer is done: the reader gets what waits here, then the end. */
    synchronized void end() {
        ended = true;
        notifyAll();
    }

    /** Nothing more comes, and the reader is told why. */
    synchronized void fail(RuntimeException why) {
        trouble = why;
        end();
    }

    /**
     * The next one, waiting for it; null when there is none any more. It stays.
     *
     * @throws RuntimeException what ended it, behind the last one
     */
    synchronized @Nullable E peek() throws InterruptedException {
        while (events.isEmpty() && !ended && !abandoned) {
            wait();
        }
        if (events.isEmpty() && trouble != null && !abandoned) {
            throw trouble;
        }
        return events.peek();
    }

    /** As {@link #peek}, and it is gone. */
    synchronized @Nullable E take() throws InterruptedException {
        E event = peek();
        if (event != null) {
            events.remove();
            notifyAll();
        }
        return event;
    }
}
