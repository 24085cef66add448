package dev.agentloop.verification;

import java.util.Locale;

/**
 * What the last check behind the last change of a run said.
 *
 * @param by the command or the check; empty if there was none
 */
public record Verification(State state, String by) {
    /** Nothing was checked. */
    public static final Verification NONE = new Verification(State.NONE, "");

    /** What a check said. */
    public enum State {
        PASSED,
        FAILED,
        /** There was none, or nobody can tell from its output. */
        NONE;

        /** As in results. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
