package dev.agentloop.sandbox;

import dev.agentloop.sandbox.git.GitProcess;
import dev.agentloop.sandbox.git.settings.SubmoduleSettings;
import dev.agentloop.sandbox.kernel.LoopbackNetwork;
import dev.agentloop.sandbox.kernel.ProcessPlace;
import dev.agentloop.sandbox.kernel.ProcessSpace;
import dev.agentloop.sandbox.kernel.SeccompFilter;
import dev.agentloop.sandbox.watch.Boundaries;
import dev.agentloop.sandbox.watch.GitFolder;
import dev.agentloop.sandbox.watch.RunRecord;
import dev.agentloop.sandbox.watch.Watches;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Commands in namespaces of their own, made by bubblewrap: the machine is read-only, its processes
 * are out of sight, and there is no network unless it was granted. Commands in the background and
 * those that run meanwhile share their processes.
 */
public final class BwrapSandbox implements Sandbox {
    /**
     * Opens the files and becomes bubblewrap, which knows them by number: 7 is for its own report,
     * 8 where the shell inside tells what happens, 9 the system call filter, 5 and 4 the namespaces
     * that it joins. 6 is the input of the command. From 3 bubblewrap reads a byte once all is
     * mounted, and waits for it: so nothing runs in there before the mounts were compared. Its
     * arguments stand in a file of the shell's words.
     */
    private static final String OUTER =
            "exec 7>\"$1\" 8>\"$2\" 9<\"$3\" 6<\"$4\" 3<&0 5<\"$6\" 4<\"$7\"; . \"$5\"; exec \"$@\"";

    private static final int MOST_WORDS = 1 << 20; // bytes; the kernel takes twice as many

    /**
     * Reads its order, tells that it starts, runs the command, tells what it left behind: by its
     * name where there is no command line, as in the moment in which one program replaces another.
     * What has ended and only waits to be asked how does not count. A signal to end is the
     * command's: this shell waits for it, and a good second for what it started, because with this
     * shell all others would be killed at once. Whoever sent the signal is patient for two: what is
     * left must be named before. Together with other commands it cannot tell whose the others are,
     * and keeps a right that they lack: they cannot look into it, or into what it has mounted,
     * while it waits. Only what it runs, once the mounts were found right, gives that up.
     */
    private static final String INNER =
            """
            agent_place=$1
            agent_told=
            trap 'agent_told=yes' TERM
            agent_ordered=
            unset agent_input
            . /dev/stdin
            [ "$agent_ordered" = whole ] || exit
            exec <&6 6<&- 4<&- 5<&-
            unset agent_ordered
            echo started >&8
            ulimit -c 0
            [ "$agent_place" = alone ] || set -- GIVES_UP_RIGHTS "$@"
            if [ -n "${agent_input+told}" ]; then
              printf %s "$agent_input" 8>&- | "$@" 8>&-
            else
              "$@" 8>&-
            fi
            code=$?
            [ "$agent_place" = alone ] || exit $code
            set -- /proc/[0-9]*
            rounds=0
            while [ -n "$agent_told" ] && [ $# -gt 2 ] && [ $rounds -lt 25 ]; do
              sleep 0.05 2>/dev/null
              rounds=$((rounds + 1))
              set -- /proc/[0-9]*
            done
            if [ $# -gt 2 ]; then
              for one; do
                case ${one#/proc/} in 1 | $$) continue ;; esac
                {
                  left=$(tr '\\0' ' ' <"$one/cmdline")
                  if [ -z "$left" ]; then
                    read -r left <"$one/stat"
                    case $left in *') Z '* | *') X '*) continue ;; esac
                    read -r left <"$one/comm"
                  fi
                  printf '%s\\n' "$left" >&8
                } 2>/dev/null
              done
            fi
            exit $code
            """;

    private static final String FILTER = "filter"; // of system calls, in the folder of the run
    private static final Path NOTHING = Path.of("/dev/null");
    private static final String NAME = "sandbox"; // of both shells in lists of processes

    private final Path program;
    private final Boundaries boundaries;
    private final AtomicInteger count = new AtomicInteger();
    private final RunRecord record;
    private final MountedPlaceholders placeholders;
    private final Watches watches;
    private final LoopbackNetwork loopback;
    private final ProcessSpace processes;
    private @Nullable BwrapMounts mounts;

    /**
     * @param program bubblewrap, not of the workspace
     */
    public BwrapSandbox(Path program, Boundaries boundaries) {
        this(program, boundaries, RunRecord.NONE);
    }

    BwrapSandbox(Path program, Boundaries boundaries, RunRecord record) {
        this.program = program;
        this.boundaries = boundaries;
        this.record = record;
        this.loopback = new LoopbackNetwork(program);
        this.processes = new ProcessSpace(program, () -> behind(boundaries.network()));
        this.placeholders = new MountedPlaceholders(boundaries.roots(), record);
        this.watches = new Watches(boundaries, true, git(), record);
    }

    private GitProcess git() {
        List<String> prefix = new ArrayList<>(List.of(program.toString(), "--unshare-all"));
        prefix.addAll(List.of("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"));
        prefix.addAll(List.of("--cap-drop", "ALL", "--new-session", "--die-with-parent", "--"));
        return new GitProcess(
                boundaries.workspace(),
                boundaries.environment().getOrDefault("PATH", "/usr/bin:/bin"),
                prefix,
                ProcessBuilder::start);
    }

    @Override
    public Tier tier() {
        return Tier.BWRAP;
    }

    @Override
    public boolean isOffline() {
        return !boundaries.network();
    }

    @Override
    public boolean sharesLoopback() {
        return boundaries.network() || loopback.entrance().isPresent();
    }

    @Override
    public boolean sharesProcesses() {
        return processes.isShared();
    }

    /**
     * What is there is looked at before the command joins others, so that no moment is left out.
     */
    @Override
    public Confined confine(Order order, Path folder) throws IOException {
        mounts(folder);
        Watches.Before before = watches.before();
        ProcessPlace place = place(order, folder);
        Optional<BwrapCell> cell = Optional.empty();
        boolean made = false;
        try {
            Path fifo = order.fifo();
            boolean network = order.network() || boundaries.network();
            cell = Optional.of(cell(network, folder, fifo == null ? NOTHING : fifo, place));
            Confined command = cell.get().command(order, false, before);
            made = true;
            return command;
        } finally {
            if (!made) {
                cell.ifPresent(BwrapCell::discard);
                place.leave();
                before.forget();
            }
        }
    }

    /**
     * Who is granted a network that the others do not have shares no processes with them: through
     * its memory they could use it.
     */
    private ProcessPlace place(Order order, Path folder) {
        if (!order.sharesProcesses() || order.network() && !boundaries.network()) {
            return ProcessPlace.alone(processes);
        }
        return order.fifo() == null
                ? ProcessPlace.foreground(processes)
                : ProcessPlace.background(processes, folder.resolve(FILTER));
    }

    /**
     * A command that wants more of the network than the others has to wait for a cell, and so has
     * one beside others: they could stop the shell that waits for it.
     */
    @Override
    public Optional<PreparedSandbox> prepare(Path folder) throws IOException {
        ProcessPlace alone = ProcessPlace.alone(processes);
        return processes.opened().isPresent()
                ? Optional.empty()
                : Optional.of(cell(boundaries.network(), folder, NOTHING, alone));
    }

    /** What bubblewrap is put behind to start in the network of the run. */
    private List<String> behind(boolean network) {
        return network ? List.of() : loopback.entrance().orElse(List.of());
    }

    private BwrapCell cell(boolean network, Path folder, Path input, ProcessPlace place)
            throws IOException {
        BwrapMounts all = mounts(folder);
        String number = "sandbox-" + count.incrementAndGet();
        Path status = folder.resolve(number);
        Path info = folder.resolve(number + "-info");
        Path options = folder.resolve(number + "-options");
        List<String> behind = behind(network);
        MountedPlaceholders.Held held = placeholders.hold(all::now, folder.resolve("placeholders"));
        List<String> bubblewrap = new ArrayList<>(namespaces(network || !behind.isEmpty()));
        bubblewrap.addAll(place.options());
        bubblewrap.addAll(held.now().arguments());
        bubblewrap.addAll(List.of("--chdir", "/"));
        List<String> argv = new ArrayList<>(List.of("/bin/sh", "-c", OUTER, NAME));
        argv.addAll(List.of(info.toString(), status.toString()));
        argv.addAll(List.of(folder.resolve(FILTER).toString(), input.toString()));
        argv.addAll(List.of(options.toString(), place.user().toString()));
        argv.add(place.processes().toString());
        List<String> started = new ArrayList<>(behind);
        started.add(program.toString());
        started.addAll(bubblewrap);
        started.addAll(List.of("--", "/bin/sh", folder.resolve(NAME).toString()));
        started.add(place.isAlone() ? "alone" : "together");
        Files.writeString(options, words(started));
        return new BwrapCell(
                argv,
                network,
                place,
                variables(network),
                new BwrapCell.RunFiles(status, info, options),
                held,
                () -> placeholders.now(all::now),
                watches,
                this::gitSettings);
    }

    private static String words(List<String> argv) throws IOException {
        String words = ShellOrder.words(argv);
        if (words.length() > MOST_WORDS) {
            throw new IOException(
                    "bubblewrap gets too many words ("
                            + argv.size()
                            + "), because too many files are"
                            + " hidden or protected: use a smaller workspace, or --sandbox landlock");
        }
        return words;
    }

    @Override
    public void close() {
        processes.close();
        loopback.close();
    }

    private Map<String, String> variables(boolean network) {
        return boundaries.temporaries(Path.of("/tmp"), network);
    }

    private Map<String, String> gitSettings() {
        Path workspace = boundaries.workspace();
        return GitFolder.of(workspace)
                .map(git -> SubmoduleSettings.variables(workspace, git.store()))
                .orElse(Map.of());
    }

    private synchronized BwrapMounts mounts(Path folder) throws IOException {
        if (mounts == null) {
            record.folder(folder);
            makeFiles(folder);
            mounts = new BwrapMounts(boundaries, folder);
        }
        return mounts;
    }

    /** What all commands of the run share. */
    private static void makeFiles(Path folder) throws IOException {
        byte[] filter =
                SeccompFilter.of(System.getProperty("os.arch"), SeccompFilter.Sockets.INTERNET)
                        .orElseThrow(() -> new IOException("no filter for this machine"));
        try {
            Files.write(folder.resolve(FILTER), filter);
            Files.createDirectory(
                    folder.resolve("tmp"),
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rwx------")));
            Files.writeString(
                    folder.resolve(NAME),
                    INNER.replace(
                            "GIVES_UP_RIGHTS", String.join(" ", ProcessSpace.GIVES_UP_RIGHTS)));
            Files.createFile(folder.resolve("empty"));
            Files.writeString(folder.resolve(BwrapMounts.MAVEN_SETTINGS), "<settings/>\n");
            Files.createFile(
                    folder.resolve("unreadable"),
                    PosixFilePermissions.asFileAttribute(
                            Set.of())); // root has no more rights there
        } catch (FileAlreadyExistsException e) {
            throw new IOException("the run's folder is in use: " + folder, e);
        }
    }

    /**
     * @param network whether it stays in the network that it is started in
     */
    private static List<String> namespaces(boolean network) {
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "--info-fd",
                                "7",
                                "--block-fd",
                                "3",
                                "--seccomp",
                                "9",
                                "--unshare-ipc",
                                "--unshare-uts",
                                "--unshare-cgroup-try",
                                "--cap-drop",
                                "ALL", // else root could remount the machine read-write
                                "--new-session",
                                "--die-with-parent")); // of the one thread that starts all
        if (!network) {
            arguments.add("--unshare-net");
        }
        return arguments;
    }
}
