package dev.agentloop.cli;

import dev.agentloop.control.Cancellation;
import dev.agentloop.process.CommandOutcome;
import dev.agentloop.process.CommandRequest;
import dev.agentloop.process.ProcessRunner;
import dev.agentloop.wiring.SandboxChoice;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Attacks the sandbox from within, to see whether it holds on this machine. */
final class SandboxTrial implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String BEGUN = "BEGUN";
    private static final String CANARY = "agent-self-test-canary";
    private static final String DAEMON = "7357.25"; // seconds that nobody else sleeps
    private static final String BEFORE = "before\n";

    private final Path folder;
    private final Path workspace;
    private final Path outside;
    private final Process victim;
    private final ServerSocket server;
    private final ProcessRunner runner;

    /** How an attack ended. */
    enum Outcome {
        HELD,
        UNTESTED,
        ESCAPED
    }

    /** One line of the report. */
    record Line(String meaning, Outcome outcome) {}

    /**
     * @param place an existing folder that commands see and may not write to
     */
    SandboxTrial(SandboxChoice choice, Map<String, String> environment, Path place)
            throws IOException {
        this.folder = Files.createTempDirectory(place.toRealPath(), "sandbox-trial-");
        this.workspace = Files.createDirectory(folder.resolve("workspace"));
        this.outside = Files.createDirectory(folder.resolve("outside"));
        Files.createDirectories(workspace.resolve(".git/hooks"));
        Files.writeString(workspace.resolve(".git/config"), "[core]\n\tbare = false\n");
        Files.writeString(outside.resolve("file"), BEFORE);
        this.server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        ProcessBuilder sleep = new ProcessBuilder("sleep", "600");
        sleep.environment().put("TRIAL_SECRET", CANARY);
        sleep.redirectInput(new File("/dev/null"));
        this.victim = sleep.start();
        this.runner = new ProcessRunner(environment, List.of(), choice.in(workspace, List::of));
    }

    List<Line> lines() throws IOException {
        List<Line> lines = new ArrayList<>();
        for (SandboxAttack attack : SandboxAttack.values()) {
            lines.add(new Line(attack.meaning(), attempt(attack)));
        }
        return lines;
    }

    private Outcome attempt(SandboxAttack attack) throws IOException {
        Map<String, String> variables =
                Map.of(
                        "PID", Long.toString(victim.pid()),
                        "PORT", Integer.toString(server.getLocalPort()),
                        "OUTSIDE", outside.toString());
        List<String> argv = List.of("/bin/sh", "-c", "echo " + BEGUN + "\n" + attack.script());
        CommandOutcome ended =
                runner.run(
                        new CommandRequest(argv, workspace, PATIENCE, variables),
                        new Cancellation());
        String said = ended.stdout().text();
        if (said.contains("ESCAPED") || hasEffect(attack, ended)) {
            return Outcome.ESCAPED;
        }
        boolean untested =
                !said.contains(BEGUN) // no attack is refused by a sandbox that does not start
                        || said.contains("UNTESTED")
                        || ended.ending() != CommandOutcome.Ending.EXITED;
        return untested ? Outcome.UNTESTED : Outcome.HELD;
    }

    /** What can only be seen from outside. */
    private boolean hasEffect(SandboxAttack attack, CommandOutcome ended) throws IOException {
        return switch (attack) {
            case SIGNAL -> !victim.isAlive();
            case WRITE_OUTSIDE -> !BEFORE.equals(text(outside.resolve("file")));
            case DAEMON -> ProcessHandle.allProcesses().anyMatch(SandboxTrial::isDaemon);
            case HOOK -> Files.exists(workspace.resolve(".git/hooks/pre-commit"));
            case GIT_SETTING -> text(workspace.resolve(".git/config")).contains("fsmonitor");
            case CONTROL_FILE ->
                    Files.exists(workspace.resolve(".agent/config.yaml"))
                            && ended.notes().isEmpty();
            default -> false;
        };
    }

    private static boolean isDaemon(ProcessHandle process) {
        return process.info().commandLine().orElse("").contains(DAEMON);
    }

    private static String text(Path file) throws IOException {
        return Files.exists(file) ? Files.readString(file) : "";
    }

    @Override
    public void close() throws IOException {
        runner.killAll();
        victim.destroyForcibly();
        server.close();
        try (var files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
        }
    }
}
