package dev.agentloop.sandbox.kernel;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The first process in namespaces of its own: it does nothing, and they exist as long as it does.
 * The kernel lets no other process in them end it. It ends when its input is closed, so also when
 * this program is killed.
 */
final class NamespaceKeeper {
    private static final Pattern CHILD = Pattern.compile("\"child-pid\":\\s*(\\d+)");

    /** bubblewrap closes the number that it reports to. */
    private static final String OUTER = "exec \"$@\" 7>&1 >/dev/null";

    private static final long TRIAL_SECONDS = 2;

    private final Process process;
    private final String pid;

    private NamespaceKeeper(Process process, String pid) {
        this.process = process;
        this.pid = pid;
    }

    /**
     * Starts one.
     *
     * @param bubblewrap its program and options without {@code --}, perhaps behind other programs
     * @return empty if bubblewrap does not say within two seconds that it has come up
     */
    static Optional<NamespaceKeeper> start(List<String> bubblewrap) throws IOException {
        List<String> argv = new ArrayList<>(List.of("/bin/sh", "-c", OUTER, "sandbox"));
        argv.addAll(bubblewrap);
        argv.addAll(List.of("--info-fd", "7", "--unshare-pid", "--as-pid-1"));
        argv.addAll(List.of("--", "/bin/cat"));
        ProcessBuilder builder = new ProcessBuilder(argv);
        builder.redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().clear();
        Process process = builder.start();
        String pid = childInTime(process.inputReader());
        if (pid.isEmpty()) { // it may not be bubblewrap at all
            List<ProcessHandle> all = process.descendants().toList();
            process.destroyForcibly();
            all.forEach(ProcessHandle::destroyForcibly);
            await(process);
            return Optional.empty();
        }
        return Optional.of(new NamespaceKeeper(process, pid));
    }

    /** The number of the first process in the namespaces, as this program sees it. */
    String pid() {
        return pid;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /**
     * Whether a program ends well that needs the namespaces: bubblewrap tells the number before
     * they are ready, so it is tried for two seconds.
     */
    static boolean succeeds(List<String> argv) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(argv).redirectErrorStream(true);
        builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().clear();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(TRIAL_SECONDS);
        do {
            Process trial = builder.start();
            if (await(trial) && trial.exitValue() == 0) {
                return true;
            }
        } while (System.nanoTime() < end && !Thread.currentThread().isInterrupted());
        return false;
    }

    /** Ends it; no process of its space is left afterwards. */
    void close() {
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
        return child.completeOnTimeout("", TRIAL_SECONDS, TimeUnit.SECONDS).join();
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

    private static boolean await(Process process) {
        try {
            boolean ended = process.waitFor(TRIAL_SECONDS, TimeUnit.SECONDS);
            if (!ended) {
                process.destroyForcibly();
            }
            return ended;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
