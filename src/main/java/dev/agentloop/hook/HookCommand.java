package dev.agentloop.hook;

import java.time.Duration;
import java.util.List;

/**
 * A user's command that runs after a file was changed.
 *
 * @param command {@code {file}} in it becomes one argument, whatever is in the name
 * @param filePatterns globs for the file's name or path; none speaks about every file
 */
public record HookCommand(
        String name, String command, List<String> filePatterns, Duration timeout) {

    /** Refuses a command in which {@code {file}} could become more than one argument. */
    public HookCommand {
        CommandTemplate.parse(command);
        filePatterns = List.copyOf(filePatterns);
    }
}
