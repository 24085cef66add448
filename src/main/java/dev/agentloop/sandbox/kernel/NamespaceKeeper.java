package dev.agentloop.sandbox.kernel;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The first process in namespaces of its own: it does nothing, and they exist as long as it does.
 * The kernel lets no other process in them end it, or look into it. When its input is closed, so
 * also when this program is killed, it ends.
 */
final class NamespaceKeeper {
    private static final Pattern CHILD = Pattern.compile("\"child-pid\":\\s*(\\d+)");

    /** File descriptors 7 and 9 are closed by bubblewrap before it starts its program. */
    private static final String OUTER =
            "filter=$1; shift; exec \"$@\" 7>&1 >/dev/null 9<\"$filter\"";

    private static final List<String> OPTIONS =
            List.of("--info-fd", "7", "--unshare-pid", "--as-pid-1", "--new-session");

    /**
     * The one right that is left, to set alarms that wake the machine, commands lack: so the kernel
     * lets none of them look into the keeper.
     */
    private static final List<String> ONE_RIGHT =
            List.of("--cap-drop", "ALL", "--cap-add", "CAP_WAKE_ALARM");

    private static final Pattern NO_SUCH_OPTION =
            Pattern.compile("(?i)(?:unknown|unrecognized|invalid) option");

    /** Trials that take too long, after which the machine is taken to be unable. */
    static final int MOST_SLOW = 3;

    private static final long PATIENCE_SECONDS = 2;
    private static final long PAUSE_MILLIS = 10; // between two trials
    private static final int MOST_SAID = 4096; // bytes

    private final Process process;
    private final ProcessHandle first;

    private NamespaceKeeper(Process process, ProcessHandle first) {
        this.process = process;
        this.first = first;
    }

    /**
     * Starts one.
     *
     * @param bubblewrap its program and options without {@code --}, perhaps behind other programs
     * @param filter file with the filter of system calls; empty if nobody shares its processes
     * @param program what it becomes: it ends with its input
     * @return empty if bubblewrap has not come up within two seconds, and may the next time
     * @throws IOException if it has ended, so that there is no use in trying again
     */
    static Optional<NamespaceKeeper> start(
            List<String> bubblewrap, Optional<Path> filter, List<String> program)
            throws IOException {
        List<String> argv = new ArrayList<>(List.of("/bin/sh", "-c", OUTER, "sandbox"));
        argv.add(filter.map(Path::toString).orElse("/dev/null"));
        argv.addAll(bubblewrap);
        argv.addAll(OPTIONS);
        argv.addAll(ONE_RIGHT);
        argv.addAll(filter.isPresent() ? List.of("--seccomp", "9", "--") : List.of("--"));
        argv.addAll(program);
        ProcessBuilder builder = new ProcessBuilder(argv);
        builder.redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().clear();
        Process process = builder.start();
        String pid = childInTime(process.inputReader());
        Optional<ProcessHandle> first =
                pid.isEmpty() ? Optional.empty() : ProcessHandle.of(Long.parseLong(pid));
        boolean hasEnded = first.isEmpty() && !process.isAlive();
        if (first.isEmpty()) { // it may not be bubblewrap at all
            List<ProcessHandle> all = process.descendants().toList();
            process.destroyForcibly();
            all.forEach(ProcessHandle::destroyForcibly);
            await(process);
        }
        if (hasEnded) {
            throw new IOException("bubblewrap did not start");
        }
        return first.map(handle -> new NamespaceKeeper(process, handle));
    }

    /** The number of the first process in the namespaces, as this program sees it. */
    String pid() {
        return Long.toString(first.pid());
    }

    boolean isAlive() {
        return process.isAlive() && first.isAlive();
    }

    /**
     * Whether a program ends well that needs the namespaces: bubblewrap tells the number before
     * they are ready, so it is tried for two seconds, unless it does not know its options.
     */
    boolean admits(List<String> argv) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(argv).redirectErrorStream(true);
        builder.environment().clear();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        do {
            Process trial = builder.start();
            if (!await(trial)) {
                return false;
            }
            if (trial.exitValue() == 0) {
                return true;
            }
            pause();
            byte[] said = trial.getInputStream().readNBytes(MOST_SAID);
            if (NO_SUCH_OPTION.matcher(new String(said, StandardCharsets.UTF_8)).find()) {
                return false;
            }
        } while (System.nanoTime() < end && isAlive());
        return false;
    }

    /**
     * Ends it, and with it the kernel ends every process of its space: before this returns, unless
     * that takes more than two seconds, as where nobody asks how killed processes have ended.
     */
    void close() {
        first.destroyForcibly();
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            process.destroyForcibly();
        }
        await(process);
    }

    /** A bubblewrap that says nothing is no use, and must not hold up the run. */
    private static String childInTime(BufferedReader told) {
        CompletableFuture<String> child = new CompletableFuture<>();
        Thread reader =
                new Thread(
                        () -> {
                            try {
                                child.complete(child(told));
                            } catch (IOException e) {
                                child.complete("");
                            }
                        },
                        "sandbox keeper");
        reader.setDaemon(true);
        reader.start();
        return child.completeOnTimeout("", PATIENCE_SECONDS, TimeUnit.SECONDS).join();
    }

    private static String child(BufferedReader told) throws IOException {
        StringBuilder info = new StringBuilder();
        for (String line = told.readLine(); line != null; line = told.readLine()) {
            info.append(line);
            if (line.startsWith("}")) {
                break;
            }
        }
        Matcher child = CHILD.matcher(info);
        return child.find() ? child.group(1) : "";
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Also in a thread that was interrupted: what is still there must not be overlooked. */
    private static boolean await(Process process) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    boolean ended = process.waitFor(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                    if (!ended) {
                        process.destroyForcibly();
                    }
                    return ended;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
