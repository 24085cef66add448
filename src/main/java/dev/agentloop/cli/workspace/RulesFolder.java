package dev.agentloop.cli.workspace;

import dev.agentloop.cli.command.Invocation;
import dev.agentloop.git.CommitFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The folder whose rules are taken from a commit. A change must not lead to another one, or to
 * none, by a link on the way to it.
 */
final class RulesFolder {
    private static final String FOLDER = "a folder"; // as a commit calls it

    private RulesFolder() {}

    /** The workspace by the name that it was given: the shell's, where that is not the real one. */
    static Path named(Path workspace, Invocation invocation) {
        Path here = invocation.currentDirectory().toAbsolutePath().normalize();
        String shell = invocation.environment().getOrDefault("PWD", "");
        if (!workspace.startsWith(here) || shell.isEmpty()) {
            return workspace;
        }
        try {
            Path named = Path.of(shell).normalize();
            boolean same = named.isAbsolute() && Files.isSameFile(named, here);
            return same ? named.resolve(here.relativize(workspace)) : workspace;
        } catch (IOException | RuntimeException e) {
            return workspace; // a variable that says nothing
        }
    }

    /**
     * @param named the workspace as it was named
     * @param root real path of the work tree
     * @throws IOException if a link of the work tree leads to it
     */
    static void checkNamed(Path named, Path root) throws IOException {
        for (Path at = named; at != null && at.getParent() != null; at = at.getParent()) {
            if (Files.isSymbolicLink(at) && at.getParent().toRealPath().startsWith(root)) {
                throw new IOException(
                        at
                                + " is a link of the work tree, and a change of it would choose the rules;"
                                + " name the folder that it leads to");
            }
        }
    }

    /**
     * @param rules folder of the configuration, relative to the commit
     * @throws IOException if something else stands in the commit on the way to it
     */
    static void checkIn(CommitFiles commit, Path rules) throws IOException {
        for (int count = 1; count <= rules.getNameCount(); count++) {
            Path part = rules.subpath(0, count);
            Optional<CommitFiles.Entry> entry = commit.read(part, 0);
            if (entry.isEmpty()) {
                return; // nothing below it either
            }
            String what =
                    entry.get() instanceof CommitFiles.Entry.Unread(String is) ? is : "a file";
            if (!what.equals(FOLDER)) {
                throw new IOException(part + " is " + what + " there, not a folder");
            }
        }
    }
}
