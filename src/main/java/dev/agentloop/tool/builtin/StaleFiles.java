package dev.agentloop.tool.builtin;

import dev.agentloop.edit.EditException;
import dev.agentloop.edit.Splice;
import dev.agentloop.edit.TextFile;
import dev.agentloop.tool.SeenFiles;
import dev.agentloop.tool.ToolContext;
import dev.agentloop.tool.ToolException;
import java.nio.file.Path;
import java.util.List;

/** Files that somebody else has changed since the model last read them. */
final class StaleFiles {
    /** For results of changes that were made all the same. */
    static final String NOTE =
            " Others have changed the file since you last read it; the lines edited here were as"
                    + " you knew them.";

    private StaleFiles() {}

    /** Whether the file is another than the model last saw; one it has never seen is not. */
    static boolean isStale(Path file, byte[] content, ToolContext context) {
        return context.seen()
                .seen(file)
                .filter(hash -> !hash.equals(SeenFiles.fingerprint(content)))
                .isPresent();
    }

    /** Throws if the file is not what the model last saw of it. */
    static void refuse(Path file, byte[] content, ToolContext context) throws ToolException {
        if (isStale(file, content, context)) {
            throw refusal(file, context);
        }
    }

    static ToolException refusal(Path file, ToolContext context) {
        return ToolException.error(
                ("%s changed on disk since you last read it. Nothing was written. Read it"
                                + " again, then repeat the change on the new content.")
                        .formatted(context.workspace().show(file)));
    }

    /** Whether what somebody else changed lies outside of all lines that are edited. */
    static boolean knowsAll(
            Path file, byte[] content, TextFile text, List<Splice> splices, ToolContext context)
            throws EditException {
        for (Splice splice : splices) {
            int from = text.byteOffset(splice.start());
            int to = text.byteOffset(splice.end());
            if (!context.seen().knows(file, content, from, to)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Remembers what the model knows of a file after its change.
     *
     * @param own what it has written into a version it does not know; empty if it knows the file
     */
    static void remember(Path file, byte[] edited, List<Splice> own, ToolContext context)
            throws EditException {
        if (own.isEmpty()) {
            context.seen().saw(file, edited);
            return;
        }
        TextFile now = TextFile.of(edited).orElseThrow();
        int moved = 0;
        for (Splice splice : own) {
            int start = splice.start() + moved;
            int end = start + splice.replacement().length();
            context.seen().wrote(file, edited, now.byteOffset(start), now.byteOffset(end));
            moved += splice.replacement().length() - (splice.end() - splice.start());
        }
    }
}
