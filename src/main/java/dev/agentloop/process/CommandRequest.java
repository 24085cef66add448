package dev.agentloop.process;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A command to run.
 *
 * @param argv program and arguments, taken literally
 * @param cwd an existing directory
 * @param timeout how long it may run before its whole tree is killed
 * @param environment variables set in addition to the scrubbed environment
 */
public record CommandRequest(
        List<String> argv, Path cwd, Duration timeout, Map<String, String> environment) {
    public CommandRequest {
        argv = List.copyOf(argv);
        environment = Map.copyOf(environment);
    }

    /** Text for {@code /bin/sh}. Never build it from names or data: pass those as arguments. */
    public static CommandRequest shell(String command, Path cwd, Duration timeout) {
        return new CommandRequest(List.of("/bin/sh", "-c", command), cwd, timeout, Map.of());
    }
}
