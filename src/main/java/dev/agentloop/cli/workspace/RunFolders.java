package dev.agentloop.cli.workspace;

import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.RunOption;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.config.AgentConfig;
import dev.agentloop.controlfile.ControlNames;
import dev.agentloop.controlfile.LinkChain;
import dev.agentloop.sandbox.watch.Boundaries;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.ParseResult;

/** The folders of a run: its workspace, and those that a person has added to it. */
public final class RunFolders {
    /** In them, and in what holds one of them, files say what the machine and its people run. */
    private static final List<Path> OF_THE_SYSTEM =
            Stream.of(
                            "/proc /sys /dev /etc /usr /bin /sbin /lib /lib32 /lib64 /boot /var/lib",
                            "/var/spool /var/cron /System /Library /Applications")
                    .flatMap(names -> Stream.of(names.split(" ")))
                    .map(Path::of)
                    .toList();

    /** Sockets, and units that the system starts; but disks are mounted here, too. */
    private static final Path OF_THE_SESSION = Path.of("/run");

    private static final Path DISKS = OF_THE_SESSION.resolve("media");

    /**
     * They hold what belongs to several programs or people; one folder in them may be a project.
     */
    private static final List<Path> SHARED =
            List.of(DISKS, Path.of("/opt"), Path.of("/home"), Path.of("/Users"), Path.of("/root"));

    private RunFolders() {}

    public static void checkWorkspace(Path workspace) throws UsageException {
        if (!Files.isDirectory(workspace)) {
            throw new UsageException(
                    "The workspace " + workspace + " is not a folder. Choose one with -C DIR.");
        }
    }

    /**
     * The same configuration with the real paths of added folders, none of which lies in another.
     * Tasks at work side by side, each in a work tree, share only those that their command names.
     */
    public static AgentConfig found(
            AgentConfig config, ParseResult arguments, Invocation invocation)
            throws UsageException, IOException {
        AgentConfig.Permissions permissions = config.permissions();
        if (permissions.addDirs().isEmpty()) {
            return config;
        }
        Path workspace = real(config.workspace());
        List<Path> all = new ArrayList<>();
        List<Path> given =
                RunOption.ADD_DIR.texts(arguments).stream()
                        .map(text -> invocation.currentDirectory().resolve(text).normalize())
                        .toList();
        boolean alone = Boundaries.isTreeAlone(workspace);
        for (Path folder : permissions.addDirs()) {
            if (alone && !given.contains(folder)) {
                continue;
            }
            Path real = checked(folder, workspace, config, invocation);
            if (!real.startsWith(workspace) && all.stream().noneMatch(real::startsWith)) {
                all.removeIf(inner -> inner.startsWith(real));
                all.add(real);
            }
        }
        return config.restricted(permissions.adding(all), config.sandbox());
    }

    /** What is to be said of folders that change nothing. */
    public static List<String> notes(AgentConfig config) throws IOException {
        List<String> notes = new ArrayList<>();
        for (Path folder : config.permissions().addDirs()) {
            if (Files.isDirectory(folder) && real(folder).startsWith(real(config.workspace()))) {
                notes.add("--add-dir " + folder + " adds nothing: it is part of the workspace");
            }
        }
        return notes;
    }

    private static Path checked(
            Path folder, Path workspace, AgentConfig config, Invocation invocation)
            throws UsageException, IOException {
        if (!Files.exists(folder)) {
            throw refused(folder, "it does not exist");
        }
        if (!Files.isDirectory(folder)) {
            throw refused(folder, "it is not a folder");
        }
        Path real = real(folder);
        if (real.getParent() == null) {
            throw refused(folder, "it is the whole machine");
        }
        if (isOfTheSystem(real) || isPersonal(real, invocation)) {
            throw refused(folder, "programs find there what they run or how they work");
        }
        if (!real.equals(workspace) && workspace.startsWith(real)) {
            throw refused(folder, "it holds the workspace. Use -C " + folder + " instead");
        }
        if (real(invocation.home()).startsWith(real)) {
            throw refused(folder, "it is or holds your home folder. Use -C DIR to work there");
        }
        if (ControlNames.groupOf(real.subpath(0, real.getNameCount())).isPresent()
                || ControlNames.isAroundSome(real)) {
            throw refused(folder, "what lies there tells programs what to run or do");
        }
        checkUnexchangeable(folder, real, workspace, config);
        Optional<Path> program = program(real, invocation);
        if (program.isPresent()) {
            throw refused(folder, "a program that is started lies there, " + program.get());
        }
        for (Path own : RunCircumstances.ownFolders(invocation)) {
            if (meet(own, real) && !real.startsWith(workspace)) {
                throw refused(folder, "this program keeps its own files there, in " + own);
            }
        }
        return real;
    }

    /**
     * Commands of this run must not decide what the next one, which is given the same name, finds
     * under it.
     */
    private static void checkUnexchangeable(
            Path folder, Path real, Path workspace, AgentConfig config)
            throws UsageException, IOException {
        for (Path writable : config.sandbox().writable()) {
            if (!real.equals(real(writable)) && real.startsWith(real(writable))) {
                throw refused(folder, "commands could exchange it: it lies in " + writable);
            }
        }
        if (real.startsWith(workspace)) {
            return; // nothing is added
        }
        List<Path> open = new ArrayList<>(List.of(workspace));
        open.addAll(config.sandbox().writable());
        open.addAll(config.permissions().addDirs());
        for (LinkChain.Link link : chain(folder).links()) {
            for (Path one : open) {
                if (link.path().startsWith(real(one))) {
                    throw refused(
                            folder,
                            "commands could exchange the link " + link.path() + ". Give " + real);
                }
            }
        }
    }

    private static boolean isOfTheSystem(Path real) {
        return SHARED.contains(real)
                || real.startsWith(OF_THE_SESSION) && !real.startsWith(DISKS)
                || OF_THE_SYSTEM.stream().anyMatch(own -> meet(real, own));
    }

    private static boolean meet(Path one, Path other) {
        return one.startsWith(other) || other.startsWith(one);
    }

    /**
     * Hidden folders of a home hold settings; those in bin are found by name. Some programs take
     * the home of the variable, some the one of the account, as ssh does.
     */
    private static boolean isPersonal(Path real, Invocation invocation) throws IOException {
        List<Path> homes = List.of(invocation.home(), Path.of(System.getProperty("user.home")));
        for (Path one : homes) {
            Path home = real(one);
            if (home.getParent() != null && real.startsWith(home)) {
                for (Path part : home.relativize(real)) {
                    if (part.toString().startsWith(".") || part.toString().equals("bin")) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    /**
     * What commands may write there and this program, or the person, runs outside of the sandbox:
     * whatever a name on the PATH leads to, also by links that lie in the folder; this program and
     * the Java that runs it.
     */
    private static Optional<Path> program(Path folder, Invocation invocation) throws IOException {
        Path jar = Path.of(System.getProperty("java.class.path").split(":")[0]).toAbsolutePath();
        List<Path> own = new ArrayList<>(List.of(jar, Path.of(System.getProperty("java.home"))));
        own.add(Path.of(invocation.variable("JAVA_HOME")));
        own.addAll(launchers(jar));
        for (Path one : own) {
            if (!one.toString().isEmpty() && leadsThrough(one.toAbsolutePath(), folder)) {
                return Optional.of(one);
            }
        }
        for (String entry : invocation.variable("PATH").split(":")) {
            Path place = Path.of(entry);
            if (!entry.startsWith("/") || !Files.isDirectory(place)) {
                continue;
            }
            if (leadsThrough(place, folder)) {
                return Optional.of(place);
            }
            Optional<Path> link = linkThrough(place, folder);
            if (link.isPresent()) {
                return link;
            }
        }
        return Optional.empty();
    }

    /**
     * The scripts that start this program, where they lie beside the jar in each of its layouts.
     */
    private static List<Path> launchers(Path jar) {
        List<Path> found = new ArrayList<>();
        Path at = jar.getParent();
        for (int up = 0; at != null && up < 3; up++, at = at.getParent()) {
            for (String name : List.of("agent", "scripts/agent", "bin/agent")) {
                if (Files.isRegularFile(at.resolve(name))) {
                    found.add(at.resolve(name));
                }
            }
        }
        return found;
    }

    private static Optional<Path> linkThrough(Path place, Path folder) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(place)) {
            for (Path file : files) {
                if (Files.isSymbolicLink(file) && leadsThrough(file, folder)) {
                    return Optional.of(file);
                }
            }
            return Optional.empty();
        } catch (AccessDeniedException e) {
            return Optional.empty(); // nobody starts what cannot be found
        }
    }

    private static boolean leadsThrough(Path path, Path folder) {
        LinkChain chain = chain(path.normalize());
        return path.startsWith(folder)
                || chain.target().startsWith(folder)
                || chain.links().stream().anyMatch(link -> link.path().startsWith(folder));
    }

    private static LinkChain chain(Path path) {
        return LinkChain.of(Path.of("/"), Path.of("/").relativize(path));
    }

    private static UsageException refused(Path folder, String why) {
        return new UsageException(
                "--add-dir (permissions.add_dirs): " + folder + " cannot be added, " + why + ".");
    }

    private static Path real(Path folder) throws IOException {
        return Files.exists(folder) ? folder.toRealPath() : folder;
    }
}
