package dev.agentloop.sandbox;

import dev.agentloop.control.Cancellation;
import dev.agentloop.process.CommandRequest;
import dev.agentloop.process.ProcessRunner;
import dev.agentloop.sandbox.watch.Boundaries;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A program of its own that runs one command as a run does, for tests that kill it. */
final class KilledRun {
    private KilledRun() {}

    /**
     * @param args tier, path of bubblewrap, folder of records, workspace, folder for temporary
     *     files, command
     */
    public static void main(String[] args) throws IOException {
        Tier tier = Tier.valueOf(args[0]);
        Path workspace = Path.of(args[3]);
        Map<String, String> environment =
                Map.of("PATH", System.getenv("PATH"), "HOME", args[4], "TMPDIR", args[4]);
        Boundaries boundaries =
                new Boundaries(
                        workspace, Path.of(args[4]), List.of(), List.of(), environment, false);
        Sandbox sandbox =
                new SandboxProbe.Found(tier, Optional.of(Path.of(args[1])), "")
                        .within(boundaries, Path.of(args[2]));
        ProcessRunner runner = new ProcessRunner(environment, List.of(), () -> sandbox);
        runner.run(
                CommandRequest.shell(args[5], workspace, Duration.ofMinutes(2)),
                new Cancellation());
        runner.killAll();
    }
}
