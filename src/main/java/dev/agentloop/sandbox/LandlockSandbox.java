package dev.agentloop.sandbox;

import dev.agentloop.control.HeldStarts;
import dev.agentloop.sandbox.git.GitProcess;
import dev.agentloop.sandbox.home.GitCopy;
import dev.agentloop.sandbox.home.HomeView;
import dev.agentloop.sandbox.kernel.CallGuard;
import dev.agentloop.sandbox.kernel.LoopbackServers;
import dev.agentloop.sandbox.kernel.SeccompFilter;
import dev.agentloop.sandbox.kernel.SystemCalls;
import dev.agentloop.sandbox.watch.Boundaries;
import dev.agentloop.sandbox.watch.HiddenPaths;
import dev.agentloop.sandbox.watch.RunRecord;
import dev.agentloop.sandbox.watch.Watches;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Commands started by a thread that has given up its own rights for good: they inherit that. For
 * machines on which bubblewrap cannot start. Control files within the workspace cannot be covered
 * here, so what commands do to them is found afterwards.
 */
public final class LandlockSandbox implements Sandbox {
    private static final Path YAMA = Path.of("/proc/sys/kernel/yama/ptrace_scope");

    private final Boundaries boundaries;
    private final RunRecord record;
    private @Nullable List<Path> needed;
    private final Watches watches;
    private final Map<Kind, Spawner> spawners = new HashMap<>();
    private final LoopbackServers servers = new LoopbackServers();
    private final AtomicInteger running = new AtomicInteger();
    private Set<Path> told = Set.of();

    public LandlockSandbox(Boundaries boundaries) {
        this(boundaries, RunRecord.NONE);
    }

    LandlockSandbox(Boundaries boundaries, RunRecord record) {
        this.boundaries = boundaries;
        this.record = record;
        GitProcess git =
                new GitProcess(
                        boundaries.workspace(),
                        boundaries.environment().getOrDefault("PATH", "/usr/bin:/bin"),
                        List.of(),
                        this::start);
        this.watches = new Watches(boundaries, false, git, record);
    }

    /** Why this machine has none; empty if it may work. */
    public static Optional<String> trouble() {
        boolean linux = System.getProperty("os.name").equals("Linux");
        if (!linux || SystemCalls.here().isEmpty()) {
            return Optional.of("Landlock needs Linux on x86-64 or arm64");
        }
        Optional<String> unreadable = yama(YAMA);
        if (unreadable.isPresent()) {
            return unreadable;
        }
        try {
            int version = LandlockRules.version();
            return version > 0
                    ? Optional.empty()
                    : Optional.of("the kernel has no Landlock (Linux 5.13 or newer, lsm=landlock)");
        } catch (IOException e) {
            return Optional.of("Landlock cannot be used: " + e.getMessage());
        }
    }

    /** Where nobody may look at another process the guard of file changes could do nothing. */
    static Optional<String> yama(Path scope) {
        String value;
        try {
            value = Files.readString(scope).strip();
        } catch (IOException e) {
            return Optional.empty(); // a kernel without it
        }
        return value.equals("0") || value.equals("1")
                ? Optional.empty()
                : Optional.of(
                        "the kernel lets no process look at another ("
                                + scope
                                + " is "
                                + value
                                + "), so commands could change no file's mode, owner or times:"
                                + " set it to 1 or 0 (sysctl kernel.yama.ptrace_scope=1)");
    }

    /** What this kernel's Landlock is too old for; empty if it is not. */
    static String limits() {
        try {
            return limits(LandlockRules.version());
        } catch (IOException e) {
            return "the version of Landlock is not known: " + e.getMessage();
        }
    }

    static String limits(int version) {
        return version >= LandlockRules.SCOPED
                ? ""
                : "Landlock of this kernel (version "
                        + version
                        + ") does not keep commands from sending signals to your other processes"
                        + " (Linux 6.12 or newer does)";
    }

    @Override
    public Tier tier() {
        return Tier.LANDLOCK;
    }

    @Override
    public boolean isOffline() {
        return !boundaries.network();
    }

    @Override
    public boolean sharesLoopback() {
        return true;
    }

    @Override
    public boolean sharesProcesses() {
        return true;
    }

    @Override
    public Optional<PreparedSandbox> prepare(Path folder) {
        return Optional.empty();
    }

    @Override
    public Confined confine(Order order, Path folder) throws IOException {
        Path tmp = Files.createDirectories(folder.resolve("tmp")).toRealPath();
        record.folder(folder);
        boolean network = order.network() || boundaries.network();
        SeccompFilter.Sockets sockets =
                network ? SeccompFilter.Sockets.INTERNET : SeccompFilter.Sockets.LOOPBACK;
        HomeView view = HiddenPaths.view(boundaries, needed());
        Map<String, String> variables = boundaries.temporaries(tmp, network);
        Set<Path> given = gitSettings(view.git(), folder, variables);
        LandlockLayout layout = LandlockLayout.of(boundaries, view, given, tmp);
        Kind kind = new Kind(sockets, order.sharesProcesses(), false);
        ExecutorService thread = thread(kind, layout);
        ExecutorService own = inItsOwnRules(thread);
        Watches.Before before = watches.before();
        running.incrementAndGet();
        return new Command(order.argv(), variables, own, before, closed(layout), running);
    }

    /**
     * A thread with the rules of the given one, which starts it, and a set of its own: see {@link
     * LandlockRules#addLayer}.
     */
    private static ExecutorService inItsOwnRules(ExecutorService thread) throws IOException {
        ExecutorService own =
                Executors.newSingleThreadExecutor(work -> daemon(work, "confined starter"));
        Callable<Boolean> rules =
                () -> {
                    LandlockRules.addLayer();
                    return true;
                };
        Callable<Boolean> first =
                () -> {
                    own.execute(
                            () -> {}); // makes its thread, a child that inherits this one's rules
                    return true;
                };
        result(thread.submit(first), own);
        result(own.submit(rules), own);
        return own;
    }

    /** As it was before the first command. */
    private synchronized List<Path> needed() {
        if (needed == null) {
            needed = HiddenPaths.needed(boundaries);
        }
        return needed;
    }

    /** Sets the variable for git; the folder that commands need to read then, if one was made. */
    static Set<Path> gitSettings(GitCopy git, Path folder, Map<String, String> variables) {
        Set<Path> given = new HashSet<>();
        git.in(folder)
                .ifPresent(copy -> {
                    variables.put(GitCopy.VARIABLE, copy.toString());
                    if (copy.startsWith(folder)) { // not /dev, where nothing could be written
                        given.add(HiddenPaths.realOrSame(copy).getParent());
                    }
                });
        return given;
    }

    /**
     * One for each kind, made when it is first needed; a thread is never given back its rights. The
     * rules name files that were there: where one has come or gone since, a new thread has new
     * rules. While a command runs the old ones serve if they allow nothing that the new ones do
     * not, because commands of two threads cannot end each other. One whose guard has ended is
     * replaced, since nothing it starts can change a file's mode.
     */
    private synchronized ExecutorService thread(Kind kind, LandlockLayout layout)
            throws IOException {
        Spawner known = spawners.get(kind);
        if (known != null && known.guard().isAlive()) {
            boolean serves = running.get() > 0 && known.layout().isWithin(layout);
            if (serves || known.layout().equals(layout)) {
                return known.thread();
            }
        }
        ExecutorService thread =
                Executors.newSingleThreadExecutor(work -> daemon(work, "confined spawner"));
        LandlockRules rules = new LandlockRules(layout, servers);
        Callable<CallGuard> restriction = () -> rules.restrictThisThread(kind.sockets());
        Thread guard = daemon(result(thread.submit(restriction), thread), "call guard");
        guard.start();
        spawners.put(kind, new Spawner(layout, thread, guard));
        return thread; // the one before ends by itself when no command knows it any more
    }

    private static <T> T result(Future<T> work, ExecutorService thread) throws IOException {
        try {
            return work.get();
        } catch (ExecutionException e) {
            thread.shutdownNow();
            throw new IOException("the sandbox did not start: " + e.getCause(), e);
        } catch (InterruptedException e) {
            thread.shutdownNow();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /**
     * Git that looks at what a command has made: with the rights of commands, but of a kind that
     * none of them is, so that none can end it or hold it up.
     */
    private Process start(ProcessBuilder process) throws IOException {
        ExecutorService own = inItsOwnRules(threadForGit());
        try {
            return HeldStarts.await(own.submit(process::start));
        } catch (ExecutionException e) {
            throw new IOException("git did not start in the sandbox: " + e.getCause(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            own.shutdown();
        }
    }

    /** Whoever asks does so after a command, whose rules serve. */
    private synchronized ExecutorService threadForGit() throws IOException {
        LandlockLayout layout =
                spawners.values().stream()
                        .findFirst()
                        .map(Spawner::layout)
                        .orElseThrow(() -> new IOException("there is no sandbox yet"));
        return thread(new Kind(SeccompFilter.Sockets.LOOPBACK, false, true), layout);
    }

    private static Thread daemon(Runnable work, String name) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }

    /** What a model should know before it wonders why a file cannot be made; told once. */
    private synchronized List<String> closed(LandlockLayout layout) {
        if (layout.closed().equals(told)) {
            return List.of();
        }
        told = layout.closed();
        String folders =
                told.stream().map(Path::toString).sorted().collect(Collectors.joining(", "));
        return told.isEmpty()
                ? List.of()
                : List.of(
                        "something in these folders is hidden from commands, so in this sandbox"
                                + " (landlock) commands can change what is in them, but make, rename"
                                + " or delete nothing directly in them: "
                                + folders);
    }

    /** Nothing was started but threads, which end with the commands. */
    @Override
    public void close() {}

    /**
     * Commands of two kinds cannot look into each other or end each other.
     *
     * @param shared whether they are with those in the background
     * @param ofGit whether they are none, but git that looks at what they have made
     */
    private record Kind(SeccompFilter.Sockets sockets, boolean shared, boolean ofGit) {}

    private record Spawner(LandlockLayout layout, ExecutorService thread, Thread guard) {}

    private record Command(
            List<String> argv,
            Map<String, String> environment,
            ExecutorService thread,
            Watches.Before watch,
            List<String> closed,
            AtomicInteger running)
            implements Confined {
        @Override
        public Optional<ExecutorService> starter() {
            return Optional.of(thread);
        }

        @Override
        public Aftermath end() {
            running.decrementAndGet();
            thread.shutdown();
            List<String> notes = new ArrayList<>(closed);
            notes.addAll(watch.after());
            return new Aftermath(true, List.of(), notes);
        }
    }
}
