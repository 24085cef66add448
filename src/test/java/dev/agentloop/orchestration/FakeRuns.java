package dev.agentloop.orchestration;

import dev.agentloop.control.Cancellation;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Runs that end as they are told; keeps how long each was given. */
final class FakeRuns implements Runs {
    final List<@Nullable Duration> given = new ArrayList<>();
    final List<String> checked = new ArrayList<>();
    RunOutcome outcome = ended("llm_done", 0, 1, Duration.ZERO);
    Consumer<Cancellation> meanwhile = _ -> {};

    static RunOutcome ended(String stopReason, int exitCode, int steps, Duration took) {
        String status = exitCode == 0 ? "success" : "partial";
        return new RunOutcome(
                exitCode,
                status,
                stopReason,
                "Its words.",
                "",
                steps,
                BigDecimal.ZERO,
                0,
                took,
                "",
                List.of("changed.txt"),
                WorkDiff.NONE);
    }

    @Override
    public RunOutcome run(RunOrder order, Cancellation cancellation) {
        given.add(order.timeout());
        meanwhile.accept(cancellation);
        return outcome;
    }

    @Override
    public CheckOutcome check(
            String command,
            List<String> options,
            Path workspace,
            Duration timeout,
            Cancellation cancellation) {
        given.add(timeout);
        checked.add(command);
        return new CheckOutcome(command, 1, "");
    }
}
