package dev.agentloop.sandbox;

import dev.agentloop.sandbox.git.file.RecordText;
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
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Empty folders and files that bubblewrap makes in the workspace because only what exists can be
 * covered. They are removed when no command of any run needs them any more.
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

        /** What cannot be removed now stays in the record, so that the next start does it. */
        void release() {
            synchronized (MountedPlaceholders.this) {
                try {
                    record.alone(needed -> {
                        paths.forEach(path -> leave(path, needed));
                        record.placeholders(users.keySet());
                        return paths;
                    });
                } catch (IOException e) {
                    return; // another run is stopped, or its record cannot be read
                }
            }
        }
    }

    /**
     * Looks at the tree while nothing is removed from it. Placeholders of other runs are ours from
     * now on as well, so that the last one of all removes them.
     *
     * @param list for whoever cleans up after a kill of this program
     */
    synchronized Held hold(Function<Predicate<Path>, BwrapMounts.Now> look, Path list)
            throws IOException {
        Held held =
                record.alone(needed -> {
                    Predicate<Path> made =
                            path ->
                                    (users.containsKey(path) || needed.contains(path))
                                            && isEmpty(path);
                    Held its = use(look.apply(made));
                    record.placeholders(users.keySet());
                    return its;
                });
        list(held.now().missing(), list);
        return held;
    }

    private Held use(BwrapMounts.Now now) {
        List<Path> held = new ArrayList<>();
        for (Path path : now.missing()) {
            users.merge(path, 1, Integer::sum);
            held.add(path);
        }
        for (Path path : now.present()) {
            if (users.computeIfPresent(path, (_, number) -> number + 1) != null) {
                held.add(path);
            }
        }
        return new Held(now, held);
    }

    /**
     * First the folder of records, then two lines for each: as the records name it, and as it is.
     */
    private void list(Set<Path> missing, Path list) throws IOException {
        List<Path> fresh = missing.stream().filter(path -> !listed.contains(path)).toList();
        if (fresh.isEmpty()) {
            return;
        }
        StringBuilder made = new StringBuilder();
        if (listed.isEmpty()) {
            made.append(Objects.requireNonNullElse(record.records(), "")).append('\n');
        }
        for (Path path : fresh) {
            made.append(RecordText.path(path.toAbsolutePath())).append('\n');
            made.append(path).append('\n');
        }
        Files.writeString(
                list,
                made,
                StandardCharsets.UTF_8,
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
        listed.addAll(fresh);
    }

    /** As {@link #hold}, only to look. */
    synchronized BwrapMounts.Now now(Function<Predicate<Path>, BwrapMounts.Now> look) {
        return look.apply(this::isPlaceholder);
    }

    private boolean isPlaceholder(Path path) {
        return users.containsKey(path) && isEmpty(path);
    }

    /** One that somebody has filled is theirs. */
    private static boolean isEmpty(Path path) {
        File file = path.toFile();
        String[] names = file.list();
        return names == null ? file.length() == 0 : names.length == 0;
    }

    private void leave(Path path, Set<Path> needed) {
        Integer left = users.computeIfPresent(path, (_, number) -> number - 1);
        if (left != null && left <= 0) {
            users.remove(path);
            if (!needed.contains(path)) {
                var _ = remove(roots, path);
            }
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
