package dev.agentloop.sandbox.kernel;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A mount that bubblewrap is told to make.
 *
 * @param source what is mounted, if it is a file or folder of the machine
 * @param target where, as bubblewrap is told it
 * @param realTarget the same without links; in a folder that is covered there are none
 */
public record WantedMount(How how, String source, String target, String realTarget) {
    /** Which option of bubblewrap makes the mount. */
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

    /** Where it may be: which of both, depends on whether a folder on the way is covered. */
    Set<String> places() {
        return new LinkedHashSet<>(List.of(target, realTarget));
    }

    /** With paths as in a {@link MountTable}. */
    WantedMount asBytes() {
        return new WantedMount(
                how,
                MountTable.bytes(source),
                MountTable.bytes(target),
                MountTable.bytes(realTarget));
    }
}
