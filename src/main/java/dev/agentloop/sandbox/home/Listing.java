package dev.agentloop.sandbox.home;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * What is in a folder, looked up by hundreds of names: each folder that exists is listed once,
 * which takes less time than to ask for each name.
 */
final class Listing {
    private final Path root;
    private final Map<String, Set<String>> folders = new HashMap<>();

    Listing(Path root) {
        this.root = root;
    }

    /** Whether there may be something of this name: who cannot list a folder must look there. */
    boolean has(String name) {
        int start = 0;
        while (true) {
            int slash = name.indexOf('/', start);
            String part = slash < 0 ? name.substring(start) : name.substring(start, slash);
            String folder = start == 0 ? "" : name.substring(0, start - 1);
            Set<String> entries = folders.computeIfAbsent(folder, this::list);
            if (entries.isEmpty()) {
                return true;
            }
            if (!entries.contains(part)) {
                return false;
            }
            if (slash < 0) {
                return true;
            }
            start = slash + 1;
        }
    }

    /** Empty if nobody can say. */
    private Set<String> list(String folder) {
        String[] names = root.resolve(folder).toFile().list();
        return names == null ? Set.of() : Set.of(names.length == 0 ? new String[] {"."} : names);
    }
}
