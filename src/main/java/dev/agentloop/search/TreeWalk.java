package dev.agentloop.search;

import dev.agentloop.json.Json;
import dev.agentloop.search.ignore.IgnoreRules;
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
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Walks a tree in the order of names. Follows no symbolic link, holds one directory open at a time,
 * leaves out what {@link IgnoreRules} name, and does not enter what the kernel makes up, as {@code
 * /proc}.
 */
public final class TreeWalk {
    private static final int MAX_NAMES = 300_000; // of one folder; about 60 MB of heap

    private final Path root;
    private final SearchDeadline deadline;
    private Set<Path> pseudo = Set.of();
    private int unreadable;
    private boolean hasIgnored;

    /**
     * @param root paths are shown relative to it
     */
    public TreeWalk(Path root, SearchDeadline deadline) {
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
            return TreeWalk.shown(relative);
        }
    }

    /** As {@link Entry#shown}. */
    public static String shown(String relative) {
        boolean plain = relative.chars().noneMatch(Character::isISOControl);
        return plain ? relative : Json.quote(relative);
    }

    private record Name(String name, Path path) {}

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

    /**
     * Those of {@code files} that a walk below {@code start} would meet.
     *
     * @param files relative to the root, best those of a folder together
     */
    public void these(Path start, List<String> files, Visitor visitor) throws IOException {
        Map<String, Optional<IgnoreRules>> folders = new HashMap<>();
        String top = relative(start);
        IgnoreRules first = rulesAt(start).in(start, top, IgnoreRules.isRepository(start));
        folders.put(top, Optional.of(first));
        for (String file : files) {
            deadline.check();
            if (!file.startsWith(top)) {
                continue;
            }
            Entry entry = entry(root.resolve(file), file);
            Optional<IgnoreRules> rules = rulesIn(parent(file), folders, _ -> true);
            boolean ignored = rules.isEmpty() || rules.get().ignores(file, false);
            if (entry == null || !entry.isFile() || ignored) {
                continue;
            }
            if (!visitor.visit(entry)) {
                return;
            }
        }
    }

    /**
     * Those of {@code files} that no ignore rule leaves out, whether they are still there or not.
     *
     * @param files relative to the root, best those of a folder together
     * @param mayHaveRules whether there may be an ignore file or a repository in a folder, which is
     *     named relative to the root and with a slash behind it; others are not looked into
     * @param visitor takes the names one by one and returns whether to go on
     * @throws IOException when ignore files cannot be read
     */
    public void names(
            Path start,
            List<String> files,
            Predicate<String> mayHaveRules,
            Predicate<String> visitor)
            throws IOException {
        Map<String, Optional<IgnoreRules>> folders = new HashMap<>();
        String top = relative(start);
        folders.put(
                top, Optional.of(rulesAt(start).in(start, top, IgnoreRules.isRepository(start))));
        for (String file : files) {
            deadline.check();
            Optional<IgnoreRules> rules =
                    file.startsWith(top)
                            ? rulesIn(parent(file), folders, mayHaveRules)
                            : Optional.empty();
            if (rules.isEmpty() || rules.get().ignores(file, false)) {
                hasIgnored = true;
            } else if (!visitor.test(file)) {
                return;
            }
        }
    }

    /**
     * Those of {@code folders} that are still there and that no ignore rule leaves out.
     *
     * @param folders relative to the root; empty for the root itself
     */
    public Set<String> entered(Path start, List<String> folders) throws IOException {
        Map<String, Optional<IgnoreRules>> known = new HashMap<>();
        String top = relative(start);
        known.put(top, Optional.of(rulesAt(start).in(start, top, IgnoreRules.isRepository(start))));
        Set<String> entered = new HashSet<>();
        for (String folder : folders) {
            deadline.check();
            String base = folder.isEmpty() ? "" : folder + "/";
            if (rulesIn(base, known, _ -> true).isPresent()) {
                entered.add(folder);
            } else {
                hasIgnored = true;
            }
        }
        return entered;
    }

    /** How a walk would order two relative paths. */
    public static int compare(String one, String other) {
        int length = Math.min(one.length(), other.length());
        for (int i = 0; i < length; i++) {
            char a = one.charAt(i);
            char b = other.charAt(i);
            if (a != b) {
                return (a == '/' ? 0 : a) - (b == '/' ? 0 : b); // a folder's files are together
            }
        }
        return one.length() - other.length();
    }

    /** Rules inside of a folder; empty if it is ignored, or no folder. */
    private Optional<IgnoreRules> rulesIn(
            String base, Map<String, Optional<IgnoreRules>> known, Predicate<String> mayHaveRules)
            throws IOException {
        Optional<IgnoreRules> before = known.get(base);
        if (before != null) {
            return before;
        }
        String name = base.substring(0, base.length() - 1);
        Optional<IgnoreRules> rules =
                rulesIn(parent(name), known, mayHaveRules)
                        .filter(above -> !above.ignores(name, true));
        if (rules.isPresent() && mayHaveRules.test(base)) {
            Path folder = root.resolve(base);
            rules =
                    Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
                            ? Optional.of(
                                    rules.get().in(folder, base, IgnoreRules.isRepository(folder)))
                            : Optional.empty();
        }
        known.put(base, rules);
        return rules;
    }

    private static String parent(String path) {
        return path.substring(0, path.lastIndexOf('/') + 1);
    }

    /** Whether another file system begins below the root. */
    public boolean crossesFileSystems() {
        return !MountPoints.below(root).all().isEmpty();
    }

    /** The entries of one folder, ignored or not. */
    public List<Entry> inside(Path folder) throws IOException {
        List<Entry> entries = new ArrayList<>();
        String base = relative(folder);
        for (Name name : sorted(folder)) {
            deadline.check();
            Entry entry = entry(name.path(), base + name.name());
            if (entry != null) {
                entries.add(entry);
            }
        }
        return entries;
    }

    /** Whether anything was left out so far because an ignore rule says so. */
    public boolean hasIgnored() {
        return hasIgnored;
    }

    /** Folders that could not be read so far, or of which there were too many names to read all. */
    public int unreadable() {
        return unreadable;
    }

    private boolean walk(Path folder, String base, IgnoreRules above, Visitor visitor)
            throws IOException {
        Name[] names;
        IgnoreRules rules;
        try {
            names = sorted(folder);
            rules = above.in(folder, base, holdsRepository(names));
        } catch (IOException e) {
            unreadable++; // one closed folder must not end the search
            return true;
        }
        for (Name name : names) {
            deadline.check();
            Entry entry = entry(name.path(), base + name.name());
            if (entry == null) {
                continue;
            }
            if (rules.ignores(entry.relative(), entry.isFolder())) {
                hasIgnored |= !name.name().equals(".git");
                continue;
            }
            if (!visitor.visit(entry)) {
                return false;
            }
            if (entry.isFolder()
                    && !pseudo.contains(entry.path())
                    && !walk(entry.path(), entry.relative() + "/", rules, visitor)) {
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

    /** Null if it has gone since its folder was read, or nobody may look at it. */
    private @Nullable Entry entry(Path path, String relative) {
        try {
            BasicFileAttributes attributes =
                    Files.readAttributes(
                            path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return new Entry(path, relative, attributes);
        } catch (NoSuchFileException e) {
            return null;
        } catch (IOException e) {
            unreadable++; // one closed entry must not end the search
            return null;
        }
    }

    private static boolean holdsRepository(Name[] sorted) {
        for (Name name : sorted) {
            int order = name.name().compareTo(".git");
            if (order >= 0) {
                return order == 0;
            }
        }
        return false;
    }

    private Name[] sorted(Path folder) throws IOException {
        List<Name> names = new ArrayList<>();
        int before = -1; // length of what stands before the name
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder)) {
            for (Path path : stream) {
                deadline.check();
                String whole = path.toString();
                before = before < 0 ? whole.lastIndexOf('/') + 1 : before;
                names.add(new Name(whole.substring(before), path));
                if (names.size() == MAX_NAMES) {
                    unreadable++; // the rest of it is not looked at
                    break;
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        Name[] sorted = names.toArray(new Name[0]);
        Arrays.sort(sorted, Comparator.comparing(Name::name));
        return sorted;
    }
}
