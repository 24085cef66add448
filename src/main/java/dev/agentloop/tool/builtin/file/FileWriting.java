package dev.agentloop.tool.builtin.file;

import dev.agentloop.edit.FileBlocks;
import dev.agentloop.edit.LineDiff;
import dev.agentloop.edit.LineEnds;
import dev.agentloop.edit.TextFile;
import dev.agentloop.storage.HeldFolder;
import dev.agentloop.tool.SeenFiles;
import dev.agentloop.tool.ToolContext;
import dev.agentloop.tool.ToolException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What the tools that change files have in common. */
final class FileWriting {
    static final int MAX_BYTES = 10_000_000; // larger files are data; commands handle them better

    private FileWriting() {}

    /** The whole content, or of a larger file one byte more than tools hold. */
    static byte[] head(Path file, ToolContext context) throws IOException {
        try (HeldFolder folder = HeldFolder.of(context.workspace().roots(), file);
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
            throw stale(file, content, context);
        }
    }

    /** Whether the model knows another content of the file than this one. */
    static boolean isStale(Path file, byte[] content, ToolContext context) {
        return context.seen()
                .seen(file)
                .map(hash -> !hash.equals(SeenFiles.fingerprint(content)))
                .orElse(false);
    }

    /**
     * The refusal of a change of a file that is not what the model last saw. Where few lines differ
     * it shows them once, so that the next change can name what stands there now.
     */
    static ToolException stale(Path file, byte[] now, ToolContext context) {
        SeenFiles files = context.seen();
        String refusal =
                "%s changed on disk since you last read it. Nothing was written. "
                        .formatted(context.workspace().show(file));
        Optional<String> lines =
                files.wasShown(file, now)
                        ? Optional.empty()
                        : files.content(file).flatMap(seen -> differentLines(seen, now));
        if (lines.isEmpty()) {
            return ToolException.error(
                    refusal + "Read it again, then repeat the change on the new content.");
        }
        files.showed(file, now);
        return ToolException.error(
                refusal
                        + "Read it again, or change the lines as they are now; all that differs is"
                        + " here."
                        + lines.get());
    }

    /** How many carriage returns the file has: a refusal does not show them. */
    private static long returns(TextFile file) {
        return file.text().chars().filter(each -> each == '\r').count();
    }

    /** The lines that a refusal can show; empty if they are too many, or line ends differ. */
    private static Optional<String> differentLines(byte[] seen, byte[] now) {
        Optional<TextFile> before = TextFile.of(seen);
        Optional<TextFile> after = TextFile.of(now);
        if (before.isEmpty() || after.isEmpty()) {
            return Optional.empty();
        }
        List<String> old = LineEnds.lines(before.get().text());
        List<String> lines = LineEnds.lines(after.get().text());
        if (old.equals(lines) || returns(before.get()) != returns(after.get())) {
            return Optional.empty(); // line ends would have to be shown
        }
        LineDiff.EqualLines equal = LineDiff.EqualLines.of(old, lines);
        return FileBlocks.whole(
                lines, new FileBlocks.Span(equal.head(), lines.size() - equal.tail()));
    }
}
