package dev.agentloop.sandbox.watch;

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
    private HiddenPaths() {}

    /** Of home directories, with what the folders of this run need of them. */
    public static HomeView view(Boundaries boundaries) {
        List<Path> needed = new ArrayList<>(boundaries.writable());
        GitFolder.of(boundaries.workspace()).ifPresent(git -> addStores(git.store(), needed));
        return HomeView.of(
                boundaries.home(),
                boundaries.workspace(),
                boundaries.readable(),
                needed,
                boundaries.environment());
    }

    /**
     * A repository, and those from which it borrows objects. What is no repository does not come in
     * sight by being named there.
     */
    private static void addStores(Path store, List<Path> needed) {
        needed.add(store);
        try {
            for (String line : Files.readAllLines(store.resolve("objects/info/alternates"))) {
                Path objects = real(store.resolve("objects").resolve(line.strip()));
                if (objects != null
                        && objects.endsWith("objects")
                        && Files.isRegularFile(objects.resolveSibling("HEAD"))) {
                    needed.add(objects);
                }
            }
        } catch (IOException | RuntimeException e) {
            return; // it borrows from none, or nobody can say from which
        }
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
