package dev.agentloop.search;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * File systems that begin below a folder.
 *
 * @param pseudo those whose files are no files: reading them may never end
 * @param all these and volumes with files
 */
record MountPoints(Set<Path> all, Set<Path> pseudo) {
    private static final Path TABLE = Path.of("/proc/self/mountinfo"); // proc(5)
    private static final Set<String> PSEUDO =
            Set.of(
                    "proc",
                    "sysfs",
                    "devtmpfs",
                    "devpts",
                    "mqueue",
                    "cgroup",
                    "cgroup2",
                    "debugfs",
                    "tracefs",
                    "securityfs",
                    "configfs",
                    "bpf",
                    "pstore",
                    "autofs",
                    "binfmt_misc",
                    "efivarfs",
                    "fusectl",
                    "rpc_pipefs");

    /** None where the system has no such table. */
    static MountPoints below(Path folder) {
        List<String> lines;
        try {
            lines = Files.readAllLines(TABLE, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return new MountPoints(Set.of(), Set.of());
        }
        return of(folder, lines);
    }

    static MountPoints of(Path folder, List<String> lines) {
        Set<Path> all = new HashSet<>();
        Set<Path> pseudo = new HashSet<>();
        for (String line : lines) {
            String[] words = line.split(" ");
            int dash = List.of(words).indexOf("-");
            if (dash < 5 || dash + 1 >= words.length) {
                continue;
            }
            Path point = path(words[4]);
            if (point != null && point.startsWith(folder) && !point.equals(folder)) {
                all.add(point);
                if (PSEUDO.contains(words[dash + 1])) {
                    pseudo.add(point);
                }
            }
        }
        return new MountPoints(all, pseudo);
    }

    /** Null for a name that Java cannot express; the walk does not meet it either. */
    private static @Nullable Path path(String escaped) {
        try {
            return Path.of(escaped.replace("\\040", " "));
        } catch (InvalidPathException e) {
            return null;
        }
    }
}
