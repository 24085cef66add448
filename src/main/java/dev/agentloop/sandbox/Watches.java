package dev.agentloop.sandbox;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Looks before and after a command for what mounts cannot prevent: repositories within the
 * workspace, which can be moved away and made anew, and control files that may come into being.
 * What would run later outside of the sandbox is renamed, so that nothing runs it.
 */
final class Watches {
    private static final int DEPTH = 3; // folders below the root, where packages usually are
    private static final int MOST_FOLDERS = 100; // a listing is some 10 µs: 1 ms each time
    private static final int MOST_ENTRIES = 500; // looked at in one folder
    private static final Pattern QUARANTINED = Pattern.compile("\\.quarantined(\\.\\d+)?$");
    private static final Set<String> SKIPPED =
            Set.of(".git", "node_modules", "target", "build", "dist", ".venv", "venv", ".gradle");

    private final Path workspace;
    private final List<Path> further;
    private final boolean mounted;
    private final ControlWatch controls;
    private final GitLinks links = new GitLinks();
    private final Set<Path> known = new HashSet<>(); // repositories, wherever they were found
    private final Set<GitFolder> own = new LinkedHashSet<>(); // as they were when they were found

    /**
     * @param mounted whether the workspace's own repository is protected already
     */
    Watches(Boundaries boundaries, boolean mounted) {
        this(boundaries, mounted, RunRecord.NONE);
    }

    /**
     * @param record of what a killed run leaves
     */
    Watches(Boundaries boundaries, boolean mounted, RunRecord record) {
        this.workspace = boundaries.workspace();
        this.further = boundaries.writable();
        this.mounted = mounted;
        this.controls = new ControlWatch(workspace, mounted, record);
    }

    /** Where traps may lie: folders of repositories, and those of husky. */
    private record Places(Set<Path> stores, List<Path> huskies) {
        List<Path> hooks() {
            List<Path> hooks = new ArrayList<>();
            stores.forEach(store -> hooks.addAll(GitTraps.hooksIn(store.resolve("hooks"))));
            huskies.forEach(husky -> hooks.addAll(GitTraps.hooksIn(husky)));
            return hooks;
        }
    }

    /** What was there before a command; each file with a stamp that a change would alter. */
    record Before(
            Watches watches,
            boolean covered,
            Map<Path, String> hooks,
            Map<Path, List<String>> settings,
            ControlWatch.Before controls) {
        /** What is to be said about what has changed; traps are out of the way by then. */
        List<String> after() {
            return watches.compare(this);
        }
    }

    Before before() {
        Map<Path, String> hooks = new HashMap<>();
        Map<Path, List<String>> settings = new HashMap<>();
        boolean covered = mounted && GitFolder.of(workspace).isPresent();
        Places places = places(covered);
        places.hooks().forEach(hook -> hooks.put(hook, stamp(hook)));
        for (Path store : places.stores) {
            settings.put(store, GitTraps.settingsOf(store));
        }
        return new Before(this, covered, hooks, settings, controls.before());
    }

    private List<String> compare(Before before) {
        List<String> notes = new ArrayList<>();
        Places places = places(before.covered);
        for (Path store : places.stores) {
            List<String> settings = new ArrayList<>(GitTraps.settingsOf(store));
            settings.removeAll(before.settings.getOrDefault(store, List.of()));
            if (!settings.isEmpty()) {
                for (String name : GitTraps.FILES) {
                    if (Files.exists(store.resolve(name), LinkOption.NOFOLLOW_LINKS)) {
                        notes.add(quarantine(store.resolve(name), settings.getFirst()));
                    }
                }
            }
        }
        for (Path hook : places.hooks()) {
            boolean harmless = QUARANTINED.matcher(hook.toString()).find();
            if (!harmless && !stamp(hook).equals(before.hooks.get(hook))) {
                notes.add(quarantine(hook, "would be run by git"));
            }
        }
        notes.addAll(controls.after(before.controls));
        return notes;
    }

    /** Out of the way: nothing reads it under this name. */
    private String quarantine(Path file, String why) {
        try {
            Path away = Quarantine.putAway(file);
            return show(file)
                    + " was changed by the command: it "
                    + why
                    + ", outside of the sandbox: renamed to "
                    + away.getFileName();
        } catch (IOException e) {
            return show(file)
                    + " was changed by the command: it "
                    + why
                    + ", outside of the sandbox; it cannot be renamed: remove it";
        }
    }

    private String show(Path file) {
        return file.startsWith(workspace) ? workspace.relativize(file).toString() : file.toString();
    }

    /**
     * What a command could change so that it is not found again is remembered: a worktree is left
     * with a pointer that leads elsewhere, but git may still be told where it was.
     *
     * @param covered whether the workspace's own repository is protected by mounts
     */
    private Places places(boolean covered) {
        List<Path> huskies = new ArrayList<>();
        Set<Path> stores = new LinkedHashSet<>();
        synchronized (known) {
            for (Path folder : folders()) {
                Path husky = folder.resolve(".husky");
                if (Files.isDirectory(husky, LinkOption.NOFOLLOW_LINKS)) {
                    huskies.add(husky);
                }
                storeIn(folder, covered).ifPresent(known::add);
            }
            for (Path folder : links.folders(workspace)) {
                storeIn(folder, covered).ifPresent(known::add);
            }
            stores.addAll(known);
            GitFolder.of(workspace).ifPresent(own::add);
            for (GitFolder git : own) {
                git.parts().stream().filter(part -> isOpen(git, part)).forEach(stores::add);
                if (!covered && isOpen(git, git.store())) {
                    stores.add(git.store());
                }
            }
        }
        return new Places(stores, huskies);
    }

    /** Whether commands can write it; what changes elsewhere meanwhile was changed by its owner. */
    private boolean isOpen(GitFolder git, Path store) {
        return git.isWritable(store)
                || store.startsWith(workspace)
                || further.stream().anyMatch(store::startsWith);
    }

    /** The repository of a folder, or the folder as one without a working tree. */
    private Optional<Path> storeIn(Path folder, boolean covered) {
        Path git = folder.resolve(".git");
        if (covered && folder.equals(workspace)) {
            return Optional.empty();
        }
        if (Files.exists(git)) {
            return Optional.of(GitTraps.storeOf(git)).filter(store -> isInside(store, covered));
        }
        boolean bare =
                Files.isDirectory(folder.resolve("objects"))
                        && Files.exists(folder.resolve("HEAD"));
        return bare ? Optional.of(folder) : Optional.empty();
    }

    /** What lies elsewhere is read-only. */
    private boolean isInside(Path store, boolean covered) {
        return store.startsWith(workspace) && !(covered && store.equals(workspace.resolve(".git")));
    }

    /** The upper part of the tree, nearest first. */
    private List<Path> folders() {
        List<Path> found = new ArrayList<>();
        Deque<Path> open = new ArrayDeque<>(List.of(workspace));
        while (!open.isEmpty() && found.size() < MOST_FOLDERS) {
            Path folder = open.removeFirst();
            found.add(folder);
            if (folder.getNameCount() - workspace.getNameCount() < DEPTH) {
                open.addAll(foldersIn(folder));
            }
        }
        return found;
    }

    private static List<Path> foldersIn(Path folder) {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            int looked = 0;
            for (Path entry : entries) {
                if (++looked > MOST_ENTRIES) {
                    break;
                }
                if (!SKIPPED.contains(entry.getFileName().toString())
                        && Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
                    found.add(entry);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            return found; // not ours to read: then it is not ours to run either
        }
        return found;
    }

    /** Empty for what is not there. */
    private static String stamp(Path file) {
        try {
            BasicFileAttributes seen =
                    Files.readAttributes(
                            file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            if (!seen.isDirectory()) {
                return seen.size() + " " + FileStamp.of(file);
            }
            String[] names = file.toFile().list();
            return names == null || names.length == 0 ? "" : "folder of " + names.length;
        } catch (IOException e) {
            return "";
        }
    }
}
