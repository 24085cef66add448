package dev.agentloop.loop.call;

import dev.agentloop.control.Cause;
import dev.agentloop.loop.run.Run;
import dev.agentloop.message.Message;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The results of all calls of one reply, and what they did to their run besides.
 *
 * @param planned what a dry run has added to its list
 * @param taken calls that count against the cap on calls
 * @param refused whether there was none left for another
 * @param stopped why the run was stopped meanwhile; null if it was not
 */
public record ToolAnswers(
        List<Message.Tool> results,
        List<String> planned,
        int taken,
        boolean refused,
        @Nullable Cause stopped) {
    public ToolAnswers {
        results = List.copyOf(results);
        planned = List.copyOf(planned);
    }

    /** Runs {@code work} and looks at what it does to the run. */
    static ToolAnswers of(Run run, Supplier<List<Message.Tool>> work) {
        int planned = run.planned().size();
        long taken = run.costs().ledger().toolCallsTaken();
        boolean stopped = run.work().isCancelled();
        List<Message.Tool> results = work.get();
        List<String> all = run.planned();
        return new ToolAnswers(
                results,
                all.subList(planned, all.size()),
                (int) (run.costs().ledger().toolCallsTaken() - taken),
                run.costs().ledger().isToolCallRefused(),
                stopped ? null : run.work().cause().orElse(null));
    }

    /** Does to a run what the calls did to the recorded one. */
    void applyTo(Run run) {
        planned.forEach(run::plan);
        int most = Math.min(taken, results.size()); // a cassette may say what it likes
        for (int i = 0; i < most + (refused ? 1 : 0); i++) {
            run.costs().ledger().takeToolCall();
        }
        Optional.ofNullable(stopped).ifPresent(why -> stop(run, why));
    }

    private static void stop(Run run, Cause why) {
        boolean whole =
                why instanceof Cause.Interrupt
                        || why instanceof Cause.Abort
                        || why instanceof Cause.OutputLost;
        (whole ? run.interrupts() : run.work()).cancel(why);
    }
}
