package dev.agentloop.shell.parse;

import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Where a command may run: {@code now}, if the last one went well, or if it failed. They differ
 * after {@code cd}.
 */
final class Folders {
    private static final int MAX = 16; // more are no path that somebody meant

    private final Path home;
    private final Findings findings;
    private Set<Path> now;
    private Set<Path> succeeded;
    private Set<Path> failed;

    Folders(Set<Path> start, Path home, Findings findings) {
        this.home = home;
        this.findings = findings;
        now = start;
        succeeded = start;
        failed = start;
    }

    Set<Path> now() {
        return now;
    }

    Set<Path> succeeded() {
        return succeeded;
    }

    Set<Path> failed() {
        return failed;
    }

    /** The next command runs in these. */
    void now(Set<Path> folders) {
        now = folders;
        succeeded = folders;
        failed = folders;
    }

    /** How the folders of a whole list of commands come out. */
    void outcome(Set<Path> good, Set<Path> bad) {
        now = union(good, bad);
        succeeded = good;
        failed = bad;
    }

    /** A command ran that may have changed the folder. */
    void ran(SimpleCommand command) {
        if (command.program().equals("cd")) {
            outcome(after(command), now);
        } else {
            now(now);
        }
    }

    private Set<Path> after(SimpleCommand cd) {
        List<Word> words = cd.arguments();
        if (!words.isEmpty() && words.getFirst().text().equals("--")) {
            words = words.subList(1, words.size());
        }
        if (words.isEmpty()) {
            return Set.of(home);
        }
        Word target = words.getFirst();
        String text = target.text();
        if (words.size() > 1 || !target.isLiteral() || text.isEmpty() || text.startsWith("-")) {
            findings.unclear("it goes to a folder that is not known");
            return now;
        }
        Set<Path> result = new LinkedHashSet<>();
        for (Path folder : now) {
            result.add(folder.resolve(text).normalize()); // a shell takes ".." by name
            result.add(
                    RealPath.of(
                            RealPath.ofFolder(folder),
                            text)); // and with -P, or when that fails, by the disk
        }
        return limited(result);
    }

    Set<Path> union(Set<Path> one, Set<Path> other) {
        if (one.containsAll(other)) {
            return one;
        }
        Set<Path> all = new LinkedHashSet<>(one);
        all.addAll(other);
        return limited(all);
    }

    private Set<Path> limited(Set<Path> folders) {
        if (folders.size() > MAX) {
            throw new Findings.TooComplexException("it may run in more than " + MAX + " folders");
        }
        return folders;
    }
}
