package dev.agentloop.process;

import dev.agentloop.control.Cancellation;
import dev.agentloop.process.CommandOutcome.Ending;
import dev.agentloop.process.CommandOutcome.Output;
import dev.agentloop.sandbox.Confined;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** One command from its start to the end of everything that it started. */
final class RunningCommand {
    private static final Duration TERM_TO_KILL = Duration.ofSeconds(2); // to clean up
    private static final Duration LEFTOVER_GRACE = Duration.ofMillis(200);
    private static final long DRAIN_MILLIS = 300; // after the exit, for what is still in the pipe
    private static final int KILLED = 128; // and the number of the signal
    private static final long LAST_DRAIN_MILLIS = 200; // after the kill

    private static final Duration FIRST_LOOK = Duration.ofSeconds(1); // then twice as long, up to
    private static final Duration LONGEST_LOOK = Duration.ofSeconds(30);

    private final Process process;
    private final ProcessTree tree;
    private final Confined confined;
    private final OutputCapture stdout;
    private final OutputCapture stderr;
    private final @Nullable InputPipe more;
    private final Executor drains;
    private final CountDownLatch drained = new CountDownLatch(2);
    private final long start = System.nanoTime();
    private volatile String fault = ""; // of the sandbox, so that the command was not told to it

    RunningCommand(
            Process process,
            ProcessTree tree,
            Confined confined,
            Executor drains,
            OutputFolder files,
            @Nullable String input,
            @Nullable InputPipe more) {
        this.more = more;
        this.drains = drains;
        this.process = process;
        this.confined = confined;
        this.tree = tree;
        this.stdout = new OutputCapture(() -> new OutputFile(files, "stdout"), input != null);
        this.stderr = new OutputCapture(() -> new OutputFile(files, "stderr"));
        drains.execute(() -> drain(stdout, process.getInputStream()));
        drains.execute(() -> drain(stderr, process.getErrorStream()));
        Optional<byte[]> told =
                confined.input()
                        .or(() ->
                                Optional.ofNullable(input)
                                        .map(text -> text.getBytes(StandardCharsets.UTF_8)));
        drains.execute(() -> begin(told));
    }

    /** Tells the command what it has to know, if its sandbox is what it should be. */
    private void begin(Optional<byte[]> words) {
        try {
            fault = confined.fault(process::isAlive).orElse("");
        } catch (IOException | RuntimeException e) { // else it would wait for its order to the end
            fault = "it could not be looked at, try again: " + e;
        }
        if (fault.isEmpty()) {
            words.ifPresent(this::tell);
        } else {
            tree.killWaiting();
        }
    }

    /**
     * Waits for the end that comes first, then sees to it that nothing is left.
     *
     * @param soFar hears the end of the output now and then while the command runs
     */
    CommandOutcome finish(Duration timeout, Cancellation cancellation, Consumer<String> soFar)
            throws IOException {
        CommandOutcome outcome;
        Confined.Aftermath aftermath;
        try {
            outcome = finishProcesses(await(timeout, cancellation, soFar));
        } finally {
            aftermath = confined.end();
            if (more != null) {
                more.close();
            }
        }
        if (!aftermath.started() && outcome.ending() != Ending.CANCELLED) {
            String late = outcome.ending() == Ending.TIMED_OUT ? "not within the time limit " : "";
            String said = fault.isEmpty() ? late + outcome.stderr().text().strip() : fault;
            throw new IOException("the sandbox did not start, so the command did not run: " + said);
        }
        return outcome.with(aftermath).explained(confined);
    }

    private CommandOutcome finishProcesses(Ending ending) {
        boolean open = ending != Ending.EXITED || !awaitDrained(DRAIN_MILLIS);
        ProcessTree.Sight seen = ending == Ending.EXITED ? rest() : tree.look();
        Map<Long, String> killed = new LinkedHashMap<>();
        Map<Long, String> suspects = new LinkedHashMap<>();
        boolean gone;
        if (ending == Ending.EXITED) {
            Set<Long> left = leftovers(seen, open);
            describe(left, killed);
            gone = left.isEmpty() || tree.kill(left, LEFTOVER_GRACE);
            describe(tree.suspectsIn(seen.all()), suspects);
        } else {
            gone = tree.kill(seen.members(), TERM_TO_KILL);
            awaitExit();
        }
        if (!gone) {
            describe(tree.survivors(killed.keySet()), suspects);
            killed.keySet().removeAll(suspects.keySet());
        }
        if (open) {
            awaitDrained(LAST_DRAIN_MILLIS);
        }
        stdout.close();
        stderr.close();
        Duration took = age();
        return new CommandOutcome(
                ending,
                exitCode(),
                stdout.output(),
                stderr.output(),
                took,
                List.copyOf(killed.values()),
                List.copyOf(suspects.values()),
                List.of());
    }

    private static void describe(Set<Long> pids, Map<Long, String> names) {
        for (long pid : pids) {
            names.put(pid, ProcessTree.describe(pid));
        }
    }

    /** With the shell of a sandbox that was not killed, all in it has ended. */
    private ProcessTree.Sight rest() {
        boolean nothing = confined.endsAll() && exitCode() < KILLED;
        return nothing ? ProcessTree.Sight.NOTHING : tree.lookForRest();
    }

    Duration age() {
        return Duration.ofNanos(System.nanoTime() - start);
    }

    Output takeStdout() {
        return stdout.take();
    }

    Output takeStderr() {
        return stderr.take();
    }

    /** Whether what it printed since it was asked last is what is wanted. */
    boolean hasPrinted(Predicate<String> wanted) {
        return wanted.test(printed());
    }

    /** The same, where what is wanted begins in a line of which the beginning was told before. */
    boolean hasCompleted(Predicate<String> wanted) {
        return stdout.completes(wanted) || stderr.completes(wanted);
    }

    /** What it printed since it was asked last. */
    String printed() {
        return stdout.output().text() + "\n" + stderr.output().text();
    }

    /**
     * Tells it something; false if it has not read it in time.
     *
     * @param end whether nothing more comes
     * @throws IOException when it cannot be told anything
     */
    boolean tell(byte[] words, boolean end) throws IOException {
        if (more == null) {
            throw new IOException("it has no input");
        }
        boolean taken = words.length == 0 || more.write(words, drains);
        if (end) {
            more.end(drains);
        }
        return taken;
    }

    /** Whether nothing of this program is needed for it to go on. */
    boolean mayOutliveRun() {
        return confined instanceof Confined.Plain && process.isAlive();
    }

    boolean isSandboxed() {
        return confined.isShell();
    }

    long pid() {
        return process.pid();
    }

    /**
     * For the end of the program: no grace.
     *
     * @return waits for the supervisors of what was killed
     */
    Runnable killNow() {
        return tree.killAtOnce();
    }

    private Ending await(Duration timeout, Cancellation cancellation, Consumer<String> soFar) {
        Wake wake = new Wake(Thread.currentThread());
        try (Cancellation.Registration _ = cancellation.onCancel(wake::now)) {
            long pause = FIRST_LOOK.toNanos();
            long left = timeout.toNanos();
            String told = "";
            while (left > pause) {
                if (process.waitFor(pause, TimeUnit.NANOSECONDS)) {
                    return Ending.EXITED;
                }
                String now = lastWords();
                if (!now.equals(told)) {
                    soFar.accept(now);
                    told = now;
                }
                pause = Math.min(pause * 2, LONGEST_LOOK.toNanos());
                left = timeout.minus(age()).toNanos();
            }
            boolean exited = process.waitFor(left, TimeUnit.NANOSECONDS);
            return exited ? Ending.EXITED : Ending.TIMED_OUT;
        } catch (InterruptedException e) {
            return Ending.CANCELLED;
        } finally {
            wake.noMore();
        }
    }

    /** The newest lines that it has printed; of errors where it prints nothing else. */
    String lastLines(int most) {
        String lines = stdout.lastLines(most);
        return lines.isEmpty() ? stderr.lastLines(most) : lines;
    }

    private String lastWords() {
        String all = stdout.output().text();
        String errors = stderr.output().text();
        return errors.isEmpty() ? all : all + "\n[stderr]\n" + errors;
    }

    private Set<Long> leftovers(ProcessTree.Sight seen, boolean pipeOpen) {
        Set<Long> left = new LinkedHashSet<>(seen.members());
        left.addAll(tree.pipeHoldersIn(seen.all(), pipeOpen));
        return left;
    }

    /** A killed process is gone at once; its exit code comes a moment later. */
    private void awaitExit() {
        try {
            process.waitFor(LAST_DRAIN_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean awaitDrained(long millis) {
        try {
            return drained.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void drain(OutputCapture capture, InputStream in) {
        try {
            capture.drain(in);
        } finally {
            drained.countDown();
        }
    }

    /** Most of it is far shorter than what a pipe holds; what is long waits for the reader. */
    private void tell(byte[] words) {
        try (OutputStream in = process.getOutputStream()) {
            in.write(words);
        } catch (IOException e) {
            return; // a shell with half an order runs nothing; a command need not read
        }
    }

    private int exitCode() {
        return process.isAlive() ? -1 : process.exitValue();
    }

    /** Interrupts a wait from another thread, and never anything after it. */
    private static final class Wake {
        private final Thread waiting;
        private boolean over;
        private boolean used;

        Wake(Thread waiting) {
            this.waiting = waiting;
        }

        synchronized void now() {
            if (!over) {
                used = true;
                waiting.interrupt();
            }
        }

        synchronized void noMore() {
            over = true;
            if (used) {
                Thread.interrupted(); // consumed by the wait, or too late for it
            }
        }
    }
}
