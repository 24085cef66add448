package dev.agentloop.git;

import java.nio.file.Path;

/**
 * Where a repository is; real paths.
 *
 * @param root of the work tree
 * @param own folder of what git keeps of this work tree: HEAD and index
 * @param common folder of what all its work trees share: objects, branches, settings
 */
public record GitPlace(Path root, Path own, Path common) {
    /** Whether this is not the first work tree of the repository. */
    public boolean isLinked() {
        return !own.equals(common);
    }
}
