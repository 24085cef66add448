package dev.agentloop.sandbox.home;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** What compilers, package managers and their caches read in a home directory. */
final class BuildFiles {
    /** Below the home directory. Credentials that lie in them are hidden again. */
    private static final List<String> NAMES = NameFile.BUILDS.section("home");

    /** Variables that name a folder of a tool or of its cache; some hold several. */
    private static final List<String> VARIABLES = NameFile.BUILDS.section("variables");

    private static final Path HOMEBREW = Path.of("/home/linuxbrew/.linuxbrew");

    /**
     * Version managers: their programs read the versions, settings and plugins beside them. They
     * keep no credentials, unlike {@code .cargo} and {@code .gradle}.
     */
    private static final Set<String> VERSION_MANAGERS =
            Set.of(".pyenv", ".rbenv", ".nodenv", ".goenv", ".jenv", ".asdf");

    private BuildFiles() {}

    /**
     * Those that exist, as they are named: some are links.
     *
     * @param ofCommands whether commands can choose where a folder of a variable leads
     */
    static List<Path> of(Path home, Map<String, String> environment, Predicate<Path> ofCommands) {
        List<Path> found = new ArrayList<>();
        Listing listing = new Listing(home);
        for (String name : NAMES) {
            if (listing.has(name)) {
                add(home.resolve(name), found);
            }
        }
        add(HOMEBREW, found);
        for (String variable : VARIABLES) {
            folders(environment, variable, ofCommands).forEach(folder -> add(folder, found));
        }
        folders(environment, "PATH", ofCommands)
                .forEach(folder -> program(folder.normalize(), home, found));
        return found;
    }

    private static List<Path> folders(
            Map<String, String> environment, String variable, Predicate<Path> ofCommands) {
        return Arrays.stream(environment.getOrDefault(variable, "").split(":"))
                .filter(folder -> folder.startsWith("/"))
                .map(Path::of)
                .filter(folder -> !ofCommands.test(folder.normalize()))
                .toList();
    }

    /** Programs of a folder {@code bin} use what lies beside it. */
    private static void program(Path folder, Path home, List<Path> found) {
        add(folder, found);
        add(real(folder), found);
        Path above = folder.getParent();
        if (above != null && isVersionManager(above, folder)) {
            add(above, found);
            return;
        }
        if (above == null || !folder.endsWith("bin") || above.equals(home)) {
            return;
        }
        if (folder.startsWith(home) && !isDotted(home.relativize(folder))) {
            add(above, found);
            return;
        }
        for (String beside : List.of("lib", "lib64", "libexec")) {
            add(above.resolve(beside), found);
        }
    }

    private static boolean isVersionManager(Path above, Path folder) {
        Path name = above.getFileName();
        return name != null
                && VERSION_MANAGERS.contains(name.toString())
                && (folder.endsWith("bin") || folder.endsWith("shims"));
    }

    /** Programs keep their settings and what they know of the person in such folders. */
    private static boolean isDotted(Path path) {
        return path.toString().startsWith(".");
    }

    private static void add(Path path, List<Path> found) {
        if (Files.exists(path)) {
            found.add(path);
        }
    }

    private static Path real(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException e) {
            return path;
        }
    }
}
