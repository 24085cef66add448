package dev.agentloop.shell;

import dev.agentloop.shell.parse.Findings;
import dev.agentloop.shell.parse.RealPath;
import dev.agentloop.shell.parse.SimpleCommand;
import dev.agentloop.shell.parse.Word;
import dev.agentloop.storage.Roots;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Where the words of a command lead on this machine. */
final class Places {
    private static final Set<String> DEVICES =
            Set.of(
                    "/dev/null",
                    "/dev/stdin",
                    "/dev/stdout",
                    "/dev/stderr",
                    "/dev/zero",
                    "/dev/random",
                    "/dev/urandom");

    private static final int MAX_LOOKS = 20_000; // 10 µs each, on a machine with other work

    private final Roots roots;
    private final Path home;
    private final Path realHome;
    private final Map<Path, Path> realFolders = new HashMap<>();
    private final Map<Place, Set<Path>> found = new HashMap<>();
    private int looks;

    private record Place(Set<Path> folders, String text) {}

    Places(Roots roots, Path home) {
        this.roots = new Roots(RealPath.ofFolder(roots.main()), roots.added());
        this.home = home;
        this.realHome = RealPath.ofFolder(home);
    }

    Path workspace() {
        return roots.main();
    }

    Roots roots() {
        return roots;
    }

    Path home() {
        return realHome;
    }

    /** Counts what is looked up: a line may name more files than there is time for. */
    void look() {
        if (++looks > MAX_LOOKS) {
            throw new Findings.TooComplexException("it names too many files");
        }
    }

    /**
     * What a word may name, from each folder the command may run in: the links, and their targets.
     */
    Set<Path> of(SimpleCommand command, String text) {
        if (text.isEmpty() || text.indexOf('\0') >= 0 || DEVICES.contains(text)) {
            return Set.of();
        }
        Place place = new Place(command.folders(), text);
        Set<Path> paths = found.get(place);
        if (paths == null) {
            paths = lookUp(place);
            found.put(place, paths);
        }
        return paths;
    }

    private Set<Path> lookUp(Place place) {
        Set<Path> paths = new LinkedHashSet<>();
        String text = place.text();
        try {
            for (Path folder : place.folders()) {
                look();
                Path real = realFolders.computeIfAbsent(folder, RealPath::ofFolder);
                paths.add(RealPath.ofLink(real, text));
                paths.add(RealPath.of(real, text));
            }
        } catch (InvalidPathException e) {
            return Set.of(); // no file can have such a name here
        }
        return paths;
    }

    /** The same for a word with the one expansion whose value is known: the home folder. */
    Set<Path> of(SimpleCommand command, Word word) {
        return of(command, known(word));
    }

    /** The paths that a word names, as links if they are links: what is deleted is the name. */
    Set<Path> named(SimpleCommand command, Word word) {
        Set<Path> paths = new LinkedHashSet<>();
        String text = known(word);
        if (text.isEmpty() || text.indexOf('\0') >= 0) {
            return paths;
        }
        try {
            for (Path folder : command.folders()) {
                Path real = realFolders.computeIfAbsent(folder, RealPath::ofFolder);
                paths.add(RealPath.ofLink(real, text)); // counted where its target is looked for
            }
        } catch (InvalidPathException e) {
            return Set.of(); // no file can have such a name here
        }
        return paths;
    }

    /** The text of a word, with the home folder where it stands for it. */
    String known(Word word) {
        if (word.kind() != Word.Kind.DYNAMIC) {
            return word.text();
        }
        for (String name : List.of("$HOME", "${HOME}")) {
            String rest = word.text().startsWith(name) ? word.text().substring(name.length()) : "-";
            if (rest.isEmpty() || rest.startsWith("/")) {
                return home + rest;
            }
        }
        return word.text();
    }

    /** Whether the shell puts something into the word that only it knows. */
    boolean isUnknown(Word word) {
        String known = known(word);
        return word.kind() == Word.Kind.DYNAMIC
                && (known.indexOf('$') >= 0
                        || known.indexOf('`') >= 0
                        || known.indexOf('{') >= 0
                        || known.startsWith("~"));
    }

    boolean isOutside(Path path) {
        return !roots.hold(path);
    }
}
