package dev.agentloop.controlfile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What folders held when they were last listed: to ask whether a folder has changed takes a tenth
 * of the time of a listing, and a look before and after each command lists a hundred of them. Where
 * the kernel's time of a folder's last change cannot be relied on, folders are listed each time.
 */
public final class FolderListings {
    /** Keeps no listing: folders are read anew each time. */
    static final FolderListings NONE = new FolderListings(-1);

    /** File systems on which nobody can set the time of the last change (ctime). */
    private static final Set<String> RELIABLE =
            Set.of("ext2", "ext3", "ext4", "xfs", "btrfs", "tmpfs", "overlay", "f2fs", "zfs");

    private static final long YOUNG_MILLIS = 50; // clocks of these tick every 1 to 10 ms
    private static final long WHOLE_SECONDS_MILLIS = 2500; // but of some every second
    private static final int MOST =
            1000; // a look takes a hundred; the rest is of folders that are gone

    private final Map<Path, Known> known = new ConcurrentHashMap<>();
    private final long device;

    private FolderListings(long device) {
        this.device = device;
    }

    /** For looks at a workspace; other file systems that are mounted in it are listed each time. */
    public static FolderListings of(Path root) {
        try {
            boolean reliable = RELIABLE.contains(Files.getFileStore(root).type());
            Object device = reliable ? Files.getAttribute(root, "unix:dev") : null;
            return new FolderListings(device instanceof Long number ? number : -1);
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return new FolderListings(-1);
        }
    }

    /**
     * The control files of a folder, and where to look on.
     *
     * @param named entries whose names make them, or what is in them, control files
     * @param folders the other folders in it, as many as were wanted
     * @param whole whether all entries were looked at
     * @param more how many folders there are besides, at least
     */
    record Listing(List<Path> named, List<Path> folders, boolean whole, int more) {}

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
        String stamp = device < 0 ? null : stamp(folder);
        Known before = known.get(folder);
        if (before != null && before.stamp.equals(stamp) && before.names(wanted)) {
            List<Path> folders = before.listing.folders;
            List<Path> first = folders.subList(0, Math.min(wanted, folders.size()));
            int more = before.listing.more + folders.size() - first.size();
            return new Listing(before.listing.named, first, true, more);
        }
        Listing now = list.get();
        if (stamp != null && now.whole) {
            if (known.size() >= MOST) {
                known.clear();
            }
            known.put(folder, new Known(stamp, wanted, now));
        } else {
            known.remove(folder);
        }
        return now;
    }

    /** Null while another change could have the same time, or on another file system. */
    private @Nullable String stamp(Path folder) {
        try {
            Map<String, Object> seen =
                    Files.readAttributes(folder, "unix:dev,ino,ctime", LinkOption.NOFOLLOW_LINKS);
            boolean here = seen.get("dev") instanceof Long number && number == device;
            if (!here || !(seen.get("ctime") instanceof FileTime changed)) {
                return null;
            }
            long nanos = changed.to(TimeUnit.NANOSECONDS);
            boolean coarse = nanos % TimeUnit.SECONDS.toNanos(1) == 0;
            long settled = coarse ? WHOLE_SECONDS_MILLIS : YOUNG_MILLIS;
            boolean young = System.currentTimeMillis() - changed.toMillis() < settled;
            return young ? null : seen.get("ino") + " " + nanos;
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return null;
        }
    }
}
