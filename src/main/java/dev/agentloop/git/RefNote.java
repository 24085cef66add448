package dev.agentloop.git;

import dev.agentloop.control.ProcessStart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * One note about a repository that commands of a run can write to. As long as the run works, what
 * its branches said before; then those that have changed, with what they say now.
 *
 * @param process that works; empty once the note is closed
 * @param workspace of the run
 * @param places where the repository was; a second one if the run has moved it
 * @param everything why none of the values counts; empty if they do
 * @param values by name
 */
record RefNote(
        String process,
        Path workspace,
        List<RefPlace> places,
        String everything,
        Map<String, String> values) {

    private static final int MOST_CHANGED = 10_000; // branches, more than a fetch brings
    private static final int MOST_OF_CHANGED = 1024 * 1024; // characters of names and values
    private static final String TWO_VALUES = "?"; // equals none

    /** What is there before the first command of this process. */
    static RefNote of(Path workspace) {
        String process = processName(ProcessHandle.current());
        Path real = workspace.toAbsolutePath().normalize();
        try {
            real = workspace.toRealPath();
            RefPlace place = RefPlace.of(real);
            RefValues now = RefValues.now(place.common(), place.own());
            String all = now.complete() ? "" : "not all of its references could be read";
            Map<String, String> values = now.complete() ? now.values() : Map.of();
            return new RefNote(process, real, List.of(place), all, values);
        } catch (IOException e) {
            String all = "its repository could not be found when a run began";
            return new RefNote(process, real, List.of(RefPlace.none(real)), all, Map.of());
        }
    }

    /** Begun while others work, whose values are older than these. */
    RefNote after(List<RefNote> others) {
        Map<String, String> oldest = new TreeMap<>(values);
        Set<String> replaced = new HashSet<>();
        String all = everything;
        for (RefNote other : others) {
            if (!other.everything.isEmpty() || !other.sharesStore(places.getLast())) {
                all = "two runs at once could write to it";
            }
            Set<String> names = new HashSet<>(values.keySet());
            names.addAll(other.values.keySet());
            for (String name : names) {
                String before = other.before(name);
                if (!before.equals(before(name))) {
                    boolean same = replaced.add(name) || before.equals(oldest.get(name));
                    oldest.put(name, same ? before : TWO_VALUES);
                }
            }
        }
        return new RefNote(process, workspace, places, all, all.isEmpty() ? oldest : Map.of());
    }

    private String before(String name) {
        return values.getOrDefault(name, RefValues.NONE);
    }

    /** After the last command: only the names that have another value by now. */
    RefNote closed() {
        RefPlace begun = places.getFirst();
        RefPlace ended;
        String all = everything;
        try {
            ended = RefPlace.of(workspace);
            if (begun.isThere() && !begun.equals(ended)) {
                all = "its repository was moved or replaced during a run";
            }
        } catch (IOException e) {
            ended = begun;
            all = "its repository could not be found when a run ended";
        }
        RefValues now = RefValues.now(ended.common(), ended.own());
        if (all.isEmpty() && !now.complete()) {
            all = "not all of its references could be read";
        }
        Map<String, String> changed =
                all.isEmpty() ? now.changedSince(new RefValues(values, true)) : Map.of();
        List<RefPlace> both = begun.equals(ended) ? List.of(begun) : List.of(begun, ended);
        int length =
                changed.entrySet().stream()
                        .mapToInt(one -> one.getKey().length() + one.getValue().length())
                        .sum();
        if (changed.size() > MOST_CHANGED || length > MOST_OF_CHANGED) {
            all = "too many of its references were changed during a run";
            changed = Map.of();
        }
        return new RefNote("", workspace, both, all, changed);
    }

    boolean isOpen() {
        return !process.isEmpty();
    }

    /** Whether the process that works has not ended. */
    boolean isAlive() {
        long pid = isOpen() ? Long.parseLong(process.substring(0, process.indexOf('@'))) : -1;
        return pid > 0
                && ProcessHandle.of(pid).filter(it -> processName(it).equals(process)).isPresent();
    }

    /** Whether a closed note need not be kept. */
    boolean saysNothing() {
        return everything.isEmpty() && values.isEmpty() && !holdsOthers();
    }

    /** Whether below the workspace there may be repositories of which nothing was noted. */
    private boolean holdsOthers() {
        Path home = Path.of(System.getProperty("user.home", "/"));
        return !places.getFirst().isThere() || home.startsWith(workspace);
    }

    /** Whether there is nothing left that it could be about. */
    boolean isGone() {
        return Files.notExists(workspace) // false as well where nobody may look
                && places.stream().allMatch(place -> Files.notExists(place.common()));
    }

    /** Whether it has values, and nothing says any more what it said after the run. */
    boolean isOver() {
        RefPlace last = places.getLast();
        boolean elsewhere = Files.exists(workspace) && !isAt(last);
        if (!everything.isEmpty() || values.isEmpty() || elsewhere) {
            return false;
        }
        RefValues now = RefValues.now(last.common(), last.own());
        return now.complete()
                && values.entrySet().stream()
                        .noneMatch(one -> now.of(one.getKey()).equals(one.getValue()));
    }

    RefNote withoutValues() {
        return new RefNote(process, workspace, places, everything, Map.of());
    }

    private boolean isAt(RefPlace last) {
        try {
            return RefPlace.of(workspace).common().equals(last.common());
        } catch (IOException e) {
            return false;
        }
    }

    private boolean sharesStore(RefPlace at) {
        return places.stream().anyMatch(place -> place.sharesStore(at));
    }

    /** Whether the run can write to any of what git takes for a repository. */
    boolean concerns(RefPlace at) {
        Stream<RefPlace> known = places.stream();
        if (isOpen()) { // a command may have moved it
            try {
                known = Stream.concat(known, Stream.of(RefPlace.of(workspace)));
            } catch (IOException e) {
                return at.reaches(workspace) || sharesStore(at);
            }
        }
        return at.reaches(workspace)
                || known.anyMatch(place ->
                        place.sharesStore(at)
                                || at.reaches(place.common())
                                || at.reaches(place.own()));
    }

    /** Why the values say nothing about a repository that the note concerns; empty if they do. */
    Optional<String> objection(RefPlace at) {
        if (!everything.isEmpty()) {
            return Optional.of(everything);
        }
        if (!sharesStore(at)) {
            return Optional.of(
                    "a run has worked in this folder, or in one above it, and has noted another repository than"
                            + " the one that is here now");
        }
        return Optional.empty();
    }

    /** The first of the names that a command may have given the value that it has now. */
    Optional<String> moved(Set<String> names, RefValues now) {
        return names.stream()
                .filter(name ->
                        isOpen()
                                ? !before(name).equals(now.of(name))
                                : now.of(name).equals(values.get(name)))
                .findFirst();
    }

    private static String processName(ProcessHandle process) {
        return process.pid() + "@" + ProcessStart.of(process.pid());
    }
}
