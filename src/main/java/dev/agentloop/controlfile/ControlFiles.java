package dev.agentloop.controlfile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Looks for control files in a workspace: those of its root, and those of the folders near it. */
public final class ControlFiles {
    private static final int MOST_FOLDERS = 100; // a listing is some 10 µs: 1 ms each time
    private static final int MOST_ENTRIES = 500; // looked at in one folder, but for the root
    private static final int MOST_ASKED = 100; // of those that are not wanted, only to count them
    private static final int NOT_COUNTED = -1;
    private static final Set<String> SKIPPED =
            Set.of(".git", "node_modules", "target", "build", "dist", ".venv", "venv", ".gradle");

    /** Was a control file, which nothing reads under this name. */
    private static final Pattern PUT_AWAY = Pattern.compile("\\.quarantined(\\.\\d+)?$");

    private final Path root;
    private final FolderListings listings;
    private final List<ControlFile> found = new ArrayList<>();
    private final List<Path> closed = new ArrayList<>();
    private final List<Path> cut = new ArrayList<>();
    private final List<LinkedFolder> linked = new ArrayList<>();
    private int unseen;

    private ControlFiles(Path root, FolderListings listings) {
        this.root = root;
        this.listings = listings;
    }

    /**
     * A link of the name of {@code .github} and its like: what in its target has certain names is a
     * control file.
     */
    record LinkedFolder(String name, LinkChain chain) {}

    /** The control files, nearest to the root first. */
    public List<ControlFile> found() {
        return found;
    }

    /** Folders that could not be listed; there may be more in them. */
    public List<Path> closed() {
        return closed;
    }

    /**
     * Folders of the name of {@code .github} and its like with more entries than are listed: of the
     * rest only those are found that have exactly the name of a control file.
     */
    public List<Path> cut() {
        return cut;
    }

    /** How many folders near the root were not looked at, or not whole, at least. */
    public int unseen() {
        return unseen;
    }

    /** Links in which control files may come into being. */
    List<LinkedFolder> linked() {
        return linked;
    }

    /**
     * Those in the root: each of them, however many other files there are.
     *
     * @param root real path of the workspace
     */
    public static ControlFiles top(Path root) {
        ControlFiles files = new ControlFiles(root, FolderListings.NONE);
        files.look(root, Integer.MAX_VALUE, NOT_COUNTED);
        return files;
    }

    /** Those in the root, then those of the folders below it that are nearest. */
    public static ControlFiles near(Path root) {
        return near(root, FolderListings.NONE);
    }

    /**
     * @param listings of the last look at this root: a folder is listed again if it has changed
     */
    public static ControlFiles near(Path root, FolderListings listings) {
        ControlFiles files = new ControlFiles(root, listings);
        Deque<Path> open = new ArrayDeque<>(files.look(root, Integer.MAX_VALUE, MOST_FOLDERS - 1));
        for (int left = MOST_FOLDERS - 1; left > 0 && !open.isEmpty(); left--) {
            Path folder = open.removeFirst();
            int wanted = Math.max(0, left - 1 - open.size());
            open.addAll(files.look(folder, MOST_ENTRIES, wanted));
        }
        files.unseen += open.size();
        return files;
    }

    /**
     * Notes the control files of a folder; the answer is the other folders in it.
     *
     * @param most entries looked at
     * @param wanted folders; to ask whether an entry is one takes longer than all else. Negative:
     *     none, and nobody wants to know whether there are any
     */
    private List<Path> look(Path folder, int most, int wanted) {
        String before = folder.equals(root) ? "" : ControlNames.folder(root.relativize(folder));
        FolderListings.Listing listing =
                listings.of(folder, wanted, () -> listing(folder, before, most, wanted));
        for (Path entry : listing.named()) {
            String name = ControlNames.plain(nameOf(entry));
            var group = ControlNames.groupIn(before, name);
            if (group.isPresent()) {
                add(entry, group.get(), folder.equals(root));
            } else {
                within(entry, name, folder.equals(root));
            }
        }
        unseen += listing.more();
        return listing.folders();
    }

    private FolderListings.Listing listing(Path folder, String before, int most, int wanted) {
        List<Path> named = new ArrayList<>();
        List<Path> others = new ArrayList<>();
        int failed = closed.size() + cut.size();
        List<Path> entries = entries(folder, before, most);
        for (Path entry : entries) {
            String name = ControlNames.plain(nameOf(entry));
            if (ControlNames.groupIn(before, name).isPresent()) {
                if (!PUT_AWAY.matcher(name).find()) {
                    named.add(entry);
                }
                continue;
            }
            if (ControlNames.isFolderOfSome(name)) {
                named.add(entry);
            }
            if (!SKIPPED.contains(name)) {
                others.add(entry);
            }
        }
        boolean all = entries.size() < most;
        boolean whole = failed == closed.size() + cut.size() && all;
        List<Path> folders = new ArrayList<>();
        int more = wanted < 0 ? 0 : folders(others, wanted, folders);
        if (wanted >= 0 && !all && !cut.contains(folder)) {
            more++; // the folder itself was not looked at whole
        }
        return new FolderListings.Listing(named, folders, whole, more);
    }

    /**
     * Finds the folders among entries.
     *
     * @param wanted how many at most
     * @return how many more there are; one stands for all that were not counted
     */
    private static int folders(List<Path> entries, int wanted, List<Path> found) {
        int more = 0;
        int asked = 0;
        for (Path entry : entries) {
            boolean counting = found.size() == wanted;
            if (counting && asked++ == MOST_ASKED) {
                return more + 1;
            }
            if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
                if (counting) {
                    more++;
                } else {
                    found.add(entry);
                }
            }
        }
        return more;
    }

    /** Of {@code .github} and its like; where it is a link, also what could come into being. */
    private void within(Path folder, String name, boolean top) {
        boolean link = Files.isSymbolicLink(folder);
        if (!link && !top) {
            return; // it is looked at as a folder
        }
        for (Path entry : entries(folder, name, ControlTree.MOST)) {
            ControlNames.groupIn(name, ControlNames.plain(nameOf(entry)))
                    .ifPresent(group -> add(entry, group, top));
        }
        if (link) {
            linked.add(new LinkedFolder(name, LinkChain.of(root, root.relativize(folder))));
            for (String missing : ControlNames.namesIn(name)) {
                Path path = folder.resolve(missing);
                if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
                    ControlNames.groupIn(name, missing).ifPresent(group -> add(path, group, top));
                }
            }
        }
    }

    private void add(Path path, ControlGroup group, boolean top) {
        if (found.stream().noneMatch(known -> known.name().equals(path))) {
            LinkChain chain = LinkChain.of(root, root.relativize(path));
            found.add(new ControlFile(path, group, chain, top));
        }
    }

    /**
     * What is in a folder; where that is more than {@code most}, also what has a name that counts.
     *
     * @param plain name of the folder
     */
    private List<Path> entries(Path folder, String plain, int most) {
        List<Path> found = new ArrayList<>();
        boolean[] more = new boolean[1];
        try {
            FolderEntries.show(
                    folder,
                    entry -> {
                        more[0] = found.size() >= most;
                        return !more[0] && found.add(entry);
                    });
            if (more[0]) {
                addNamed(folder, plain, found);
            }
        } catch (IOException e) {
            if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
                closed.add(folder);
            }
        }
        return found;
    }

    private void addNamed(Path folder, String plain, List<Path> found) {
        if (!ControlNames.isFolderOfSome(plain)) {
            return;
        }
        if (!cut.contains(folder)) {
            cut.add(folder);
        }
        for (String name : ControlNames.namesIn(plain)) {
            Path path = folder.resolve(name);
            if (Files.exists(path, LinkOption.NOFOLLOW_LINKS) && !found.contains(path)) {
                found.add(path);
            }
        }
    }

    private static String nameOf(Path path) {
        return String.valueOf(path.getFileName());
    }
}
