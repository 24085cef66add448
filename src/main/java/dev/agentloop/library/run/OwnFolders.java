package dev.agentloop.library.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where the command keeps its configuration, its state and its caches, and this loop its records:
 * what a tool writes there would decide about later runs.
 */
public final class OwnFolders {
    private OwnFolders() {}

    /**
     * Their real paths.
     *
     * @param workspace real path; records that hold it are left out, tools are to work in it
     * @param records of the loop's sessions; null if they are nowhere
     */
    public static List<Path> of(
            Map<String, String> environment, Path home, Path workspace, @Nullable Path records) {
        List<Path> folders = new ArrayList<>();
        folders.add(real(base(environment, "XDG_CONFIG_HOME", home.resolve(".config"))));
        folders.add(real(base(environment, "XDG_STATE_HOME", home.resolve(".local/state"))));
        folders.add(real(base(environment, "XDG_CACHE_HOME", home.resolve(".cache"))));
        if (records != null && !workspace.startsWith(real(records))) {
            folders.add(real(records));
        }
        return folders;
    }

    private static Path base(Map<String, String> environment, String name, Path fallback) {
        String set = environment.getOrDefault(name, "");
        boolean usable = !set.isEmpty() && Path.of(set).isAbsolute(); // relative ones are ignored
        return (usable ? Path.of(set) : fallback).resolve("agent");
    }

    private static Path real(Path path) {
        Path whole = path.toAbsolutePath().normalize();
        try {
            return whole.toRealPath();
        } catch (IOException e) { // not there yet: then its folder's
            Path parent = whole.getParent();
            return parent == null || Files.exists(whole)
                    ? whole
                    : real(parent).resolve(whole.getFileName());
        }
    }
}
