package dev.agentloop.sandbox.git;

import dev.agentloop.control.ParallelTask;
import dev.agentloop.sandbox.git.file.FolderReader;
import dev.agentloop.sandbox.git.file.GitFiles;
import dev.agentloop.sandbox.git.file.LookPart;
import dev.agentloop.sandbox.git.file.PutAway;
import dev.agentloop.sandbox.git.file.WritableRoots;
import dev.agentloop.sandbox.git.settings.SettingsBackup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * Looks before and after a command for what makes git run something: in every folder of the
 * workspace in which git would find a repository. What a command has made or changed so is renamed,
 * so that the next git of the user does not find it.
 */
public final class GitWatch {
    private static final int MOST_FOLDERS = 6000; // some 5 µs each, twice a command
    private static final int MOST_NOTES = 30;

    private final Path workspace;
    private final PutAway quarantine;
    private final PackCheck packs;
    private final WritableRoots reach;
    private final FolderReader folders = new FolderReader();
    private final RepositorySearch search;
    private final Map<Path, OwnStore> stores = new LinkedHashMap<>();
    private SettingsBackup backup = SettingsBackup.NONE;
    private int toldLeft;
    private boolean toldCut;

    /**
     * @param git in the sandbox of the commands
     */
    public GitWatch(WatchedPlaces places, ConfinedGit git, PutAway quarantine) {
        this(places, git, quarantine, MOST_FOLDERS);
    }

    GitWatch(WatchedPlaces places, ConfinedGit git, PutAway quarantine, int mostFolders) {
        this.workspace = places.workspace();
        this.quarantine = quarantine;
        this.packs = new PackCheck(git);
        List<Path> open = new ArrayList<>(places.writable());
        open.addFirst(workspace);
        this.reach = new WritableRoots(open);
        this.search = new RepositorySearch(places, reach, folders, mostFolders);
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
            SettingsBackup backup,
            List<String> failed) {
        /** What is to be said about what has changed; traps are out of the way by then. */
        public List<String> after() {
            return watch.compare(this);
        }
    }

    /** Before a command; {@code own} are the folders of the workspace's repository. */
    public synchronized Before before(List<Own> own) {
        own.forEach(one -> reach.add(one.store));
        ParallelTask<Map<Path, OwnStore.State>> contents =
                ParallelTask.start(() -> contents(own, OwnStore::before));
        List<String> failed = new ArrayList<>();
        folders.begin();
        RepositorySearch.Look look =
                LookPart.of("repositories", failed, () -> search.look(own))
                        .orElse(RepositorySearch.Look.NOTHING);
        Map<Path, OwnStore.State> held =
                LookPart.of("objects and references", failed, contents::result).orElse(Map.of());
        backup = SettingsBackup.of(uncovered(look.stores(), own), workspace, backup);
        return new Before(
                this,
                own,
                look.dangers(),
                look.remotes(),
                look.stores(),
                look.submodules(),
                held,
                folders.closed(),
                backup,
                failed);
    }

    /** Those whose settings no mount protects. */
    private static Set<Path> uncovered(Set<Path> stores, List<Own> own) {
        Set<Path> uncovered = new LinkedHashSet<>(stores);
        own.stream().filter(Own::covered).forEach(one -> uncovered.remove(one.store));
        return uncovered;
    }

    /** Where its stores are, with the folders from which they name others. */
    synchronized Map<Path, Path> known() {
        return search.known();
    }

    /**
     * As it was before a command whose run was killed.
     *
     * @param lines of the record of that run
     * @param began when the command began, in milliseconds
     */
    public synchronized Before before(GitRecord.Lines lines, long began) {
        lines.own().forEach(one -> reach.add(one.store));
        search.alsoAt(lines.bases());
        return lines.before(
                this, contents(lines.own(), (store, all) -> store.before(all, lines, began)));
    }

    private Map<Path, OwnStore.State> contents(
            List<Own> own, BiFunction<OwnStore, Boolean, OwnStore.State> before) {
        Map<Path, OwnStore.State> contents = new LinkedHashMap<>();
        for (Own one : own) {
            if (one.holds != Holds.NOTHING) {
                OwnStore store =
                        stores.computeIfAbsent(
                                one.store, path -> new OwnStore(path, packs, quarantine, reach));
                contents.put(one.store, before.apply(store, one.holds == Holds.ALL));
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
        RepositorySearch.Look look =
                LookPart.of("repositories", failed, () -> search.look(before.own))
                        .orElse(RepositorySearch.Look.NOTHING);
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
    private void limits(RepositorySearch.Look look, List<String> notes) {
        if (look.left() != toldLeft) {
            look.unseen()
                    .ifPresent(folder ->
                            notes.add(
                                    "the workspace has too many folders to look for repositories in all of"
                                            + " them: "
                                            + shown(folder)
                                            + " and others were not looked at; before you run git there, look"
                                            + " for hooks and settings that the command may have left"));
        }
        toldLeft = look.left();
        if (search.isCut() && !toldCut) {
            notes.add(
                    "not all hooks and settings of the repositories in the workspace were read, there"
                            + " are too many: look at them before you run git there");
        }
        toldCut = search.isCut();
    }

    private void traps(RepositorySearch.Look look, Before before, List<String> notes) {
        look.dangers()
                .forEach((file, found) -> {
                    List<String> fresh = new ArrayList<>(found);
                    if (!isNewlyEntered(file, look, before)) {
                        GitRecord.removeKnown(fresh, before.dangers.getOrDefault(file, List.of()));
                    }
                    if (!fresh.isEmpty() && GitFiles.isThere(file) && !isOfNewStore(file, before)) {
                        notes.add(quarantine(file, fresh.getFirst(), before.backup));
                    }
                });
    }

    /** Only the user knows whether git is to fetch from and push to other places: all stays. */
    private void remotes(RepositorySearch.Look look, Before before, List<String> notes) {
        look.remotes()
                .forEach((file, are) -> {
                    Map<String, String> were = before.remotes.get(file);
                    if (were != null || before.stores.contains(file.getParent())) {
                        RemoteChanges.said(
                                        GitRecord.known(were == null ? Map.of() : were, are), are)
                                .ifPresent(said -> notes.add(shown(file) + said));
                    }
                });
        for (Path store : before.stores) {
            boolean replaced = Files.isRegularFile(store) || Files.isSymbolicLink(store);
            if (look != RepositorySearch.Look.NOTHING && store.endsWith(".git") && replaced) {
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
    private static boolean isNewlyEntered(Path file, RepositorySearch.Look look, Before before) {
        return Dangers.isSettings(file)
                && look.submodules().contains(file.getParent())
                && !before.submodules.contains(file.getParent());
    }

    /** A clone that shares objects says so; a repository that was there has what it needs. */
    private static boolean isOfNewStore(Path file, Before before) {
        return file.endsWith("objects/info/" + Dangers.ALTERNATES)
                && before.stores.stream().noneMatch(file::startsWith);
    }

    /** Out of the way: nothing reads it under this name. */
    private String quarantine(Path file, String why, SettingsBackup former) {
        String said =
                shown(file)
                        + " was changed by the command: it "
                        + GitFiles.oneLine(GitFiles.withoutDigest(why));
        try {
            Path away = quarantine.putAway(file, reach.roots());
            return said
                    + ", outside of the sandbox: renamed to "
                    + away.getFileName()
                    + (former.restore(file, reach.roots())
                            ? "; the settings from before the command are in its place again"
                            : "");
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
