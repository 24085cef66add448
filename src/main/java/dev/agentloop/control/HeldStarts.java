package dev.agentloop.control;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Waits for the start of a process. Java starts a helper that becomes the program; a sandboxed
 * command can stop a helper of its own sandbox, and Java would wait for that without limit.
 */
public final class HeldStarts {
    private static final double LONGEST = 10; // seconds that a helper lives; usually milliseconds
    private static final double TICK = 0.01; // seconds; proc(5) counts in these
    private static final String HELPER = "jspawnhelper";
    private static final String HELPER_ENDED = "Failed to exec spawn helper"; // by a signal

    /** Threads that start processes: a helper has the name of its thread at first. */
    private static final List<String> STARTERS = List.of("spawner", "confined");

    private HeldStarts() {}

    /**
     * Until it has started or failed; from the second second on, helpers that are too old are
     * killed.
     *
     * @throws ExecutionException with what the start has thrown
     */
    public static <T> T await(Future<T> start) throws ExecutionException, InterruptedException {
        boolean killed = false;
        while (true) {
            try {
                return start.get(1, TimeUnit.SECONDS);
            } catch (TimeoutException e) {
                killed |= killHelpers();
            } catch (ExecutionException e) {
                if (killed) {
                    throw new ExecutionException(stopped("held up", " for ten seconds", e));
                }
                boolean ended = String.valueOf(e.getMessage()).contains(HELPER_ENDED);
                throw ended ? new ExecutionException(stopped("ended", "", e)) : e;
            }
        }
    }

    private static IOException stopped(String how, String howLong, Throwable cause) {
        return new IOException(
                "another command %s the start of this one%s, so it did not run: stop that command, for example with stop_command, and try again"
                        .formatted(how, howLong),
                cause);
    }

    private static boolean killHelpers() {
        List<ProcessHandle> held =
                ProcessHandle.current().children().filter(HeldStarts::isHeld).toList();
        held.forEach(ProcessHandle::destroyForcibly);
        return !held.isEmpty();
    }

    private static boolean isHeld(ProcessHandle child) {
        try {
            Path folder = Path.of("/proc/" + child.pid());
            String name = Files.readString(folder.resolve("comm")).strip();
            String uptime = Files.readString(Path.of("/proc/uptime"));
            double now = Double.parseDouble(uptime.substring(0, uptime.indexOf(' ')));
            double begun = Long.parseLong(ProcessStart.of(child.pid())) * TICK;
            return now - begun >= LONGEST
                    && (name.equals(HELPER) || STARTERS.stream().anyMatch(name::startsWith));
        } catch (IOException | NumberFormatException | IndexOutOfBoundsException e) {
            return false; // gone
        }
    }
}
