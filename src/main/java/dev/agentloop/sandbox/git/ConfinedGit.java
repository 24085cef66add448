package dev.agentloop.sandbox.git;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Runs git with the rights of a command, on a store that commands may have written. */
@FunctionalInterface
public interface ConfinedGit {
    /** What git says about what it was asked to check. */
    enum Answer {
        GOOD,
        BAD,
        /** It did not start, did not end in time, or was stopped: nothing is known. */
        NONE
    }

    /** Waits no longer than that. */
    Answer check(Path store, List<String> arguments, Duration longest);
}
