package dev.agentloop.loop.run;

import java.util.function.Consumer;

/**
 * Accompanies a run from its first moment to its last: hooks, notes of earlier runs, an
 * announcement.
 *
 * <p><b>Contract.</b> Called on the thread of the run. {@link #ended} follows each {@link #begins},
 * also one that threw, with the result as far as there is one.
 */
public interface RunListener {
    /** Before the model is asked for the first time. */
    default void begins(Run run) {}

    /** The run has its result, which no listener changes. */
    default void ended(Run run, RunResult result) {}

    /** One that only hears the beginning. */
    static RunListener atBeginning(Consumer<Run> action) {
        return new RunListener() {
            @Override
            public void begins(Run run) {
                action.accept(run);
            }
        };
    }

    /** One that only hears the end. */
    static RunListener atEnd(Runnable action) {
        return new RunListener() {
            @Override
            public void ended(Run run, RunResult result) {
                action.run();
            }
        };
    }
}
