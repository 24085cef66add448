package dev.agentloop.sandbox.kernel;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A network with nothing but its own loopback that all commands of a run share: what one of them
 * serves, the next one can fetch. A process that does nothing keeps it as long as the run lasts; it
 * ends when its input is closed, so also when this program is killed.
 */
public final class LoopbackNetwork implements AutoCloseable {
    private static final Pattern CHILD = Pattern.compile("\"child-pid\":\\s*(\\d+)");

    /** bubblewrap closes the number that it reports to. */
    private static final String OUTER = "exec \"$@\" 7>&1 >/dev/null";

    private static final Path NAMESPACE_TOOL = Path.of("/usr/bin/nsenter");
    private static final long TRIAL_SECONDS = 2;

    private final Path program;
    private @Nullable Process keeper;
    private List<String> entrance = List.of();
    private boolean impossible = !Files.isExecutable(NAMESPACE_TOOL);

    /**
     * @param program bubblewrap
     */
    public LoopbackNetwork(Path program) {
        this.program = program;
    }

    /**
     * What is put before a program so that it starts there; empty where the machine cannot: then
     * each command has a loopback of its own.
     */
    public synchronized Optional<List<String>> entrance() {
        if (impossible) {
            return Optional.empty();
        }
        if (keeper == null || !keeper.isAlive()) {
            begin();
        }
        return impossible ? Optional.empty() : Optional.of(entrance);
    }

    /** For the end of the run. */
    @Override
    public synchronized void close() {
        impossible = true;
        Process last = keeper;
        if (last == null) {
            return;
        }
        List<ProcessHandle> all = last.descendants().toList();
        try {
            last.getOutputStream().close(); // it reads until then, and takes the network with it
        } catch (IOException e) {
            last.destroyForcibly();
        }
        if (entrance.isEmpty()) { // it has not told its number: it may not be bubblewrap
            last.destroyForcibly();
            all.forEach(ProcessHandle::destroyForcibly);
        }
        await(last);
    }

    private void begin() {
        try {
            List<String> argv = new ArrayList<>(List.of("/bin/sh", "-c", OUTER, "sandbox"));
            argv.addAll(List.of(program.toString(), "--info-fd", "7"));
            argv.addAll(List.of("--unshare-user", "--unshare-net", "--unshare-pid"));
            argv.addAll(List.of("--unshare-ipc", "--cap-drop", "ALL", "--new-session"));
            argv.addAll(List.of("--ro-bind", "/", "/", "--proc", "/proc", "--", "/bin/cat"));
            ProcessBuilder builder = new ProcessBuilder(argv);
            builder.redirectError(ProcessBuilder.Redirect.DISCARD);
            builder.environment().clear();
            Process started = builder.start();
            keeper = started;
            String child = childInTime(started.inputReader());
            if (child.isEmpty()) {
                impossible = true;
                close();
                return;
            }
            entrance =
                    List.of(
                            NAMESPACE_TOOL.toString(),
                            "-t",
                            child,
                            "-U",
                            "-n",
                            "--preserve-credentials",
                            "--");
            impossible = !canEnter();
        } catch (IOException e) {
            impossible = true;
        }
        if (impossible) {
            close();
        }
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
                        "sandbox network");
        reader.setDaemon(true);
        reader.start();
        return child.completeOnTimeout("", TRIAL_SECONDS, TimeUnit.SECONDS).join();
    }

    /** Its number as bubblewrap tells it. */
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

    /** Another nsenter may not know the options, and a kernel may forbid it. */
    private boolean canEnter() throws IOException {
        List<String> argv = new ArrayList<>(entrance);
        argv.addAll(List.of(program.toString(), "--unshare-user", "--unshare-pid"));
        argv.addAll(List.of("--ro-bind", "/", "/", "/bin/true"));
        ProcessBuilder builder = new ProcessBuilder(argv).redirectErrorStream(true);
        builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().clear();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(TRIAL_SECONDS);
        do { // bubblewrap tells the number before the namespace is ready
            Process trial = builder.start();
            if (await(trial) && trial.exitValue() == 0) {
                return true;
            }
        } while (System.nanoTime() < end && !Thread.currentThread().isInterrupted());
        return false;
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
