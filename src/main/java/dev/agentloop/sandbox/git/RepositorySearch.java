package dev.agentloop.sandbox.git;

import dev.agentloop.sandbox.git.file.FolderReader;
import dev.agentloop.sandbox.git.file.GitFiles;
import dev.agentloop.sandbox.git.file.WritableRoots;
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

/** Finds in a workspace all that git would take for a repository, and what is dangerous in each. */
final class RepositorySearch {
    private static final int MOST_STORES = 2000;

    private final Path workspace;
    private final List<Path> writable;
    private final List<Path> userSettings;
    private final FolderReader folders;
    private final FolderTree tree;
    private final Map<Path, FolderTree> elsewhere = new LinkedHashMap<>(); // of own stores
    private final int mostFolders;
    private final GitLinks links = new GitLinks();
    private final Dangers dangers;
    private final Map<Path, Path> known = new LinkedHashMap<>(); // stores and their bases

    RepositorySearch(
            WatchedPlaces places, WritableRoots reach, FolderReader folders, int mostFolders) {
        this.workspace = places.workspace();
        this.writable = places.writable();
        this.userSettings = places.userSettings();
        this.folders = folders;
        this.mostFolders = mostFolders;
        this.tree = new FolderTree(workspace, folders, mostFolders);
        this.dangers = new Dangers(workspace, places.home(), reach, folders);
    }

    /**
     * What a look at the repositories of a workspace found.
     *
     * @param remotes where they fetch from and push to, by file and setting
     * @param submodules stores into which git goes by itself
     * @param unseen what was not looked at
     * @param left how much of that there is at least
     */
    record Look(
            Map<Path, List<String>> dangers,
            Map<Path, Map<String, String>> remotes,
            Set<Path> stores,
            Set<Path> submodules,
            Optional<Path> unseen,
            int left) {
        static final Look NOTHING =
                new Look(Map.of(), Map.of(), Set.of(), Set.of(), Optional.empty(), 0);
    }

    /** Where its stores are, with the folders from which they name others. */
    Map<Path, Path> known() {
        return Map.copyOf(known);
    }

    /** Stores with their bases that another look has found. */
    void alsoAt(Map<Path, Path> bases) {
        known.putAll(bases);
    }

    /** Whether there was more in the files of the last look than it reads. */
    boolean isCut() {
        return dangers.isCut();
    }

    /** What there is now; {@code own} are the folders of the workspace's repository. */
    Look look(List<GitWatch.Own> own) {
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
        own.stream().filter(GitWatch.Own::covered).forEach(one -> covered.add(one.store()));
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

    private Map<Path, Path> ownStores(List<GitWatch.Own> own) {
        Map<Path, Path> open = new LinkedHashMap<>();
        for (GitWatch.Own one : own) {
            if (one.holds() == GitWatch.Holds.SHARED_OBJECTS) {
                dangers.readOnly(one.store(), workspace);
            } else {
                open.put(one.store(), workspace);
            }
        }
        return open;
    }

    /** Of repositories of which a part lies in the workspace. */
    private void linksElsewhere(List<GitWatch.Own> own) {
        for (GitWatch.Own one : own) {
            if (!one.store().startsWith(workspace)) {
                elsewhere
                        .computeIfAbsent(
                                one.store(), store -> new FolderTree(store, folders, mostFolders))
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

    private void follow(Path git, List<GitWatch.Own> own, Map<Path, Path> stores) {
        Path base = git.getParent();
        Path store = GitFiles.store(git);
        if (base == null || !GitFiles.isThere(git)) {
            return;
        }
        if (store != null && isOpen(store)) {
            stores.putIfAbsent(store, base);
            Path tree = GitFiles.real(base);
            if (tree != null && GitFiles.isWithin(store, tree)) {
                dangers.pointer(git, "to a folder that a checkout of its own files can write");
            }
        } else if (own.stream().noneMatch(one -> store != null && store.startsWith(one.store()))) {
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
}
