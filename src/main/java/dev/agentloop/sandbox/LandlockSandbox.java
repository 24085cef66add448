package dev.agentloop.sandbox;

import dev.agentloop.sandbox.git.GitProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Commands started by a thread that has given up its own rights for good: they inherit that. For
 * machines on which bubblewrap cannot start. Control files within the workspace cannot be covered
 * here, so what commands do to them is found afterwards.
 */
public final class LandlockSandbox implements Sandbox {
    private final Boundaries boundaries;
    private final RunRecord record;
    private final Watches watches;
    private final Map<SeccompFilter.Sockets, ExecutorService> threads =
            new EnumMap<>(SeccompFilter.Sockets.class);

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
    static Optional<String> trouble() {
        boolean linux = System.getProperty("os.name").equals("Linux");
        if (!linux || SystemCalls.here().isEmpty()) {
            return Optional.of("Landlock needs Linux on x86-64 or arm64");
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

    @Override
    public Tier tier() {
        return Tier.LANDLOCK;
    }

    @Override
    public boolean isOffline() {
        return !boundaries.network();
    }

    @Override
    public Optional<Prepared> prepare(Path folder) {
        return Optional.empty();
    }

    @Override
    public Confined confine(Order order, Path folder) throws IOException {
        Path tmp = Files.createDirectories(folder.resolve("tmp"));
        record.folder(folder);
        boolean network = order.network() || boundaries.network();
        SeccompFilter.Sockets sockets =
                network ? SeccompFilter.Sockets.INTERNET : SeccompFilter.Sockets.NONE;
        ExecutorService thread = thread(sockets, tmp);
        return new Command(order.argv(), tmp, thread, watches.before());
    }

    /** One for each kind, made when it is first needed; a thread is never given back its rights. */
    private synchronized ExecutorService thread(SeccompFilter.Sockets sockets, Path tmp)
            throws IOException {
        ExecutorService known = threads.get(sockets);
        if (known != null) {
            return known;
        }
        ExecutorService thread = Executors.newSingleThreadExecutor(LandlockSandbox::daemon);
        try {
            thread.submit(
                            () -> {
                                new LandlockRules(boundaries, tmp).restrictThisThread(sockets);
                                return true;
                            })
                    .get();
        } catch (ExecutionException e) {
            thread.shutdownNow();
            throw new IOException("the sandbox did not start: " + e.getCause(), e);
        } catch (InterruptedException e) {
            thread.shutdownNow();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        threads.put(sockets, thread);
        return thread;
    }

    /** Whoever asks does so after a command, which has made a thread. */
    private synchronized Process start(ProcessBuilder process) throws IOException {
        for (ExecutorService thread : threads.values()) {
            try {
                return thread.submit(process::start).get();
            } catch (ExecutionException e) {
                throw new IOException("git did not start in the sandbox", e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
        }
        throw new IOException("there is no sandbox yet");
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "confined spawner");
        thread.setDaemon(true);
        return thread;
    }

    private record Command(
            List<String> argv, Path tmp, ExecutorService thread, Watches.Before watch)
            implements Confined {
        @Override
        public Map<String, String> environment() {
            String folder = tmp.toString();
            return Map.of("TMPDIR", folder, "TMP", folder, "TEMP", folder);
        }

        @Override
        public Optional<ExecutorService> starter() {
            return Optional.of(thread);
        }

        @Override
        public Aftermath end() {
            return new Aftermath(true, List.of(), watch.after());
        }
    }
}
