package dev.agentloop.sandbox.git;

import dev.agentloop.sandbox.git.file.FolderReader;
import dev.agentloop.sandbox.git.file.GitFiles;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

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
    private final FolderReader folders;
    private final int mostFolders;
    private Map<Path, Listing> known = new HashMap<>();

    /**
     * @param mostFolders looked at, nearest first
     */
    FolderTree(Path root, FolderReader folders, int mostFolders) {
        this.root = root;
        this.folders = folders;
        this.mostFolders = mostFolders;
    }

    /**
     * What a look at the folders of a workspace found.
     *
     * @param gits entries named {@code .git}, whatever they are
     * @param bare folders that git takes for a repository without a working tree
     * @param huskies folders of hooks
     * @param links symbolic links among the files of repositories, and whose they are
     * @param unseen a folder that was not looked at, because there are too many
     * @param left how many there are of these at least
     */
    record Found(
            List<Path> gits,
            List<Path> bare,
            List<Path> huskies,
            Map<Path, Path> links,
            Optional<Path> unseen,
            int left) {
        private static Found nothing() {
            return new Found(
                    new ArrayList<>(),
                    new ArrayList<>(),
                    new ArrayList<>(),
                    new LinkedHashMap<>(),
                    Optional.empty(),
                    0);
        }
    }

    private record Listing(
            String stamp, List<Path> folders, List<Path> gits, List<Path> links, boolean bare) {}

    /**
     * A folder that is yet to be listed.
     *
     * @param store the repository that it is a part of; null if it is of none
     */
    private record Open(Path folder, @Nullable Path store) {
        boolean isLast() {
            return LAST.contains(folder.getFileName().toString());
        }
    }

    Found look() {
        Map<Path, Listing> seen = new HashMap<>();
        Found found = Found.nothing();
        Deque<Open> open =
                new ArrayDeque<>(List.of(new Open(root, GitFiles.isGit(root) ? root : null)));
        Deque<Open> last = new ArrayDeque<>();
        while (seen.size() < mostFolders && !(open.isEmpty() && last.isEmpty())) {
            Open next = open.isEmpty() ? last.removeFirst() : open.removeFirst();
            Path folder = next.folder;
            Listing listing = listing(folder, next.store != null);
            Path store = listing.bare ? folder : next.store;
            seen.put(folder, listing);
            found.gits.addAll(listing.gits);
            if (listing.bare) {
                found.bare.add(folder);
            }
            if (store != null) {
                listing.links.forEach(link -> found.links.put(link, store));
            }
            for (Path below : listing.folders) {
                Open one = new Open(below, GitFiles.isGit(below) ? below : store);
                (one.isLast() ? last : open).add(one);
            }
            listing.folders.stream()
                    .filter(below -> below.endsWith(".husky"))
                    .forEach(found.huskies::add);
        }
        known = seen;
        Open unseen = open.isEmpty() ? last.peek() : open.peek();
        int left = open.size() + last.size();
        return new Found(
                found.gits,
                found.bare,
                found.huskies,
                found.links,
                Optional.ofNullable(unseen).map(Open::folder),
                left);
    }

    private Listing listing(Path folder, boolean inStore) {
        GitFiles.Stamp stamp = GitFiles.stamp(folder, LinkOption.NOFOLLOW_LINKS);
        Listing before = known.get(folder);
        if (before != null && before.stamp.equals(stamp.text())) {
            return before;
        }
        List<Path> below = new ArrayList<>();
        List<Path> gits = new ArrayList<>();
        List<Path> links = new ArrayList<>();
        Set<String> names = new HashSet<>();
        boolean objects = inStore && folder.endsWith("objects");
        for (Path entry : folders.entries(folder, _ -> true)) {
            String name = entry.getFileName().toString();
            names.add(name);
            if (GitFiles.isGit(entry)) {
                gits.add(entry);
            }
            GitFiles.Type type = GitFiles.type(entry);
            boolean content = objects && OBJECTS.matcher(name).matches();
            if (type == GitFiles.Type.FOLDER && !content) {
                below.add(entry);
            } else if (type == GitFiles.Type.LINK) {
                links.add(entry);
            }
        }
        String text = stamp.young() ? "young" : stamp.text();
        return new Listing(text, below, gits, links, isBare(names));
    }

    /** As git decides it, which asks for the names only: each may be a link to somewhere else. */
    private static boolean isBare(Collection<String> names) {
        return names.contains("HEAD") && (names.contains("commondir") || names.containsAll(STORE));
    }
}
