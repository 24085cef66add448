package dev.agentloop.sandbox.git;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * All folders of a workspace in which git would find a repository. A folder is listed again only
 * when its entries have changed: a stamp costs a few microseconds, a listing far more.
 */
final class FolderTree {
    /** Folders of packages and builds: there are many, and people rarely work in them. */
    private static final Set<String> LAST =
            Set.of("node_modules", "target", "build", "dist", ".venv", "venv", ".gradle");

    private static final Set<String> STORE = Set.of("objects", "refs");
    private static final Pattern OBJECTS = Pattern.compile("[0-9a-f]{2}|pack");

    private final Path root;
    private final int mostFolders;
    private Map<Path, Listing> known = new HashMap<>();

    /**
     * @param mostFolders looked at, nearest first
     */
    FolderTree(Path root, int mostFolders) {
        this.root = root;
        this.mostFolders = mostFolders;
    }

    /**
     * What a look at the folders of a workspace found.
     *
     * @param gits entries named {@code .git}, whatever they are
     * @param bare folders that git takes for a repository without a working tree
     * @param huskies folders of hooks
     * @param unseen a folder that was not looked at, because there are too many
     * @param left how many there are of these at least
     */
    record Found(
            List<Path> gits,
            List<Path> bare,
            List<Path> huskies,
            Optional<Path> unseen,
            int left) {}

    private record Listing(String stamp, List<Path> folders, List<Path> gits, boolean bare) {}

    Found look() {
        Map<Path, Listing> seen = new HashMap<>();
        Found found =
                new Found(
                        new ArrayList<>(),
                        new ArrayList<>(),
                        new ArrayList<>(),
                        Optional.empty(),
                        0);
        Deque<Path> open = new ArrayDeque<>(List.of(root));
        Deque<Path> last = new ArrayDeque<>();
        while (seen.size() < mostFolders && !(open.isEmpty() && last.isEmpty())) {
            Path folder = open.isEmpty() ? last.removeFirst() : open.removeFirst();
            Listing listing = listing(folder);
            seen.put(folder, listing);
            found.gits.addAll(listing.gits);
            if (listing.bare) {
                found.bare.add(folder);
            }
            for (Path below : listing.folders) {
                String name = below.getFileName().toString();
                (LAST.contains(name) ? last : open).add(below);
                if (name.equals(".husky")) {
                    found.huskies.add(below);
                }
            }
        }
        known = seen;
        Path unseen = open.isEmpty() ? last.peek() : open.peek();
        int left = open.size() + last.size();
        return new Found(found.gits, found.bare, found.huskies, Optional.ofNullable(unseen), left);
    }

    private Listing listing(Path folder) {
        GitFiles.Stamp stamp = GitFiles.stamp(folder, LinkOption.NOFOLLOW_LINKS);
        Listing before = known.get(folder);
        if (before != null && before.stamp.equals(stamp.text())) {
            return before;
        }
        List<Path> folders = new ArrayList<>();
        List<Path> gits = new ArrayList<>();
        Set<String> names = new HashSet<>();
        boolean objects = folder.endsWith("objects");
        for (Path entry : GitFiles.entries(folder)) {
            String name = entry.getFileName().toString();
            names.add(name);
            if (isGit(name)) {
                gits.add(entry);
            }
            boolean inStore = objects && OBJECTS.matcher(name).matches();
            if (!inStore && Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
                folders.add(entry);
            }
        }
        boolean bare = isBare(names);
        return new Listing(stamp.young() ? "young" : stamp.text(), folders, gits, bare);
    }

    /** As git decides it, which asks for the names only: each may be a link to somewhere else. */
    private static boolean isBare(Collection<String> names) {
        return names.contains("HEAD") && (names.contains("commondir") || names.containsAll(STORE));
    }

    /** Also as file systems take it that do not tell cases apart. */
    private static boolean isGit(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.equals(".git") || lower.equals("git~1");
    }
}
