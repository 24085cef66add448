package dev.agentloop.sandbox.git;

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

/**
 * Objects in files of their own. The name of each is the hash of what it holds, so whatever has
 * another stamp than the last time is read and compared.
 */
final class LooseObjects {
    private static final Pattern NAME = Pattern.compile("[0-9a-f]{38}|[0-9a-f]{62}");
    private static final int FOLDERS = 256;
    private static final int MOST = 20_000;
    private static final long MOST_READ = 512L * 1024 * 1024; // bytes of content in one look
    private static final int BUFFER = 64 * 1024;

    private final Path folder;
    private final Map<Path, Listing> listings = new HashMap<>();
    private Map<Path, String> verified = new HashMap<>();
    private boolean begun;
    private boolean cut;
    private long read;

    LooseObjects(Path folder) {
        this.folder = folder;
    }

    private record Listing(String stamp, List<Path> objects) {}

    /** The names of all, as they are now; the first time they are taken to be in order. */
    Set<String> names() {
        Set<String> names = new HashSet<>();
        for (Path object : objects()) {
            names.add(folder.relativize(object).toString());
            if (!begun) {
                verified.put(object, GitFiles.stamp(object).text());
            }
        }
        begun = true;
        return names;
    }

    /** Those that hold something else than their name says. */
    List<Path> changed() {
        List<Path> bad = new ArrayList<>();
        Map<Path, String> good = new HashMap<>();
        cut = false;
        read = 0;
        for (Path object : objects()) {
            GitFiles.Stamp stamp = GitFiles.stamp(object);
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

    /** Whether the last look left something out. */
    boolean isCut() {
        return cut;
    }

    private List<Path> objects() {
        List<Path> all = new ArrayList<>();
        for (int i = 0; i < FOLDERS; i++) {
            Path part = folder.resolve(HexFormat.of().toHexDigits((byte) i));
            GitFiles.Stamp stamp = GitFiles.stamp(part);
            Listing listing = listings.get(part);
            if (listing == null || !listing.stamp.equals(stamp.text())) {
                List<Path> objects = stamp == GitFiles.Stamp.NONE ? List.of() : list(part);
                listing = new Listing(stamp.young() ? "young" : stamp.text(), objects);
                listings.put(part, listing);
            }
            all.addAll(listing.objects);
        }
        if (all.size() > MOST) {
            cut = true;
            return all.subList(0, MOST);
        }
        return all;
    }

    private static List<Path> list(Path part) {
        List<Path> objects = new ArrayList<>();
        for (Path file : GitFiles.entries(part)) {
            if (NAME.matcher(file.getFileName().toString()).matches()) {
                objects.add(file);
            }
        }
        return objects;
    }

    /** One that is gone meanwhile is no other; what cannot be read is none for git either. */
    private boolean isWhole(Path object) {
        if (read > MOST_READ) {
            cut = true;
            return true;
        }
        String name = object.getName(object.getNameCount() - 2) + object.getFileName().toString();
        MessageDigest hash = GitFiles.hash(name.length() == 40 ? "SHA-1" : "SHA-256");
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
