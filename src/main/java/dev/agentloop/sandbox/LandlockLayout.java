package dev.agentloop.sandbox;

import dev.agentloop.sandbox.home.HomeView;
import dev.agentloop.sandbox.watch.Boundaries;
import dev.agentloop.sandbox.watch.GitFolder;
import dev.agentloop.sandbox.watch.HiddenPaths;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Which files and folders commands get under Landlock, whose rules only add rights: what a folder
 * gets, all beneath it has. So where something in a folder is hidden, its neighbours are named one
 * by one and the folder itself gets nothing: no new name can be made in it, for the right to make
 * one would hold in what is hidden, too.
 *
 * @param readable to be read, with all beneath them
 * @param writable to be read and changed, with all beneath them
 * @param closed folders that were to be writable, but hold something hidden
 */
record LandlockLayout(List<Path> readable, List<Path> writable, Set<Path> closed) {
    static final Path DEVICES = Path.of("/dev");
    private static final Path ROOT = Path.of("/");

    /**
     * As the folders are at this moment.
     *
     * @param given what the sandbox adds for commands to read
     * @param tmp private folder for temporary files
     */
    static LandlockLayout of(Boundaries boundaries, HomeView view, Set<Path> given, Path tmp)
            throws IOException {
        Set<Path> hidden = new HashSet<>(HiddenPaths.of(boundaries, view));
        hidden.add(DEVICES);
        hidden.addAll(view.covered());
        List<Path> readable = new ArrayList<>(given);
        for (Path entry : entries(ROOT)) {
            add(entry, hidden, readable::add, _ -> {});
        }
        for (Path shown : view.shown()) {
            if (shown.equals(HiddenPaths.real(shown))) { // a link is shown with what it leads to
                add(shown, hidden, readable::add, _ -> {});
            }
        }
        hidden.removeAll(inWorkspace(boundaries));
        hidden.addAll(missing(boundaries));
        List<Path> writable = new ArrayList<>();
        Set<Path> closed = new LinkedHashSet<>();
        for (Path root : roots(boundaries)) {
            add(root, hidden, writable::add, closed::add);
        }
        writable.add(tmp);
        return new LandlockLayout(List.copyOf(readable), List.copyOf(writable), Set.copyOf(closed));
    }

    /** Whether who has these rights can write as {@code now} says, and read nothing besides. */
    boolean isWithin(LandlockLayout now) {
        Set<Path> all = new HashSet<>(now.readable);
        all.addAll(now.writable);
        return writable.equals(now.writable)
                && closed.equals(now.closed)
                && readable.stream().allMatch(path -> all.contains(path) || !Files.exists(path));
    }

    private static Set<Path> roots(Boundaries boundaries) {
        Set<Path> roots = new LinkedHashSet<>();
        for (Path path : boundaries.writable()) {
            Path real = HiddenPaths.real(path);
            if (real != null) {
                roots.add(real);
            }
        }
        for (Path root : boundaries.roots()) {
            roots.add(root);
            GitFolder.of(root).ifPresent(git -> roots.addAll(git.writable()));
        }
        return roots;
    }

    /**
     * Files such as .env lie in the root of every other project: that cannot be closed for them.
     */
    private static Set<Path> inWorkspace(Boundaries boundaries) {
        Set<Path> files = new HashSet<>();
        for (Path path : boundaries.sensitive()) {
            Path real = HiddenPaths.real(path);
            if (real != null) {
                files.add(real);
            }
        }
        return files;
    }

    /** Our own folders before we have made them: a command would make its own there. */
    private static Set<Path> missing(Boundaries boundaries) {
        Set<Path> missing = new HashSet<>();
        for (Path path : boundaries.own()) {
            Path parent = path.toAbsolutePath().normalize();
            Path name = parent;
            while (parent != null && !Files.exists(parent)) {
                name = parent;
                parent = parent.getParent();
            }
            Path real = parent == null ? null : HiddenPaths.real(parent);
            if (real != null && !name.equals(parent)) {
                missing.add(real.resolve(name.getFileName()));
            }
        }
        return missing;
    }

    private static void add(
            Path path, Set<Path> hidden, Consumer<Path> whole, Consumer<Path> inPart)
            throws IOException {
        if (hidden.contains(path)) {
            return;
        }
        if (hidden.stream().noneMatch(inside -> inside.startsWith(path))) {
            whole.accept(path);
            return;
        }
        inPart.accept(path);
        for (Path entry : entries(path)) {
            add(entry, hidden, whole, inPart);
        }
    }

    /** Without links: what a link leads to is named by itself. */
    private static List<Path> entries(Path folder) throws IOException {
        List<Path> entries = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder)) {
            for (Path entry : stream) {
                if (!Files.isSymbolicLink(entry)) {
                    entries.add(entry);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        entries.sort(null);
        return entries;
    }
}
