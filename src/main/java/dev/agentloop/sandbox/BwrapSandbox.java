package dev.agentloop.sandbox;

import dev.agentloop.sandbox.git.GitProcess;
import dev.agentloop.sandbox.git.settings.SubmoduleSettings;
import dev.agentloop.sandbox.kernel.LoopbackNetwork;
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
 * are out of sight, and there is no network unless it was granted.
 */
public final class BwrapSandbox implements Sandbox {
    /**
     * Opens the files and becomes bubblewrap, which knows them by number: 7 is for its own report,
     * 8 where the shell inside tells what happens, 9 the system call filter. 6 is the input of the
     * command.
     */
    private static final String OUTER =
            "exec 7>\"$1\" 8>\"$2\" 9<\"$3\" 6<\"$4\"; shift 4; exec \"$@\"";

    /**
     * Reads its order, tells that it starts, runs the command, tells what it left behind: by its
     * name where there is no command line, as in the moment in which one program replaces another.
     * What has ended and only waits to be asked how does not count. A signal to end is the
     * command's: this shell waits for it, and a good second for what it started, because with this
     * shell all others would be killed at once. Whoever sent the signal is patient for two: what is
     * left must be named before.
     */
    private static final String INNER =
            """
            agent_told=
            trap 'agent_told=yes' TERM
            agent_ordered=
            unset agent_input
            . /dev/stdin
            [ "$agent_ordered" = whole ] || exit
            exec <&6 6<&-
            unset agent_ordered
            echo started >&8
            ulimit -c 0
            if [ -n "${agent_input+told}" ]; then
              printf %s "$agent_input" 8>&- | "$@" 8>&-
            else
              "$@" 8>&-
            fi
            code=$?
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

    private static final Path NO_INPUT = Path.of("/dev/null");
    private static final String NAME = "sandbox"; // of both shells in lists of processes

    private final Path program;
    private final Boundaries boundaries;
    private final AtomicInteger count = new AtomicInteger();
    private final RunRecord record;
    private final MountedPlaceholders placeholders;
    private final Watches watches;
    private final LoopbackNetwork loopback;
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
        this.placeholders = new MountedPlaceholders(record);
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
    public Confined confine(Order order, Path folder) throws IOException {
        boolean network = order.network() || boundaries.network();
        Path fifo = order.fifo();
        BwrapCell cell = cell(network, folder, fifo == null ? NO_INPUT : fifo);
        try {
            return cell.command(order);
        } catch (IOException | RuntimeException e) {
            cell.discard();
            throw e;
        }
    }

    /** A command that wants more of the network than the others has to wait for a cell. */
    @Override
    public Optional<PreparedSandbox> prepare(Path folder) throws IOException {
        return Optional.of(cell(boundaries.network(), folder, NO_INPUT));
    }

    private BwrapCell cell(boolean network, Path folder, Path input) throws IOException {
        BwrapMounts all = mounts(folder);
        int number = count.incrementAndGet();
        Path info = folder.resolve("sandbox-" + number + "-info");
        Path status = folder.resolve("sandbox-" + number);
        MountedPlaceholders.Held held = placeholders.hold(all::now, folder.resolve("placeholders"));
        List<String> argv = new ArrayList<>();
        argv.addAll(List.of("/bin/sh", "-c", OUTER, NAME, info.toString(), status.toString()));
        argv.addAll(List.of(folder.resolve("filter").toString(), input.toString()));
        Optional<List<String>> shared = network ? Optional.empty() : loopback.entrance();
        shared.ifPresent(argv::addAll);
        argv.add(program.toString());
        argv.addAll(namespaces(network || shared.isPresent()));
        argv.addAll(held.now().arguments());
        argv.addAll(List.of("--chdir", "/", "--", "/bin/sh", "-c", INNER, NAME));
        return new BwrapCell(
                argv,
                network,
                variables(network),
                status,
                info,
                held,
                () -> placeholders.now(all::now),
                watches,
                this::gitSettings);
    }

    @Override
    public void close() {
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
            Files.write(folder.resolve("filter"), filter);
            Files.createDirectory(
                    folder.resolve("tmp"),
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rwx------")));
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
                                "--seccomp",
                                "9",
                                "--unshare-user",
                                "--unshare-pid",
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
