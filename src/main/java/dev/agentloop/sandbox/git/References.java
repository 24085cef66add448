package dev.agentloop.sandbox.git;

import dev.agentloop.sandbox.git.file.GitFiles;
import dev.agentloop.sandbox.git.file.WritableRoots;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** References that commands have no need to move: of remotes, tags, and replacements of objects. */
final class References {
    private static final List<String> KINDS =
            List.of("refs/remotes/", "refs/tags/", "refs/replace/");
    private static final List<String> OF_STEPS =
            List.of("HEAD", "ORIG_HEAD", "REBASE_HEAD", "CHERRY_PICK_HEAD", "AUTO_MERGE");
    private static final int MOST_PACKED = 64 * 1024 * 1024; // bytes
    private static final int MOST_LOOSE = 5000;
    private static final int MOST_LENGTH = 4096;

    private static final Pattern VALUE = Pattern.compile("[0-9a-f]{40,64}|ref: refs/[!-~]{1,200}");

    private final Path store;
    private final WritableRoots reach;
    private Map<Path, Known> known = new HashMap<>();
    private String packedStamp = "";
    private Map<String, String> packed = Map.of();

    References(Path store, WritableRoots reach) {
        this.reach = reach;
        this.store = store;
    }

    private record Known(String stamp, String value) {}

    /** All that may stand for another one: git writes to whatever that is, and to its log. */
    static List<Path> files(Path store, ReadBudget budget) {
        List<Path> files = new ArrayList<>();
        OF_STEPS.forEach(name -> files.add(store.resolve(name)));
        Deque<Path> open = new ArrayDeque<>(List.of(store.resolve("refs")));
        while (!open.isEmpty()) {
            for (Path entry : GitFiles.entries(open.removeFirst(), _ -> budget.entry())) {
                if (GitFiles.type(entry) == GitFiles.Type.FOLDER) {
                    open.add(entry);
                } else {
                    files.add(entry);
                }
            }
        }
        return files;
    }

    /** By name, as git would find them. */
    Map<String, String> values() {
        Map<String, String> values = new TreeMap<>(packed());
        Map<Path, Known> seen = new HashMap<>();
        Deque<Path> open = new ArrayDeque<>();
        for (String kind : KINDS) {
            Path folder = store.resolve(kind);
            if (!Files.isSymbolicLink(folder) && reach.holds(folder)) {
                open.add(folder);
            }
        }
        int folders = 0;
        while (!open.isEmpty() && seen.size() < MOST_LOOSE && folders++ < MOST_LOOSE) {
            for (Path entry : GitFiles.entries(open.removeFirst())) {
                if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
                    open.add(entry);
                } else {
                    String value = value(entry, seen);
                    values.put(store.relativize(entry).toString(), value);
                }
            }
        }
        known = seen;
        return values;
    }

    /** Only what git itself takes for a value: a file may hold anything. */
    static String shown(String value) {
        return VALUE.matcher(value).matches() ? value : "(the name of no object)";
    }

    private String value(Path file, Map<Path, Known> seen) {
        GitFiles.Stamp stamp = GitFiles.stamp(file, LinkOption.NOFOLLOW_LINKS);
        Known before = known.get(file);
        if (before == null || !before.stamp.equals(stamp.text())) {
            String value =
                    Files.isSymbolicLink(file)
                            ? WritableRoots.said(file)
                            : GitFiles.text(file, MOST_LENGTH).strip();
            before = new Known(stamp.young() ? "young" : stamp.text(), value);
        }
        seen.put(file, before);
        return before.value;
    }

    private Map<String, String> packed() {
        Path file = store.resolve("packed-refs");
        GitFiles.Stamp stamp = GitFiles.stamp(file);
        if (!reach.holds(file)) {
            return Map.of();
        }
        if (!stamp.text().equals(packedStamp)) {
            Map<String, String> read = new HashMap<>();
            for (String line : GitFiles.text(file, MOST_PACKED).split("\n")) {
                int blank = line.indexOf(' ');
                String name = line.substring(blank + 1);
                if (blank > 0 && KINDS.stream().anyMatch(name::startsWith)) {
                    read.put(name, line.substring(0, blank));
                }
            }
            packed = read;
            packedStamp = stamp.young() ? "young" : stamp.text();
        }
        return packed;
    }
}
