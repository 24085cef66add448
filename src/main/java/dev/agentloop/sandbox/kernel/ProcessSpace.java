package dev.agentloop.sandbox.kernel;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The processes of commands in the background and of those that run meanwhile: they see and can end
 * each other. It is there from the start of the first until no command is left in it; then the
 * kernel ends whatever a command has left behind, all at once.
 *
 * <p>Whoever comes in is out of reach of those within until it is confined like them: before that
 * it has rights that they lack, and the kernel lets nobody look into a process that may do more.
 * The keeper keeps such a right for good.
 */
public final class ProcessSpace implements AutoCloseable {
    private static final String OPENS = "exec 5<\"$1\" 4<\"$2\"; shift 2; exec \"$@\"";

    /** Children that nobody waits for are the first process's; this one need not wait for them. */
    private static final List<String> KEEPER =
            List.of("/usr/bin/env", "--ignore-signal=CHLD", "/bin/cat");

    /** Programs and libraries that bubblewrap shows the keeper, so that cat can start there. */
    private static final List<String> SYSTEM =
            List.of("/bin", "/lib", "/lib64", "/usr/bin", "/usr/lib", "/usr/lib64");

    private final Path program;
    private final Supplier<List<String>> behind;
    private @Nullable NamespaceKeeper keeper;
    private List<String> prefix = List.of();
    private int commands;
    private boolean impossible;

    /**
     * Files that bubblewrap opens to start a command among the processes of this space.
     *
     * @param user file that stands for the user namespace
     * @param processes file that stands for the process space
     */
    public record Entrance(Path user, Path processes) {}

    /**
     * @param program bubblewrap
     * @param behind what it is put behind so that it starts in the network of the run
     */
    public ProcessSpace(Path program, Supplier<List<String>> behind) {
        this.program = program;
        this.behind = behind;
    }

    /**
     * For a command that opens it if nobody has; it must {@link #leave}.
     *
     * @param filter file with the filter of system calls that all have
     * @return empty where the machine cannot: then each command has a space of its own
     */
    public synchronized Optional<Entrance> enter(Path filter) {
        if (commands == 0 && !impossible) {
            open(behind.get(), filter);
        }
        return counted(entrance());
    }

    /**
     * For a command that only joins others, and then must {@link #leave}; empty if there are none.
     */
    public synchronized Optional<Entrance> join() {
        return counted(opened());
    }

    /** As {@link #join}, without coming in. */
    public synchronized Optional<Entrance> opened() {
        return commands == 0 ? Optional.empty() : entrance();
    }

    private Optional<Entrance> counted(Optional<Entrance> entrance) {
        commands += entrance.isPresent() ? 1 : 0;
        return entrance;
    }

    /** Whether a command that comes now is where those in the background are, if there are any. */
    public synchronized boolean isShared() {
        return !impossible && (commands == 0 || entrance().isPresent());
    }

    /** For the end of the run, whoever is left in it. */
    @Override
    public synchronized void close() {
        impossible = true;
        end();
    }

    /** A command has ended. After the last one no process is left. */
    public synchronized void leave() {
        commands--;
        if (commands == 0) {
            end();
        }
    }

    /** It is of no use if somebody has ended the keeper, or that of the network. */
    private Optional<Entrance> entrance() {
        return keeper != null && keeper.isAlive() && prefix.equals(behind.get())
                ? Optional.of(entrance(keeper))
                : Optional.empty();
    }

    private static Entrance entrance(NamespaceKeeper keeper) {
        Path spaces = Path.of("/proc", keeper.pid(), "ns");
        return new Entrance(spaces.resolve("user"), spaces.resolve("pid"));
    }

    private void open(List<String> network, Path filter) {
        prefix = List.copyOf(network);
        List<String> argv = new ArrayList<>(network);
        argv.add(program.toString());
        argv.addAll(List.of("--unshare-user", "--unshare-ipc", "--unshare-uts"));
        argv.addAll(List.of("--proc", "/proc"));
        SYSTEM.forEach(path -> argv.addAll(List.of("--ro-bind-try", path, path)));
        argv.addAll(List.of("--remount-ro", "/"));
        try {
            keeper = NamespaceKeeper.start(argv, Optional.of(filter), KEEPER).orElse(null);
            impossible = keeper == null || !canEnter(keeper);
        } catch (IOException e) {
            impossible = true;
        }
        if (impossible) {
            end();
        }
    }

    private void end() {
        if (keeper != null) {
            keeper.close();
            keeper = null;
        }
    }

    /** An old bubblewrap does not know the options, and a kernel may forbid it. */
    private boolean canEnter(NamespaceKeeper started) throws IOException {
        Entrance entrance = entrance(started);
        List<String> argv = new ArrayList<>(List.of("/bin/sh", "-c", OPENS, "sandbox"));
        argv.addAll(List.of(entrance.user().toString(), entrance.processes().toString()));
        argv.addAll(prefix);
        argv.addAll(List.of(program.toString(), "--userns", "5", "--pidns", "4"));
        argv.addAll(List.of("--ro-bind", "/", "/", "/bin/true"));
        return started.admits(argv);
    }
}
