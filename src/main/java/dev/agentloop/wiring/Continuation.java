package dev.agentloop.wiring;

import dev.agentloop.loop.Run;
import dev.agentloop.replay.Tape;
import dev.agentloop.session.SavedSession;
import java.time.Duration;
import java.util.Optional;

/** What a run takes over from earlier runs of its session. */
final class Continuation {
    private Continuation() {}

    /**
     * Reads that were cut off are made again, but not with a tape, which has no place for them:
     * then the model asks again. Where a worker keeps the session, all its runs are one task, whose
     * limits count through.
     */
    static void begin(Run run, RunSetup setup, RunSurroundings around) {
        if (around.tape() == Tape.NONE && setup.reopened().isPresent()) {
            run.begin(setup.reopened().get().session().again());
        }
        Optional<SavedSession> earlier = ofTask(setup, around);
        if (earlier.isPresent()) {
            run.countFrom(earlier.get().steps());
            run.costs().ledger().countFrom(earlier.get().toolCalls());
        }
    }

    /**
     * When the run's time began.
     *
     * @param started monotonic nanoseconds at which this process began it
     */
    static long started(long started, RunSetup setup, RunSurroundings around) {
        Optional<SavedSession> earlier = ofTask(setup, around);
        return earlier.isPresent()
                ? started - Duration.ofMillis(earlier.get().millis()).toNanos()
                : started;
    }

    private static Optional<SavedSession> ofTask(RunSetup setup, RunSurroundings around) {
        return around.journal().waiting().isPresent() && setup.reopened().isPresent()
                ? Optional.of(setup.reopened().get().session())
                : Optional.empty();
    }
}
