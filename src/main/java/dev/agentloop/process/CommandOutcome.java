package dev.agentloop.process;

import dev.agentloop.sandbox.Confined;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How a command ended and what it printed.
 *
 * @param exitCode 128 + n for signal n; -1 if it was never started or could not be killed
 * @param killed background processes that outlived the command and were killed, for people
 * @param suspects processes that may come from the command and still run, for people
 * @param notes what the sandbox found and did about it, for the model
 */
public record CommandOutcome(
        Ending ending,
        int exitCode,
        Output stdout,
        Output stderr,
        Duration took,
        List<String> killed,
        List<String> suspects,
        List<String> notes) {

    /** Why the command is no longer running. */
    public enum Ending {
        EXITED,
        TIMED_OUT,
        CANCELLED
    }

    /**
     * What one stream printed.
     *
     * @param text decoded and cleaned; head and tail if it was long; empty if it is binary
     * @param bytes how much was printed
     * @param leftOut bytes between head and tail that {@code text} lacks
     * @param kept where all of it can be read, if it was long or is binary
     */
    public record Output(String text, long bytes, long leftOut, Kept kept) {
        static final Output NONE = new Output("", 0, 0, Kept.NOTHING);

        /** Whether it is no text that a model could read. */
        public boolean isBinary() {
            return bytes > 0 && leftOut == bytes;
        }
    }

    /**
     * A file with the beginning of an output, usually all of it.
     *
     * @param path empty if there is none
     */
    public record Kept(String path, long bytes) {
        static final Kept NOTHING = new Kept("", 0);
    }

    /** The same end with other outputs: those that were not told yet. */
    CommandOutcome withOutputs(Output newOut, Output newErr) {
        return new CommandOutcome(ending, exitCode, newOut, newErr, took, killed, suspects, notes);
    }

    /** The same end with what the sandbox knows about it. */
    CommandOutcome with(Confined.Aftermath aftermath) {
        List<String> all = new ArrayList<>(killed);
        aftermath.left().forEach(line -> all.add("(" + OutputText.clean(line) + ")"));
        List<String> told = new ArrayList<>(notes);
        aftermath.notes().forEach(note -> told.add(OutputText.clean(note)));
        return new CommandOutcome(ending, exitCode, stdout, stderr, took, all, suspects, told);
    }

    /** The same end with what the sandbox has to do with what was printed. */
    CommandOutcome explained(Confined confined) {
        List<String> told = new ArrayList<>(notes);
        confined.explanation(stderr.text() + "\n" + stdout.text(), exitCode) // of 2>&1, too
                .ifPresent(told::add);
        return new CommandOutcome(ending, exitCode, stdout, stderr, took, killed, suspects, told);
    }

    static CommandOutcome notStarted() {
        return withoutOutput(Ending.CANCELLED, List.of());
    }

    /** A command whose sandbox failed after it had been begun. */
    static CommandOutcome failed(String why) {
        return withoutOutput(Ending.EXITED, List.of(why));
    }

    private static CommandOutcome withoutOutput(Ending ending, List<String> notes) {
        return new CommandOutcome(
                ending, -1, Output.NONE, Output.NONE, Duration.ZERO, List.of(), List.of(), notes);
    }
}
