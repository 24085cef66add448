package dev.agentloop.sandbox.home;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What was found out about files or folders, for as long as they stay as they are: each command
 * asks, and a look at the stamp takes a tenth of the time of a look at the content.
 *
 * @param <T> what is found out
 */
final class Stamped<T> {
    private static final int MOST = 20_000; // paths; a home has a few hundred that matter
    private static final long CLOCK_MILLIS = 2_000; // file systems with the coarsest clock

    private final Map<Path, Known<T>> known = new ConcurrentHashMap<>();
    private final Look<T> look;

    private record Known<T>(BasicFileAttributes stamp, T found) {
        boolean isOf(BasicFileAttributes now) {
            return stamp.size() == now.size()
                    && stamp.lastModifiedTime().equals(now.lastModifiedTime())
                    && String.valueOf(stamp.fileKey()).equals(String.valueOf(now.fileKey()));
        }
    }

    /** Finds something out about a path; what could not be found out is asked again next time. */
    interface Look<T> {
        T at(Path path) throws IOException;
    }

    Stamped(Look<T> look) {
        this.look = look;
    }

    /** Empty if nothing of the kind is at the path, or it cannot be read; links are followed. */
    Optional<T> of(Path path, boolean folder) {
        try {
            BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
            if (folder ? !now.isDirectory() : !now.isRegularFile()) {
                return Optional.empty();
            }
            Known<T> before = known.get(path);
            if (before != null && before.isOf(now)) {
                return Optional.of(before.found());
            }
            T found = look.at(path);
            keep(path, now, found);
            return Optional.of(found);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Not what has just changed: it may change again without another stamp. */
    private void keep(Path path, BasicFileAttributes stamp, T found) {
        long age = System.currentTimeMillis() - stamp.lastModifiedTime().toMillis();
        if (age > CLOCK_MILLIS && known.size() < MOST) {
            known.put(path, new Known<>(stamp, found));
        }
    }
}
