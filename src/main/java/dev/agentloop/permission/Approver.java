package dev.agentloop.permission;

import dev.agentloop.control.Cancellation;
import dev.agentloop.tool.call.PreparedCall;

/**
 * Asks a person about a call.
 *
 * <p><b>Contract.</b> May block for as long as the person thinks; returns {@link Answer.No} at once
 * where there is nobody to ask, and soon after the cancellation falls. One question at a time.
 */
@FunctionalInterface
public interface Approver {
    Answer ask(PreparedCall.Ready<?> ready, Decision decision, Cancellation cancellation);

    /** How long a yes holds. */
    enum Lasting {
        ONCE,
        /** Until the run ends. */
        SESSION
    }

    /** What the person said. */
    sealed interface Answer {
        /** Run it, and what {@link Decision#always} names from now on, if the person said so. */
        record Yes(Lasting lasting) implements Answer {
            /** This one call. */
            public Yes() {
                this(Lasting.ONCE);
            }
        }

        /** Do not run it; {@code feedback} tells the model why and what instead. */
        record No(String feedback) implements Answer {}

        /** Stop the whole run. */
        record Abort() implements Answer {}
    }
}
