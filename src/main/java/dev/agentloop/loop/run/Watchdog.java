package dev.agentloop.loop.run;

import dev.agentloop.control.Cause;
import java.util.Optional;
import java.util.function.Predicate;

/** May end a run. The first one that trips names the reason, so the order is the priority. */
@FunctionalInterface
public interface Watchdog {
    Optional<StopReason> check(Run run);

    default Watchdog or(Watchdog next) {
        return run -> check(run).or(() -> next.check(run));
    }

    /** A signal, an abort at a question, or a lost output. */
    static Watchdog interrupt() {
        return run -> run.interrupts().cause().flatMap(Watchdog::interruptReason);
    }

    static Watchdog maxSteps(int limit) {
        return when(run -> run.steps() >= limit, StopReason.MAX_STEPS);
    }

    static Watchdog budget() {
        return when(run -> run.costs().isSpent(), StopReason.BUDGET_EXCEEDED);
    }

    /** The run's deadline; an alarm makes {@link Run#work} fall when it is reached. */
    static Watchdog deadline() {
        return when(
                run -> run.work().cause().filter(Cause.RunDeadline.class::isInstance).isPresent(),
                StopReason.TIMEOUT);
    }

    /** A hook said that the run ends; that makes {@link Run#work} fall as well. */
    static Watchdog hook() {
        return when(
                run -> run.work().cause().filter(Cause.HookStop.class::isInstance).isPresent(),
                StopReason.HOOK_TERMINATED);
    }

    /** A model that goes round in circles and does not heed the warning. */
    static Watchdog loop() {
        return when(run -> run.loop().isStopped(), StopReason.LOOP_DETECTED);
    }

    /** A tool call that there was none left for. */
    static Watchdog toolCalls() {
        return when(run -> run.costs().ledger().isToolCallRefused(), StopReason.MAX_TOOL_CALLS);
    }

    /**
     * The same before a call runs, asked once for each: one that passes takes one of what is left.
     */
    static Watchdog takeToolCall() {
        return when(run -> !run.costs().ledger().takeToolCall(), StopReason.MAX_TOOL_CALLS);
    }

    static Watchdog contextFull(Predicate<Run> criticallyFull) {
        return when(criticallyFull, StopReason.CONTEXT_FULL);
    }

    /** The reason behind a cause that ends the run from outside. */
    static Optional<StopReason> interruptReason(Cause cause) {
        return switch (cause) {
            case Cause.Interrupt _, Cause.Abort _ -> Optional.of(StopReason.USER_INTERRUPT);
            case Cause.OutputLost _ -> Optional.of(StopReason.OUTPUT_LOST);
            case Cause.HookStop _ -> Optional.of(StopReason.HOOK_TERMINATED);
            case Cause.RunDeadline _,
                    Cause.StepDeadline _,
                    Cause.AttemptDeadline _,
                    Cause.BudgetSpent _,
                    Cause.Repetition _,
                    Cause.CloseDeadline _ ->
                    Optional.empty();
        };
    }

    private static Watchdog when(Predicate<Run> tripped, StopReason why) {
        return run -> tripped.test(run) ? Optional.of(why) : Optional.empty();
    }
}
