package dev.agentloop.sandbox.kernel;

import java.io.IOException;
import java.nio.file.Files;
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
 * <p>Whoever comes in can be stopped by those within from the first moment, and they can change the
 * tree while bubblewrap mounts it. But they cannot look into it: bubblewrap leaves it a right that
 * they lack, and the kernel lets nobody look into a process that has more rights. Only the command
 * gives this right up, and it starts when what is mounted was found right. The keeper keeps such a
 * right for good.
 */
public final class ProcessSpace implements AutoCloseable {
    /** Options of bubblewrap, which finds the two files by their numbers. */
    static final List<String> JOINS =
            List.of("--userns", "5", "--pidns", "4", "--cap-add", "CAP_SETPCAP");

    private static final Path RIGHTS_TOOL = Path.of("/usr/bin/setpriv");

    /** A program that drops the right of {@link #JOINS}, and becomes the next one. */
    public static final List<String> GIVES_UP_RIGHTS =
            List.of(
                    RIGHTS_TOOL.toString(),
                    "--bounding-set=-all",
                    "--inh-caps=-all",
                    "--ambient-caps=-all",
                    "--");

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
    private int slow; // trials that took too long
    private boolean impossible = !Files.isExecutable(RIGHTS_TOOL);

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
            impossible = keeper == null ? ++slow == NamespaceKeeper.MOST_SLOW : !canEnter(keeper);
        } catch (IOException e) {
            impossible = true;
        }
        if (impossible || keeper == null) {
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
        argv.addAll(List.of(program.toString(), "--cap-drop", "ALL"));
        argv.addAll(JOINS);
        argv.addAll(List.of("--ro-bind", "/", "/", "--"));
        argv.addAll(GIVES_UP_RIGHTS);
        argv.add("/bin/true");
        return started.admits(argv);
    }
}
