package dev.agentloop.sandbox.kernel;

import dev.agentloop.sandbox.kernel.ProcessSpace.Entrance;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Where the processes of one command are: alone, or among those of commands in the background.
 *
 * @param space that of the commands in the background
 * @param entrance how bubblewrap gets there; empty if the command is alone
 */
public record ProcessPlace(ProcessSpace space, Optional<Entrance> entrance) {
    private static final Path NOTHING = Path.of("/dev/null");

    /** Out of sight of all others. */
    public static ProcessPlace alone(ProcessSpace space) {
        return new ProcessPlace(space, Optional.empty());
    }

    /**
     * For a command in the background.
     *
     * @param filter file with the filter of system calls
     */
    public static ProcessPlace background(ProcessSpace space, Path filter) {
        return new ProcessPlace(space, space.enter(filter));
    }

    /** For a command that sees those in the background, if there are any. */
    public static ProcessPlace foreground(ProcessSpace space) {
        return new ProcessPlace(space, space.join());
    }

    /** The command has ended, or did not start. */
    public void leave() {
        entrance.ifPresent(_ -> space.leave());
    }

    /** Whether no other command is where its processes are: then all of them end with it. */
    public boolean isAlone() {
        return entrance.isEmpty();
    }

    /** Options of bubblewrap; it finds the files by the numbers 5 and 4. */
    public List<String> options() {
        return isAlone() ? List.of("--unshare-user", "--unshare-pid") : ProcessSpace.JOINS;
    }

    /** File that stands for the user namespace. */
    public Path user() {
        return entrance.map(Entrance::user).orElse(NOTHING);
    }

    /** File that stands for the process space. */
    public Path processes() {
        return entrance.map(Entrance::processes).orElse(NOTHING);
    }
}
