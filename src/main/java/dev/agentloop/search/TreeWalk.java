package dev.agentloop.search;

import dev.agentloop.json.Json;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Walks a tree in the order of names. Follows no symbolic link, holds one directory open at a time,
 * leaves out what {@link IgnoreRules} name, and does not enter what the kernel makes up, as {@code
 * /proc}.
 */
public final class TreeWalk {
    private static final int MAX_NAMES = 100_000; // of one folder; about 20 MB of heap

    private final Path root;
    private final Deadline deadline;
    private Set<Path> pseudo = Set.of();
    private int unreadable;

    /**
     * @param root paths are shown relative to it
     */
    public TreeWalk(Path root, Deadline deadline) {
        this.root = root;
        this.deadline = deadline;
    }

    /** A file, folder or link on the way. */
    public record Entry(Path path, String relative, BasicFileAttributes attributes) {
        public boolean isFolder() {
            return attributes.isDirectory();
        }

        public boolean isFile() {
            return attributes.isRegularFile();
        }

        /** The name for people and models: names with control characters as JSON strings. */
        public String shown() {
            boolean plain = relative.chars().noneMatch(Character::isISOControl);
            return plain ? relative : Json.quote(relative);
        }
    }

    /** Takes the entries one by one. */
    @FunctionalInterface
    public interface Visitor {
        /** Returns whether to go on. */
        boolean visit(Entry entry) throws IOException;
    }

    /** All entries below {@code start}, without those to be ignored. */
    public void below(Path start, Visitor visitor) throws IOException {
        pseudo = MountPoints.below(start).pseudo();
        walk(start, relative(start), rulesAt(start), visitor);
    }

    /** All files below {@code start}, or {@code start} itself if it is a file. */
    public void files(Path start, Visitor visitor) throws IOException {
        Entry only = entry(start, "");
        if (only != null && only.isFile()) {
            visitor.visit(new Entry(start, root.relativize(start).toString(), only.attributes()));
        } else {
            below(start, entry -> !entry.isFile() || visitor.visit(entry));
        }
    }

    /** The entries of one folder, ignored or not. */
    public List<Entry> inside(Path folder) throws IOException {
        List<Entry> entries = new ArrayList<>();
        String base = relative(folder);
        for (Path path : sorted(folder)) {
            deadline.check();
            Entry entry = entry(path, base);
            if (entry != null) {
                entries.add(entry);
            }
        }
        return entries;
    }

    /** Folders that could not be read so far. */
    public int unreadable() {
        return unreadable;
    }

    private boolean walk(Path folder, String base, IgnoreRules above, Visitor visitor)
            throws IOException {
        Path[] paths;
        IgnoreRules rules;
        try {
            paths = sorted(folder);
            rules = above.in(folder, base, holdsRepository(paths));
        } catch (IOException e) {
            unreadable++; // one closed folder must not end the search
            return true;
        }
        for (Path path : paths) {
            deadline.check();
            Entry entry = entry(path, base);
            if (entry == null || rules.ignores(entry.relative(), entry.isFolder())) {
                continue;
            }
            if (!visitor.visit(entry)) {
                return false;
            }
            if (entry.isFolder()
                    && !pseudo.contains(path)
                    && !walk(path, entry.relative() + "/", rules, visitor)) {
                return false;
            }
        }
        return true;
    }

    /** Rules of the folders above; none if they ignore the start itself, which was asked for. */
    private IgnoreRules rulesAt(Path start) throws IOException {
        IgnoreRules rules = IgnoreRules.around(root);
        Path folder = root;
        String base = "";
        for (Path name : start.equals(root) ? List.<Path>of() : root.relativize(start)) {
            rules = rules.in(folder, base, IgnoreRules.isRepository(folder));
            if (rules.ignores(base + name, true)) {
                return rules.forgotten();
            }
            folder = folder.resolve(name);
            base = base + name + "/";
        }
        return rules;
    }

    private String relative(Path folder) {
        return folder.equals(root) ? "" : root.relativize(folder) + "/";
    }

    /** Null if it has gone since its folder was read. */
    private static @Nullable Entry entry(Path path, String base) throws IOException {
        try {
            BasicFileAttributes attributes =
                    Files.readAttributes(
                            path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return new Entry(path, base + path.getFileName(), attributes);
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    private static boolean holdsRepository(Path[] sorted) {
        for (Path path : sorted) {
            String name = name(path);
            if (name.compareTo(".git") >= 0) {
                return name.equals(".git");
            }
        }
        return false;
    }

    private static Path[] sorted(Path folder) throws IOException {
        List<Path> paths = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder)) {
            for (Path path : stream) {
                paths.add(path);
                if (paths.size() == MAX_NAMES) {
                    break;
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        Path[] sorted = paths.toArray(new Path[0]);
        Arrays.sort(sorted, Comparator.comparing(TreeWalk::name));
        return sorted;
    }

    private static String name(Path path) {
        return String.valueOf(path.getFileName());
    }
}
