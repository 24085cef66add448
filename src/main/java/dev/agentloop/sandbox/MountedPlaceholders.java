package dev.agentloop.sandbox;

import dev.agentloop.sandbox.watch.GitFolder;
import dev.agentloop.sandbox.watch.RunRecord;
import dev.agentloop.storage.HeldFolder;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Empty folders and files that bubblewrap makes in the workspace because only what exists can be
 * covered. They are removed when no command needs them any more.
 */
final class MountedPlaceholders {
    private final Map<Path, Integer> users = new HashMap<>();
    private final Set<Path> listed = new HashSet<>();
    private final List<Path> roots;
    private final RunRecord record;

    /**
     * @param roots real paths of the workspace and of what was added to it
     */
    MountedPlaceholders(List<Path> roots, RunRecord record) {
        this.roots = roots;
        this.record = record;
    }

    /** The mounts of one command, and the placeholders among them that must stay for it. */
    final class Held {
        private final BwrapMounts.Now now;
        private final List<Path> paths;

        private Held(BwrapMounts.Now now, List<Path> paths) {
            this.now = now;
            this.paths = paths;
        }

        BwrapMounts.Now now() {
            return now;
        }

        void release() {
            synchronized (MountedPlaceholders.this) {
                paths.forEach(MountedPlaceholders.this::leave);
                record.placeholders(users.keySet());
            }
        }
    }

    /**
     * Looks at the tree while nothing is removed from it.
     *
     * @param list for whoever cleans up after a kill of this program
     */
    synchronized Held hold(Function<Predicate<Path>, BwrapMounts.Now> look, Path list)
            throws IOException {
        BwrapMounts.Now now = look.apply(this::isPlaceholder);
        List<Path> held = new ArrayList<>();
        StringBuilder made = new StringBuilder();
        for (Path path : now.missing()) {
            users.merge(path, 1, Integer::sum);
            held.add(path);
            if (listed.add(path)) {
                made.append(path).append('\n');
            }
        }
        for (Path path : now.present()) {
            if (users.computeIfPresent(path, (_, number) -> number + 1) != null) {
                held.add(path);
            }
        }
        record.placeholders(users.keySet());
        if (!made.isEmpty()) {
            Files.writeString(
                    list,
                    made,
                    StandardCharsets.UTF_8,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        }
        return new Held(now, held);
    }

    /** As {@link #hold}, only to look. */
    synchronized BwrapMounts.Now now(Function<Predicate<Path>, BwrapMounts.Now> look) {
        return look.apply(this::isPlaceholder);
    }

    /** One that somebody has filled is theirs. */
    private boolean isPlaceholder(Path path) {
        if (!users.containsKey(path)) {
            return false;
        }
        File file = path.toFile();
        String[] names = file.list();
        return names == null ? file.length() == 0 : names.length == 0;
    }

    private void leave(Path path) {
        Integer left = users.computeIfPresent(path, (_, number) -> number - 1);
        if (left != null && left <= 0) {
            users.remove(path);
            var _ = remove(roots, path);
        }
    }

    /**
     * Only what is still empty: somebody else may have put something there. A command may have made
     * a folder on the way into a link: what lies behind that is not ours.
     *
     * @param roots real paths of the workspace and of what was added to it
     * @param path in one of them or in its repository, without links
     */
    static boolean remove(List<Path> roots, Path path) {
        List<Path> all = new ArrayList<>(roots);
        roots.forEach(root -> GitFolder.of(root).ifPresent(git -> all.add(git.store())));
        Path root = all.stream().filter(path::startsWith).findFirst().orElse(roots.getFirst());
        try (HeldFolder folder = HeldFolder.of(root, path)) {
            BasicFileAttributes found = folder.attributes(path);
            if (found.isDirectory()) {
                folder.deleteFolder(path);
                return true;
            }
            if (found.isRegularFile() && found.size() == 0) {
                folder.delete(path);
                return true;
            }
            return false;
        } catch (IOException e) {
            return false; // in use by somebody else: then it is theirs
        }
    }
}
