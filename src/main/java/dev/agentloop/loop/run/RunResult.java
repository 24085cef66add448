package dev.agentloop.loop.run;

import dev.agentloop.evaluation.Evaluation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a run ended and what it says.
 *
 * @param text the final text; of an unfinished run its summary, or one line that says why it ended
 * @param steps completed model replies, the closing call not counted
 * @param failedChecks names of required checks that still failed in the end
 * @param evaluation null when nobody judged the work
 */
public record RunResult(
        StopReason stopReason,
        String text,
        int steps,
        List<String> failedChecks,
        @Nullable Evaluation evaluation) {
    public RunResult {
        failedChecks = List.copyOf(failedChecks);
    }

    /** The end of a run whose work nobody judged. */
    public RunResult(StopReason stopReason, String text, int steps, List<String> failedChecks) {
        this(stopReason, text, steps, failedChecks, null);
    }

    /** The end of a run that no check found fault with. */
    public RunResult(StopReason stopReason, String text, int steps) {
        this(stopReason, text, steps, List.of());
    }

    public RunResult withEvaluation(Evaluation judged) {
        return new RunResult(stopReason, text, steps, failedChecks, judged);
    }

    /** How far it got, strict denials aside. */
    public Status status() {
        boolean judgedUndone = evaluation != null && !evaluation.passed();
        boolean undone = !failedChecks.isEmpty() || judgedUndone;
        return undone && stopReason == StopReason.LLM_DONE ? Status.PARTIAL : stopReason.status();
    }
}
