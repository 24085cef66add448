package dev.agentloop.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Programs of the machine that this one makes use of by itself. */
public final class Programs {
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

    private static boolean isOutside(Path workspace, Path file) {
        try {
            return Files.isRegularFile(file)
                    && !file.normalize().startsWith(workspace)
                    && !file.toRealPath().startsWith(workspace);
        } catch (IOException e) {
            return false;
        }
    }
}
