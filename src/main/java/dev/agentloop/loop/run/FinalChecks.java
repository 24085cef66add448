package dev.agentloop.loop.run;

import dev.agentloop.control.Cancellation;
import java.time.Duration;
import java.util.List;

/**
 * What is checked when the model says it is done.
 *
 * <p><b>Contract.</b> May block as long as its commands run; ends soon after the cancellation
 * falls. Never throws.
 */
@FunctionalInterface
public interface FinalChecks {
    /** Nothing is checked. */
    FinalChecks NONE = _ -> List.of();

    /** Runs all checks; empty when there is nothing to check. */
    List<Check> run(Cancellation cancellation);

    /** Times that the model may mend what the checks found. */
    default int maxRetries() {
        return 0;
    }

    /**
     * One check.
     *
     * @param exitCode 0: passed; -1: it could not be run to its end
     * @param output for the model and the person
     */
    record Check(String name, boolean required, int exitCode, Duration took, String output) {
        public boolean passed() {
            return exitCode == 0;
        }
    }
}
