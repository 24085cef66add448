package dev.agentloop.sandbox;

import dev.agentloop.control.Cancellation;
import dev.agentloop.process.CommandRequest;
import dev.agentloop.process.ProcessRunner;
import dev.agentloop.sandbox.watch.Boundaries;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** What {@code scripts/bench-sandbox} runs: see there. Uses public classes of the jar only. */
public final class SandboxBench {
    private static final int WARM_UP = 20;

    /** Milliseconds: a quick model's answer, and none as in a loop of a script. */
    private static final int[] PAUSES = {100, 0};

    private SandboxBench() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        int rounds = Integer.parseInt(args[0]);
        Path workspace = Path.of(args[1]).toRealPath();
        Boundaries boundaries =
                new Boundaries(
                        workspace,
                        Path.of(System.getProperty("user.home")),
                        List.of(),
                        List.of(),
                        System.getenv(),
                        false);
        Sandbox bwrap = new BwrapSandbox(Path.of("/usr/bin/bwrap"), boundaries);
        ProcessRunner plain = new ProcessRunner(System.getenv(), List.of());
        ProcessRunner confined = new ProcessRunner(System.getenv(), List.of(), () -> bwrap);
        for (int pause : PAUSES) {
            double[][] millis = new double[2][rounds];
            for (int i = -WARM_UP; i < rounds; i++) {
                millis[0][Math.max(0, i)] = time(plain, workspace, pause);
                millis[1][Math.max(0, i)] = time(confined, workspace, pause);
            }
            double without = median(millis[0]);
            double with = median(millis[1]);
            System.out.printf(
                    "%3d ms between commands, median of %d: plain %.1f ms, sandboxed %.1f ms, ratio"
                            + " %.2f, difference %.1f ms%n",
                    pause, rounds, without, with, with / without, with - without);
        }
        plain.killAll();
        confined.killAll();
    }

    private static double time(ProcessRunner runner, Path workspace, int pause)
            throws IOException, InterruptedException {
        Thread.sleep(pause);
        long start = System.nanoTime();
        runner.run(
                CommandRequest.shell("true", workspace, Duration.ofSeconds(10)),
                new Cancellation());
        return (System.nanoTime() - start) / 1e6;
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        return values[values.length / 2];
    }
}
