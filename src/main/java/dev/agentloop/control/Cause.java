package dev.agentloop.control;

/** Why work is being stopped, in the terms of the program, not of the library that noticed it. */
public sealed interface Cause {
    /** A signal asked the run to end; {@code signal} is its name without SIG: INT, TERM, HUP. */
    record Interrupt(String signal) implements Cause {}

    /** The run's wall-clock limit was reached. */
    record RunDeadline() implements Cause {}

    /** One model call took longer than the step limit. */
    record StepDeadline() implements Cause {}

    /** One attempt of a model call took longer than its limit; another may follow. */
    record AttemptDeadline() implements Cause {}

    /** What failed attempts of a model call have cost leaves nothing for another. */
    record BudgetSpent() implements Cause {}

    /** The model said the same thing over and over in one reply. */
    record Repetition() implements Cause {}

    /** The closing call used up its reserve. */
    record CloseDeadline() implements Cause {}

    /**
     * The reader of standard output went away, or it cannot be written; {@code pipe} tells which.
     */
    record OutputLost(boolean pipe) implements Cause {}

    /** A hook ended the run. */
    record HookStop(String hook, String reason) implements Cause {}

    /** A person chose "abort" at a question. */
    record Abort() implements Cause {}
}
