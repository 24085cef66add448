package dev.agentloop.tool;

import dev.agentloop.control.Cancellation;
import java.util.function.Consumer;

/**
 * What a tool may use while it runs.
 *
 * @param seen what the model has seen of each file; refuses edits of changed files
 * @param progress takes one line for the person; never reaches the model
 */
public record ToolContext(
        Workspace workspace,
        Cancellation cancellation,
        SeenFiles seen,
        Consumer<String> progress) {}
