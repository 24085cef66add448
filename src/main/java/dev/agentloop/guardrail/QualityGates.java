package dev.agentloop.guardrail;

import dev.agentloop.control.Cancellation;
import dev.agentloop.process.CommandOutcome;
import dev.agentloop.process.CommandRequest;
import dev.agentloop.process.ProcessRunner;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Commands of the user that must pass when the model says it is done. */
public final class QualityGates {
    private static final int MAX_OUTPUT = 4_000; // characters of its end; where errors stand
    private static final int NOT_ENDED = -1; // killed, or could not start

    private final List<Gate> gates;
    private final ProcessRunner runner;
    private final Path root;

    /**
     * One of them.
     *
     * @param required whether the run is partial when it fails
     */
    public record Gate(String name, String command, boolean required, Duration timeout) {}

    /**
     * What became of one.
     *
     * @param exitCode -1 when it was killed or could not start
     * @param output the end of what it printed
     */
    public record Report(
            String name, boolean required, int exitCode, Duration took, String output) {
        public boolean passed() {
            return exitCode == 0;
        }
    }

    /**
     * @param root where they run
     */
    public QualityGates(List<Gate> gates, ProcessRunner runner, Path root) {
        this.gates = List.copyOf(gates);
        this.runner = runner;
        this.root = root;
    }

    /** Runs them all, one after another. */
    public List<Report> run(Cancellation cancellation) {
        List<Report> reports = new ArrayList<>();
        for (Gate gate : gates) {
            if (!cancellation.isCancelled()) {
                reports.add(run(gate, cancellation));
            }
        }
        return reports;
    }

    private Report run(Gate gate, Cancellation cancellation) {
        try {
            CommandOutcome outcome =
                    runner.run(
                            CommandRequest.shell(gate.command(), root, gate.timeout()),
                            cancellation);
            String output = (outcome.stdout().text() + "\n" + outcome.stderr().text()).strip();
            boolean ended = outcome.ending() == CommandOutcome.Ending.EXITED;
            String note = ended ? "" : "\n[stopped after " + outcome.took().toSeconds() + " s]";
            return new Report(
                    gate.name(),
                    gate.required(),
                    ended ? outcome.exitCode() : NOT_ENDED,
                    outcome.took(),
                    tail(output) + note);
        } catch (IOException e) {
            String output = "cannot start: " + e.getMessage();
            return new Report(gate.name(), gate.required(), NOT_ENDED, Duration.ZERO, output);
        }
    }

    private static String tail(String output) {
        if (output.length() <= MAX_OUTPUT) {
            return output;
        }
        int from = output.length() - MAX_OUTPUT;
        boolean half = Character.isLowSurrogate(output.charAt(from));
        return "[…]" + output.substring(half ? from + 1 : from);
    }
}
