package dev.agentloop.sandbox;

import dev.agentloop.sandbox.home.GitCopy;
import dev.agentloop.sandbox.home.HomeView;
import dev.agentloop.sandbox.kernel.WantedMount;
import dev.agentloop.sandbox.watch.Boundaries;
import dev.agentloop.sandbox.watch.ControlPaths;
import dev.agentloop.sandbox.watch.GitFolder;
import dev.agentloop.sandbox.watch.HiddenPaths;
import dev.agentloop.sandbox.watch.OrdinaryRights;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The file tree that commands see, as arguments of bubblewrap; a later mount covers earlier. */
final class BwrapMounts {
    /** Of what the kernel shows about itself; as root the owner could write some of it. */
    private static final List<String> KERNEL_FILES =
            List.of("sys", "sysrq-trigger", "irq", "bus", "fs", "acpi", "scsi", "tty", "driver");

    /** Stands in the run's folder, too: settings that say nothing. */
    static final String MAVEN_SETTINGS = "settings.xml";

    private static final List<Path> PRIVATE = List.of(Path.of("/tmp"), Path.of("/var/tmp"));
    private static final Path RUN = Path.of("/run");
    private static final Path ROOT = Path.of("/");

    private final Boundaries boundaries;
    private final List<Path> needed; // of homes
    private final Path folder;
    private final Path empty;
    private final Path unreadable;
    private final List<String> fixed = new ArrayList<>();
    private final List<String> last = new ArrayList<>();

    /**
     * The mounts of one command, and where in them git finds its settings.
     *
     * @param missing places that bubblewrap makes on the disk to mount something over them
     * @param present places that are there and were made read-only
     * @param realTargets where something is mounted, without links, if that differs
     */
    record Now(
            List<String> arguments,
            Set<Path> missing,
            Set<Path> present,
            Map<String, String> realTargets) {
        private Now withRealTargets() {
            return new Now(arguments, missing, present, BwrapMounts.realTargets(this));
        }

        /** What is mounted where, in this order. */
        List<WantedMount> wanted() {
            List<WantedMount> wanted = new ArrayList<>();
            for (int i = 0; i < arguments.size(); i++) {
                String option = arguments.get(i);
                Optional<WantedMount.How> how = WantedMount.How.of(option);
                int words = how.isEmpty() ? wordsOf(option) : how.get().hasSource() ? 2 : 1;
                if (how.isPresent()) {
                    String target = arguments.get(i + words);
                    String real = realTargets.getOrDefault(target, target);
                    wanted.add(new WantedMount(how.get(), arguments.get(i + 1), target, real));
                }
                i += words;
            }
            return wanted;
        }

        private static int wordsOf(String option) {
            return switch (option) {
                case "--symlink", "--setenv" -> 2;
                case "--perms", "--remount-ro" -> 1;
                default -> throw new IllegalStateException(option);
            };
        }
    }

    /**
     * @param folder of the run, with {@code tmp}, {@code empty} and the like in it
     */
    BwrapMounts(Boundaries boundaries, Path folder) {
        this.boundaries = boundaries;
        this.needed = HiddenPaths.needed(boundaries);
        Path real = HiddenPaths.real(folder);
        this.folder = real == null ? folder : real;
        this.empty = this.folder.resolve("empty");
        this.unreadable = this.folder.resolve("unreadable");
        system(this.folder.resolve("tmp"));
        // long outputs are read again from there
        mount(last, "--ro-bind", this.folder, this.folder);
    }

    /** An added folder that has become a link is not among the roots any more. */
    private List<String> granted() {
        List<String> granted = new ArrayList<>();
        Stream<Path> writable = boundaries.writable().stream().map(HiddenPaths::real);
        Stream.concat(writable, boundaries.roots().stream())
                .filter(path -> path != null && !path.equals(ROOT))
                .forEach(path -> mount(granted, "--bind", path, path));
        return granted;
    }

    /** A workspace that is the whole machine is bound first: later it would cover all others. */
    private void system(Path tmp) {
        mount(fixed, boundaries.workspace().equals(ROOT) ? "--bind" : "--ro-bind", ROOT, ROOT);
        fixed.addAll(List.of("--dev", "/dev", "--proc", "/proc"));
        for (String name : KERNEL_FILES) {
            Path file = Path.of("/proc", name);
            if (Files.exists(file)) {
                mount(fixed, "--ro-bind", file, file);
            }
        }
        for (Path path : PRIVATE) {
            if (path.equals(HiddenPaths.real(path))) {
                mount(fixed, "--bind", tmp, path);
            }
        }
        if (Files.isDirectory(RUN)) {
            fixed.addAll(List.of("--tmpfs", RUN.toString()));
        }
        // with the network names must be found, too: the list of servers is often kept in /run
        Path servers = HiddenPaths.real(Path.of("/etc/resolv.conf"));
        if (servers != null && servers.startsWith(RUN)) {
            mount(fixed, "--ro-bind", servers, servers);
        }
    }

    /** Homes out of sight but for what is shown of them; an outer one is covered first. */
    private void homes(List<String> arguments, HomeView view, List<String> granted) {
        Path own = HiddenPaths.real(boundaries.home());
        if (own != null && isPrivate(own) && !view.covered().contains(own)) {
            mount(arguments, "--ro-bind", own, own);
        }
        for (Path home : view.covered()) {
            cover(arguments, home);
            for (Path path : view.shown()) {
                Path real = HiddenPaths.real(path);
                boolean isOf = home.equals(view.cover(path)) && !granted.contains(path.toString());
                if (real != null && isOf) {
                    show(arguments, path, real);
                }
            }
        }
    }

    private static void show(List<String> arguments, Path path, Path real) {
        if (Files.isSymbolicLink(path)) {
            try {
                String target = Files.readSymbolicLink(path).toString();
                arguments.addAll(List.of("--symlink", target, path.toString()));
            } catch (IOException e) {
                return; // gone by now
            }
        } else {
            mount(arguments, "--ro-bind", real, path);
        }
    }

    /** Whether the run has something of its own there, so that a home would be out of sight. */
    private static boolean isPrivate(Path path) {
        return path.startsWith(RUN) || PRIVATE.stream().anyMatch(path::startsWith);
    }

    /**
     * The tree as it is at this moment: commands, tools and people change it all the time.
     *
     * @param placeholder whether something is there only because a sandbox made it: it counts as
     *     missing, so that two looks at the same tree come to the same
     */
    Now now(Predicate<Path> placeholder) {
        HomeView view = HiddenPaths.view(boundaries, needed);
        List<String> arguments = new ArrayList<>(fixed);
        List<String> granted = granted();
        homes(arguments, view, granted);
        arguments.addAll(granted);
        Set<Path> hide = HiddenPaths.of(boundaries, view);
        Now now = inWorkspace(arguments, placeholder, hide);
        hide(arguments, hide);
        arguments.addAll(last);
        view.git()
                .in(folder)
                .ifPresent(copy ->
                        arguments.addAll(List.of("--setenv", GitCopy.VARIABLE, copy.toString())));
        view.covered().forEach(home -> arguments.addAll(List.of("--remount-ro", home.toString())));
        return now.withRealTargets();
    }

    /** What is read-only, or empty, in the workspace and in the folders of its repository. */
    private Now inWorkspace(List<String> arguments, Predicate<Path> placeholder, Set<Path> hide) {
        Covered covered =
                new Covered(
                        new LinkedHashSet<>(),
                        new LinkedHashSet<>(),
                        new LinkedHashSet<>(),
                        new ArrayList<>(boundaries.roots()));
        repositories(arguments, placeholder, covered);
        Set<Path> present = covered.present();
        Set<Path> missing = covered.missing();
        Set<Path> missingFiles = covered.missingFiles();
        List<Path> writable = covered.writable();
        for (Path root : boundaries.roots()) {
            ControlPaths controls = ControlPaths.of(boundaries.seen().from(root), placeholder);
            present.addAll(controls.present());
            missing.addAll(controls.missing());
        }
        missing.removeIf(BwrapMounts::staysMissing);
        missingFiles.removeIf(BwrapMounts::staysMissing);
        Set<Path> readOnly = new LinkedHashSet<>();
        present.stream()
                .map(HiddenPaths::real)
                .filter(Objects::nonNull)
                .filter(path -> canBeWritten(path, writable))
                .forEach(readOnly::add);
        Set<Path> all = new LinkedHashSet<>(readOnly);
        all.addAll(missing);
        all.addAll(missingFiles);
        hide.stream().filter(boundaries::isInRoots).forEach(all::add);
        parents(all, writable).forEach(path -> mount(arguments, "--bind", path, path));
        readOnly.forEach(path -> mount(arguments, "--ro-bind", path, path));
        missing.forEach(path -> cover(arguments, path));
        missingFiles.forEach(path -> mount(arguments, "--ro-bind", empty, path));
        missing.addAll(missingFiles);
        return new Now(arguments, missing, present, Map.of());
    }

    /**
     * What is covered within what commands may write.
     *
     * @param missing folders, and the files beside them, that must not come into being
     */
    private record Covered(
            Set<Path> present, Set<Path> missing, Set<Path> missingFiles, List<Path> writable) {}

    /** Of each root; two of them may be work trees of one repository. */
    private void repositories(
            List<String> arguments, Predicate<Path> placeholder, Covered covered) {
        Predicate<Path> there = path -> Files.exists(path) && !placeholder.test(path);
        List<GitFolder> gits = new ArrayList<>();
        for (Path root : boundaries.roots()) {
            Optional<GitFolder> found = GitFolder.of(root);
            if (found.isEmpty()) {
                continue;
            }
            GitFolder git = found.get();
            gits.add(git);
            repository(root, git, arguments, covered.present());
            for (Path path : git.hooks()) {
                (there.test(path) ? covered.present() : covered.missing()).add(path);
            }
            for (Path path : git.settings()) {
                (there.test(path) ? covered.present() : covered.missingFiles()).add(path);
            }
            covered.writable().addAll(outside(git));
        }
        Predicate<Path> readOnlyThere =
                path -> gits.stream().anyMatch(git -> git.holds(path) && !git.isWritable(path));
        covered.missing().removeIf(readOnlyThere);
        covered.missingFiles().removeIf(readOnlyThere);
    }

    /**
     * A link may lead anywhere: what is mounted there would be in sight, also in a covered home.
     */
    private boolean canBeWritten(Path real, List<Path> writable) {
        return Stream.concat(writable.stream(), boundaries.writable().stream())
                .map(HiddenPaths::realOrSame)
                .anyMatch(real::startsWith);
    }

    /** Of a link to nowhere nothing can be covered; where bwrap makes nothing, no command does. */
    private static boolean staysMissing(Path path) {
        Path folder = path.getParent();
        return Files.isSymbolicLink(path) || folder != null && !OrdinaryRights.canWrite(folder);
    }

    /** Folders of a worktree's repository that commands may write; the workspace has its own. */
    private List<Path> outside(GitFolder git) {
        return git.writable().stream().filter(path -> !boundaries.isInRoots(path)).toList();
    }

    /**
     * Unreadable, not empty: of an empty file git would make an empty one in the next commit. Some
     * tools end at settings of the home that they cannot read, but work without any.
     */
    private void hide(List<String> arguments, Set<Path> paths) {
        for (Path path : paths) {
            if (path.startsWith(RUN)
                    && boundaries.roots().stream().noneMatch(root -> root.startsWith(RUN))) {
                continue; // nothing of it is in sight
            }
            if (Files.isDirectory(path)) {
                cover(arguments, path);
            } else {
                boolean inHome = !boundaries.isInRoots(path);
                mount(arguments, "--ro-bind", inHome ? standIn(path) : unreadable, path);
            }
        }
    }

    private Path standIn(Path path) {
        return path.endsWith(MAVEN_SETTINGS)
                ? folder.resolve(MAVEN_SETTINGS)
                : path.endsWith("gradle.properties") ? empty : unreadable;
    }

    private void repository(Path root, GitFolder git, List<String> arguments, Set<Path> present) {
        if (!git.store().startsWith(root)) { // of a worktree
            if (!git.shared()) { // it may lie in a folder that is writable
                mount(arguments, "--ro-bind", git.store(), git.store());
            }
            git.writable().forEach(path -> mount(arguments, "--bind", path, path));
        }
        present.addAll(git.pointers());
        present.addAll(git.led(boundaries.seen().from(root), boundaries.home()));
    }

    /**
     * Folders between what is writable and what is read-only in it, outermost first. Bound onto
     * themselves they cannot be renamed, else a new one could be put in the place of each.
     */
    private static Set<Path> parents(Set<Path> protectedPaths, List<Path> writable) {
        Set<Path> parents = new TreeSet<>(); // a folder sorts before what is in it
        for (Path path : protectedPaths) {
            Path parent = path.getParent();
            while (parent != null
                    && !writable.contains(parent)
                    && writable.stream().anyMatch(parent::startsWith)) {
                if (Files.isDirectory(parent, LinkOption.NOFOLLOW_LINKS)
                        && isWithoutLinks(parent, writable)) {
                    parents.add(parent);
                }
                parent = parent.getParent();
            }
        }
        return parents;
    }

    /** Whether no link leads from the folder that commands may write to out of it. */
    private static boolean isWithoutLinks(Path folder, List<Path> writable) {
        Path real = HiddenPaths.real(folder);
        return writable.stream()
                .filter(folder::startsWith)
                .anyMatch(top -> {
                    Path realTop = HiddenPaths.real(top);
                    return realTop != null && realTop.resolve(top.relativize(folder)).equals(real);
                });
    }

    /**
     * With an empty folder that refuses entries; what is forced into it is gone with the command.
     * Each bind costs half a millisecond more than this: it reads the whole table of mounts.
     */
    private static void cover(List<String> arguments, Path path) {
        arguments.addAll(List.of("--perms", "0555", "--tmpfs", path.toString()));
    }

    private static void mount(List<String> arguments, String how, Path from, Path to) {
        arguments.add(how);
        arguments.add(from.toString());
        arguments.add(to.toString());
    }

    /** Where the kernel mounts something, there or not, for those places whose name has links. */
    private static Map<String, String> realTargets(Now now) {
        Map<Path, Path> folders = new HashMap<>();
        Map<String, String> real = new HashMap<>();
        for (WantedMount wanted : now.wanted()) {
            Path target = Path.of(wanted.target());
            Path parent = target.getParent();
            Path folder =
                    parent == null
                            ? null
                            : folders.computeIfAbsent(parent, BwrapMounts::realFolder);
            if (folder != null && !folder.equals(parent)) {
                real.put(wanted.target(), folder.resolve(target.getFileName()).toString());
            }
        }
        return real;
    }

    private static Path realFolder(Path folder) {
        Path real = HiddenPaths.real(folder);
        return real == null ? folder : real;
    }
}
