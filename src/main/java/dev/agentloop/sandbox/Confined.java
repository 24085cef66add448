package dev.agentloop.sandbox;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.function.BooleanSupplier;

/** One command on its way through a sandbox. */
public interface Confined {
    /** Program and arguments to start. */
    List<String> argv();

    /** Variables that differ from those of an unconfined command. */
    default Map<String, String> environment() {
        return Map.of();
    }

    /** What it reads before it runs the command; empty if {@link #argv} says all. */
    default Optional<byte[]> input() {
        return Optional.empty();
    }

    /**
     * Waits, before {@link #input} is told, until the sandbox is up, and looks whether it is as it
     * should be.
     *
     * @param isRunning whether what was started still runs
     * @return why it must not be told its command; empty if it may
     */
    default Optional<String> fault(BooleanSupplier isRunning) throws IOException {
        return Optional.empty();
    }

    /** The only thread that may start it; empty if any may. */
    default Optional<ExecutorService> starter() {
        return Optional.empty();
    }

    /**
     * Whether the started process is only the sandbox: then it must live until what is in it has
     * ended, else that has no time to clean up.
     */
    default boolean isShell() {
        return false;
    }

    /** Whether all that the command has started ends with the started process, whatever it does. */
    default boolean endsAll() {
        return false;
    }

    /** To be called once, when it has ended or could not be started. */
    default Aftermath end() {
        return Aftermath.NONE;
    }

    /** What the sandbox has to do with what the command printed, for the model; often nothing. */
    default Optional<String> explanation(String printed, int exitCode) {
        return Optional.empty();
    }

    /**
     * What is known after the end.
     *
     * @param started false if the sandbox itself did not come up: the command never ran
     * @param left processes that still ran when the command ended, for people
     * @param notes what the sandbox found and did about it, for the model
     */
    record Aftermath(boolean started, List<String> left, List<String> notes) {
        static final Aftermath NONE = new Aftermath(true, List.of(), List.of());
    }

    /** Without a sandbox. */
    record Plain(List<String> argv) implements Confined {}
}
