package dev.agentloop.permission;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;

/**
 * What the default policy must know of a run.
 *
 * @param commands whether commands are confined; found out when it is first asked
 * @param root real path of the workspace
 * @param home the user's home folder
 * @param readable real paths of folders outside the workspace that may be read without a question
 * @param own real paths of this program's configuration, state and caches
 * @param network whether the user gave the network to all commands, and so to every fetch
 * @param destroy whether destructive commands may run unattended, in a trusted workspace
 */
public record Circumstances(
        Supervision use,
        Supplier<Confinement> commands,
        Path root,
        Path home,
        List<Path> readable,
        List<Path> own,
        boolean network,
        boolean destroy) {
    public Circumstances {
        readable = List.copyOf(readable);
        own = List.copyOf(own);
    }

    /** What keeps commands inside the workspace, if anything does. */
    public enum Confinement {
        /** The operating system confines them to the workspace. */
        CONFINED,
        /** Nothing does, because nothing works here. */
        UNCONFINED,
        /** Nothing does, because the person said so on the command line. */
        OFF_BY_WORD
    }

    /** A run in which nothing is confined and nobody decided anything about the workspace. */
    public static Circumstances plain(Supervision use, Path root) {
        return new Circumstances(
                use, () -> Confinement.UNCONFINED, root, root, List.of(), List.of(), false, false);
    }
}
