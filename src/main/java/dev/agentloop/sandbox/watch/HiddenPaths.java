package dev.agentloop.sandbox.watch;

import dev.agentloop.sandbox.git.file.GitFiles;
import dev.agentloop.sandbox.home.HomeView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What commands have no business reading: keys, credentials, our own state. */
public final class HiddenPaths {
    private static final int MOST_BORROWED = 64 * 1024; // bytes of names

    private HiddenPaths() {}

    /**
     * What the run needs of home directories: the folders that commands may write, the repository,
     * and those from which it borrows objects. To be asked before the first command: from then on
     * commands could name others. What is no repository is not counted for being named there.
     */
    public static List<Path> needed(Boundaries boundaries) {
        List<Path> needed = new ArrayList<>(boundaries.writable());
        needed.addAll(boundaries.added());
        for (Path root : boundaries.roots()) {
            GitFolder.of(root)
                    .ifPresent(git -> {
                        needed.add(git.store());
                        borrowed(git.store()).forEach(needed::add);
                    });
        }
        return List.copyOf(needed);
    }

    private static List<Path> borrowed(Path store) {
        List<Path> found = new ArrayList<>();
        Path objects = store.resolve("objects");
        String names = GitFiles.text(objects.resolve("info/alternates"), MOST_BORROWED);
        for (String line : names.replace("\0", "").lines().toList()) { // which no path may hold
            Path other = real(objects.resolve(line.strip()));
            if (other != null
                    && other.endsWith("objects")
                    && Files.isRegularFile(other.resolveSibling("HEAD"))) {
                found.add(other);
            }
        }
        return found;
    }

    /**
     * Of home directories at this moment, with what the folders of this run need of them.
     *
     * @param needed of {@link #needed}
     */
    public static HomeView view(Boundaries boundaries, List<Path> needed) {
        return HomeView.of(
                boundaries.home(),
                boundaries.workspace(),
                boundaries.readable(),
                needed,
                boundaries.environment());
    }

    /**
     * Those that exist and would be in sight, links followed. A folder that holds the workspace is
     * none of them: the person has chosen to work there.
     */
    public static Set<Path> of(Boundaries boundaries, HomeView view) {
        Set<Path> hidden = new LinkedHashSet<>();
        for (Path path : boundaries.own()) {
            Path real = real(path);
            if (real != null && !boundaries.workspace().startsWith(real) && view.isInSight(real)) {
                hidden.add(real);
            }
        }
        hidden.addAll(view.credentials());
        return hidden;
    }

    public static Path realOrSame(Path path) {
        Path real = real(path);
        return real == null ? path : real;
    }

    public static @Nullable Path real(Path path) {
        try {
            return Files.exists(path) ? path.toRealPath() : null;
        } catch (IOException e) {
            return null;
        }
    }
}
