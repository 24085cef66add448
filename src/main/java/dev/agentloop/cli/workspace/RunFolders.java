package dev.agentloop.cli.workspace;

import dev.agentloop.cli.command.Invocation;
import dev.agentloop.cli.command.RunOption;
import dev.agentloop.cli.command.UsageException;
import dev.agentloop.config.AgentConfig;
import dev.agentloop.controlfile.ControlNames;
import dev.agentloop.sandbox.watch.Boundaries;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.ParseResult;

/** The folders of a run: its workspace, and those that a person has added to it. */
public final class RunFolders {
    private static final List<Path> OF_THE_SYSTEM =
            List.of(Path.of("/proc"), Path.of("/sys"), Path.of("/dev"));
    private static final Path SOCKETS = Path.of("/run"); // but a disk may be mounted below it

    private static final List<String> STARTED =
            List.of("git", "rg", "find", "bwrap", "sh", "setsid", "pdftotext");

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
            if (real(folder).startsWith(real(config.workspace()))) {
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
        if (real.equals(SOCKETS) || OF_THE_SYSTEM.stream().anyMatch(real::startsWith)) {
            throw refused(folder, "it belongs to the system");
        }
        if (!real.equals(workspace) && workspace.startsWith(real)) {
            throw refused(folder, "it holds the workspace. Use -C " + folder + " instead");
        }
        if (real(invocation.home()).startsWith(real)) {
            throw refused(folder, "it is or holds your home folder. Use -C DIR to work there");
        }
        if (ControlNames.groupOf(real.subpath(0, real.getNameCount())).isPresent()) {
            throw refused(folder, "what lies there tells programs what to run or do");
        }
        for (Path writable : config.sandbox().writable()) {
            if (!real.equals(real(writable)) && real.startsWith(real(writable))) {
                throw refused(folder, "commands could exchange it: it lies in " + writable);
            }
        }
        Optional<Path> program = program(real, invocation);
        if (program.isPresent()) {
            throw refused(folder, "a program of your PATH lies there, " + program.get());
        }
        for (Path own : RunCircumstances.ownFolders(invocation)) {
            boolean meets = own.startsWith(real) || real.startsWith(own);
            if (meets && !real.startsWith(workspace)) {
                throw refused(folder, "this program keeps its own files there, in " + own);
            }
        }
        return real;
    }

    /** What commands may write and this program, or the person, runs outside of the sandbox. */
    private static Optional<Path> program(Path folder, Invocation invocation) throws IOException {
        for (String entry : invocation.variable("PATH").split(":")) {
            if (!entry.startsWith("/")) {
                continue;
            }
            Path place = Path.of(entry);
            if (real(place).startsWith(folder)) {
                return Optional.of(place);
            }
            for (String name : STARTED) {
                Path file = place.resolve(name);
                if (Files.isExecutable(file) && file.toRealPath().startsWith(folder)) {
                    return Optional.of(file);
                }
            }
        }
        return Optional.empty();
    }

    private static UsageException refused(Path folder, String why) {
        return new UsageException(
                "--add-dir (permissions.add_dirs): " + folder + " cannot be added, " + why + ".");
    }

    private static Path real(Path folder) throws IOException {
        return Files.exists(folder) ? folder.toRealPath() : folder;
    }
}
