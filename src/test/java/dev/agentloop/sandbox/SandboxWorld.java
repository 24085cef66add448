package dev.agentloop.sandbox;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.agentloop.control.Cancellation;
import dev.agentloop.process.CommandOutcome;
import dev.agentloop.process.CommandRequest;
import dev.agentloop.process.ProcessRunner;
import dev.agentloop.sandbox.watch.Boundaries;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** A workspace, a home with secrets, something outside, and commands in a sandbox. */
public final class SandboxWorld implements AutoCloseable {
    private static final Duration LONG = Duration.ofSeconds(60);

    public final Path workspace;
    public final Path home;
    public final Path outside;
    final Path own;
    final ProcessRunner runner;
    final Map<String, String> environment = new HashMap<>();

    /** With bubblewrap; where that is not installed the test is skipped. */
    static SandboxWorld withBubblewrap(Path root) throws IOException {
        Path bwrap = Path.of("/usr/bin/bwrap");
        assumeTrue(Files.isExecutable(bwrap), "bubblewrap is not installed");
        return new SandboxWorld(root, "ws", all -> new BwrapSandbox(bwrap, all));
    }

    /**
     * @param root of all three; commands see nothing of {@code /tmp}, so secrets need another one
     */
    public SandboxWorld(Path root, String workspace, Function<Boundaries, Sandbox> sandbox)
            throws IOException {
        this.workspace = Files.createDirectories(root.resolve(workspace)).toRealPath();
        this.home = Files.createDirectories(root.resolve("home")).toRealPath();
        this.outside = Files.createDirectories(root.resolve("outside")).toRealPath();
        this.own = Files.createDirectories(home.resolve(".config/agent"));
        Files.createDirectories(home.resolve(".ssh"));
        Files.writeString(home.resolve(".ssh/id_rsa"), "ssh-canary\n");
        Files.writeString(home.resolve(".netrc"), "netrc-canary\n");
        Files.createDirectories(home.resolve(".cache"));
        Files.writeString(home.resolve(".cache/notes"), "plain notes\n");
        Files.writeString(own.resolve("config.yaml"), "config-canary\n");
        Files.writeString(outside.resolve("file"), "before\n");
        environment.put("PATH", System.getenv("PATH"));
        environment.put("HOME", home.toString());
        environment.put("MY_API_KEY", "sk-canary-1234567890");
        Boundaries boundaries =
                new Boundaries(this.workspace, home, List.of(own), List.of(), environment, false);
        Sandbox chosen = sandbox.apply(boundaries);
        this.runner = new ProcessRunner(environment, List.of(), () -> chosen);
    }

    public CommandOutcome run(String command) throws IOException {
        return run(CommandRequest.shell(command, workspace, LONG).sharingProcesses());
    }

    public CommandOutcome run(CommandRequest request) throws IOException {
        return runner.run(request, new Cancellation());
    }

    CommandRequest request(String command) {
        return CommandRequest.shell(command, workspace, LONG).sharingProcesses();
    }

    /** Everything that was printed. */
    public String all(String command) throws IOException {
        CommandOutcome outcome = run(command);
        return outcome.stdout().text() + outcome.stderr().text();
    }

    @Override
    public void close() {
        runner.killAll();
    }
}
