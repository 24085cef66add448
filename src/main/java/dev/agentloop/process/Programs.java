package dev.agentloop.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Programs of the machine that this one makes use of by itself. */
public final class Programs {
    /** Where the programs of a system are, whatever a search path says. */
    static final String USUAL =
            "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
                    + ":/run/current-system/sw/bin:/nix/var/nix/profiles/default/bin";

    private Programs() {}

    /**
     * The first of this name on a search path, but none of the workspace: whoever wrote it would
     * run in our name.
     *
     * @param path as in the variable PATH; relative entries do not count
     */
    public static Optional<Path> find(String path, String name, Path workspace) {
        for (String folder : path.split(":")) {
            Path file = Path.of(folder, name);
            if (file.isAbsolute() && Files.isExecutable(file) && isOutside(workspace, file)) {
                return Optional.of(file);
            }
        }
        return Optional.empty();
    }

    /**
     * Program and arguments to start, with the program's path in place of a mere name.
     *
     * @param path as in the variable PATH
     * @throws IOException if none is found
     */
    static List<String> found(List<String> argv, String path, Path workspace) throws IOException {
        String name = argv.getFirst();
        if (name.indexOf('/') >= 0) {
            return argv;
        }
        Path program =
                find(path, name, workspace)
                        .orElseThrow(() ->
                                new IOException(
                                        "no program "
                                                + name
                                                + " on PATH; relative folders there and those of"
                                                + " the workspace do not count, but its full path"
                                                + " can be given"));
        List<String> all = new ArrayList<>(argv);
        all.set(0, program.toString());
        return all;
    }

    /** A search path without what depends on the folder that somebody happens to be in. */
    static String absolute(String path) {
        StringBuilder kept = new StringBuilder();
        for (String folder : path.split(":")) {
            if (folder.startsWith("/")) {
                kept.append(kept.isEmpty() ? "" : ":").append(folder);
            }
        }
        return kept.isEmpty() ? USUAL : kept.toString();
    }

    private static boolean isOutside(Path workspace, Path file) {
        try {
            boolean whole = workspace.getNameCount() == 0; // it holds every program there is
            boolean inside =
                    file.normalize().startsWith(workspace)
                            || file.toRealPath().startsWith(workspace);
            return Files.isRegularFile(file) && (whole || !inside);
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * A session of its own has no terminal that a program could wait at. As our child leads no
     * process group, setsid does not fork: the pid stays that of the command.
     */
    static List<String> setsid() {
        for (String file : List.of("/usr/bin/setsid", "/bin/setsid")) {
            if (Files.isExecutable(Path.of(file))) {
                return List.of(file);
            }
        }
        return List.of();
    }
}
