package dev.agentloop.message;

import java.util.List;
import java.util.OptionalInt;

/**
 * What the model is told about one tool call, and the machine facts that come with it.
 *
 * @param text what the model reads; an error says what failed and what to do next
 * @param changes files that the call changed, empty for most calls
 * @param exitCode exit code of a command, empty for other tools
 * @param truncated whether output was left out of {@code text}
 * @param images shown to a model that sees
 */
public record ToolResult(
        Kind kind,
        String text,
        List<FileChange> changes,
        OptionalInt exitCode,
        boolean truncated,
        List<Image> images) {

    /** How the call ended. Everything but OK is marked as an error for the provider. */
    public enum Kind {
        OK,
        ERROR,
        RETRY_HINT,
        DENIED,
        SKIPPED,
        CANCELLED
    }

    public ToolResult {
        changes = List.copyOf(changes);
        images = List.copyOf(images);
    }

    public static ToolResult ok(String text) {
        return of(Kind.OK, text);
    }

    /** Trouble that the model can mend; {@code text} says how. */
    public static ToolResult error(String text) {
        return of(Kind.ERROR, text);
    }

    public static ToolResult denied(String text) {
        return of(Kind.DENIED, text);
    }

    /** The call was not run, or was cut, because the run is ending. */
    public static ToolResult cancelled(String text) {
        return of(Kind.CANCELLED, text);
    }

    public static ToolResult of(Kind kind, String text) {
        return new ToolResult(kind, text, List.of(), OptionalInt.empty(), false, List.of());
    }

    /** The same in other words. */
    public ToolResult withText(String newText) {
        return withText(newText, truncated);
    }

    public ToolResult withText(String newText, boolean nowTruncated) {
        return new ToolResult(kind, newText, changes, exitCode, nowTruncated, images);
    }

    public ToolResult withChanges(List<FileChange> newChanges) {
        return new ToolResult(kind, text, newChanges, exitCode, truncated, images);
    }

    public ToolResult withExitCode(int code) {
        return new ToolResult(kind, text, changes, OptionalInt.of(code), truncated, images);
    }

    public ToolResult withImages(List<Image> newImages) {
        return new ToolResult(kind, text, changes, exitCode, truncated, newImages);
    }

    public boolean isError() {
        return kind != Kind.OK;
    }
}
