package dev.agentloop.replay;

import dev.agentloop.llm.LlmException;
import dev.agentloop.loop.run.RunResult;
import dev.agentloop.loop.run.StopReason;
import dev.agentloop.replay.cassette.Difference;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The first place where a run is not the recorded one. Once there is one, there is no other. */
final class Mismatch {
    private final String name;
    private LlmException.@Nullable Unrecorded first;

    /**
     * @param name of the cassette
     */
    Mismatch(String name) {
        this.name = name;
    }

    boolean isFound() {
        return first != null;
    }

    /** What is said of it; empty if there is none. */
    Optional<String> message() {
        return first == null ? Optional.empty() : Optional.of(String.valueOf(first.getMessage()));
    }

    /** Fails again if it has failed. */
    void check() {
        if (first != null) {
            throw first;
        }
    }

    /**
     * The failure to throw.
     *
     * @param step of the run, 0 before the first
     * @param line of the file
     */
    LlmException.Unrecorded of(int step, int line, String asked, Difference difference) {
        if (first == null) {
            first =
                    new LlmException.Unrecorded(
                            "this is not the run of the cassette %s: step %d (line %d), %s: %s is %s, recorded was %s. Record it again with --record if this is what you want."
                                    .formatted(
                                            name,
                                            step,
                                            line,
                                            asked,
                                            difference.field(),
                                            difference.actual(),
                                            difference.expected()));
        }
        return first;
    }

    /** What the run comes to. */
    RunResult result(RunResult result) {
        return first == null || result.text().endsWith(String.valueOf(first.getMessage()))
                ? result
                : new RunResult(
                        StopReason.LLM_ERROR,
                        "Unrecoverable LLM error: " + first.getMessage(),
                        result.steps());
    }
}
