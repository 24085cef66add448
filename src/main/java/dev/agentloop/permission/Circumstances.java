package dev.agentloop.permission;

import dev.agentloop.storage.Roots;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;

/**
 * What the default policy must know of a run.
 *
 * @param commands whether commands are confined; found out when it is first asked
 * @param roots the workspace, and the folders that the person has added to it
 * @param home the user's home folder
 * @param readable real paths of folders outside the workspace that may be read without a question
 * @param own real paths of this program's configuration, state and caches
 * @param network whether the user gave the network to all commands, and so to every fetch
 * @param destroy whether destructive commands may run unattended, in a trusted workspace
 */
public record Circumstances(
        Supervision use,
        Supplier<Confinement> commands,
        Roots roots,
        Path home,
        List<Path> readable,
        List<Path> own,
        boolean network,
        boolean destroy) {
    public Circumstances {
        readable = List.copyOf(readable);
        own = List.copyOf(own);
    }

    /** Real path of the workspace. */
    public Path root() {
        return roots.main();
    }

    /**
     * What rules that restrict may call a file: its usual name, and in an added folder also the one
     * as seen from there.
     */
    List<String> names(Path path) {
        String shown = JudgedCall.shown(root(), path);
        return roots.isAdded(path)
                ? List.of(shown, JudgedCall.shown(roots.around(path), path))
                : List.of(shown);
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
                use,
                () -> Confinement.UNCONFINED,
                Roots.only(root),
                root,
                List.of(),
                List.of(),
                false,
                false);
    }
}
