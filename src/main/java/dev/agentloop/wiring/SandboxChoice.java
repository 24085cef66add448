package dev.agentloop.wiring;

import dev.agentloop.config.AgentConfig;
import dev.agentloop.git.RefNotes;
import dev.agentloop.sandbox.Sandbox;
import dev.agentloop.sandbox.SandboxProbe;
import dev.agentloop.sandbox.Tier;
import dev.agentloop.sandbox.watch.Boundaries;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * The sandbox of a run's commands. It is looked for on a thread of its own, or by whoever asks
 * first; others wait.
 */
public final class SandboxChoice implements AutoCloseable {
    private final FutureTask<SandboxProbe.Found> search;
    private final Boundaries boundaries;
    private final Path records;
    private final Optional<RefNotes> notes;

    private SandboxChoice(
            FutureTask<SandboxProbe.Found> search,
            Boundaries boundaries,
            Path records,
            Optional<RefNotes> notes) {
        this.search = search;
        this.boundaries = boundaries;
        this.records = records;
        this.notes = notes;
    }

    /**
     * Nothing is looked for yet.
     *
     * @param cache file that remembers what worked
     * @param records folder for what {@link dev.agentloop.sandbox.Leftovers} needs
     */
    public static SandboxChoice of(
            AgentConfig.SandboxMode mode, Boundaries boundaries, Path cache, Path records) {
        FutureTask<SandboxProbe.Found> search =
                new FutureTask<>(() -> find(mode, new SandboxProbe(cache, boundaries)));
        return new SandboxChoice(search, boundaries, records, Optional.empty());
    }

    /** The same, with notes of which branches the commands may have changed. */
    public SandboxChoice noting(RefNotes branches) {
        return new SandboxChoice(search, boundaries, records, Optional.of(branches));
    }

    /** Begins to look, beside whatever comes next. */
    public void begin() {
        Thread thread = new Thread(search, "sandbox search");
        thread.setDaemon(true);
        thread.start();
    }

    private static SandboxProbe.Found find(AgentConfig.SandboxMode mode, SandboxProbe probe) {
        return switch (mode) {
            case AUTO, REQUIRED -> probe.strongest();
            case BWRAP -> probe.bwrap();
            case LANDLOCK -> probe.landlock();
            case OFF -> SandboxProbe.Found.none("");
        };
    }

    /**
     * For a runner of commands, which asks before the first one.
     *
     * @param workspace its real path
     * @param hidden files of it that commands must not read
     */
    public Supplier<Sandbox> in(Path workspace, Supplier<List<Path>> hidden) {
        AtomicReference<Sandbox> made = new AtomicReference<>();
        return () ->
                made.updateAndGet(known -> known != null ? known : within(workspace, hidden.get()));
    }

    private Sandbox within(Path workspace, List<Path> hidden) {
        notes.ifPresent(branches -> branches.begin(workspace));
        return found().within(boundaries.around(workspace).hiding(hidden), records);
    }

    /** For commands that must stay within these. */
    public Sandbox within(Boundaries other) {
        return found().within(other);
    }

    /** After the last command: what has been changed by then is noted. */
    @Override
    public void close() {
        notes.ifPresent(RefNotes::close);
    }

    /** Which one it is. */
    public Tier tier() {
        return found().tier();
    }

    /** Why there is no stronger one, and what to do; empty if that was not wanted. */
    public String trouble() {
        return found().trouble();
    }

    private SandboxProbe.Found found() {
        search.run(); // nothing if somebody has begun
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return search.get();
                } catch (InterruptedException e) {
                    interrupted = true; // it takes milliseconds, and no answer would be none
                }
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("cannot look for a sandbox", e.getCause());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
