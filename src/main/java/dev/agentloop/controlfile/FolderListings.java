package dev.agentloop.controlfile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What folders held when they were last listed: to ask whether a folder has changed takes a tenth
 * of the time of a listing, and a look before and after each command lists a hundred of them.
 */
public final class FolderListings {
    private static final long YOUNG_MILLIS = 50; // clocks of file systems tick every 1 to 10 ms

    private final Map<Path, Known> known = new ConcurrentHashMap<>();

    /**
     * What counts in a folder.
     *
     * @param named entries whose names make them, or what is in them, control files
     * @param folders the other folders, as many as were wanted
     * @param whole whether all entries were looked at
     */
    record Listing(List<Path> named, List<Path> folders, boolean whole) {}

    /**
     * @param wanted how many folders the listing was to name: it names all if there were fewer
     */
    private record Known(String stamp, int wanted, Listing listing) {
        boolean names(int folders) {
            return folders <= wanted || listing.folders.size() < wanted;
        }
    }

    /**
     * The last listing while nothing was made, removed or renamed in the folder, else a new one.
     */
    Listing of(Path folder, int wanted, Supplier<Listing> list) {
        String stamp = stamp(folder);
        Known before = known.get(folder);
        if (before != null && before.stamp.equals(stamp) && before.names(wanted)) {
            List<Path> folders = before.listing.folders;
            List<Path> first = folders.subList(0, Math.min(wanted, folders.size()));
            return new Listing(before.listing.named, first, true);
        }
        Listing now = list.get();
        if (stamp != null && now.whole) {
            known.put(folder, new Known(stamp, wanted, now));
        } else {
            known.remove(folder);
        }
        return now;
    }

    /** Null while another change could have the same time: nobody can set that time. */
    private static @Nullable String stamp(Path folder) {
        try {
            Map<String, Object> seen =
                    Files.readAttributes(folder, "unix:ino,ctime", LinkOption.NOFOLLOW_LINKS);
            if (!(seen.get("ctime") instanceof FileTime changed)) {
                return null;
            }
            boolean young = System.currentTimeMillis() - changed.toMillis() < YOUNG_MILLIS;
            return young ? null : seen.get("ino") + " " + changed.to(TimeUnit.NANOSECONDS);
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return null;
        }
    }
}
