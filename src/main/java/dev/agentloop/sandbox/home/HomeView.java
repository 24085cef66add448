package dev.agentloop.sandbox.home;

import dev.agentloop.controlfile.LinkChain;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What commands see of home directories at this moment: of the user's own and of others that the
 * user may enter nothing but what builds need. A home that lies in the workspace, or is one of the
 * machine's own folders, cannot be covered: of that only the known credentials are hidden.
 *
 * @param workspace its real path
 * @param covered homes whose content is out of sight, an outer one before those in it; real paths
 * @param shown what is in sight in them all the same, as it is named: some are links
 * @param credentials real paths that are in sight and must not be readable
 * @param git what git reads in the place of the user's own settings
 */
public record HomeView(
        Path workspace, Set<Path> covered, Set<Path> shown, Set<Path> credentials, GitCopy git) {
    private static final Path ROOTS = Path.of("/root");
    private static final Path HOMES = Path.of("/home");

    /** Programs and libraries live there, whoever calls them a home. */
    private static final Set<Path> OF_MACHINE =
            Set.of(
                    Path.of("/"),
                    Path.of("/bin"),
                    Path.of("/dev"),
                    Path.of("/etc"),
                    Path.of("/lib"),
                    Path.of("/lib64"),
                    Path.of("/nix"),
                    Path.of("/opt"),
                    Path.of("/proc"),
                    Path.of("/run"),
                    Path.of("/sbin"),
                    Path.of("/sys"),
                    Path.of("/tmp"),
                    Path.of("/usr"),
                    Path.of("/usr/local"),
                    Path.of("/var"),
                    Path.of("/var/lib"),
                    Path.of("/var/tmp"));

    private static final List<Path> KERNELS = List.of(Path.of("/dev"), Path.of("/proc"));

    /** In these a home keeps things of all kinds, so only what is in them is on the way. */
    private static final Set<String> COLLECTIONS =
            Set.of("Desktop", "Documents", "Downloads", "Dropbox", "OneDrive", "Nextcloud", "snap");

    /**
     * Looks at the files.
     *
     * @param workspace its real path
     * @param readable what the user wants commands to read; the home itself uncovers it
     * @param needed what the sandbox needs itself
     */
    public static HomeView of(
            Path home,
            Path workspace,
            List<Path> readable,
            List<Path> needed,
            Map<String, String> environment) {
        Set<Path> wished = new LinkedHashSet<>(reals(readable));
        HomeView view =
                new HomeView(
                        workspace,
                        covered(real(home), workspace, wished),
                        new LinkedHashSet<>(),
                        new LinkedHashSet<>(),
                        GitCopy.NONE);
        List<Path> candidates = new ArrayList<>(Credentials.of(home, environment));
        List<Path> writable = view.writable(needed);
        List<Path> wanted =
                new ArrayList<>(
                        BuildFiles.of(home, environment, path -> leadsThrough(path, writable)));
        List<Path> tools = List.copyOf(wanted);
        Settings.sort(home, environment, wanted, candidates);
        GitConfigs git = GitConfigs.of(home, environment);
        List<Path> places = reals(candidates);
        git.sort(path -> liesIn(path, places), wanted, candidates);
        candidates.addAll(ToolSecrets.of(home, tools));
        wanted.addAll(readable);
        wanted.addAll(needed);
        view.way().ifPresent(wanted::add);
        wanted.forEach(path -> view.show(path, writable));
        for (Path path : candidates) {
            Path real = real(path);
            if (real != null && !wished.contains(real) && view.mustHide(path, real, home)) {
                view.credentials.add(real);
            }
        }
        return new HomeView(
                workspace, view.covered, view.shown, view.credentials, git.copy(view::isHidden));
    }

    private static LinkChain chain(Path named) {
        Path root = named.getRoot();
        return LinkChain.of(root, root.relativize(named));
    }

    private static List<Path> reals(List<Path> paths) {
        return paths.stream().map(HomeView::real).filter(Objects::nonNull).toList();
    }

    private static boolean liesIn(Path path, List<Path> realPlaces) {
        Path real = real(path);
        return real != null && realPlaces.stream().anyMatch(real::startsWith);
    }

    /** Real paths of what commands may write, of these and the workspace. */
    private List<Path> writable(List<Path> needed) {
        List<Path> writable = new ArrayList<>(List.of(workspace));
        for (Path path : needed) {
            Path real = real(path);
            if (real != null && !leadsThrough(path.normalize(), List.of(workspace))) {
                writable.add(real);
            }
        }
        return writable;
    }

    private static boolean leadsThrough(Path named, List<Path> realPlaces) {
        return leadsThrough(named, chain(named), realPlaces);
    }

    /** Also where it only passes: a link that is there could lead elsewhere the next time. */
    private static boolean leadsThrough(Path named, LinkChain chain, List<Path> realPlaces) {
        for (LinkChain.Link link : chain.links()) {
            if (realPlaces.stream().anyMatch(link.path()::startsWith)) {
                return true;
            }
        }
        for (Path part = named; part != null; part = part.getParent()) {
            if (liesIn(part, realPlaces)) {
                return true;
            }
        }
        return false;
    }

    private boolean isHidden(Path path) {
        Path real = real(path);
        return real != null
                && (!isInSight(real) || credentials.stream().anyMatch(real::startsWith));
    }

    /** Whether commands would see a place if nothing else hid it. */
    public boolean isInSight(Path real) {
        Path home = cover(real);
        return home == null || real.startsWith(workspace) || isShown(real, home);
    }

    /** The innermost home whose content is out of sight in which a path lies. */
    public @Nullable Path cover(Path path) {
        Path innermost = null;
        for (Path home : covered) {
            if (path.startsWith(home)) {
                innermost = home;
            }
        }
        return innermost;
    }

    private boolean isShown(Path path, Path home) {
        return shown.stream().anyMatch(it -> path.startsWith(it) && home.equals(cover(it)));
    }

    private static Set<Path> covered(@Nullable Path own, Path workspace, Set<Path> wished) {
        Set<Path> homes = new TreeSet<>(); // a folder sorts before what is in it
        if (own != null) {
            homes.add(own);
        }
        homes.add(ROOTS);
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(HOMES)) {
            entries.forEach(homes::add);
        } catch (IOException | DirectoryIteratorException e) {
            // none, or not for this user
        }
        homes.removeIf(home ->
                !Files.isDirectory(home)
                        || !home.equals(own) && !Files.isExecutable(home)
                        || !home.equals(real(home))
                        || OF_MACHINE.contains(home)
                        || wished.contains(home)
                        || home.startsWith(workspace));
        return homes;
    }

    /**
     * A link is shown with what it leads to. One that commands can change shows nothing: they would
     * choose what it leads to.
     */
    private void show(Path path, List<Path> writable) {
        Path named = path.normalize();
        Path real = real(path);
        LinkChain chain =
                chain(named); // once: a command may change the links before they are shown
        if (real != null
                && real.equals(chain.target())
                && (liesIn(real, writable) || !leadsThrough(named, chain, writable))) {
            for (Path one : real.equals(named) ? List.of(real) : List.of(real, named)) {
                Path home = cover(one);
                boolean isHome = covered.stream().anyMatch(it -> it.startsWith(one));
                if (home != null && !isHome && !one.startsWith(workspace) && !isShown(one, home)) {
                    // it has them in it; if it is a link, nothing can be mounted where it stands
                    shown.removeIf(it -> it.startsWith(one) && home.equals(cover(it)));
                    shown.add(one);
                }
            }
        }
    }

    /**
     * The outermost folder of a home that leads to the workspace: settings of builds lie in each
     * above it, and other repositories beside it. Empty where there is none but the workspace.
     */
    private Optional<Path> way() {
        Path home = cover(workspace);
        if (home == null) {
            return Optional.empty();
        }
        Path relative = home.relativize(workspace);
        int names = COLLECTIONS.contains(relative.getName(0).toString()) ? 2 : 1;
        boolean dotted = relative.toString().startsWith(".");
        return dotted || relative.getNameCount() <= names
                ? Optional.empty()
                : Optional.of(home.resolve(relative.subpath(0, names)));
    }

    /** A variable may name a device, and a history may be a link to one. */
    private boolean mustHide(Path named, Path real, Path home) {
        boolean asked =
                named.startsWith(home) || Files.isReadable(real) && !real.startsWith(workspace);
        return asked
                && KERNELS.stream().noneMatch(real::startsWith)
                && !OF_MACHINE.contains(real)
                && !covered.contains(real)
                && !workspace.startsWith(real)
                && isInSight(real);
    }

    private static @Nullable Path real(Path path) {
        try {
            return Files.exists(path) ? path.toRealPath() : null;
        } catch (IOException e) {
            return null;
        }
    }
}
