package dev.agentloop.prompt;

import dev.agentloop.git.CommitFiles;
import dev.agentloop.storage.HeldFolder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * Where files of guidance are read from. Only plain files are read, and no link is followed on the
 * way to them.
 */
@FunctionalInterface
public interface GuidanceSource {
    /** Bytes of a file that git is asked for; of a larger one not even the beginning. */
    int LARGEST = 1_000_000;

    /**
     * The beginning of a file; empty if nothing stands there.
     *
     * @param file absolute, without {@code ..}
     * @param maxBytes more is not read
     * @throws IOException if something stands there that is not read; the message says what
     */
    Optional<byte[]> read(Path file, int maxBytes) throws IOException;

    /** The files of a folder, as they are now. */
    static GuidanceSource folder(Path root) {
        return (file, maxBytes) -> {
            if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
                return Optional.empty();
            }
            try (HeldFolder held = HeldFolder.of(root, file)) {
                if (!held.attributes(file).isRegularFile()) {
                    throw new IOException("no plain file");
                }
                try (InputStream in = held.read(file)) {
                    return Optional.of(in.readNBytes(maxBytes));
                }
            }
        };
    }

    /**
     * The files as a commit has them.
     *
     * @param root the folder that the commit's paths start from
     */
    static GuidanceSource commit(CommitFiles commit, Path root) {
        return (file, maxBytes) -> {
            Optional<CommitFiles.Entry> entry = commit.read(root.relativize(file), LARGEST);
            if (entry.isEmpty()) {
                return Optional.empty();
            }
            return switch (entry.get()) {
                case CommitFiles.Entry.Text(String text) -> {
                    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
                    yield Optional.of(Arrays.copyOf(bytes, Math.min(bytes.length, maxBytes)));
                }
                case CommitFiles.Entry.Unread(String what) -> throw new IOException(what);
            };
        };
    }
}
