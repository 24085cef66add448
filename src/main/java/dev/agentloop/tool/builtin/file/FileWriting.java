package dev.agentloop.tool.builtin.file;

import dev.agentloop.storage.HeldFolder;
import dev.agentloop.tool.SeenFiles;
import dev.agentloop.tool.ToolContext;
import dev.agentloop.tool.ToolException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;

/** What the tools that change files have in common. */
final class FileWriting {
    static final int MAX_BYTES = 10_000_000; // larger files are data; commands handle them better

    private FileWriting() {}

    /** The whole content, or of a larger file one byte more than tools hold. */
    static byte[] head(Path file, ToolContext context) throws IOException {
        try (HeldFolder folder = HeldFolder.of(context.workspace().root(), file);
                InputStream in = folder.read(file)) { // a size from stat may be a lie
            return in.readNBytes(MAX_BYTES + 1);
        }
    }

    /** The whole content; throws if it is too large to be held and rewritten. */
    static byte[] content(Path file, ToolContext context) throws IOException, ToolException {
        byte[] bytes = head(file, context);
        if (bytes.length > MAX_BYTES) {
            throw ToolException.error(
                    "%s is larger than %d bytes. Change it with run_command, e.g. sed -i."
                            .formatted(context.workspace().show(file), MAX_BYTES));
        }
        return bytes;
    }

    /** Throws if the file is not what the model last saw of it. */
    static void refuseStale(Path file, byte[] content, ToolContext context) throws ToolException {
        if (isStale(file, content, context)) {
            throw stale(file, context);
        }
    }

    /** Whether the model knows another content of the file than this one. */
    static boolean isStale(Path file, byte[] content, ToolContext context) {
        return context.seen()
                .seen(file)
                .map(hash -> !hash.equals(SeenFiles.fingerprint(content)))
                .orElse(false);
    }

    static ToolException stale(Path file, ToolContext context) {
        return ToolException.error(
                ("%s changed on disk since you last read it. Nothing was written. Read it"
                                + " again, then repeat the change on the new content.")
                        .formatted(context.workspace().show(file)));
    }
}
