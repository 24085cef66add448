package dev.agentloop.verification;

import dev.agentloop.control.Cancellation;
import dev.agentloop.search.SearchDeadline;
import dev.agentloop.search.TreeWalk;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * The files of a project as one number, which differs after a file was written, added, removed or
 * renamed by whatever program. Files are told apart by name, size, time of writing and place on the
 * disk, and not read; those that git would ignore, documents and outputs of programs do not count.
 */
public final class FileDigest {
    private static final Duration LONGEST = Duration.ofSeconds(1);
    private static final long MIX = 0x9E3779B97F4A7C15L;

    private FileDigest() {}

    /** Empty if the folder cannot be read, or has more files than can be looked at in time. */
    public static Optional<Long> of(Path root) {
        long[] sum = new long[1];
        try {
            SearchDeadline deadline = new SearchDeadline(LONGEST, new Cancellation());
            new TreeWalk(root, deadline)
                    .below(
                            root,
                            file -> {
                                if (!file.isFolder() && ProjectFiles.needsCheck(file.relative())) {
                                    sum[0] += digest(file);
                                }
                                return true;
                            });
            return Optional.of(sum[0]);
        } catch (IOException | SearchDeadline.Passed e) {
            return Optional.empty();
        }
    }

    private static long digest(TreeWalk.Entry file) {
        BasicFileAttributes attributes = file.attributes();
        long digest = file.relative().hashCode() * MIX + attributes.size();
        digest = (digest ^ digest >>> 29) * MIX + attributes.lastModifiedTime().hashCode();
        digest = (digest ^ digest >>> 32) * MIX + Objects.hashCode(attributes.fileKey());
        return (digest ^ digest >>> 29) * MIX;
    }
}
