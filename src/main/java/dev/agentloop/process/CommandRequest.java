package dev.agentloop.process;

import dev.agentloop.sandbox.Order;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A command to run.
 *
 * @param argv program and arguments, taken literally
 * @param cwd an existing directory
 * @param timeout how long it may run before its whole tree is killed
 * @param environment variables set in addition to the scrubbed environment
 * @param reach how much of the machine it sees, if there is a sandbox
 * @param input what it can read from its standard input; null: nothing. One that is talked to
 *     answers with data: its standard output is kept as it is, and longer
 * @param listens whether it can be told more while it runs
 * @param sharesProcesses whether commands in the background and this one see and can end each
 *     other. Never for a command whose answer decides about them, as that of a hook does
 */
public record CommandRequest(
        List<String> argv,
        Path cwd,
        Duration timeout,
        Map<String, String> environment,
        Reach reach,
        @Nullable String input,
        boolean listens,
        boolean sharesProcesses) {
    /** What runs commands: models write for bash, which {@code /bin/sh} is not everywhere. */
    private static final String SHELL =
            Files.isExecutable(Path.of("/bin/bash")) ? "/bin/bash" : "/bin/sh";

    /** A new terminal has no rows and no columns, and not all programs look at the variables. */
    private static final String SIZED = "stty rows 40 cols 120 2>/dev/null; ";

    private static final String TERMINAL = "/usr/bin/script";

    public CommandRequest {
        argv = List.copyOf(argv);
        environment = Map.copyOf(environment);
    }

    /** What a sandbox leaves to a command. */
    public enum Reach {
        /** What it leaves to all. */
        USUAL,
        /** The network as well. */
        ONLINE,
        /** Everything: for programs of ours that run nothing they find, and must be quick. */
        TRUSTED
    }

    /** In the sandbox, if there is one. */
    public CommandRequest(
            List<String> argv, Path cwd, Duration timeout, Map<String, String> environment) {
        this(argv, cwd, timeout, environment, Reach.USUAL, null, false, false);
    }

    /** The same with another reach. */
    public CommandRequest with(Reach other) {
        return new CommandRequest(
                argv, cwd, timeout, environment, other, input, listens, sharesProcesses);
    }

    /** The same, told something. */
    public CommandRequest reading(String text) {
        return new CommandRequest(
                argv, cwd, timeout, environment, reach, text, false, sharesProcesses);
    }

    /** The same, with an input that stays open. */
    public CommandRequest listening() {
        return new CommandRequest(
                argv, cwd, timeout, environment, reach, null, true, sharesProcesses);
    }

    /** The same, among the commands in the background. */
    public CommandRequest sharingProcesses() {
        return new CommandRequest(argv, cwd, timeout, environment, reach, input, listens, true);
    }

    /**
     * As a sandbox is told of it.
     *
     * @param fifo what its standard input is; null: nothing
     */
    Order order(@Nullable Path fifo) {
        Map<String, String> variables = new HashMap<>(environment);
        variables.put("PWD", cwd.toString());
        return new Order(argv, cwd, variables, reach == Reach.ONLINE, sharesProcesses, input, fifo);
    }

    /**
     * As {@link #shell}, at a terminal of its own, for programs that behave otherwise without one:
     * they ask, edit lines and understand keys. Empty where {@code script} (util-linux) is missing.
     */
    public static Optional<CommandRequest> atTerminal(String command, Path cwd, Duration timeout) {
        if (!Files.isExecutable(Path.of(TERMINAL))) {
            return Optional.empty();
        }
        List<String> argv = new ArrayList<>(List.of(TERMINAL, "-q"));
        argv.addAll(
                System.getProperty("os.name").startsWith("Mac")
                        ? List.of("/dev/null", SHELL, "-c", command)
                        : List.of("-e", "-f", "/dev/null", "-c", SIZED + command));
        Map<String, String> variables = Map.of("SHELL", SHELL, "COLUMNS", "120", "LINES", "40");
        return Optional.of(new CommandRequest(argv, cwd, timeout, variables));
    }

    /** What the shell is given, as it was asked for. */
    public String command() {
        String last = argv.getLast();
        return last.startsWith(SIZED) ? last.substring(SIZED.length()) : last;
    }

    /** Whether it was made by {@link #atTerminal}. */
    public boolean isAtTerminal() {
        return argv.getFirst().equals(TERMINAL);
    }

    /** Text for {@link #SHELL}. Never build it from names or data: pass those as arguments. */
    public static CommandRequest shell(String command, Path cwd, Duration timeout) {
        return new CommandRequest(List.of(SHELL, "-c", command), cwd, timeout, Map.of());
    }
}
