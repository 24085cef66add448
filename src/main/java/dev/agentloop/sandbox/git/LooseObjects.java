package dev.agentloop.sandbox.git;

import dev.agentloop.control.ParallelTask;
import dev.agentloop.sandbox.git.file.GitFiles;
import dev.agentloop.sandbox.git.file.WritableRoots;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Objects in files of their own. The name of each is the hash of what it holds, so whatever has
 * another stamp than the last time is read and compared.
 */
final class LooseObjects {
    private static final Pattern NAME = Pattern.compile("[0-9a-f]{38}|[0-9a-f]{62}");
    private static final Pattern PART = Pattern.compile("[0-9a-f]{2}");
    private static final int MOST = 20_000;
    private static final int MOST_ALONE = 300; // more are worth a second thread
    private static final long MOST_READ = 512L * 1024 * 1024; // bytes of content in one look
    private static final long CLOCKS_MILLIS = 5000; // some file systems count by two seconds
    private static final int STAMP_PARTS = 3; // number, change in nanoseconds, size
    private static final int BUFFER = 64 * 1024;

    private static final Listing NOTHING = new Listing("young", List.of());

    private final Path folder;
    private final WritableRoots reach;
    private Listing parts = NOTHING;
    private Map<Path, Listing> listings = Map.of();
    private Map<Path, String> verified = new HashMap<>();
    private boolean begun;
    private boolean cut;
    private long read;

    LooseObjects(Path folder, WritableRoots reach) {
        this.reach = reach;
        this.folder = folder;
    }

    private record Listing(String stamp, List<Path> entries) {}

    /** Which there were at some moment. */
    static final class Names {
        private final Map<Path, Listing> listings;

        private Names(Map<Path, Listing> listings) {
            this.listings = listings;
        }

        /** How many of these are not among the others. */
        int lessIn(Names others) {
            int gone = 0;
            for (Map.Entry<Path, Listing> part : listings.entrySet()) {
                Listing now = others.listings.get(part.getKey());
                if (now == null) {
                    gone += part.getValue().entries.size();
                } else if (now != part.getValue()) {
                    Set<Path> left = new HashSet<>(now.entries);
                    for (Path object : part.getValue().entries) {
                        gone += left.contains(object) ? 0 : 1;
                    }
                }
            }
            return gone;
        }
    }

    /** Looks which there are; the first time they are taken to be in order. */
    Names names() {
        List<Path> objects = objects();
        if (!begun) {
            objects.forEach(object -> verified.put(object, GitFiles.stamp(object).text()));
        }
        begun = true;
        return lastNames();
    }

    /**
     * Takes those to be in order that have not changed since a moment. Which there were at that
     * moment is not known.
     *
     * @param millis the moment
     */
    Names trusted(long millis) {
        for (Path object : objects()) {
            String stamp = GitFiles.stamp(object).text();
            String[] parts = stamp.split(" "); // of a link there are more
            if (parts.length == STAMP_PARTS
                    && Long.parseLong(parts[1]) / 1_000_000 < millis - CLOCKS_MILLIS) {
                verified.put(object, stamp);
            }
        }
        begun = true;
        return new Names(Map.of());
    }

    /** Of the last look, whatever it was for. */
    Names lastNames() {
        return new Names(listings);
    }

    /** Those that hold something else than their name says. */
    List<Path> changed() {
        List<Path> bad = new ArrayList<>();
        Map<Path, String> good = new HashMap<>();
        cut = false;
        read = 0;
        List<Path> objects = objects();
        List<GitFiles.Stamp> stamps = stamps(objects);
        for (int i = 0; i < stamps.size(); i++) {
            Path object = objects.get(i);
            GitFiles.Stamp stamp = stamps.get(i);
            String before = verified.get(object);
            if (before != null && before.equals(stamp.text())) {
                good.put(object, before);
            } else if (!isWhole(object)) {
                bad.add(object);
            } else if (!stamp.young()) {
                good.put(object, stamp.text());
            }
        }
        verified = good;
        return bad;
    }

    private static List<GitFiles.Stamp> stamps(List<Path> objects) {
        int half = objects.size() < MOST_ALONE ? 0 : objects.size() / 2;
        ParallelTask<List<GitFiles.Stamp>> first =
                half == 0 ? null : ParallelTask.start(() -> each(objects.subList(0, half)));
        List<GitFiles.Stamp> second = each(objects.subList(half, objects.size()));
        if (first == null) {
            return second;
        }
        List<GitFiles.Stamp> all = new ArrayList<>(first.result());
        all.addAll(second);
        return all;
    }

    private static List<GitFiles.Stamp> each(List<Path> objects) {
        List<GitFiles.Stamp> stamps = new ArrayList<>(objects.size());
        for (Path object : objects) {
            stamps.add(GitFiles.stamp(object));
        }
        return stamps;
    }

    /** Whether the last look left something out. */
    boolean isCut() {
        return cut;
    }

    private List<Path> objects() {
        List<Path> all = new ArrayList<>();
        Map<Path, Listing> now = new HashMap<>();
        parts = reach.holds(folder) ? listing(folder, parts, PART) : NOTHING;
        for (Path part : parts.entries) {
            Listing listing = listing(part, listings.get(part), NAME);
            now.put(part, listing);
            all.addAll(listing.entries);
        }
        listings = now; // a new map: names that were given away keep theirs
        if (all.size() > MOST) {
            cut = true;
            return all.subList(0, MOST);
        }
        return all;
    }

    private Listing listing(Path folder, @Nullable Listing before, Pattern names) {
        GitFiles.Stamp stamp = GitFiles.stamp(folder);
        if (stamp.link() && !reach.holds(folder)) {
            return NOTHING;
        }
        if (before != null && before.stamp.equals(stamp.text())) {
            return before;
        }
        List<Path> entries = new ArrayList<>();
        for (Path entry : GitFiles.entries(folder)) {
            if (names.matcher(entry.getFileName().toString()).matches()) {
                entries.add(entry);
            }
        }
        return new Listing(stamp.young() ? "young" : stamp.text(), entries);
    }

    /** One that is gone meanwhile is no other; what cannot be read is none for git either. */
    private boolean isWhole(Path object) {
        if (read > MOST_READ) {
            cut = true;
            return true;
        }
        String name = object.getName(object.getNameCount() - 2) + object.getFileName().toString();
        MessageDigest hash = GitFiles.hash(name.length() == 40 ? "SHA-1" : "SHA-256");
        if (Files.isSymbolicLink(object) && !reach.holds(object)) {
            return false;
        }
        if (!Files.isRegularFile(object)) {
            return !Files.exists(object, LinkOption.NOFOLLOW_LINKS);
        }
        try (InputStream in = new InflaterInputStream(Files.newInputStream(object))) {
            byte[] buffer = new byte[BUFFER];
            for (int n = in.read(buffer); n >= 0 && read <= MOST_READ; n = in.read(buffer)) {
                hash.update(buffer, 0, n);
                read += n;
            }
        } catch (IOException e) {
            return !Files.exists(object, LinkOption.NOFOLLOW_LINKS);
        }
        if (read > MOST_READ) {
            cut = true;
            return true;
        }
        return HexFormat.of().formatHex(hash.digest()).equals(name);
    }
}
