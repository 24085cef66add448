package dev.agentloop.storage;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The folders that a run works in: its workspace, and what a person has added to that. All are real
 * paths. Of one run none lies in another one; of a session, which joins the folders of its runs,
 * one may.
 *
 * @param main the workspace, to which names are relative
 * @param added further folders, whose files have absolute names
 */
public record Roots(Path main, List<Path> added) {
    public Roots {
        added = List.copyOf(added);
    }

    /** The roots of a run to whose workspace nobody has added a folder. */
    public static Roots only(Path main) {
        return new Roots(main, List.of());
    }

    /** All of them, the workspace first. */
    public List<Path> all() {
        List<Path> all = new ArrayList<>(List.of(main));
        all.addAll(added);
        return all;
    }

    /** The same as seen from one of them, to which the others were added. */
    public Roots from(Path root) {
        return new Roots(root, all().stream().filter(other -> !other.equals(root)).toList());
    }

    /** Whether a real path lies in one of them. */
    public boolean hold(Path path) {
        return path.startsWith(main) || isAdded(path);
    }

    /** Whether a real path lies in a folder that was added. */
    public boolean isAdded(Path path) {
        return added.stream().anyMatch(path::startsWith);
    }

    /** Whether a real path lies in one of them and is none itself. */
    public boolean holdWithin(Path path) {
        return hold(path) && !all().contains(path);
    }

    /** The one that a real path lies in; the workspace for what lies in none. */
    public Path around(Path path) {
        for (Path root : added) {
            if (path.startsWith(root)) {
                return root;
            }
        }
        return main;
    }
}
