package dev.agentloop.sandbox.kernel;

import java.util.Arrays;
import java.util.Optional;

/**
 * A mount that bubblewrap is told to make.
 *
 * @param source what is mounted, if it is a file or folder of the machine
 * @param target where
 */
public record WantedMount(How how, String source, String target) {
    /** A kind of mount. */
    public enum How {
        BIND("--bind"),
        READ_ONLY("--ro-bind"),
        EMPTY("--tmpfs"),
        DEVICES("--dev"),
        PROCESSES("--proc");

        private final String option;

        How(String option) {
            this.option = option;
        }

        /** The kind that an option of bubblewrap makes; empty if it makes none. */
        public static Optional<How> of(String option) {
            return Arrays.stream(values()).filter(how -> how.option.equals(option)).findFirst();
        }

        public boolean hasSource() {
            return this == BIND || this == READ_ONLY;
        }
    }

    /** With paths as in a {@link MountTable}. */
    WantedMount asBytes() {
        return new WantedMount(how, MountTable.bytes(source), MountTable.bytes(target));
    }
}
