package dev.agentloop.permission;

import dev.agentloop.control.Cancellation;
import dev.agentloop.tool.Prepared;

/**
 * Asks a person about a call.
 *
 * <p><b>Contract.</b> May block for as long as the person thinks; returns {@link Answer.No} at once
 * where there is nobody to ask, and soon after the cancellation falls. One question at a time.
 */
@FunctionalInterface
public interface Approver {
    Answer ask(Prepared.Ready<?> ready, Decision decision, Cancellation cancellation);

    /** What the person said. */
    sealed interface Answer {
        /** Run it. */
        record Yes() implements Answer {}

        /** Do not run it; {@code feedback} tells the model why and what instead. */
        record No(String feedback) implements Answer {}

        /** Stop the whole run. */
        record Abort() implements Answer {}
    }
}
