package dev.agentloop.sandbox.git;

import dev.agentloop.sandbox.git.file.GitFiles;
import dev.agentloop.sandbox.git.file.PutAway;
import dev.agentloop.sandbox.git.file.WritableRoots;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the workspace's own repository holds. Commands may add to it; what was there has to stay
 * what it was, else the user's next checkout writes something that nobody committed.
 */
final class OwnStore {
    private static final int MOST_NAMED = 5;

    private final Path store;
    private final LooseObjects objects;
    private final References references;
    private final PackCheck packs;
    private final PutAway quarantine;
    private final WritableRoots reach;

    OwnStore(Path store, PackCheck packs, PutAway quarantine, WritableRoots reach) {
        this.reach = reach;
        this.store = store;
        this.objects = new LooseObjects(store.resolve("objects"), reach);
        this.references = new References(store, reach);
        this.packs = packs;
        this.quarantine = quarantine;
    }

    /** The state of the store before a command, to compare it with the one after. */
    record State(
            boolean whole,
            LooseObjects.Names loose,
            Map<Path, String> packed,
            Map<String, String> refs) {}

    /**
     * @param whole whether only commands change it: others may while one runs in a worktree
     */
    State before(boolean whole) {
        return new State(
                whole, objects.names(), packed(), whole ? references.values() : new TreeMap<>());
    }

    /**
     * As it was when something ran that was killed since: loose objects that have changed since
     * then will be read. Which others there were is not in the record.
     *
     * @param began milliseconds
     */
    State before(boolean whole, GitRecord.Lines lines, long began) {
        return new State(
                whole && !lines.unlisted().contains(store),
                objects.trusted(began),
                lines.packed().getOrDefault(store, Map.of()),
                lines.refs().getOrDefault(store, Map.of()));
    }

    /** Objects that are not what they were: a look at each, which changes nothing. */
    List<Path> rewritten() {
        return objects.changed();
    }

    /** What is to be said about what has changed since. */
    List<String> after(State before, List<Path> rewritten) {
        List<String> notes = new ArrayList<>();
        Map<Path, String> packed = packed();
        for (Path bad : rewritten) {
            notes.add(
                    show(bad)
                            + " does not hold the object of its name any more: the command rewrote"
                            + " it: "
                            + away(bad)
                            + "; fetch it again, or run git fsck to see what is missing");
        }
        if (objects.isCut()) {
            notes.add("not all objects of the repository were checked: run git fsck");
        }
        List<Path> fresh = new ArrayList<>();
        packed.forEach((file, stamp) -> {
            if (!stamp.equals(before.packed.get(file))) {
                fresh.add(file);
            }
        });
        if (before.whole) {
            missing(before, packed, notes);
            references(before.refs, notes);
        }
        packs(fresh, notes);
        return notes;
    }

    /** Those that were put away just now are no news. */
    private void missing(State before, Map<Path, String> packed, List<String> notes) {
        int gone = before.loose.lessIn(objects.lastNames());
        boolean repacked = !before.packed.keySet().containsAll(packed.keySet());
        boolean unpacked = !packed.keySet().containsAll(before.packed.keySet());
        if (!repacked && (gone > 0 || unpacked)) {
            notes.add(
                    "objects of the repository were removed while the command ran ("
                            + (unpacked ? "packs" : "" + gone)
                            + "): run git fsck to see whether something is missing");
        }
    }

    private void references(Map<String, String> before, List<String> notes) {
        Map<String, String> now = references.values();
        List<String> changed = new ArrayList<>();
        Map<String, String> all = new TreeMap<>(now);
        before.forEach(all::putIfAbsent);
        for (String name : all.keySet()) {
            String was = before.getOrDefault(name, "");
            String is = now.getOrDefault(name, "");
            boolean tag = was.isEmpty() && name.startsWith("refs/tags/");
            if (!was.equals(is) && !tag) {
                changed.add(
                        GitFiles.oneLine(name)
                                + (was.isEmpty() ? " is new" : " was " + References.shown(was))
                                + (is.isEmpty() ? " and is gone" : ""));
            }
        }
        if (!changed.isEmpty()) {
            int more = changed.size() - MOST_NAMED;
            String names =
                    String.join(", ", changed.subList(0, Math.min(MOST_NAMED, changed.size())));
            notes.add(
                    "references that say what others have, or stand in for objects, changed while the"
                            + " command ran: "
                            + names
                            + (more > 0 ? " and " + more + " more" : "")
                            + "; unless it fetched, pushed or tagged, put them back with git"
                            + " update-ref");
        }
    }

    private void packs(List<Path> fresh, List<String> notes) {
        PackCheck.Result result = packs.check(store, fresh);
        for (Path bad : result.bad()) {
            notes.add(
                    show(bad)
                            + " was made or changed by the command and does not hold what git says"
                            + " it does: "
                            + away(bad));
        }
        if (!result.unknown().isEmpty()) {
            int more = result.unknown().size() - 1;
            notes.add(
                    show(result.unknown().getFirst())
                            + (more > 0 ? " and " + more + " more were" : " was")
                            + " made or changed by the command and could not be checked, because git"
                            + " did not answer: run git fsck before you rely on it");
        }
    }

    private String away(Path file) {
        try {
            return "renamed to " + quarantine.putAway(file, reach.roots()).getFileName();
        } catch (IOException e) {
            return "it cannot be renamed: remove it";
        }
    }

    /** Packs, and the tables that git believes instead of the objects. */
    private Map<Path, String> packed() {
        Path objects = store.resolve("objects");
        List<Path> files = new ArrayList<>();
        for (String name : List.of("pack", "info/commit-graphs")) {
            if (reach.holds(objects.resolve(name))) {
                files.addAll(GitFiles.entries(objects.resolve(name)));
            }
        }
        if (reach.holds(objects.resolve("info"))) {
            files.add(objects.resolve("info/commit-graph"));
        }
        Map<Path, String> stamps = new HashMap<>();
        for (Path file : files) {
            if (PackCheck.isOfInterest(file) && Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
                stamps.put(file, GitFiles.stamp(file).text());
            }
        }
        return stamps;
    }

    private String show(Path file) {
        return GitFiles.oneLine(".git/" + store.relativize(file));
    }
}
