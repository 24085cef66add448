package dev.agentloop.search;

import dev.agentloop.json.Json;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Walks a tree in the order of names. Follows no symbolic link, holds one directory open at a time,
 * and leaves out what {@link IgnoreRules} name.
 */
public final class TreeWalk {
    private static final int MAX_NAMES = 100_000; // of one folder; about 20 MB of heap

    private final Path root;
    private final Deadline deadline;
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
        walk(start, relative(start), rulesAt(start), visitor);
    }

    /** The entries of one folder, ignored or not. */
    public List<Entry> inside(Path folder) throws IOException {
        List<Entry> entries = new ArrayList<>();
        String base = relative(folder);
        for (Path path : names(folder)) {
            deadline.check();
            entries.add(entry(path, base));
        }
        return entries;
    }

    /** Folders that could not be read so far. */
    public int unreadable() {
        return unreadable;
    }

    private boolean walk(Path folder, String base, IgnoreRules above, Visitor visitor)
            throws IOException {
        List<Path> names;
        IgnoreRules rules;
        try {
            names = names(folder);
            rules = above.in(folder, base);
        } catch (IOException e) {
            unreadable++; // one closed folder must not end the search
            return true;
        }
        for (Path path : names) {
            deadline.check();
            Entry entry = entry(path, base);
            if (rules.ignores(entry.relative(), entry.isFolder(), deadline)) {
                continue;
            }
            if (!visitor.visit(entry)) {
                return false;
            }
            if (entry.isFolder() && !walk(path, entry.relative() + "/", rules, visitor)) {
                return false;
            }
        }
        return true;
    }

    /** Rules of the folders above; none if they ignore the start itself, which was asked for. */
    private IgnoreRules rulesAt(Path start) throws IOException {
        IgnoreRules rules = IgnoreRules.usual();
        Path folder = root;
        String base = "";
        for (Path name : start.equals(root) ? List.<Path>of() : root.relativize(start)) {
            rules = rules.in(folder, base);
            if (rules.ignores(base + name, true, deadline)) {
                return IgnoreRules.usual();
            }
            folder = folder.resolve(name);
            base = base + name + "/";
        }
        return rules;
    }

    private String relative(Path folder) {
        return folder.equals(root) ? "" : root.relativize(folder) + "/";
    }

    private static Entry entry(Path path, String base) throws IOException {
        BasicFileAttributes attributes =
                Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        return new Entry(path, base + path.getFileName(), attributes);
    }

    private static List<Path> names(Path folder) throws IOException {
        List<Path> names = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder)) {
            for (Path path : stream) {
                names.add(path);
                if (names.size() == MAX_NAMES) {
                    break;
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        names.sort(Comparator.comparing(path -> String.valueOf(path.getFileName())));
        return names;
    }
}
