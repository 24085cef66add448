package dev.agentloop.cli.command;

import dev.agentloop.cli.terminal.Streams;
import dev.agentloop.control.Cancellation;
import dev.agentloop.control.Cause;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import sun.misc.Signal;
import sun.misc.SignalHandler;

/**
 * INT, TERM and HUP end the run: the first one stops it gracefully, a second one, or five seconds,
 * at once. The launcher and the terminal may deliver one press twice, so the same signal within a
 * quarter of a second counts once.
 */
public final class Signals implements AutoCloseable {
    private static final long SAME_PRESS_NANOS = 250_000_000L; // stack measurements, bootstrap
    private static final long GRACE_MILLIS = 5_000; // the longest that a person waits for an end
    private static final long NONE = 0; // the first signal is the end
    private static final long UNBOUNDED = Long.MAX_VALUE; // only a second one hurries
    private static final long OTHER_KIND_NANOS = 1_000_000_000L; // the launcher is done by then
    private static final long LAST_WORDS_MILLIS = 1_000; // for killing children and one result
    private static final long OWN_END_MILLIS = 500; // before these, for a run without children

    private static volatile boolean programToEnd;
    private static volatile boolean pressedEarly; // Ctrl-C, between two runs

    private final Cancellation interrupts;
    private final Consumer<String> told;
    private final ForcedEnd forced;
    private final long graceMillis;
    private final Map<Signal, SignalHandler> previous = new LinkedHashMap<>();
    private long firstAt;
    private String firstName = "";
    private boolean pressed;
    private volatile boolean closed;

    /** What is done when the run does not end by itself. */
    public interface ForcedEnd {
        /** So that nothing outlives the program, and a run that waits for them goes on. */
        void killChildren();

        /** Reports the result in the place of the run; nothing where none is promised. */
        default void lastWords() {}
    }

    private Signals(
            Cancellation interrupts, Consumer<String> told, ForcedEnd forced, long graceMillis) {
        this.interrupts = interrupts;
        this.told = told;
        this.forced = forced;
        this.graceMillis = graceMillis;
    }

    /**
     * Until closed, what ends the program ends it at once; Ctrl-C stops the run that begins next,
     * or nothing if a line is typed before.
     */
    public static Signals betweenRuns(Cancellation interrupts, Streams streams, ForcedEnd forced) {
        Signals signals = new Signals(interrupts, streams::printError, forced, NONE);
        signals.take("TERM");
        signals.take("HUP");
        return signals.takeAs("INT", _ -> interruptLater());
    }

    /** As if Ctrl-C were pressed when the next run has begun. */
    public static void interruptLater() {
        pressedEarly = true;
    }

    /** What was pressed before does not count any more. */
    public static void forgetInterrupt() {
        pressedEarly = false;
    }

    /** Takes over the signals until closed. */
    public static Signals install(Cancellation interrupts, Streams streams, ForcedEnd forced) {
        return install(interrupts, signal -> streams.printError(stopping(signal)), forced);
    }

    /**
     * The same where something else than the log is on the screen.
     *
     * @param told tells the person that this signal, such as SIGINT, stops the run
     */
    public static Signals install(
            Cancellation interrupts, Consumer<String> told, ForcedEnd forced) {
        Signals signals = new Signals(interrupts, told, forced, GRACE_MILLIS).takeAll();
        if (pressedEarly) {
            pressedEarly = false;
            signals.interrupt();
        }
        return signals;
    }

    /** Where there is nothing to stop gracefully, as before a run: the first signal ends it. */
    public static Signals endAtOnce(Cancellation interrupts, Streams streams, ForcedEnd forced) {
        return new Signals(interrupts, streams::printError, forced, NONE).takeAll();
    }

    /** Where others are stopped, each within its own time, and what they did is then kept. */
    public static Signals patient(Cancellation interrupts, Streams streams, ForcedEnd forced) {
        return new Signals(
                        interrupts,
                        signal -> streams.printError(stopping(signal)),
                        forced,
                        UNBOUNDED)
                .takeAll();
    }

    /** What is said of a signal, such as SIGINT, on a line of its own. */
    public static String stopping(String signal) {
        return "\n" + signal + ": stopping (once more to stop at once)\n";
    }

    private Signals takeAll() {
        for (String name : new String[] {"INT", "TERM", "HUP"}) {
            take(name);
        }
        return this;
    }

    /**
     * From now on its signals mean nothing: the run has begun, or is over with a code of its own.
     */
    public synchronized void dismiss() {
        closed = true;
        notifyAll();
    }

    /** The signal that a cancellation came from, without SIG; empty if it was none. */
    public static String nameOf(Cancellation interrupts) {
        return interrupts.cause().orElse(null) instanceof Cause.Interrupt(String name) ? name : "";
    }

    /** Leaves the signals alone: nothing is taken over, so nothing is ever forced. */
    public static Signals none() {
        return new Signals(new Cancellation(), _ -> {}, Unforced.INSTANCE, GRACE_MILLIS);
    }

    private enum Unforced implements ForcedEnd {
        INSTANCE;

        @Override
        public void killChildren() {}
    }

    @Override
    public synchronized void close() {
        closed = true;
        notifyAll();
        previous.forEach(Signal::handle);
        previous.clear();
    }

    private void take(String name) {
        var _ = takeAs(name, this::received);
    }

    private Signals takeAs(String name, SignalHandler handler) {
        try {
            Signal signal = new Signal(name);
            previous.put(signal, Signal.handle(signal, handler));
        } catch (IllegalArgumentException e) {
            return this; // not on this system, or the parent has us ignore it; TERM still works
        }
        return this;
    }

    /** As if Ctrl-C were pressed. */
    public void interrupt() {
        received(new Signal("INT"));
    }

    /** Lets a library take Ctrl-C while it works; then whoever had it has it again. */
    public static <T> T lendInterrupt(Supplier<T> work) {
        Signal interrupt = new Signal("INT");
        // not to be ignored meanwhile: a library leaves a signal alone that it finds ignored
        SignalHandler before = Signal.handle(interrupt, _ -> {});
        try {
            return work.get();
        } finally {
            Signal.handle(interrupt, before);
        }
    }

    /** Takes Ctrl-C again, after a library has given it back to the system. */
    public void takeInterruptAgain() {
        Signal.handle(new Signal("INT"), this::received);
    }

    /** Whether the whole program has been told to end, perhaps after a Ctrl-C for one run of it. */
    public static boolean isProgramToEnd() {
        return programToEnd;
    }

    private void received(Signal signal) {
        programToEnd |= !signal.getName().equals("INT");
        if (graceMillis == NONE) {
            endUnlessDismissed(signal);
            return;
        }
        Press press = press(signal);
        if (press == Press.SECOND) {
            endSoon();
        }
        if (press != Press.FIRST) {
            return;
        }
        interrupts.cancel(new Cause.Interrupt(signal.getName())); // before any write that may block
        if (graceMillis != UNBOUNDED) {
            later(graceMillis - OWN_END_MILLIS, this::endSoon);
        }
        told.accept("SIG" + signal.getName());
    }

    private synchronized void endUnlessDismissed(Signal signal) {
        if (!closed) {
            interrupts.cancel(new Cause.Interrupt(signal.getName()));
            end();
        }
    }

    private enum Press {
        FIRST,
        ECHO,
        SECOND
    }

    /**
     * Another kind of signal is no second press: the launcher adds TERM to an INT. Where nothing
     * but a second one bounds the end, a late one is: somebody else is out of patience.
     */
    private synchronized Press press(Signal signal) {
        long now = System.nanoTime();
        if (!pressed) {
            pressed = true;
            firstAt = now;
            firstName = signal.getName();
            return Press.FIRST;
        }
        boolean again = firstName.equals(signal.getName());
        boolean late = graceMillis == UNBOUNDED && now - firstAt > OTHER_KIND_NANOS;
        return late || again && now - firstAt > SAME_PRESS_NANOS ? Press.SECOND : Press.ECHO;
    }

    private static void later(long millis, Runnable action) {
        Thread thread =
                new Thread(
                        () -> {
                            try {
                                Thread.sleep(millis);
                            } catch (InterruptedException e) {
                                return;
                            }
                            action.run();
                        },
                        "grace");
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Without its children the run ends by itself as a rule, and its journal is then whole: each
     * call has its result. What is stuck elsewhere is not waited for.
     */
    private void endSoon() {
        later(OWN_END_MILLIS + LAST_WORDS_MILLIS, this::haltUnlessClosed);
        if (graceMillis == UNBOUNDED) {
            forced.lastWords(); // killing many takes long, and these words need no end of theirs
        }
        forced.killChildren();
        if (!endsByItself()) {
            end();
        }
    }

    private synchronized boolean endsByItself() {
        long deadline = System.nanoTime() + OWN_END_MILLIS * 1_000_000;
        while (!closed) {
            long left = (deadline - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                return false;
            }
            try {
                wait(left);
            } catch (InterruptedException e) {
                return false;
            }
        }
        return true;
    }

    private synchronized void end() {
        if (!closed) {
            // The result may wait for a lock or a full pipe; the end must not.
            later(LAST_WORDS_MILLIS, Signals::halt);
            try {
                forced.killChildren();
                if (graceMillis != UNBOUNDED) {
                    forced.lastWords();
                }
            } finally {
                halt();
            }
        }
    }

    private void haltUnlessClosed() {
        if (!closed) {
            halt();
        }
    }

    private static void halt() {
        Runtime.getRuntime().halt(ExitCode.INTERRUPTED.code());
    }
}
