package dev.agentloop.loop;

import java.util.List;

/**
 * How a run ended and what it says.
 *
 * @param text the final text; of an unfinished run its summary, or one line that says why it ended
 * @param steps completed model replies, the closing call not counted
 * @param failedChecks names of required checks that still failed in the end
 */
public record RunResult(StopReason stopReason, String text, int steps, List<String> failedChecks) {
    public RunResult {
        failedChecks = List.copyOf(failedChecks);
    }

    /** The end of a run that no check found fault with. */
    public RunResult(StopReason stopReason, String text, int steps) {
        this(stopReason, text, steps, List.of());
    }

    /** How far it got, strict denials aside. */
    public Status status() {
        return failedChecks.isEmpty() ? stopReason.status() : Status.PARTIAL;
    }
}
