package dev.agentloop.config.source;

/**
 * Where a value came from.
 *
 * @param text for people: {@code /path/config.yaml:3}, {@code AGENT_MODEL}, {@code --max-steps}
 */
public record Origin(Kind kind, String text) {
    public static final Origin BUILT_IN = new Origin(Kind.BUILT_IN, "built-in");

    /** The layers, the later wins. */
    public enum Kind {
        BUILT_IN,
        USER_FILE,
        PROJECT_FILE,
        CONFIG_FILE,
        ENVIRONMENT,
        OPTION;

        /** Whether the value was said for this one invocation, not for all runs. */
        public boolean isInvocation() {
            return this == ENVIRONMENT || this == OPTION;
        }

        public boolean isFile() {
            return this == USER_FILE || this == PROJECT_FILE || this == CONFIG_FILE;
        }
    }

    /** The origin of a list to which {@code later} added something. */
    Origin and(Origin later) {
        return kind == Kind.BUILT_IN ? later : new Origin(later.kind, text + " + " + later.text);
    }
}
