package dev.agentloop.search;

import dev.agentloop.control.Cancellation;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Ends a search in time: by the clock or because the run is being stopped. */
public final class SearchDeadline {
    private static final int CHARS_BETWEEN_CHECKS = 4_096; // about 10 µs of matching
    private static final int FEW_CHECKS = 10_000; // a tenth of a second of matching
    private static final int LONG_TEXT = 16_384; // .*x may go through one from each place

    private static final long WAIT_MILLIS = 100; // between looks at the clock

    private final long end;
    private final Cancellation cancellation;

    public SearchDeadline(Duration limit, Cancellation cancellation) {
        this.end = System.nanoTime() + limit.toNanos();
        this.cancellation = cancellation;
    }

    /** Throws {@link Passed} when the search must stop. */
    public void check() {
        if (System.nanoTime() - end > 0 || cancellation.isCancelled()) {
            throw new Passed();
        }
    }

    /**
     * Waits for what another thread does, until the search must stop.
     *
     * @throws ExecutionException with what that thread has thrown
     */
    public <T> T await(Future<T> work) throws ExecutionException {
        while (true) {
            try {
                return work.get(WAIT_MILLIS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                check();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new Passed();
            }
        }
    }

    /** Of the run; a program that searches for us ends with it. */
    public Cancellation cancellation() {
        return cancellation;
    }

    /** What is left, at least a millisecond. */
    public Duration left() {
        return Duration.ofNanos(Math.max(1_000_000, end - System.nanoTime()));
    }

    /**
     * The same text, which throws {@link Passed} out of a match when the time is up, and {@link
     * TooSlow} when this one text takes too much of it.
     */
    public CharSequence guard(CharSequence text) {
        return new Guarded(text, this);
    }

    /** The time is up; what was found until then is still good. */
    public static class Passed extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Passed() {
            this("the search took too long");
        }

        Passed(String message) {
            super(message, null, false, false);
        }
    }

    /** An expression goes through one text again and again; other texts may do. */
    public static final class TooSlow extends Passed {
        private static final long serialVersionUID = 1L;

        TooSlow() {
            super("the expression takes too long for a text");
        }
    }

    private static final class Guarded implements CharSequence {
        private final CharSequence text;
        private final SearchDeadline deadline;
        private int reads;
        private final long mostChecks;
        private int checks;

        Guarded(CharSequence text, SearchDeadline deadline) {
            this.text = text;
            this.deadline = deadline;
            long length = Math.min(text.length(), LONG_TEXT);
            this.mostChecks = FEW_CHECKS + length * length / CHARS_BETWEEN_CHECKS;
        }

        @Override
        public char charAt(int index) {
            if (++reads == CHARS_BETWEEN_CHECKS) {
                reads = 0;
                deadline.check();
                if (++checks > mostChecks) {
                    throw new TooSlow();
                }
            }
            return text.charAt(index);
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.subSequence(start, end);
        }

        @Override
        public String toString() {
            return text.toString();
        }
    }
}
