package dev.agentloop.prompt;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Reads what files say to agents: {@code AGENTS.md} of each folder, else {@code CLAUDE.md}, and
 * what they import. Each file is read once in a run, and never more than a bound of all together.
 */
public final class GuidanceReader {
    public static final List<String> NAMES = List.of("AGENTS.md", "CLAUDE.md");

    private static final int MAX_FILE = 32 * 1024; // bytes; real ones have a few thousand
    private static final int MAX_ALL = 64 * 1024; // bytes, about 16,000 tokens
    private static final int MAX_DEPTH = 5; // of imports

    private final Set<Path> read = new HashSet<>();
    private final List<String> leftOut = new ArrayList<>();
    private int room = MAX_ALL;

    /**
     * A tree of folders with guidance.
     *
     * @param root nothing above it is read
     * @param prefix stands before names that are shown, e.g. {@code ~/.config/agent/}; may be empty
     * @param mayImport whether a file that is not itself of guidance may be read
     */
    public record Tree(GuidanceSource source, Path root, String prefix, Predicate<Path> mayImport) {
        private String name(Path file) {
            return prefix + root.relativize(file);
        }
    }

    /**
     * What the folders from the root down to this one say and was not told yet, outermost first.
     */
    public synchronized List<GuidanceFile> downTo(Tree tree, Path folder) {
        List<GuidanceFile> found = new ArrayList<>();
        if (!folder.startsWith(tree.root())) {
            return found;
        }
        Path at = tree.root();
        in(tree, at, found);
        for (Path name : tree.root().relativize(folder)) {
            if (!name.toString().isEmpty()) {
                at = at.resolve(name);
                in(tree, at, found);
            }
        }
        return found;
    }

    /** What was not read or cut since this was asked last, with the reason, for people. */
    public synchronized List<String> takeLeftOut() {
        List<String> left = List.copyOf(leftOut);
        leftOut.clear();
        return left;
    }

    /** What was read so far, and how much more may be. */
    public record Mark(Set<Path> read, int room) {}

    public synchronized Mark mark() {
        return new Mark(Set.copyOf(read), room);
    }

    /** All that was read since then may be told once more: nobody remembers it. */
    public synchronized void goBackTo(Mark mark) {
        read.retainAll(mark.read());
        room = mark.room();
    }

    /** The first name that can be read; one may be a link to the other. */
    private void in(Tree tree, Path folder, List<GuidanceFile> found) {
        for (String name : NAMES) {
            Path file = folder.resolve(name);
            int before = found.size();
            if (read.contains(file) || take(tree, file, 0, found) && found.size() > before) {
                return;
            }
        }
    }

    /** Whether something of that name is there, be it read or not. */
    private boolean take(Tree tree, Path file, int depth, List<GuidanceFile> found) {
        Optional<byte[]> bytes;
        try {
            bytes = tree.source().read(file, MAX_FILE + 1);
        } catch (IOException e) {
            read.add(file);
            leftOut.add(GuidanceFile.plain(tree.name(file)) + " (" + why(e) + ")");
            return true;
        }
        if (bytes.isEmpty()) {
            return false;
        }
        read.add(file);
        int length = Math.min(Math.min(bytes.get().length, MAX_FILE), room);
        room -= length;
        String cut = "";
        if (length < bytes.get().length) {
            cut = "cut here: at most 32 KiB of a file and 64 KiB in all are read";
            leftOut.add(GuidanceFile.plain(tree.name(file)) + " (cut after " + length + " bytes)");
        }
        String text = text(bytes.get(), length);
        found.add(GuidanceFile.of(tree.name(file), text, cut));
        for (String name : ImportNames.in(text)) {
            imported(tree, file, name, depth + 1, found);
        }
        return true;
    }

    private static String why(IOException e) {
        if (e instanceof AccessDeniedException) {
            return "permission denied";
        }
        return e instanceof FileSystemException at && at.getReason() != null
                ? at.getReason()
                : String.valueOf(e.getMessage());
    }

    /** Half a character at the end is left away. */
    private static String text(byte[] bytes, int length) {
        int end = length;
        if (length < bytes.length) {
            while (end > 0 && (bytes[end] & 0xC0) == 0x80) {
                end--;
            }
        }
        return new String(bytes, 0, end, StandardCharsets.UTF_8);
    }

    private void imported(Tree tree, Path from, String name, int depth, List<GuidanceFile> found) {
        Optional<Path> target = target(from, name);
        if (target.isEmpty() || read.contains(target.get())) {
            return;
        }
        Path file = target.get();
        boolean document = name.endsWith(".md"); // else it may be somebody's name, or a package's
        if (!file.startsWith(tree.root()) || !tree.mayImport().test(file)) {
            if (document) {
                leftOut.add("@" + GuidanceFile.plain(name) + " (not allowed from there)");
            }
        } else if (depth > MAX_DEPTH) {
            leftOut.add(GuidanceFile.plain(tree.name(file)) + " (imported too deeply)");
        } else if (!take(tree, file, depth, found) && document) {
            leftOut.add(GuidanceFile.plain(tree.name(file)) + " (not there)");
        }
    }

    private static Optional<Path> target(Path from, String name) {
        try {
            return Optional.of(from.resolveSibling(name).normalize());
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }
}
