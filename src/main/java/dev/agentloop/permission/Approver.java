package dev.agentloop.permission;

import dev.agentloop.control.Cancellation;
import dev.agentloop.tool.call.PreparedCall;
import java.util.List;

/**
 * Asks a person about a call.
 *
 * <p><b>Contract.</b> May block for as long as the person thinks; returns {@link Answer.No} at once
 * where there is nobody to ask, and soon after the cancellation falls. One question at a time.
 */
@FunctionalInterface
public interface Approver {
    Answer ask(PreparedCall.Ready<?> ready, Decision decision, Cancellation cancellation);

    /**
     * The same for an edit of which is known how it would change the files.
     *
     * @param planned what it would change; empty if that is not known
     */
    default Answer ask(
            PreparedCall.Ready<?> ready,
            Decision decision,
            List<PlannedChange> planned,
            Cancellation cancellation) {
        return ask(ready, decision, cancellation);
    }

    /** One who asks with all that is known; see the longer {@link Approver#ask}. */
    @FunctionalInterface
    interface Informed {
        Answer ask(
                PreparedCall.Ready<?> ready,
                Decision decision,
                List<PlannedChange> planned,
                Cancellation cancellation);
    }

    /** Asks as the given one does, without planned changes where none are known. */
    static Approver of(Informed informed) {
        return new Approver() {
            @Override
            public Answer ask(
                    PreparedCall.Ready<?> ready, Decision decision, Cancellation cancellation) {
                return informed.ask(ready, decision, List.of(), cancellation);
            }

            @Override
            public Answer ask(
                    PreparedCall.Ready<?> ready,
                    Decision decision,
                    List<PlannedChange> planned,
                    Cancellation cancellation) {
                return informed.ask(ready, decision, planned, cancellation);
            }
        };
    }

    /**
     * How an edit would change a file.
     *
     * @param path as seen from the workspace
     * @param diff unified
     */
    record PlannedChange(String path, String diff) {}

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

        /**
         * Run it as the person has changed it. The policy judges it again: what it denies is
         * denied, and it asks no second time.
         *
         * @param arguments of the call, as JSON text
         */
        record Changed(String arguments) implements Answer {}

        /** Do not run it; {@code feedback} tells the model why and what instead. */
        record No(String feedback) implements Answer {}

        /** Stop the whole run. */
        record Abort() implements Answer {}
    }
}
