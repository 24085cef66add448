package dev.agentloop.verification;

import dev.agentloop.message.ToolResult;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What {@link CheckedWork} asks of the project and of the commands that run there.
 *
 * @param checkCommands further commands that are checks: the project's instructions name them
 * @param digest the files as one number; empty if it cannot be told, and a change is not noticed
 * @param ended how a command of the background ended, by its id; empty while it runs
 */
public record CheckedProject(
        List<String> checkCommands,
        Supplier<Optional<Long>> digest,
        Function<String, Optional<ToolResult>> ended) {
    /** No instructions, no files, no commands in the background. */
    public static final CheckedProject NONE =
            new CheckedProject(List.of(), Optional::empty, _ -> Optional.empty());
}
