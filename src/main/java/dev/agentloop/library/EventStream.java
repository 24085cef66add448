package dev.agentloop.library;

import dev.agentloop.control.Interrupts;
import java.time.Duration;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * The events of a run that is under way on a thread of its own. At most {@value #CAPACITY} wait to
 * be read: a reader who is slow slows the run down, and one who closes the stream ends it. It is
 * read once, by one thread.
 *
 * <p>A reader who looks away for minutes in the middle of a reply may find that the provider gave
 * the connection up; the reply is then asked for again, which costs.
 *
 * <pre>{@code
 * try (EventStream<StreamEvent> events = agent.runStream("Explain the code.")) {
 *     for (StreamEvent event : events) {
 *         if (event instanceof StreamEvent.TextDelta(String text)) {
 *             show(text);
 *         }
 *     }
 *     AgentResult result = events.result();
 * }
 * }</pre>
 *
 * @param <E> what it tells
 */
public final class EventStream<E> implements Iterable<E>, AutoCloseable {
    static final int CAPACITY = 64;
    private static final Duration PATIENCE = Duration.ofSeconds(10); // tools may need 8 to stop

    private final EventBuffer<E> buffer;
    private final Runnable cancel;
    private final CompletableFuture<AgentResult> result;

    EventStream(EventBuffer<E> buffer, Runnable cancel, CompletableFuture<AgentResult> result) {
        this.buffer = buffer;
        this.cancel = cancel;
        this.result = result;
    }

    /** Reads on from where the last reading ended; waits for what is not there yet. */
    @Override
    public Iterator<E> iterator() {
        return new Reading();
    }

    /** The same for stream operations. */
    public Stream<E> stream() {
        int facts = Spliterator.ORDERED | Spliterator.NONNULL;
        return StreamSupport.stream(Spliterators.spliteratorUnknownSize(iterator(), facts), false)
                .onClose(this::close);
    }

    /**
     * Waits for the end of the run; events that were not read yet are given up.
     *
     * @throws LoopException if the run did not come to an answer
     */
    public AgentResult result() {
        buffer.abandon(); // what nobody reads must not hold the run up
        try {
            return Interrupts.join(result, this::cancel);
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException known) {
                throw known;
            }
            throw e;
        }
    }

    /** Stops the run; what it has said so far, and its end, can still be read. */
    public void cancel() {
        try {
            cancel.run(); // before the run is let go on, or it would say more until it hears of it
        } finally {
            buffer.hurry();
        }
    }

    /** Ends the run if it is under way and waits until it is over, so that another may begin. */
    @Override
    public void close() {
        boolean over = result.isDone();
        try {
            if (!over) {
                cancel.run(); // first, as in cancel()
            }
        } finally {
            buffer.abandon();
        }
        if (over) {
            return;
        }
        try {
            result.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            return; // how it ended is in the result, for who asks
        }
    }

    private interface Read<E> {
        @Nullable E read() throws InterruptedException;
    }

    private @Nullable E reading(Read<E> read) {
        try {
            return read.read();
        } catch (InterruptedException e) {
            cancel();
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for an event", e);
        }
    }

    private final class Reading implements Iterator<E> {
        @Override
        public boolean hasNext() {
            return reading(buffer::peek) != null;
        }

        @Override
        public E next() {
            if (!hasNext()) {
                throw new NoSuchElementException("the stream is over");
            }
            return Objects.requireNonNull(reading(buffer::take));
        }
    }
}
