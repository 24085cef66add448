package dev.agentloop.sandbox.git;

import java.io.IOException;
import java.nio.file.Path;

/** Renames a file so that nothing finds it under its name. */
@FunctionalInterface
public interface PutAway {
    /** Returns where it is now. */
    Path putAway(Path file) throws IOException;
}
