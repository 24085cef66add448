package dev.agentloop.cli.command;

import dev.agentloop.storage.PrivateFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** A file that a person begins with: of the user's own configuration, or of the project's. */
public final class NewFile {
    private static final String PROJECT = "--project";

    private NewFile() {}

    public static void addOptionTo(CommandSpec spec) {
        spec.addOption(
                Specs.flag("new: in the project's .agent folder, not in your own.", PROJECT));
    }

    /**
     * Writes it; refused if it is there already.
     *
     * @param name of what is made, a part of the path
     * @param path below the folder of the configuration, e.g. {@code agents/NAME.md}
     * @return the exit code
     */
    public static int write(
            ParseResult arguments, Invocation invocation, String name, String path, String text)
            throws UsageException, IOException {
        if (!name.matches("[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")) {
            throw new UsageException(
                    "\"" + name + "\" is no name: letters, digits, dash, dot and underscore.");
        }
        boolean ofProject = Specs.has(arguments, PROJECT);
        Path root = ofProject ? project(arguments, invocation) : user(invocation);
        Path file = root.resolve(path);
        Path folder = Objects.requireNonNull(file.getParent());
        if (ofProject) {
            Files.createDirectories(folder);
        } else {
            PrivateFiles.ensureDirectory(folder);
        }
        try {
            Files.writeString(
                    file,
                    text,
                    StandardCharsets.UTF_8,
                    StandardOpenOption.CREATE_NEW,
                    StandardOpenOption.WRITE);
        } catch (FileAlreadyExistsException e) {
            throw new UsageException(file + " is there already; edit it, or choose another name.");
        }
        invocation.streams().print("wrote " + file + "\n");
        if (ofProject) {
            invocation
                    .streams()
                    .printError("It counts once the workspace is trusted: agent config trust.\n");
        }
        return ExitCode.SUCCESS.code();
    }

    private static Path user(Invocation invocation) {
        return invocation.xdg("XDG_CONFIG_HOME", ".config");
    }

    /** Through no link: the folder may be somebody else's. */
    private static Path project(ParseResult arguments, Invocation invocation)
            throws UsageException {
        Path folder =
                invocation
                        .currentDirectory()
                        .resolve(RunOption.CWD.text(arguments))
                        .resolve(".agent");
        boolean usable =
                !Files.exists(folder, LinkOption.NOFOLLOW_LINKS)
                        || Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS);
        if (!usable) {
            throw new UsageException(folder + " is no folder of its own.");
        }
        return folder;
    }
}
