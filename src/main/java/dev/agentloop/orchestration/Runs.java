package dev.agentloop.orchestration;

import dev.agentloop.control.Cancellation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Starts runs, and commands under the same policy.
 *
 * <p><b>Contract.</b> Blocks until the run has ended. When the cancellation falls, the run is told
 * to end and gives what it has. Safe from any thread; never throws for what a run does.
 */
public interface Runs {
    RunOutcome run(RunOrder order, Cancellation cancellation);

    /** Whether there is time for another run; where there is not, the cancellation has fallen. */
    default boolean hasTime(Cancellation cancellation) {
        return !cancellation.isCancelled();
    }

    /**
     * Runs a command as the model would: in the same sandbox, allowed because the user wrote it.
     *
     * @param options words of {@code agent run} that shape policy and sandbox
     */
    CheckOutcome check(
            String command,
            List<String> options,
            Path workspace,
            Duration timeout,
            Cancellation cancellation);

    /**
     * How a check ended.
     *
     * @param exitCode -1 when the command was not run, or did not end by itself
     * @param output its end, with what kept it from running
     */
    record CheckOutcome(String command, int exitCode, String output) {
        public boolean passed() {
            return exitCode == 0;
        }
    }
}
