package dev.agentloop.sandbox;

import dev.agentloop.control.ParallelTask;
import dev.agentloop.sandbox.kernel.MountCheck;
import dev.agentloop.sandbox.kernel.MountTable;
import dev.agentloop.sandbox.kernel.ProcessPlace;
import dev.agentloop.sandbox.watch.Watches;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One bubblewrap with a shell in it that waits for its command. When the command is there before,
 * it is simply the first thing that the shell reads.
 *
 * @param place where its processes are
 * @param environment variables that it adds
 * @param files that it leaves in the run's folder
 * @param held the mounts, and what must stay on the disk for them
 * @param look the mounts as they would be now
 * @param gitSettings what commands tell git by variables, since they cannot write its settings
 */
record BwrapCell(
        List<String> argv,
        boolean network,
        ProcessPlace place,
        Map<String, String> environment,
        RunFiles files,
        MountedPlaceholders.Held held,
        Supplier<BwrapMounts.Now> look,
        Watches watches,
        Supplier<Map<String, String>> gitSettings)
        implements PreparedSandbox {
    private static final long UP_NANOS = 20_000_000; // what is slower than that gains nothing
    private static final long DONE_NANOS = 1_000_000_000; // without a new mount: all are there
    private static final long LONGEST_NANOS = 10_000_000_000L; // then somebody has stopped it
    private static final Pattern CHILD = Pattern.compile("\"child-pid\":\\s*(\\d+)");
    private static final Path OWN_MOUNTS = Path.of("/proc/self/mountinfo");

    /**
     * Files in the folder of the run.
     *
     * @param status in which the shell tells what happens
     * @param info in which bubblewrap tells the number of its child
     * @param options of bubblewrap
     */
    record RunFiles(Path status, Path info, Path options) {}

    /**
     * Into a cell whose mounts were planned at this moment.
     *
     * @param isRight whether the mounts are known to be right
     * @param before what was there; forgotten by the caller if there is no command
     */
    BwrapCommand command(Order whole, boolean isRight, Watches.Before before) throws IOException {
        Order withSettings = whole.withGitSettings(gitSettings.get());
        byte[] order = ShellOrder.of(withSettings); // it may be no words at all
        byte[] told = new byte[1 + order.length]; // bubblewrap waits for the first byte
        System.arraycopy(order, 0, told, 1, order.length);
        return new BwrapCommand(this, new AtomicBoolean(isRight), told, before);
    }

    /**
     * A mount goes when somebody outside replaces or moves the file below it. So what would be
     * mounted now must be what was mounted, and all of it must still be there.
     */
    @Override
    public Optional<Confined> take(Order order, long pid) throws IOException {
        boolean beside = place.space().opened().isPresent(); // others, whom the command sees
        if (!network && order.network() || order.fifo() != null || beside) {
            return Optional.empty();
        }
        ParallelTask<Boolean> fits =
                ParallelTask.start(
                        () -> look.get().arguments().equals(held.now().arguments()) && isUp());
        Watches.Before before = watches.before();
        boolean taken = false;
        try {
            if (!fits.result()) {
                return Optional.empty();
            }
            Optional<Confined> command = Optional.of(command(order, true, before));
            taken = true;
            return command;
        } finally {
            if (!taken) {
                before.forget();
            }
        }
    }

    private boolean isUp() throws IOException {
        long end = System.nanoTime() + UP_NANOS;
        return difference(() -> System.nanoTime() < end).isEmpty();
    }

    @Override
    public void discard() {
        held.release();
        try {
            Files.deleteIfExists(files.status());
            Files.deleteIfExists(files.info());
            Files.deleteIfExists(files.options());
        } catch (IOException e) {
            return; // in a folder of the run, which is removed as a whole
        }
    }

    /**
     * Waits until bubblewrap has mounted all that it was told to, and nothing else; until for a
     * second it has mounted nothing more; or for ten seconds.
     *
     * @param goesOn whether to wait any longer
     * @return the first place that is not as it should be; empty if all are right
     */
    Optional<String> difference(BooleanSupplier goesOn) throws IOException {
        MountCheck check = new MountCheck(held.now().wanted(), MountTable.of(OWN_MOUNTS));
        MountTable seen = new MountTable(List.of());
        long begin = System.nanoTime();
        long since = begin;
        while (true) {
            MountTable now = mounts();
            Optional<String> difference = check.difference(now);
            boolean isNew = now.mounts().isEmpty() || !now.mounts().equals(seen.mounts());
            since = isNew ? System.nanoTime() : since;
            if (difference.isEmpty()
                    || !goesOn.getAsBoolean()
                    || System.nanoTime() - since > DONE_NANOS
                    || System.nanoTime() - begin > LONGEST_NANOS) {
                return difference;
            }
            seen = now;
            pause();
        }
    }

    /** What is mounted in the cell; empty while bubblewrap has not got there. */
    private MountTable mounts() throws IOException {
        Matcher child = CHILD.matcher(info());
        return child.find()
                ? MountTable.of(Path.of("/proc", child.group(1), "mountinfo"))
                : new MountTable(List.of());
    }

    private String info() throws IOException {
        return Files.exists(files.info()) ? Files.readString(files.info()) : "";
    }

    private static void pause() {
        try {
            Thread.sleep(1);
        } catch (InterruptedException e) {
            Thread.onSpinWait(); // at most for a moment
        }
    }
}
