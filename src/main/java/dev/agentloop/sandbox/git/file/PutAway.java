package dev.agentloop.sandbox.git.file;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;

/** Renames a file so that nothing finds it under its name. */
@FunctionalInterface
public interface PutAway {
    /**
     * Returns where it is now.
     *
     * @param roots folders, as real paths; what lies in none of them is not renamed
     */
    Path putAway(Path file, Collection<Path> roots) throws IOException;
}
