package dev.agentloop.process;

import dev.agentloop.process.ProcessTable.Marked;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A command and everything it started. No single way finds all of them: children leave their parent
 * by a double fork, their session by setsid, the marker by an empty environment. So all are asked.
 */
final class ProcessTree {
    private static final long POLL_MILLIS = 5; // only while killing, never on the way of a command

    /** After somebody was seen: a daemon that forks all the time is missed by single looks. */
    private static final int LOOKS_FOR_NOBODY = 8;

    private static final int KILL_ROUNDS = 20; // each ends what was forked during the one before
    private static final long KILL_NANOS = 300_000_000; // at least: some rounds come too late
    private static final Duration CLEANING = Duration.ofMillis(900); // a supervisor needs 400
    private static final long SETTLE_NANOS = 150_000_000; // in all, on a machine never at rest
    private static final int LOOKS_AT_LEAST = 8; // a busy machine may give us no time for more
    private static final long UNDECIDED_NANOS = 100_000_000; // an exec takes a thousandth of it

    private final ProcessHandle root;
    private final String marker;
    private final String runnerMarker;
    private final Path cwd;
    private final boolean sandboxed;
    private final String pipes;
    private final long since;
    private final boolean table = ProcessTable.isAvailable();
    private final AtomicLong settling = new AtomicLong(SETTLE_NANOS); // what is left of it
    private final Map<Long, Long> starts = new ConcurrentHashMap<>(); // numbers are used again

    /**
     * @param marker occurs in the environment of the command and of nothing else
     * @param runnerMarker the part of it that all commands of the runner share
     * @param sandboxed whether {@code root} is only the shell of a sandbox, with which all ends
     */
    ProcessTree(
            Spawner.Started root, String marker, String runnerMarker, Path cwd, boolean sandboxed) {
        this.root = root.process().toHandle();
        this.marker = marker;
        this.runnerMarker = runnerMarker;
        this.cwd = cwd;
        this.sandboxed = sandboxed;
        this.pipes = root.pipes();
        this.since = root.since();
    }

    /**
     * The processes at one moment.
     *
     * @param all those that may be ours
     * @param members pids of those that are; some may be gone by now, and have left children
     * @param missed whether there may be others
     */
    record Sight(List<ProcessTable.Entry> all, Set<Long> members, boolean missed) {
        static final Sight NOTHING = new Sight(List.of(), Set.of(), false);
    }

    /**
     * Who starts another and ends while the table is read is seen no more, and the other one not
     * yet. So where somebody ended it is read again, until nothing has started from one reading to
     * the end of the next: a number is given out before who has it can be seen. Where that never
     * comes it is waited for once, not again in each look at this tree.
     */
    Sight look() {
        if (!table) {
            return new Sight(List.of(), descendants(), false);
        }
        long begin = System.nanoTime();
        try {
            return look(begin + settling.get());
        } finally {
            settling.addAndGet(begin - System.nanoTime());
        }
    }

    private Sight look(long end) {
        long before = -1;
        for (int looks = 1; true; looks++) {
            long newest = ProcessTable.newest();
            boolean over = !root.isAlive();
            ProcessTable.Look look = ProcessTable.startedSince(root.pid(), since);
            Sight sight = sightOf(look, over);
            boolean late = looks >= LOOKS_AT_LEAST && System.nanoTime() > end;
            if (late || !sight.members().isEmpty()) {
                return sight;
            }
            boolean wrapped = ProcessTable.newest() < newest; // to numbers that were passed already
            boolean missed = sight.missed() || wrapped;
            for (ProcessTable.Entry entry : look.alive()) {
                missed |= !isAlive(entry.pid());
            }
            if (!missed || newest == before && newest == ProcessTable.newest()) {
                return sight;
            }
            sight = sightOf(ProcessTable.youngest(since), over);
            if (!sight.members().isEmpty()) {
                return new Sight(look.alive(), sight.members(), true);
            }
            before = newest;
        }
    }

    /** As {@link #look} once the command itself has ended. */
    Sight lookForRest() {
        return table && ProcessTable.nothingStartedSince(root.pid()) ? Sight.NOTHING : look();
    }

    /** Pids of all members that are alive. */
    Set<Long> members() {
        return look().members();
    }

    /** The newest are asked first: of them some are about to end. */
    private Sight sightOf(ProcessTable.Look look, boolean over) {
        List<ProcessTable.Entry> seen = look.alive();
        Set<Long> marked = new HashSet<>();
        boolean missed = look.missed();
        long patience = System.nanoTime() + UNDECIDED_NANOS; // for all of them
        boolean reused = over && has(seen, root.pid()); // by a stranger, and perhaps its session
        for (int each = seen.size() - 1; each >= 0; each--) {
            ProcessTable.Entry entry = seen.get(each);
            boolean tied = !reused && (entry.pid() == root.pid() || entry.session() == root.pid());
            Marked answer = tied ? Marked.YES : ProcessTable.marked(entry, marker, patience);
            missed |= answer == Marked.UNKNOWN;
            if (answer == Marked.YES) {
                marked.add(entry.pid());
            }
        }
        Set<Long> found = new LinkedHashSet<>();
        for (ProcessTable.Entry entry : seen) {
            if (marked.contains(entry.pid()) || found.contains(entry.parent())) {
                note(entry);
                found.add(entry.pid());
            }
        }
        return new Sight(seen, found, missed);
    }

    private static boolean has(List<ProcessTable.Entry> seen, long pid) {
        for (ProcessTable.Entry entry : seen) {
            if (entry.pid() == pid) {
                return true;
            }
        }
        return false;
    }

    private void note(ProcessTable.Entry entry) {
        starts.put(entry.pid(), entry.start());
    }

    private Set<Long> descendants() {
        Set<Long> found = new LinkedHashSet<>();
        root.descendants().forEach(handle -> found.add(handle.pid()));
        if (root.isAlive()) {
            found.add(root.pid());
        }
        return found;
    }

    /**
     * Processes that keep the output open although nothing else ties them to the command.
     *
     * @param open whether the output has not ended; Java ends it at the exit of the command if
     *     nobody reads at that moment, so orphans are looked at in any case
     */
    Set<Long> pipeHoldersIn(List<ProcessTable.Entry> seen, boolean open) {
        return Spawner.betweenStarts(() -> pipeHolders(seen, open));
    }

    private Set<Long> pipeHolders(List<ProcessTable.Entry> seen, boolean open) {
        Set<Long> found = new LinkedHashSet<>();
        long self = ProcessHandle.current().pid();
        for (ProcessTable.Entry entry : seen) {
            if ((open || entry.parent() == 1) && entry.pid() != self && isHolder(entry)) {
                note(entry);
                found.add(entry.pid());
            }
        }
        return found;
    }

    /** Of a command that was gone before we could look, any pipe of a suspect counts. */
    private boolean isHolder(ProcessTable.Entry entry) {
        return pipes.startsWith("pipe:")
                ? ProcessTable.holdsAny(entry.pid(), pipes)
                : isSuspect(entry) && ProcessTable.outputPipes(entry.pid()).contains("pipe:");
    }

    /** New orphans that work in the command's folder: perhaps its own, with all ties cut. */
    Set<Long> suspectsIn(List<ProcessTable.Entry> seen) {
        Set<Long> found = new LinkedHashSet<>();
        for (ProcessTable.Entry entry : seen) {
            if (isSuspect(entry)) {
                note(entry);
                found.add(entry.pid());
            }
        }
        return found;
    }

    /** Those of {@code pids}, and those of ours, that nothing could end. */
    Set<Long> survivors(Set<Long> pids) {
        Set<Long> left = new LinkedHashSet<>(pids);
        left.addAll(members());
        left.removeIf(pid -> !isAlive(pid));
        return left;
    }

    /** TERM to all, KILL after {@code grace} to what is left; true when nothing is left. */
    boolean kill(Set<Long> pids, Duration grace) {
        for (long pid : pids) {
            if ((!sandboxed || pid != root.pid()) && isAlive(pid)) {
                ProcessHandle.of(pid).ifPresent(ProcessHandle::destroy);
            }
        }
        return awaitGone(pids, grace) && isNobodyLeft() || killNow(pids);
    }

    private boolean isNobodyLeft() {
        for (int look = 0; look < LOOKS_FOR_NOBODY; look++) {
            if (!members().isEmpty()) {
                return false;
            }
        }
        return true;
    }

    /**
     * KILL to all until nothing is left; false if something does not go. Supervisors come last: of
     * a program of ours that was killed they are who removes what it has left on the disk.
     */
    boolean killNow(Set<Long> pids) {
        Set<Long> supervisors = killSupervised(pids);
        awaitGone(supervisors, CLEANING);
        return killAll(supervisors, Set.of());
    }

    /**
     * As {@link #killNow}, others before the first process: with its end the pipe from which it was
     * to read is closed, and then they would begin.
     */
    void killWaiting() {
        Set<Long> others = new LinkedHashSet<>(members());
        others.remove(root.pid());
        others.forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
        awaitGone(others, CLEANING);
        killNow(members());
    }

    /**
     * As {@link #killNow} in two parts, so that the supervisors of several trees clean up at the
     * same time.
     *
     * @return waits for the supervisors, and kills what is left
     */
    Runnable killAtOnce() {
        Set<Long> supervisors = killSupervised(members());
        long end = System.nanoTime() + CLEANING.toNanos();
        return () -> {
            awaitGone(supervisors, Duration.ofNanos(end - System.nanoTime()));
            killAll(supervisors, Set.of());
        };
    }

    /**
     * KILL to all but supervisors, which see it and begin to clean up.
     *
     * @return the supervisors
     */
    private Set<Long> killSupervised(Set<Long> pids) {
        Set<Long> all = new LinkedHashSet<>(pids);
        all.addAll(members());
        Set<Long> supervisors = new LinkedHashSet<>(all);
        supervisors.removeIf(pid -> !Supervisor.isOne(pid));
        killAll(all, supervisors);
        return supervisors;
    }

    private boolean killAll(Set<Long> pids, Set<Long> spared) {
        Set<Long> left = new LinkedHashSet<>(pids);
        long end = System.nanoTime() + KILL_NANOS;
        int nobody = pids.isEmpty() ? LOOKS_FOR_NOBODY - 1 : 0;
        for (int round = 0; round < KILL_ROUNDS || System.nanoTime() < end; round++) {
            Set<Long> seen = new LinkedHashSet<>(members());
            seen.removeAll(spared);
            left.addAll(seen);
            left.removeIf(pid -> spared.contains(pid) || !isAlive(pid));
            if (left.isEmpty() && seen.isEmpty()) { // who was seen may have left a child by now
                if (++nobody >= LOOKS_FOR_NOBODY) {
                    return true;
                }
                continue;
            }
            nobody = 0;
            left.forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
            awaitGone(left, Duration.ofMillis(15));
        }
        return false;
    }

    static String describe(long pid) {
        String command = ProcessTable.command(pid);
        return command.isEmpty() ? "pid " + pid : "pid " + pid + " (" + command + ")";
    }

    private boolean isSuspect(ProcessTable.Entry entry) {
        return !sandboxed // nothing gets out of there
                && entry.parent() == 1
                && ProcessTable.worksIn(entry.pid(), cwd)
                && ProcessTable.marked(entry, runnerMarker, System.nanoTime() + UNDECIDED_NANOS)
                        != Marked.YES;
    }

    private boolean isAlive(long pid) {
        if (!table) {
            return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
        }
        ProcessTable.Entry entry = ProcessTable.entry(pid);
        return entry != null
                && !entry.isZombie()
                && starts.getOrDefault(pid, entry.start()) == entry.start();
    }

    private boolean awaitGone(Set<Long> pids, Duration atMost) {
        long end = System.nanoTime() + atMost.toNanos();
        while (pids.stream().anyMatch(this::isAlive)) {
            if (System.nanoTime() >= end) {
                return false;
            }
            pause();
        }
        return true;
    }

    private static void pause() {
        try {
            Thread.sleep(POLL_MILLIS);
        } catch (InterruptedException e) {
            Thread.onSpinWait(); // a second interrupt must not leave processes behind
        }
    }
}
