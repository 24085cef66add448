package dev.agentloop.tool;

import dev.agentloop.message.ToolResult;
import java.io.IOException;

/** Trouble that the model should hear about; becomes a tool result and never ends the run. */
public final class ToolException extends Exception {
    private static final long serialVersionUID = 1L;
    private final ToolResult.Kind kind;

    private ToolException(ToolResult.Kind kind, String message) {
        super(message, null, false, false);
        this.kind = kind;
    }

    /** The call failed; {@code message} says why and what to do. */
    public static ToolException error(String message) {
        return new ToolException(ToolResult.Kind.ERROR, message);
    }

    /** The call failed because the file system refused something. */
    public static ToolException error(IOException problem, Workspace workspace) {
        String why = IoProblem.explain(problem, workspace);
        boolean block = why.contains("\n"); // its last line is one of a file
        return error(
                block
                        ? why.stripTrailing() + "\n[Nothing was changed.]"
                        : why + (why.endsWith(".") ? "" : ".") + " Nothing was changed.");
    }

    /** The arguments are nearly right; {@code hint} says what to change (neuron's ModelRetry). */
    public static ToolException retry(String hint) {
        return new ToolException(ToolResult.Kind.RETRY_HINT, hint);
    }

    /** The change must not happen; {@code reason} says why. */
    public static ToolException denied(String reason) {
        return new ToolException(ToolResult.Kind.DENIED, reason);
    }

    public ToolResult asResult() {
        return ToolResult.of(kind, String.valueOf(getMessage()));
    }
}
