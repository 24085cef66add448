package dev.agentloop.git;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * One note about a repository. As long as the run works, what its branches said before; then those
 * that have changed, with what they say now.
 *
 * @param process that works; empty once the note is closed
 * @param values by name
 */
record RefNote(String process, Place place, Map<String, String> values) {
    private static final String ALL = "*"; // in place of a name: not all of them could be read
    private static final String POINTER = "gitdir: ";
    private static final long MOST_OF_NOTE = 64 * 1024 * 1024; // bytes
    private static final int MOST_OF_POINTER = 4_096; // bytes, as the longest path

    /**
     * Where git keeps a repository, and what is a work tree's own of that; as the kernel resolves
     * the names, like git.
     */
    record Place(Path common, Path own) {
        /** Of the nearest repository upwards; where there is none, of one that may yet be made. */
        static Place of(Path workspace) throws IOException {
            Path real = workspace.toRealPath();
            for (Path at = real; at != null; at = at.getParent()) {
                Path git = at.resolve(".git");
                if (Files.isDirectory(git)) {
                    return under(git.toRealPath());
                }
                if (Files.isRegularFile(git)) {
                    String said = text(git);
                    if (said.startsWith(POINTER)) {
                        Path named = at.resolve(said.substring(POINTER.length()));
                        return under(named.toRealPath());
                    }
                }
            }
            return new Place(real.resolve(".git"), real.resolve(".git"));
        }

        private static Place under(Path own) throws IOException {
            Path shared = own.resolve("commondir");
            Path common =
                    Files.isRegularFile(shared) ? own.resolve(text(shared)).toRealPath() : own;
            return new Place(common, own);
        }

        private static String text(Path file) throws IOException {
            try (var in = Files.newInputStream(file)) {
                byte[] bytes = in.readNBytes(MOST_OF_POINTER);
                return new String(bytes, StandardCharsets.UTF_8).strip();
            }
        }
    }

    /** What is there before the first command of this process. */
    static RefNote of(Place place) {
        RefValues now = RefValues.now(place.common, place.own);
        Map<String, String> values = new TreeMap<>(now.values());
        if (!now.complete()) {
            values.put(ALL, ALL);
        }
        return new RefNote(processName(ProcessHandle.current()), place, values);
    }

    /** After the last command: only what is another by now. */
    RefNote closed() {
        RefValues now = RefValues.now(place.common, place.own);
        Map<String, String> changed = new TreeMap<>(now.changedSince(new RefValues(values, true)));
        if (!now.complete() || values.containsKey(ALL)) {
            changed.put(ALL, ALL);
        }
        return new RefNote("", place, changed);
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

    /** Whether nothing says any more what it said after the run. */
    boolean isOver() {
        RefValues now = RefValues.now(place.common, place.own);
        return !values.containsKey(ALL)
                && values.entrySet().stream()
                        .noneMatch(one -> now.of(one.getKey()).equals(one.getValue()));
    }

    /** The first of the names that a command may have given the value that it has now. */
    Optional<String> moved(Set<String> names, RefValues now) {
        if (values.containsKey(ALL)) {
            return names.stream().findFirst();
        }
        return names.stream()
                .filter(name ->
                        isOpen()
                                ? !values.getOrDefault(name, RefValues.NONE).equals(now.of(name))
                                : now.of(name).equals(values.get(name)))
                .findFirst();
    }

    /** A line for the process, two for the place, then one each for a value and its name. */
    String text() throws IOException {
        List<String> paths = List.of(place.common.toString(), place.own.toString());
        if (paths.stream().anyMatch(path -> path.indexOf('\n') >= 0)) {
            throw new IOException("the path of the repository has line ends");
        }
        String lines =
                values.entrySet().stream()
                        .map(one -> one.getValue().replace(' ', '\t') + " " + one.getKey() + "\n")
                        .collect(Collectors.joining());
        return process + "\n" + String.join("\n", paths) + "\n" + lines;
    }

    /** Empty if it is not one, or has just gone. */
    static Optional<RefNote> read(Path file) {
        try {
            if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                    || Files.size(file) > MOST_OF_NOTE) {
                return Optional.empty();
            }
            String[] lines = Files.readString(file, StandardCharsets.UTF_8).split("\n");
            if (lines.length < 3) {
                return Optional.empty();
            }
            Map<String, String> values = new TreeMap<>();
            for (int i = 3; i < lines.length; i++) {
                int blank = lines[i].indexOf(' ');
                if (blank >= 0) {
                    String value = lines[i].substring(0, blank).replace('\t', ' ');
                    values.put(lines[i].substring(blank + 1), value);
                }
            }
            Place place = new Place(Path.of(lines[1]), Path.of(lines[2]));
            return Optional.of(new RefNote(lines[0], place, values));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static String processName(ProcessHandle process) {
        long begun = process.info().startInstant().map(it -> it.toEpochMilli()).orElse(0L);
        return process.pid() + "@" + begun;
    }
}
