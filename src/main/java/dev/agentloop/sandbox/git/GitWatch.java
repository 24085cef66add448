package dev.agentloop.sandbox.git;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Looks before and after a command for what makes git run something: in every folder of the
 * workspace in which git would find a repository. What a command has made or changed so is renamed,
 * so that the next git of the user does not find it.
 */
public final class GitWatch {
    private static final int MOST_FOLDERS = 6000; // some 5 µs each, twice a command
    private static final int MOST_STORES = 2000;
    private static final int MOST_NOTES = 30;

    private final Path workspace;
    private final List<Path> writable;
    private final PutAway quarantine;
    private final PackCheck packs;
    private final Reach reach;
    private final List<Path> userSettings;
    private final FolderReader folders = new FolderReader();
    private final FolderTree tree;
    private final Map<Path, FolderTree> elsewhere = new LinkedHashMap<>(); // of own stores
    private final int mostFolders;
    private final GitLinks links = new GitLinks();
    private final Dangers dangers;
    private final Map<Path, Path> known = new LinkedHashMap<>(); // stores and their bases
    private int toldLeft;
    private boolean toldCut;
    private final Map<Path, OwnStore> stores = new LinkedHashMap<>();

    /**
     * @param git in the sandbox of the commands
     */
    public GitWatch(WatchedPlaces places, ConfinedGit git, PutAway quarantine) {
        this(places, git, quarantine, MOST_FOLDERS);
    }

    GitWatch(WatchedPlaces places, ConfinedGit git, PutAway quarantine, int mostFolders) {
        this.workspace = places.workspace();
        this.writable = places.writable();
        this.userSettings = places.userSettings();
        this.quarantine = quarantine;
        this.packs = new PackCheck(git);
        this.mostFolders = mostFolders;
        this.tree = new FolderTree(workspace, folders, mostFolders);
        List<Path> open = new ArrayList<>(writable);
        open.addFirst(workspace);
        this.reach = new Reach(open);
        this.dangers = new Dangers(workspace, places.home(), reach, folders);
    }

    /**
     * A folder of the workspace's own repository that commands can write.
     *
     * @param covered whether mounts protect its hooks, settings and attributes
     * @param holds what commands may change of objects and references
     */
    public record Own(Path store, boolean covered, Holds holds) {}

    /** What a folder has of the repository's content. */
    public enum Holds {
        NOTHING,
        /** Others add objects, too, and only they move references. */
        SHARED_OBJECTS,
        ALL
    }

    /** What there was before a command. */
    public record Before(
            GitWatch watch,
            List<Own> own,
            Map<Path, List<String>> dangers,
            Map<Path, Map<String, String>> remotes,
            Set<Path> stores,
            Set<Path> submodules,
            Map<Path, OwnStore.State> contents,
            Set<Path> closed,
            List<String> failed) {
        /** What is to be said about what has changed; traps are out of the way by then. */
        public List<String> after() {
            return watch.compare(this);
        }
    }

    /**
     * What a look at the repositories of a workspace found.
     *
     * @param remotes where they fetch from and push to, by file and setting
     * @param submodules stores into which git goes by itself
     * @param unseen what was not looked at
     * @param left how much of that there is at least
     */
    private record Look(
            Map<Path, List<String>> dangers,
            Map<Path, Map<String, String>> remotes,
            Set<Path> stores,
            Set<Path> submodules,
            Optional<Path> unseen,
            int left) {
        static final Look NOTHING =
                new Look(Map.of(), Map.of(), Set.of(), Set.of(), Optional.empty(), 0);
    }

    /** Before a command; {@code own} are the folders of the workspace's repository. */
    public synchronized Before before(List<Own> own) {
        own.forEach(one -> reach.add(one.store));
        ParallelTask<Map<Path, OwnStore.State>> contents = ParallelTask.start(() -> contents(own));
        List<String> failed = new ArrayList<>();
        folders.begin();
        Look look = LookPart.of("repositories", failed, () -> look(own)).orElse(Look.NOTHING);
        Map<Path, OwnStore.State> held =
                LookPart.of("objects and references", failed, contents::result).orElse(Map.of());
        return new Before(
                this,
                own,
                look.dangers,
                look.remotes,
                look.stores,
                look.submodules,
                held,
                folders.closed(),
                failed);
    }

    private Map<Path, OwnStore.State> contents(List<Own> own) {
        Map<Path, OwnStore.State> contents = new LinkedHashMap<>();
        for (Own one : own) {
            if (one.holds != Holds.NOTHING) {
                OwnStore store =
                        stores.computeIfAbsent(
                                one.store, path -> new OwnStore(path, packs, quarantine, reach));
                contents.put(one.store, store.before(one.holds == Holds.ALL));
            }
        }
        return contents;
    }

    private Map<Path, List<Path>> rewritten(Set<Path> ofStores) {
        Map<Path, List<Path>> rewritten = new LinkedHashMap<>();
        for (Path path : ofStores) {
            OwnStore store = stores.get(path);
            if (store != null) {
                rewritten.put(path, store.rewritten());
            }
        }
        return rewritten;
    }

    private synchronized List<String> compare(Before before) {
        List<String> failed = new ArrayList<>(before.failed);
        List<String> notes = new ArrayList<>();
        ParallelTask<Map<Path, List<Path>>> rewritten =
                ParallelTask.start(() -> rewritten(before.contents.keySet()));
        folders.beginAfter(before.closed);
        Look look =
                LookPart.of("repositories", failed, () -> look(before.own)).orElse(Look.NOTHING);
        LookPart.run("remotes", failed, () -> remotes(look, before, notes));
        LookPart.run("traps", failed, () -> traps(look, before, notes));
        LookPart.run(
                "objects and references",
                failed,
                () -> contents(before, rewritten.result(), notes));
        folders.opened().forEach(folder -> notes.add(shown(folder) + FolderReader.OPENED));
        if (notes.size() > MOST_NOTES) {
            int more = notes.size() - MOST_NOTES;
            notes.subList(MOST_NOTES, notes.size()).clear();
            notes.add("and " + more + " more changes to repositories of this kind");
        }
        limits(look, notes);
        notes.addAll(failed);
        return notes;
    }

    /** What every command would be told alike is told once, and when it has changed. */
    private void limits(Look look, List<String> notes) {
        if (look.left != toldLeft) {
            look.unseen.ifPresent(folder ->
                    notes.add(
                            "the workspace has too many folders to look for repositories in all of"
                                    + " them: "
                                    + shown(folder)
                                    + " and others were not looked at; before you run git there, look"
                                    + " for hooks and settings that the command may have left"));
        }
        toldLeft = look.left;
        if (dangers.isCut() && !toldCut) {
            notes.add(
                    "not all hooks and settings of the repositories in the workspace were read, there"
                            + " are too many: look at them before you run git there");
        }
        toldCut = dangers.isCut();
    }

    private void traps(Look look, Before before, List<String> notes) {
        look.dangers.forEach((file, found) -> {
            List<String> fresh = new ArrayList<>(found);
            if (!isNewlyEntered(file, look, before)) {
                fresh.removeAll(before.dangers.getOrDefault(file, List.of()));
            }
            if (!fresh.isEmpty() && GitFiles.isThere(file) && !isOfNewStore(file, before)) {
                notes.add(quarantine(file, fresh.getFirst()));
            }
        });
    }

    /** Only the user knows whether git is to fetch from and push to other places: all stays. */
    private void remotes(Look look, Before before, List<String> notes) {
        look.remotes.forEach((file, are) -> {
            Map<String, String> were = before.remotes.get(file);
            if (were != null || before.stores.contains(file.getParent())) {
                RemoteChanges.said(were == null ? Map.of() : were, are)
                        .ifPresent(said -> notes.add(shown(file) + said));
            }
        });
        for (Path store : before.stores) {
            boolean replaced = Files.isRegularFile(store) || Files.isSymbolicLink(store);
            if (look != Look.NOTHING && store.endsWith(".git") && replaced) {
                notes.add(shown(store) + RemoteChanges.REPLACED);
            }
        }
    }

    private void contents(Before before, Map<Path, List<Path>> rewritten, List<String> notes) {
        rewritten.forEach((path, objects) -> {
            OwnStore store = stores.get(path);
            OwnStore.State state = before.contents.get(path);
            if (store != null && state != null) {
                notes.addAll(store.after(state, objects));
            }
        });
    }

    /** Settings that were there begin to count when the command makes their folder a submodule. */
    private static boolean isNewlyEntered(Path file, Look look, Before before) {
        return Dangers.isSettings(file)
                && look.submodules.contains(file.getParent())
                && !before.submodules.contains(file.getParent());
    }

    /** A clone that shares objects says so; a repository that was there has what it needs. */
    private static boolean isOfNewStore(Path file, Before before) {
        return file.endsWith("objects/info/" + Dangers.ALTERNATES)
                && before.stores.stream().noneMatch(file::startsWith);
    }

    private Look look(List<Own> own) {
        FolderTree.Found found = tree.look();
        dangers.begin();
        Map<Path, Path> now = ownStores(own); // nearest first: what git goes into by itself
        Set<Path> gits = new LinkedHashSet<>();
        Set<Path> submodules = new HashSet<>();
        for (Path folder : links.folders(workspace)) {
            Path store = GitFiles.store(folder.resolve(".git"));
            gits.add(folder.resolve(".git"));
            submodules.add(store == null ? folder : store);
        }
        gits.addAll(found.gits());
        gits.forEach(git -> follow(git, own, now));
        found.bare().forEach(bare -> now.putIfAbsent(bare, bare));
        known.forEach(now::putIfAbsent);
        new ArrayList<>(now.keySet()).forEach(store -> common(store, now));
        Set<Path> covered = new HashSet<>();
        own.stream().filter(Own::covered).forEach(one -> covered.add(one.store));
        Optional<Path> unseen = found.unseen();
        int left = MOST_STORES;
        for (Map.Entry<Path, Path> entry : now.entrySet()) {
            if (left-- == 0) {
                unseen = unseen.or(() -> Optional.of(entry.getKey()));
                break;
            }
            dangers.store(entry.getKey(), entry.getValue(), covered.contains(entry.getKey()));
        }
        found.huskies().forEach(husky -> dangers.hooks(husky, husky));
        found.links().forEach(dangers::link);
        linksElsewhere(own);
        Set<Path> bases = new LinkedHashSet<>(List.of(workspace));
        bases.addAll(now.values());
        userSettings.forEach(settings -> dangers.outside(settings, bases));
        above();
        remember(now);
        int more = found.left() + Math.max(0, now.size() - MOST_STORES);
        return new Look(dangers.found(), dangers.remotes(), now.keySet(), submodules, unseen, more);
    }

    private Map<Path, Path> ownStores(List<Own> own) {
        Map<Path, Path> open = new LinkedHashMap<>();
        for (Own one : own) {
            if (one.holds == Holds.SHARED_OBJECTS) {
                dangers.readOnly(one.store, workspace);
            } else {
                open.put(one.store, workspace);
            }
        }
        return open;
    }

    /** Of repositories of which a part lies in the workspace. */
    private void linksElsewhere(List<Own> own) {
        for (Own one : own) {
            if (!one.store.startsWith(workspace)) {
                elsewhere
                        .computeIfAbsent(
                                one.store, store -> new FolderTree(store, folders, mostFolders))
                        .look()
                        .links()
                        .forEach(dangers::link);
            }
        }
    }

    /** A repository that the workspace is a part of: its settings may lead into the workspace. */
    private void above() {
        for (Path folder = workspace.getParent(); folder != null; folder = folder.getParent()) {
            Path store = GitFiles.store(folder.resolve(".git"));
            if (store != null) {
                dangers.outside(store.resolve("config"), List.of(folder));
            }
        }
    }

    /** Git may still be told where a repository was whose pointer leads elsewhere now. */
    private void remember(Map<Path, Path> stores) {
        known.clear();
        stores.forEach((store, base) -> {
            if (isOpen(store) && known.size() < MOST_STORES && Files.isDirectory(store)) {
                known.put(store, base);
            }
        });
    }

    private void follow(Path git, List<Own> own, Map<Path, Path> stores) {
        Path base = git.getParent();
        Path store = GitFiles.store(git);
        if (base == null || !GitFiles.isThere(git)) {
            return;
        }
        if (store != null && isOpen(store)) {
            stores.putIfAbsent(store, base);
        } else if (own.stream().noneMatch(one -> store != null && store.startsWith(one.store))) {
            Path reached = store == null ? GitFiles.reached(git) : store;
            if (reached == null && GitFiles.isPointer(git)) {
                dangers.pointer(git, "to a place whose name is no text");
            }
            if (reached != null && !isOpen(reached) && !isOwnPointer(git)) {
                dangers.pointer(git, "out of the workspace, to " + reached);
            }
        }
    }

    /** The workspace's own repository may lie elsewhere: commands cannot write that one. */
    private boolean isOwnPointer(Path git) {
        return git.equals(workspace.resolve(".git"));
    }

    private void common(Path store, Map<Path, Path> stores) {
        Path common = GitFiles.common(store);
        if (common != null && isOpen(common)) {
            stores.putIfAbsent(common, common);
        }
    }

    private boolean isOpen(Path path) {
        return path.startsWith(workspace) || writable.stream().anyMatch(path::startsWith);
    }

    /** Out of the way: nothing reads it under this name. */
    private String quarantine(Path file, String why) {
        String said = shown(file) + " was changed by the command: it " + GitFiles.oneLine(why);
        try {
            Path away = quarantine.putAway(file, reach.roots());
            return said + ", outside of the sandbox: renamed to " + away.getFileName();
        } catch (IOException e) {
            return said + ", outside of the sandbox; it cannot be renamed: remove it";
        }
    }

    private String shown(Path file) {
        return GitFiles.oneLine(show(file));
    }

    private String show(Path file) {
        if (file.equals(workspace)) {
            return "the workspace";
        }
        return file.startsWith(workspace) ? workspace.relativize(file).toString() : file.toString();
    }
}
