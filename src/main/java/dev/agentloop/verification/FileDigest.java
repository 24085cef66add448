package dev.agentloop.verification;

import dev.agentloop.control.Cancellation;
import dev.agentloop.search.SearchDeadline;
import dev.agentloop.search.TreeWalk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * The files of a project as one number, which differs after a file was written, added, removed or
 * renamed by whatever program. Files are told apart by name, size and time of change, and not read;
 * those that git would ignore, documents and outputs of programs do not count. About 5 µs a file.
 */
public final class FileDigest {
    private static final Duration LONGEST = Duration.ofSeconds(2);
    private static final long MIX = 0x9E3779B97F4A7C15L;

    private FileDigest() {}

    /** Empty if the folder cannot be read, or has more files than can be looked at in time. */
    public static Optional<Long> of(Path root) {
        long[] sum = new long[1];
        try {
            SearchDeadline deadline = new SearchDeadline(LONGEST, new Cancellation());
            new TreeWalk(root, deadline)
                    .files(
                            root,
                            file -> {
                                if (ProjectFiles.needsCheck(file.relative())) {
                                    sum[0] += digest(file);
                                }
                                return true;
                            });
            return Optional.of(sum[0]);
        } catch (IOException | SearchDeadline.Passed e) {
            return Optional.empty();
        }
    }

    /**
     * The time of change, unlike that of writing, cannot be set back by {@code touch} or a copy.
     */
    private static long digest(TreeWalk.Entry file) throws IOException {
        Object changed = Files.getAttribute(file.path(), "unix:ctime", LinkOption.NOFOLLOW_LINKS);
        long digest = file.relative().hashCode() * MIX + file.attributes().size();
        digest = (digest ^ digest >>> 29) * MIX + changed.hashCode();
        return (digest ^ digest >>> 32) * MIX;
    }
}
